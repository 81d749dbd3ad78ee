#include "widgets/layers/attention_model.h"

#include <algorithm>
#include <numeric>

#include "widgets/support/formats.h"

namespace vitrine {

void AttentionModel::choose(int layer, int head) {
  if (layer == m_layer && head == m_head) return;
  m_layer = layer;
  m_head = head;
  ask();
}

// The choice may come from a run of another model.
InsideOptions AttentionModel::optionsFor(int tokens) const {
  const int rows = std::clamp(kMostCells / std::max(tokens, 1), 1, kMostRows);
  return {.layer = std::clamp(m_layer, 0, std::max(0, layers() - 1)),
          .head = m_head < heads() ? m_head : -1,
          .attentionFrom = std::max(0, tokens - rows)};
}

void AttentionModel::reportChanged() {
  beginResetModel();
  m_tokens = report() ? reported().tokens : 0;
  m_rows = m_tokens > 0 ? static_cast<int>(report()->attention.size()) / m_tokens : 0;
  m_first = m_tokens - m_rows;
  endResetModel();
}

float AttentionModel::share(int row, int column) const {
  return report()->attention[static_cast<std::size_t>(row) * static_cast<std::size_t>(m_tokens) +
                             static_cast<std::size_t>(column)];
}

std::vector<int> AttentionModel::mostSeen(int row, int count) const {
  std::vector<int> columns(static_cast<std::size_t>(positionOf(row)) + 1);
  std::iota(columns.begin(), columns.end(), 0);
  const auto kept = std::min<std::ptrdiff_t>(count, std::ssize(columns));
  std::ranges::partial_sort(columns, columns.begin() + kept, [&](int a, int b) {
    return share(row, a) > share(row, b) || (share(row, a) == share(row, b) && a < b);
  });
  columns.resize(static_cast<std::size_t>(kept));
  return columns;
}

QString AttentionModel::describe(int row, int column) const {
  constexpr int kNamed = 5;
  const QString looks = tr("“%1” (position %2)").arg(tokenText(positionOf(row))).arg(positionOf(row));
  if (column > positionOf(row)) return tr("%1 comes before that token, and sees nothing of it.").arg(looks);
  if (column >= 0)
    return tr("%1 looks at “%2” (position %3): %4")
        .arg(looks, tokenText(column))
        .arg(column)
        .arg(formatPercent(double{share(row, column)}));
  QStringList most;
  for (const int seen : mostSeen(row, kNamed))
    most << tr("“%1” %2").arg(tokenText(seen), formatPercent(double{share(row, seen)}));
  return tr("%1 looks most at %2").arg(looks, most.join(tr(", ")));
}

QVariant AttentionModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int column = index.column() - 1;
  if (role == Qt::ToolTipRole) return plainTip(describe(index.row(), column));
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  if (column < 0) return tr("%1 %2").arg(positionOf(index.row())).arg(tokenText(positionOf(index.row())));
  if (column > positionOf(index.row())) return {};
  const double part = double{share(index.row(), column)};
  return role == Qt::EditRole ? QVariant(part) : QVariant(formatPercent(part));
}

QVariant AttentionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::EditRole))
    return SessionModel::headerData(section, orientation, role);
  return section == 0 ? tr("Looks from") : tr("%1 %2").arg(section - 1).arg(tokenText(section - 1));
}

}  // namespace vitrine

#include "moc_attention_model.cpp"
