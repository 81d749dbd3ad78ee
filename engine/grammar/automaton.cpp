#include "grammar/automaton.h"

#include <algorithm>
#include <bitset>

#include "core/check.h"
#include "grammar/grammar_checks.h"
#include "grammar/utf8_ranges.h"
#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine {

class AutomatonBuilder {
 public:
  AutomatonBuilder(const Grammar& grammar, Automaton& machine) : m_grammar(grammar), m_machine(machine) {}

  void build() {
    for (const Grammar::Rule& rule : m_grammar.rules) m_machine.m_names.push_back(rule.name);
    if (const int rule = endlessRule(m_grammar); rule != kNoRule)
      fail(rule, "never ends: every way through it needs it once more",
           "give it an alternative without itself");
    if (const int rule = selfBeginningRule(m_grammar); rule != kNoRule)
      fail(rule, "begins with itself", "write it as a repetition: x ::= y (\"+\" y)*");
    m_machine.m_root = m_grammar.root;
    for (int rule = 0; rule < rules(); ++rule) {
      m_rule = rule;
      const int start = newNode();
      m_machine.m_starts.push_back(start);
      at(write(m_grammar.rules[index(rule)].expression, start)).ends = true;
    }
    findClasses();
  }

 private:
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  int rules() const { return static_cast<int>(m_grammar.rules.size()); }
  Automaton::Node& at(int node) { return m_machine.m_nodes[index(node)]; }

  [[noreturn]] void fail(int rule, const std::string& trouble, const std::string& mend) const {
    throw EngineError(ErrorCode::kInvalidArgument,
                      "the rule \"" + forMessage(m_machine.nameOf(rule), 60) + "\" " + trouble, mend);
  }

  int newNode() {
    if (m_machine.nodes() == kMostGrammarNodes)
      throw EngineError(ErrorCode::kInvalidArgument,
                        "the grammar is too large: written out, it has more than " +
                            std::to_string(kMostGrammarNodes) + " places",
                        "ask for fewer repetitions, or without a largest number of them");
    m_machine.m_nodes.push_back({.rule = m_rule});
    return m_machine.nodes() - 1;
  }

  // Writes the expression behind a node, and returns the node behind the expression.
  int write(const Expression& expression, int from) {
    switch (expression.kind) {
      case Expression::Kind::kText:
        return writeText(expression.text, from);
      case Expression::Kind::kClass:
        return writeClass(expression.ranges, from);
      case Expression::Kind::kRule: {
        const int to = newNode();
        at(from).calls.push_back({expression.rule, to});
        return to;
      }
      case Expression::Kind::kSequence: {
        for (const Expression& part : expression.parts) from = write(part, from);
        return from;
      }
      case Expression::Kind::kChoice: {
        const int to = newNode();
        for (const Expression& part : expression.parts) {
          const int begin = newNode();
          at(from).empty.push_back(begin);
          const int end = write(part, begin);
          at(end).empty.push_back(to);
        }
        return to;
      }
      case Expression::Kind::kRepeat:
        return writeRepeat(expression, from);
    }
    VITRINE_CHECK(false);
  }

  int writeText(const std::string& text, int from) {
    for (const char c : text) {
      const int to = newNode();
      const auto byte = static_cast<std::uint8_t>(c);
      at(from).bytes.push_back({byte, byte, to});
      from = to;
    }
    return from;
  }

  int writeClass(const std::vector<CodeRange>& ranges, int from) {
    const int to = newNode();
    for (const CodeRange& range : ranges)
      for (const Utf8Range& bytes : utf8RangesOf(range)) writeBytes(bytes, from, to);
    return to;
  }

  // Characters that begin with the same bytes share the nodes behind them.
  void writeBytes(const Utf8Range& range, int from, int to) {
    for (int i = 0; i + 1 < range.length; ++i) {
      const auto first = range.bytes[index(i)].first, last = range.bytes[index(i)].second;
      auto& edges = at(from).bytes;
      const auto same = std::ranges::find_if(edges, [&](const Automaton::ByteEdge& edge) {
        return edge.first == first && edge.last == last && edge.target != to;
      });
      if (same != edges.end()) {
        from = same->target;
        continue;
      }
      const int next = newNode();
      at(from).bytes.push_back({first, last, next});
      from = next;
    }
    const auto [first, last] = range.bytes[index(range.length - 1)];
    at(from).bytes.push_back({first, last, to});
  }

  // A loop returns to a node of its own, so that no edge from outside leads into the middle of it.
  int writeRepeat(const Expression& expression, int from) {
    const Expression& part = expression.parts.front();
    for (int i = 0; i < expression.least; ++i) from = write(part, from);
    if (expression.most == Expression::kEndless) {
      const int loop = newNode();
      at(from).empty.push_back(loop);
      const int begin = newNode();
      at(loop).empty.push_back(begin);
      const int end = write(part, begin);
      at(end).empty.push_back(loop);
      const int to = newNode();
      at(loop).empty.push_back(to);
      return to;
    }
    if (expression.most == expression.least) return from;
    const int to = newNode();
    for (int i = expression.least; i < expression.most; ++i) {
      at(from).empty.push_back(to);
      const int begin = newNode();
      at(from).empty.push_back(begin);
      from = write(part, begin);
    }
    at(from).empty.push_back(to);
    return to;
  }

  // A boundary stands wherever some edge begins or ends.
  void findClasses() {
    std::bitset<257> begins;
    for (const Automaton::Node& node : m_machine.m_nodes)
      for (const auto& edge : node.bytes) {
        begins.set(edge.first);
        begins.set(index(edge.last) + 1);
      }
    m_machine.m_classes.resize(256);
    int current = 0;
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if (byte > 0 && begins.test(byte)) ++current;
      m_machine.m_classes[byte] = static_cast<std::uint8_t>(current);
    }
    m_machine.m_classCount = current + 1;
  }

  const Grammar& m_grammar;
  Automaton& m_machine;
  int m_rule = 0;  // whose nodes are made
};

Automaton::Automaton(const Grammar& grammar) { AutomatonBuilder(grammar, *this).build(); }

bool Automaton::isTail(int number) const {
  const Node* node = &this->node(number);
  for (int steps = 0; steps < nodes(); ++steps) {
    if (!node->bytes.empty() || !node->calls.empty()) return false;
    if (node->ends) return node->empty.empty();
    if (node->empty.size() != 1) return false;
    node = &this->node(node->empty.front());
  }
  return false;
}

}  // namespace vitrine
