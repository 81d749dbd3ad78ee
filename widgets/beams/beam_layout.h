// BeamLayout: where the nodes of a search tree lie: a column for each length, in it a row for each node.
//
// A node lies near its parent, and children of one parent lie together, best first, so no two lines cross.
// Of all such places in a column it takes those that are nearest to the wanted ones (isotonic regression by
// pooling neighbours). A column depends on the one before it alone, so what is drawn stays where it is while
// the search goes on, and a further step costs its own nodes. Thread: a value.
#pragma once

#include <vector>

#include "widgets/beams/beam_tree.h"

namespace vitrine {

class BeamLayout {
 public:
  void clear() { *this = {}; }
  // Requires the tree of before with other last columns; else clear() first.
  void follow(const BeamTree& tree);

  int columns() const { return static_cast<int>(m_columns.size()); }
  double rowOf(int node) const { return m_rows[static_cast<std::size_t>(node)]; }  // 0: in the middle
  // The nodes of a column from top to bottom.
  const std::vector<int>& column(int col) const { return m_columns[static_cast<std::size_t>(col)]; }
  int indexOf(const BeamTree& tree, int node) const;  // in its column
  double halfRows() const {
    return m_most / 2;
  }  // rows from the middle to the lowest and to the highest place there is

 private:
  static std::vector<double> closestOf(const BeamTree& tree, const std::vector<int>& nodes);
  void place(const BeamTree& tree, const BeamColumn& column);

  std::vector<double> m_rows;               // of each node
  std::vector<std::vector<int>> m_columns;  // nodes, from top to bottom
  double m_most = 1;                        // rows that a column needs
};

}  // namespace vitrine
