// Automaton: a grammar as a machine that reads bytes: for each rule a graph of nodes, with edges over bytes
// and edges over other rules.
//
// The rules' graphs are those of Thompson (1968), characters written out as the bytes of UTF-8, so that a
// token that is a part of a character is judged like any other. What a machine remembers beside its node is
// where each rule that it is in goes on (token_masks.h has it): a pushdown automaton, as XGrammar compiles
// one (arXiv 2411.15100). Thread: immutable. Read next: grammar_matcher.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grammar/grammar.h"

namespace vitrine {

class Automaton {
 public:
  struct ByteEdge {
    std::uint8_t first = 0, last = 0;
    int target = 0;
  };
  struct CallEdge {
    int rule = 0, target = 0;
  };
  struct Node {
    int rule = 0;
    bool ends = false;  // the rule may end here
    std::vector<ByteEdge> bytes = {};
    std::vector<CallEdge> calls = {};
    std::vector<int> empty = {};  // edges over nothing
  };

  // Throws EngineError(kInvalidArgument), which names the rule: one that begins with itself, one that never
  // ends, or more nodes than kMostGrammarNodes.
  explicit Automaton(const Grammar& grammar);

  const Node& node(int number) const { return m_nodes[static_cast<std::size_t>(number)]; }
  int nodes() const { return static_cast<int>(m_nodes.size()); }
  int startOf(int rule) const { return m_starts[static_cast<std::size_t>(rule)]; }
  int root() const { return m_root; }
  const std::string& nameOf(int rule) const { return m_names[static_cast<std::size_t>(rule)]; }

  // Whether nothing but the end of its rule follows the node: a rule that is called there need not come back.
  bool isTail(int node) const;

  // Bytes that no node tells apart have the same class, 0 .. classes() - 1.
  int classOf(std::uint8_t byte) const { return m_classes[byte]; }
  int classes() const { return m_classCount; }

 private:
  friend class AutomatonBuilder;

  std::vector<Node> m_nodes;
  std::vector<int> m_starts;  // [rule]
  std::vector<std::string> m_names;
  std::vector<std::uint8_t> m_classes;  // [256]
  int m_root = 0, m_classCount = 1;
};

}  // namespace vitrine
