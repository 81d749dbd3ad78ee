// TableColumns: the columns of a table model as one list, from which columnCount(), data() and headerData()
// follow (SessionModel). A column has a heading, the text of a row, and for CSV its plain value:
//
//   const TableColumns& MyModel::columns() const {
//     static const ColumnsOf<MyModel> kColumns = {
//         {QT_TR_NOOP("Step"), &MyRow::step},
//         {QT_TR_NOOP("Text"), &MyModel::textOf},
//         {QT_TR_NOOP("Time"), [](const MyRow& row) { return formatDuration(row.ns); }, &MyRow::ns},
//     };
//     return kColumns;
//   }
//
// A cell comes from the row, from the model and the row's number, or from the model and the row. It may be a
// number, a text, a QVariant or an optional; an empty optional and NaN are an empty cell. Thread: the
// window's.
#pragma once

#include <QAbstractItemModel>
#include <QVariant>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "widgets/support/alignment.h"

namespace vitrine {

struct TableColumn {
  struct Look {
    const char* plainTitle = nullptr;       // the heading of the plain values, with their unit
    const char* tip = nullptr;              // of the heading
    Qt::Alignment align{}, headingAlign{};  // none: the view's
  };
  using Cell = std::function<QVariant(const QAbstractItemModel& model, int row)>;

  const char* title;  // by QT_TR_NOOP(), as the other words
  Cell text, plain;   // Qt::DisplayRole and Qt::EditRole; without a plain value, both are the text
  Look look;

  QVariant data(const QAbstractItemModel& model, int row, int role) const;
  QVariant heading(const QMetaObject& translator, int role) const;
};
using TableColumns = std::vector<TableColumn>;

// Of numbers, with their heading above them.
constexpr TableColumn::Look numeric(const char* plainTitle = nullptr, const char* tip = nullptr) {
  return {plainTitle, tip, kAtRight, kAtRight};
}

// A cell that is empty where a row has nothing to say.
template <class Value>
std::optional<Value> cellIf(bool isThere, Value value) {
  return isThere ? std::optional<Value>(std::move(value)) : std::nullopt;
}

template <class Value>
QVariant cellValue(const Value& value) {
  if constexpr (requires { value.has_value(); })
    return value ? cellValue(*value) : QVariant();
  else if constexpr (std::is_same_v<Value, std::string>)
    return QString::fromStdString(value);
  else if constexpr (std::is_floating_point_v<Value>)
    return std::isnan(value) ? QVariant() : QVariant(static_cast<double>(value));
  else if constexpr (std::is_same_v<Value, std::int64_t>)
    return static_cast<qlonglong>(value);
  else
    return value;
}

template <class Model, class Of>
TableColumn::Cell cellOf(Of of) {
  return [of](const QAbstractItemModel& any, int row) -> QVariant {
    const auto& model = static_cast<const Model&>(any);
    if constexpr (std::is_invocable_v<Of, const Model&, int>)
      return cellValue(std::invoke(of, model, row));
    else if constexpr (requires { std::invoke(of, model.at(row)); })
      return cellValue(std::invoke(of, model.at(row)));
    else
      return cellValue(std::invoke(of, model, model.at(row)));
  };
}

template <class Model>
struct ColumnOf : TableColumn {
  template <class Text>
  ColumnOf(const char* heading, Text of, Look looks = {})
      : TableColumn{heading, cellOf<Model>(of), {}, looks} {}
  template <class Text, class Plain>
  ColumnOf(const char* heading, Text of, Plain number, Look looks = {})
      : TableColumn{heading, cellOf<Model>(of), cellOf<Model>(number), looks} {}
};

template <class Model>
struct ColumnsOf : TableColumns {
  ColumnsOf(std::initializer_list<ColumnOf<Model>> columns) : TableColumns(columns.begin(), columns.end()) {}
};

}  // namespace vitrine
