// BeamTree: the tree of one beam search up to a moment, from its BeamStep events (vitrine/events/beams.h).
//
// The nodes of a column are the continuations of one step, best first, after those of the columns before it;
// node 0 is the prompt. Kept and complete continuations are all there; of the pruned ones and of those that
// are not good enough each column has the best `width`, and their number else. So a search has at most
// 3 * width nodes for each token of its answers. Beam search as in "Sequence Transduction with Recurrent
// Neural Networks" (arXiv 1211.3711). Thread: a value. Read next: beam_tree_model.h.
#pragma once

#include <QString>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

struct BeamNode {
  int length = 0;   // tokens of the answer up to it; 0: the prompt
  int parent = -1;  // index of the node that it continues; -1: the prompt
  int rank = 0;     // among the continuations of its step, 0: the best
  TokenId token = 0;
  QString text;  // of the token; empty without a tokenizer
  double logprob = 0, cumulative = 0, score = 0;
  BeamFate fate = BeamFate::kKept;
  SequenceId sequence = 0;  // kKept: the sequence that carried it on
  int hypothesis = 0;       // kFinished: its number in the request
  bool recorded = true;     // false: it stands for the tokens before the recording began

  // At the moment of the tree's last column, by settle().
  int beam = -1;       // the best beam of this moment that goes through it, a node of the last column
  int place = 0;       // of a complete answer among the hypotheses, 1: the best; 0: not among them
  bool alive = false;  // a beam or a hypothesis of this moment goes through it
  bool best = false;   // the best beam does or, when the search has ended, the best hypothesis
  bool leaf = true;    // no node continues it
};

struct BeamColumn {
  int first = 0, end = 0;                      // its nodes
  int length = 0;                              // tokens of the answers
  int step = 0;                                // of the engine; 0: before the recording began
  int left = 0;                                // continuations that the events have and the tree has not
  int kept = 0, finished = 0;                  // beams after it, hypotheses after it
  double lastKept = 0;                         // the least score of a kept continuation; valid with kept > 0
  double bestPossible = 0, worstFinished = 0;  // as in the event
  BeamEnd verdict = BeamEnd::kNone;
  std::vector<int> displaced;  // hypotheses that it pushed out
};

class BeamTree {
 public:
  explicit BeamTree(int width = 1);  // the prompt alone

  // Requires the steps of one search in order. A first step that is not the search's first one has parents
  // before it that are not recorded. settle() must follow.
  void add(const BeamStep& step, int engineStep);
  void keep(int steps);  // the first ones; settle() must follow
  // Nodes that keep(steps) leaves.
  int sizeAfter(int steps) const { return m_columns[columnsAfter(steps) - 1].end; }
  void settle();  // finds beams, hypotheses and paths of this moment; costs one pass over the nodes

  int width() const { return m_width; }
  int steps() const { return m_steps; }  // that were added
  bool hasEnded() const { return m_columns.back().verdict != BeamEnd::kNone; }
  const std::vector<BeamNode>& nodes() const { return m_nodes; }
  const BeamNode& at(int node) const { return m_nodes[static_cast<std::size_t>(node)]; }
  int size() const { return static_cast<int>(m_nodes.size()); }
  const std::vector<BeamColumn>& columns() const { return m_columns; }  // the first one is the prompt's
  const BeamColumn& columnOf(int node) const;
  int columnIndexOf(int node) const;

  int best() const { return m_best; }       // the end of the best path; the prompt without any
  std::vector<int> pathTo(int node) const;  // from the prompt to the node, both included
  int beamOf(SequenceId sequence) const;    // the beam that the sequence carries now; -1: none
  int bestChildOf(int node) const;          // -1: none
  // Of a kept node that is not alive: the column in which no beam went on from it or from what continued it.
  int endColumnOf(int node) const;
  int hypothesis(int number) const;             // the node of that complete answer; -1: none
  int numHypotheses() const { return m_kept; }  // of this moment

 private:
  std::size_t columnsAfter(int steps) const;
  int parentOf(const BeamCandidate& candidate) const;
  void addUnrecorded(const BeamStep& step);
  void rankHypotheses();

  int m_width = 1, m_steps = 0, m_best = 0, m_kept = 0;
  std::vector<BeamNode> m_nodes;
  std::vector<BeamColumn> m_columns;
};

}  // namespace vitrine
