#include "widgets/beams/beam_tree.h"

#include <algorithm>

namespace vitrine {

BeamTree::BeamTree(int width) : m_width(width), m_nodes(1), m_columns(1) {
  m_columns.front().end = 1;
  settle();
}

const BeamColumn& BeamTree::columnOf(int node) const {
  return m_columns[static_cast<std::size_t>(columnIndexOf(node))];
}

int BeamTree::columnIndexOf(int node) const {
  const auto behind = std::ranges::upper_bound(m_columns, node, {}, &BeamColumn::first);
  return static_cast<int>(behind - m_columns.begin()) - 1;
}

// The beams of a step are the kept continuations of the step before it. Only a damaged trace names another.
int BeamTree::parentOf(const BeamCandidate& candidate) const {
  const BeamColumn& before = m_columns.back();
  if (before.length == 0) return 0;
  for (int i = before.first; i < before.end; ++i)
    if (at(i).fate == BeamFate::kKept && at(i).sequence == candidate.parent) return i;
  return 0;
}

void BeamTree::addUnrecorded(const BeamStep& step) {
  BeamColumn column;
  column.first = size();
  column.length = step.length - 1;
  for (const BeamCandidate& candidate : step.candidates) {
    const auto known = std::find_if(m_nodes.begin() + column.first, m_nodes.end(),
                                    [&](const BeamNode& one) { return one.sequence == candidate.parent; });
    if (known != m_nodes.end()) continue;
    BeamNode node;
    node.length = column.length;
    node.parent = 0;
    node.cumulative = candidate.cumulative - candidate.logprob;
    node.sequence = candidate.parent;
    node.rank = column.kept++;
    node.recorded = false;
    m_nodes.push_back(std::move(node));
  }
  column.end = size();
  m_columns.push_back(std::move(column));
}

void BeamTree::add(const BeamStep& step, int engineStep) {
  if (step.length != m_columns.back().length + 1) addUnrecorded(step);
  BeamColumn column;
  column.first = size();
  column.length = step.length;
  column.step = engineStep;
  column.finished = step.finished;
  column.bestPossible = step.bestPossible;
  column.worstFinished = step.worstFinished;
  column.verdict = step.end;
  column.displaced = step.displaced;
  int others = 0, rank = 0;
  for (const BeamCandidate& one : step.candidates) {
    const bool goesOn = one.fate == BeamFate::kKept, counts = goesOn || one.fate == BeamFate::kFinished;
    ++rank;
    if (!counts && others == m_width) {
      ++column.left;
      continue;
    }
    others += counts ? 0 : 1;
    if (goesOn) {
      column.lastKept = column.kept == 0 ? one.score : std::min(column.lastKept, one.score);
      ++column.kept;
    }
    BeamNode node{step.length,   parentOf(one),  rank - 1,  one.token, QString::fromStdString(one.piece),
                  one.logprob,   one.cumulative, one.score, one.fate,  one.sequence,
                  one.hypothesis};
    m_nodes.push_back(std::move(node));
  }
  column.end = size();
  m_columns.push_back(std::move(column));
  ++m_steps;
}

// Without a step the columns that were not recorded go too.
std::size_t BeamTree::columnsAfter(int steps) const {
  return steps == 0 ? 1 : m_columns.size() - static_cast<std::size_t>(std::max(0, m_steps - steps));
}

void BeamTree::keep(int steps) {
  m_columns.resize(columnsAfter(steps));
  m_nodes.resize(static_cast<std::size_t>(m_columns.back().end));
  m_steps = std::min(m_steps, steps);
}

// The older one of equals is before the newer one, as in the search (sampling/beam_search.h).
void BeamTree::rankHypotheses() {
  std::vector<int> displaced, complete;
  for (const BeamColumn& column : m_columns)
    displaced.insert(displaced.end(), column.displaced.begin(), column.displaced.end());
  std::ranges::sort(displaced);
  for (int i = 0; i < size(); ++i)
    if (at(i).fate == BeamFate::kFinished && !std::ranges::binary_search(displaced, at(i).hypothesis))
      complete.push_back(i);
  std::ranges::stable_sort(complete, [this](int a, int b) {
    return at(a).score != at(b).score ? at(a).score > at(b).score : at(a).hypothesis < at(b).hypothesis;
  });
  m_kept = 0;
  for (const int i : complete) m_nodes[static_cast<std::size_t>(i)].place = ++m_kept;
  if (!complete.empty() && hasEnded()) m_best = complete.front();
}

// A parent is always before its children, so one pass from the end brings every fact to the prompt.
void BeamTree::settle() {
  for (BeamNode& node : m_nodes) {
    node.beam = -1;
    node.place = 0;
    node.alive = node.best = false;
    node.leaf = true;
  }
  m_best = 0;
  const BeamColumn& last = m_columns.back();
  for (int i = last.end - 1; i >= last.first; --i)
    if (at(i).fate == BeamFate::kKept) m_nodes[static_cast<std::size_t>(i)].beam = m_best = i;
  rankHypotheses();
  m_nodes[static_cast<std::size_t>(m_best)].best = true;
  for (int i = size() - 1; i >= 0; --i) {
    BeamNode& node = m_nodes[static_cast<std::size_t>(i)];
    node.alive = node.alive || node.beam >= 0 || node.place > 0;
    if (node.parent < 0) continue;
    BeamNode& parent = m_nodes[static_cast<std::size_t>(node.parent)];
    parent.leaf = false;
    parent.alive = parent.alive || node.alive;
    parent.best = parent.best || node.best;
    if (node.beam >= 0 && (parent.beam < 0 || node.beam < parent.beam)) parent.beam = node.beam;
  }
}

std::vector<int> BeamTree::pathTo(int node) const {
  std::vector<int> path;
  for (; node >= 0; node = at(node).parent) path.push_back(node);
  std::ranges::reverse(path);
  return path;
}

int BeamTree::beamOf(SequenceId sequence) const {
  const BeamColumn& last = m_columns.back();
  for (int i = last.first; i < last.end; ++i)
    if (at(i).fate == BeamFate::kKept && at(i).sequence == sequence && sequence != 0) return i;
  return -1;
}

int BeamTree::endColumnOf(int node) const {
  std::vector<bool> continues(m_nodes.size(), false);
  continues[static_cast<std::size_t>(node)] = true;
  int last = columnIndexOf(node);
  for (std::size_t column = static_cast<std::size_t>(last) + 1; column < m_columns.size(); ++column)
    for (int i = m_columns[column].first; i < m_columns[column].end; ++i) {
      const BeamNode& one = at(i);
      if (one.fate != BeamFate::kKept || one.parent < 0 || !continues[static_cast<std::size_t>(one.parent)])
        continue;
      continues[static_cast<std::size_t>(i)] = true;
      last = static_cast<int>(column);
    }
  return std::min(last + 1, static_cast<int>(m_columns.size()) - 1);
}

int BeamTree::bestChildOf(int node) const {
  const auto next = static_cast<std::size_t>(columnIndexOf(node)) + 1;
  if (next >= m_columns.size()) return -1;
  for (int i = m_columns[next].first; i < m_columns[next].end; ++i)
    if (at(i).parent == node) return i;
  return -1;
}

int BeamTree::hypothesis(int number) const {
  const auto found = std::ranges::find_if(m_nodes, [number](const BeamNode& one) {
    return one.fate == BeamFate::kFinished && one.hypothesis == number;
  });
  return found == m_nodes.end() ? -1 : static_cast<int>(found - m_nodes.begin());
}

}  // namespace vitrine
