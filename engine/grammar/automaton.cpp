#include "grammar/automaton.h"

#include <algorithm>
#include <bitset>
#include <numeric>

#include "core/check.h"
#include "grammar/utf8_ranges.h"
#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine {

class AutomatonBuilder {
 public:
  AutomatonBuilder(const Grammar& grammar, Automaton& machine) : m_grammar(grammar), m_machine(machine) {}

  void build() {
    for (const Grammar::Rule& rule : m_grammar.rules) m_machine.m_names.push_back(rule.name);
    m_machine.m_root = m_grammar.root;
    for (int rule = 0; rule < rules(); ++rule) {
      m_rule = rule;
      const int start = newNode();
      m_machine.m_starts.push_back(start);
      at(write(m_grammar.rules[index(rule)].expression, start)).ends = true;
    }
    requireEnds();
    requireProgress();
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
      const auto [first, last] = range.bytes[index(i)];
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

  // Walks a rule's own nodes from its start, over edges that `passes` lets through, and visits each once.
  template <typename Passes, typename Visit>
  void walk(int rule, const Passes& passes, const Visit& visit) {
    const int begin = m_machine.startOf(rule);
    const int end = rule + 1 < rules() ? m_machine.startOf(rule + 1) : m_machine.nodes();
    m_seen.assign(index(end - begin), false);
    m_open.clear();
    const auto reach = [&](int node) {
      if (m_seen[index(node - begin)]) return;
      m_seen[index(node - begin)] = true;
      m_open.push_back(node);
    };
    for (reach(begin); !m_open.empty();) {
      const Automaton::Node& node = m_machine.node(m_open.back());
      m_open.pop_back();
      visit(node);
      for (const int next : node.empty) reach(next);
      for (const Automaton::ByteEdge& edge : node.bytes)
        if (passes(edge)) reach(edge.target);
      for (const Automaton::CallEdge& edge : node.calls)
        if (passes(edge)) reach(edge.target);
    }
  }

  // Which rules have a way from their start to their end: through bytes, or through nothing alone.
  std::vector<bool> rulesThatEnd(bool throughBytes) {
    std::vector<bool> ends(index(rules()), false);
    std::vector<std::vector<int>> callers(index(rules()));
    for (const Automaton::Node& node : m_machine.m_nodes)
      for (const Automaton::CallEdge& call : node.calls) callers[index(call.rule)].push_back(node.rule);
    std::vector<int> open(index(rules()));
    std::iota(open.begin(), open.end(), 0);
    while (!open.empty()) {
      const int rule = open.back();
      open.pop_back();
      if (ends[index(rule)]) continue;
      walk(rule, Ways{ends, throughBytes},
           [&](const Automaton::Node& node) { ends[index(rule)] = ends[index(rule)] || node.ends; });
      if (ends[index(rule)])
        open.insert(open.end(), callers[index(rule)].begin(), callers[index(rule)].end());
    }
    return ends;
  }

  // Some rule of the circle into which `next` leads, so that it is the one named.
  template <typename Next>
  int inCircle(int rule, const Next& next) const {
    for (int i = 0; i < rules(); ++i) rule = next(rule);
    return rule;
  }

  void requireEnds() {
    const std::vector<bool> ends = rulesThatEnd(true);
    const auto never = std::ranges::find(ends, false);
    if (never == ends.end()) return;
    const int rule = inCircle(static_cast<int>(never - ends.begin()), [&](int at) {
      int next = at;
      walk(
          at, [](const auto&) { return true; },
          [&](const Automaton::Node& node) {
            for (const Automaton::CallEdge& call : node.calls)
              if (!ends[index(call.rule)]) next = call.rule;
          });
      return next;
    });
    fail(rule, "never ends: every way through it needs it once more",
         "give it an alternative without itself");
  }

  // A rule that calls itself before a byte would be in itself without end. Rules that call none of the others
  // so early are taken away until those are left that lead into a circle.
  void requireProgress() {
    const std::vector<bool> empty = rulesThatEnd(false);
    std::vector<std::vector<int>> callers(index(rules())), early(index(rules()));
    for (int rule = 0; rule < rules(); ++rule)
      walk(rule, Ways{empty, false}, [&](const Automaton::Node& node) {
        for (const Automaton::CallEdge& call : node.calls) {
          early[index(rule)].push_back(call.rule);
          callers[index(call.rule)].push_back(rule);
        }
      });
    std::vector<std::size_t> left(index(rules()));
    std::vector<int> open;
    for (int rule = 0; rule < rules(); ++rule)
      if ((left[index(rule)] = early[index(rule)].size()) == 0) open.push_back(rule);
    while (!open.empty()) {
      const int rule = open.back();
      open.pop_back();
      for (const int caller : callers[index(rule)])
        if (--left[index(caller)] == 0) open.push_back(caller);
    }
    const auto isLeft = [&](int rule) { return left[index(rule)] > 0; };
    const auto found = std::ranges::find_if(left, [](std::size_t count) { return count > 0; });
    if (found == left.end()) return;
    const int rule = inCircle(static_cast<int>(found - left.begin()),
                              [&](int at) { return *std::ranges::find_if(early[index(at)], isLeft); });
    fail(rule, "begins with itself", "write it as a repetition: x ::= y (\"+\" y)*");
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

  // The edges over nothing but rules that `rules` has, and those over bytes or not.
  struct Ways {
    const std::vector<bool>& rules;
    bool bytes;
    bool operator()(const Automaton::ByteEdge&) const { return bytes; }
    bool operator()(const Automaton::CallEdge& edge) const { return rules[index(edge.rule)]; }
  };

  const Grammar& m_grammar;
  Automaton& m_machine;
  int m_rule = 0;  // whose nodes are made
  std::vector<bool> m_seen;
  std::vector<int> m_open;
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
