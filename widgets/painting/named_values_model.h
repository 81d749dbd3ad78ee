// NamedValuesModel: a table of two columns, a name and what it has: a file's keys, the error in each type.
//
// It has a session because views do; the session may be an empty one. Thread: the window's.
#pragma once

#include "widgets/session/session_model.h"

namespace vitrine {

struct NamedValue {
  QString name, text;
  QVariant plain;  // for CSV; empty: the text

  bool operator==(const NamedValue&) const = default;
};

class NamedValuesModel : public RowsModel<NamedValue> {
 public:
  NamedValuesModel(Session* session, QString nameHeading, QString valueHeading, QObject* parent = nullptr);

  void setValues(std::vector<NamedValue> values);

  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  void refresh() override {}

 private:
  const QString m_nameHeading, m_valueHeading;
};

}  // namespace vitrine
