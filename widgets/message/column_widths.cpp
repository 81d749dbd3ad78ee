#include "widgets/message/column_widths.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vitrine {
namespace {

double sum(const std::vector<double>& widths) { return std::accumulate(widths.begin(), widths.end(), 0.0); }

}  // namespace

ColumnWidths columnWidths(const std::vector<CellWidth>& cells, std::size_t columns,
                          const ColumnRules& rules) {
  std::vector<CellWidth> most(columns);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    CellWidth& column = most[i % columns];
    column.word = std::max(column.word, cells[i].word);
    column.whole = std::max(column.whole, cells[i].whole);
  }
  // A word wider than everything that is shown at once is broken like one in the text.
  const double widest = std::max(rules.room - rules.around, rules.least);
  std::vector<double> whole, least, preferred;
  for (const CellWidth& column : most) {
    const double word = std::min(column.word, widest);
    const auto bounded = [&](double width) {
      return std::ceil(std::min(column.whole, std::max(word, width)) + rules.around);
    };
    whole.push_back(std::ceil(column.whole + rules.around));
    least.push_back(bounded(rules.least));
    preferred.push_back(bounded(rules.preferred));
  }
  if (sum(whole) <= rules.room) return {};
  const double rest = rules.room - sum(least), wanted = sum(whole) - sum(least);
  if (rest < 0) return {preferred, true};
  for (std::size_t i = 0; i < columns; ++i)
    least[i] += std::floor(rest * (whole[i] - least[i]) / std::max(wanted, 1.0));
  return {least, false};
}

}  // namespace vitrine
