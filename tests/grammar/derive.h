// Texts of a grammar drawn at random, and a recogniser that shares nothing with the engine's automaton.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/grammar.h"
#include "text/utf8.h"

namespace vitrine::test {

// The grammar must live as long as this, and each of its rules must come to an end.
class Derivation {
 public:
  Derivation(const Grammar& grammar, std::uint32_t seed) : m_grammar(grammar), m_random(seed) {
    m_heights.assign(grammar.rules.size(), kFar);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t rule = 0; rule < m_heights.size(); ++rule) {
        const int height = heightOf(grammar.rules[rule].expression);
        changed |= height < m_heights[rule];
        m_heights[rule] = std::min(m_heights[rule], height);
      }
    }
  }

  // A text; beyond the budget of steps it takes the shortest ways.
  std::string text(int budget = 400) {
    m_left = budget;
    m_text.clear();
    write(ruleOf(m_grammar.root), 0);
    return m_text;
  }

 private:
  static constexpr int kFar = 1 << 20, kDeep = 60;

  int heightOf(const Expression& expression) const {
    int height = 0;
    switch (expression.kind) {
      case Expression::Kind::kText:
      case Expression::Kind::kClass:
        return 0;
      case Expression::Kind::kRule:
        return std::min(kFar, 1 + m_heights[static_cast<std::size_t>(expression.rule)]);
      case Expression::Kind::kChoice:
        height = kFar;
        for (const Expression& part : expression.parts) height = std::min(height, heightOf(part));
        return height;
      case Expression::Kind::kRepeat:
        return expression.least == 0 ? 0 : heightOf(expression.parts.front());
      case Expression::Kind::kSequence:
        for (const Expression& part : expression.parts) height = std::max(height, heightOf(part));
    }
    return height;
  }

  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

  void write(const Expression& expression, int depth) {
    --m_left;
    const bool hurries = m_left < 0 || depth > kDeep;
    switch (expression.kind) {
      case Expression::Kind::kText:
        m_text += expression.text;
        return;
      case Expression::Kind::kClass: {
        const CodeRange& range =
            expression.ranges[static_cast<std::size_t>(below(static_cast<int>(expression.ranges.size())))];
        const int width = static_cast<int>(range.last - range.first) + 1;
        // Most of a wide range's code points are never met; its first ones are those that matter.
        const int nearEnd = below(3) == 0 ? width : std::min(width, 100);
        utf8::append(m_text, range.first + static_cast<char32_t>(below(nearEnd)));
        return;
      }
      case Expression::Kind::kRule:
        write(m_grammar.rules[static_cast<std::size_t>(expression.rule)].expression, depth + 1);
        return;
      case Expression::Kind::kSequence:
        for (const Expression& part : expression.parts) write(part, depth);
        return;
      case Expression::Kind::kChoice: {
        const Expression* chosen =
            &expression.parts[static_cast<std::size_t>(below(static_cast<int>(expression.parts.size())))];
        if (hurries)
          chosen = &*std::ranges::min_element(expression.parts, {},
                                              [this](const Expression& part) { return heightOf(part); });
        write(*chosen, depth);
        return;
      }
      case Expression::Kind::kRepeat: {
        const int room = expression.most == Expression::kEndless ? 4 : expression.most - expression.least;
        int count = expression.least + (hurries ? 0 : below(std::min(room, 8) + 1));
        if (!hurries && expression.most != Expression::kEndless && below(5) == 0) count = expression.most;
        for (; count > 0; --count) write(expression.parts.front(), depth);
      }
    }
  }

  const Grammar& m_grammar;
  std::mt19937 m_random;
  std::vector<int> m_heights;  // of rules in rules, at least
  int m_left = 0;
  std::string m_text;
};

// Whether a text is one of the grammar's, of which no rule begins with itself.
class Recogniser {
 public:
  explicit Recogniser(const Grammar& grammar) : m_grammar(grammar), m_root(ruleOf(grammar.root)) {}

  bool accepts(std::string_view text) {
    m_text = text;
    m_known.clear();
    return endsOf(m_root, 0).contains(text.size());
  }

 private:
  using Ends = std::set<std::size_t>;

  const Ends& endsOf(const Expression& expression, std::size_t from) {
    const auto key = std::pair(&expression, from);
    if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
    Ends ends = found(expression, from);
    return m_known[key] = std::move(ends);
  }

  Ends stepped(const Expression& part, const Ends& from) {
    Ends ends;
    for (const std::size_t at : from) ends.merge(Ends(endsOf(part, at)));
    return ends;
  }

  Ends found(const Expression& expression, std::size_t from) {
    const std::string_view rest = m_text.substr(from);
    Ends ends;
    switch (expression.kind) {
      case Expression::Kind::kText:
        if (rest.starts_with(expression.text)) ends = {from + expression.text.size()};
        return ends;
      case Expression::Kind::kClass: {
        const utf8::Step step = utf8::decode(rest);
        const bool within = std::ranges::any_of(expression.ranges, [&](const CodeRange& range) {
          return range.first <= step.codePoint && step.codePoint <= range.last;
        });
        if (step.length > 0 && step.valid && within) ends = {from + step.length};
        return ends;
      }
      case Expression::Kind::kRule:
        return endsOf(m_grammar.rules[static_cast<std::size_t>(expression.rule)].expression, from);
      case Expression::Kind::kSequence:
        ends = {from};
        for (const Expression& part : expression.parts) ends = stepped(part, ends);
        return ends;
      case Expression::Kind::kChoice:
        for (const Expression& part : expression.parts) ends.merge(Ends(endsOf(part, from)));
        return ends;
      case Expression::Kind::kRepeat: {
        Ends present{from};
        for (int count = 0;; ++count) {
          if (count >= expression.least) {
            const std::size_t before = ends.size();
            ends.insert(present.begin(), present.end());
            if (ends.size() == before && count > expression.least) break;  // nothing new comes
          }
          if (present.empty() || count == expression.most) break;
          present = stepped(expression.parts.front(), present);
        }
        return ends;
      }
    }
    return ends;
  }

  const Grammar& m_grammar;
  const Expression m_root;
  std::string_view m_text;
  std::map<std::pair<const Expression*, std::size_t>, Ends> m_known;
};

}  // namespace vitrine::test
