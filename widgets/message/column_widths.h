// How wide the columns of a table of an answer are. Pixels, without the cells' padding. Plain numbers.
#pragma once

#include <cstddef>
#include <vector>

namespace vitrine {

struct CellWidth {
  double word = 0;   // the longest part that is not broken
  double whole = 0;  // in one line
};

struct ColumnRules {
  double room = 0;       // for all columns
  double around = 0;     // what each column has beside its text: padding and a border
  double least = 0;      // prose is not narrower, unless it is shorter
  double preferred = 0;  // nor wider, unless a word is, where the table scrolls
};

struct ColumnWidths {
  std::vector<double> columns;  // with what is around the text; empty: every cell has its line, as it is
  bool scrolls = false;         // they need more than the room
};

// `cells`: row by row; the last row may lack some.
ColumnWidths columnWidths(const std::vector<CellWidth>& cells, std::size_t columns, const ColumnRules& rules);

}  // namespace vitrine
