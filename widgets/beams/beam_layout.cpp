#include "widgets/beams/beam_layout.h"

#include <algorithm>

namespace vitrine {
namespace {

constexpr double kBetweenFamilies = 0.4;  // in rows
// Part of the distance that each column goes, so that a path does not wander off.
constexpr double kTowardsMiddle = 0.12;

// The nearest places to the wanted ones, in the same order, and at least as far apart as in `closest`.
std::vector<double> apart(const std::vector<double>& wanted, const std::vector<double>& closest) {
  struct Pool {
    double sum;
    std::size_t size;
    double mean() const { return sum / static_cast<double>(size); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    pools.push_back({wanted[i] - closest[i], 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().size += last.size;
    }
  }
  std::vector<double> places;
  places.reserve(wanted.size());
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.size; ++i) places.push_back(pool.mean() + closest[places.size()]);
  return places;
}

}  // namespace

void BeamLayout::follow(const BeamTree& tree) {
  const auto columns = tree.columns().size();
  if (m_columns.size() > columns) m_columns.resize(columns);
  m_rows.resize(static_cast<std::size_t>(m_columns.empty() ? 0 : tree.columns()[m_columns.size() - 1].end));
  m_most = 1;
  for (const std::vector<int>& column : m_columns)
    m_most = std::max(m_most, closestOf(tree, column).back() + 1);
  while (m_columns.size() < columns) place(tree, tree.columns()[m_columns.size()]);
}

// A row for each node of a column, and more between the children of two parents.
std::vector<double> BeamLayout::closestOf(const BeamTree& tree, const std::vector<int>& nodes) {
  std::vector<double> places{0};
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const bool siblings = tree.at(nodes[i]).parent == tree.at(nodes[i - 1]).parent;
    places.push_back(places.back() + (siblings ? 1 : 1 + kBetweenFamilies));
  }
  return places;
}

void BeamLayout::place(const BeamTree& tree, const BeamColumn& column) {
  std::vector<int> nodes;
  for (int i = column.first; i < column.end; ++i) nodes.push_back(i);
  const auto parentRow = [&](int node) { return tree.at(node).parent < 0 ? 0 : rowOf(tree.at(node).parent); };
  std::ranges::stable_sort(nodes, {}, parentRow);
  std::vector<double> wanted;
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i;
    while (end < nodes.size() && tree.at(nodes[end]).parent == tree.at(nodes[i]).parent) ++end;
    const double first = parentRow(nodes[i]) * (1 - kTowardsMiddle) - static_cast<double>(end - i - 1) / 2;
    for (const std::size_t begin = i; i < end; ++i) wanted.push_back(first + static_cast<double>(i - begin));
  }
  const std::vector<double> closest = closestOf(tree, nodes), places = apart(wanted, closest);
  m_most = std::max(m_most, closest.back() + 1);
  const double lowest = (m_most - 1) / 2;
  m_rows.resize(static_cast<std::size_t>(column.end));
  for (std::size_t i = 0; i < nodes.size(); ++i)
    m_rows[static_cast<std::size_t>(nodes[i])] =
        std::clamp(places[i], closest[i] - lowest, lowest - (closest.back() - closest[i]));
  m_columns.push_back(std::move(nodes));
}

int BeamLayout::indexOf(const BeamTree& tree, int node) const {
  const std::vector<int>& nodes = column(tree.columnIndexOf(node));
  return static_cast<int>(std::ranges::find(nodes, node) - nodes.begin());
}

}  // namespace vitrine
