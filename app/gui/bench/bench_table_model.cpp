#include "gui/bench/bench_table_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "widgets/support/formats.h"
#include "widgets/support/glossary_tips.h"

namespace vitrine {

namespace {

// The terms of the field that a text names, each with its meaning.
QString termsOf(const QString& text) {
  QStringList tips;
  for (const prose::TermPlace& place : prose::termsIn(text.toStdString(), windowGlossary())) {
    const prose::Term& term = windowGlossary()[place.term];
    tips << QStringLiteral("%1: %2").arg(QString::fromStdString(term.name),
                                         QString::fromStdString(term.meaning));
  }
  tips.removeDuplicates();
  return tips.join(u'\n');
}

}  // namespace

BenchTableModel::BenchTableModel(Session* session, BenchTable table, Spreads spreads, QObject* parent)
    : SessionModel(session, parent), m_table(std::move(table)), m_order(m_table.rows.size()) {
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
  for (std::size_t i = 0; i < m_table.columns.size(); ++i) {
    m_columns.push_back({i, Part::kShown});
    const bool hasSpread =
        std::ranges::any_of(m_table.rows, [i](const auto& row) { return row[i].spread.has_value(); });
    if (!hasSpread || spreads == Spreads::kInTheCells) continue;
    for (const Part part : {Part::kSd, Part::kMedian, Part::kLeast, Part::kMost})
      m_columns.push_back({i, part});
  }
}

std::unique_ptr<BenchTableModel> BenchTableModel::withSpreads() const {
  auto model = std::make_unique<BenchTableModel>(session(), m_table, Spreads::kInColumns);
  model->m_order = m_order;
  return model;
}

bool BenchTableModel::isNumeric(int column) const {
  const std::size_t source = m_columns.at(static_cast<std::size_t>(column)).source;
  return std::ranges::any_of(m_table.rows, [&](const auto& row) { return row[source].number.has_value(); });
}

int BenchTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int BenchTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

const BenchCell& BenchTableModel::cellAt(int row, const Column& column) const {
  return m_table.rows[m_order[static_cast<std::size_t>(row)]][column.source];
}

QVariant BenchTableModel::plain(const BenchCell& cell, Part part) const {
  if (part == Part::kShown && cell.number) return *cell.number;
  if (part == Part::kShown) return QString::fromStdString(cell.text == "-" ? std::string() : cell.text);
  if (!cell.spread) return QString();
  const Summary& spread = *cell.spread;
  return part == Part::kSd       ? spread.sd
         : part == Part::kMedian ? spread.median
         : part == Part::kLeast  ? spread.min
                                 : spread.max;
}

QString BenchTableModel::tip(const BenchCell& cell) const {
  if (!cell.spread || cell.spread->count < 2) return {};
  const Summary& spread = *cell.spread;
  const auto text = [](double value) { return QString::fromStdString(rounded(value)); };
  return tr("Measured %n time(s):", nullptr, spread.count) + u' ' +
         tr("mean %1, standard deviation %2, median %3, from %4 to %5")
             .arg(text(spread.mean), text(spread.sd), text(spread.median), text(spread.min),
                  text(spread.max));
}

QVariant BenchTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Column& column = m_columns[static_cast<std::size_t>(index.column())];
  const BenchCell& cell = cellAt(index.row(), column);
  switch (role) {
    case Qt::DisplayRole:
      return column.part == Part::kShown ? QVariant(QString::fromStdString(cell.text))
                                         : plain(cell, column.part);
    case Qt::EditRole:
      return plain(cell, column.part);
    case Qt::ToolTipRole:
      return plainTip(tip(cell));
    case Qt::TextAlignmentRole:
      return alignment(column);
    default:
      return {};
  }
}

// Names at the left, as it is printed.
QVariant BenchTableModel::alignment(const Column& column) const {
  const bool isName = column.source < 2 && std::ranges::none_of(m_table.rows, [&](const auto& row) {
                        return row[column.source].number.has_value();
                      });
  return QVariant::fromValue((isName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

QString BenchTableModel::name(const Column& column) const {
  const QString name = QString::fromStdString(m_table.columns[column.source].name);
  switch (column.part) {
    case Part::kShown:
      return name;
    case Part::kSd:
      return tr("%1, standard deviation").arg(name);
    case Part::kMedian:
      return tr("%1, median").arg(name);
    case Part::kLeast:
      return tr("%1, least").arg(name);
    case Part::kMost:
      return tr("%1, most").arg(name);
  }
  return {};
}

QVariant BenchTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
    return SessionModel::headerData(section, orientation, role);
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return name(m_columns[static_cast<std::size_t>(section)]);
    case Qt::ToolTipRole:
      return plainTip(termsOf(name(m_columns[static_cast<std::size_t>(section)])));
    case Qt::TextAlignmentRole:
      return alignment(m_columns[static_cast<std::size_t>(section)]);
    default:
      return SessionModel::headerData(section, orientation, role);
  }
}

void BenchTableModel::sort(int column, Qt::SortOrder order) {
  emit layoutAboutToBeChanged({}, VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  const std::vector<std::size_t> old = m_order;
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
  if (column >= 0 && column < columnCount()) {
    const std::size_t source = m_columns[static_cast<std::size_t>(column)].source;
    const bool numeric = isNumeric(column);
    // Rows without a measurement come first.
    const auto isLess = [&](std::size_t a, std::size_t b) {
      const BenchCell &left = m_table.rows[a][source], &right = m_table.rows[b][source];
      return numeric ? left.number < right.number : left.text < right.text;
    };
    std::ranges::stable_sort(m_order, [&](std::size_t a, std::size_t b) {
      return order == Qt::AscendingOrder ? isLess(a, b) : isLess(b, a);
    });
  }
  QModelIndexList after;
  for (const QModelIndex& index : before) {
    const auto place = std::ranges::find(m_order, old[static_cast<std::size_t>(index.row())]);
    after << this->index(static_cast<int>(place - m_order.begin()), index.column());
  }
  changePersistentIndexList(before, after);
  emit layoutChanged({}, VerticalSortHint);
}

}  // namespace vitrine

#include "moc_bench_table_model.cpp"
