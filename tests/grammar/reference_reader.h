// What a grammar takes, found out the slow way: for tests of the automaton. Each expression gives the set of
// places where it may end; nothing is compiled. Requires that no rule begins with itself.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "grammar/grammar.h"
#include "text/utf8.h"

namespace vitrine {

class ReferenceReader {
 public:
  using Places = std::set<std::size_t>;

  ReferenceReader(const Grammar& grammar, std::string_view text) : m_grammar(grammar), m_text(text) {}

  bool takesAll() { return rule(m_grammar.root, 0).contains(m_text.size()); }

 private:
  const Places& rule(int number, std::size_t at) {
    const auto key = std::pair(number, at);
    const auto known = m_known.find(key);
    if (known != m_known.end()) return known->second;
    Places ends = endsOf(m_grammar.rules[static_cast<std::size_t>(number)].expression, at);
    return m_known.emplace(key, std::move(ends)).first->second;
  }

  Places endsOf(const Expression& expression, std::size_t at) {
    switch (expression.kind) {
      case Expression::Kind::kText:
        return m_text.substr(at).starts_with(expression.text) ? Places{at + expression.text.size()}
                                                              : Places();
      case Expression::Kind::kClass: {
        const utf8::Step step = utf8::decode(m_text.substr(at));
        for (const CodeRange& range : expression.ranges)
          if (step.length > 0 && step.valid && step.codePoint >= range.first && step.codePoint <= range.last)
            return {at + step.length};
        return {};
      }
      case Expression::Kind::kRule:
        return rule(expression.rule, at);
      case Expression::Kind::kSequence: {
        Places ends = {at};
        for (const Expression& part : expression.parts) ends = after(part, ends);
        return ends;
      }
      case Expression::Kind::kChoice: {
        Places ends;
        for (const Expression& part : expression.parts) ends.merge(endsOf(part, at));
        return ends;
      }
      case Expression::Kind::kRepeat:
        return repeated(expression, at);
    }
    return {};
  }

  Places after(const Expression& part, const Places& begins) {
    Places ends;
    for (const std::size_t at : begins) ends.merge(endsOf(part, at));
    return ends;
  }

  Places repeated(const Expression& expression, std::size_t at) {
    const Expression& part = expression.parts.front();
    Places here = {at}, ends;
    for (int i = 0; i < expression.least; ++i) here = after(part, here);
    ends = here;
    for (int i = expression.least; expression.most == Expression::kEndless || i < expression.most; ++i) {
      here = after(part, here);
      const std::size_t before = ends.size();
      ends.insert(here.begin(), here.end());
      if (ends.size() == before) break;
    }
    return ends;
  }

  const Grammar& m_grammar;
  const std::string_view m_text;
  std::map<std::pair<int, std::size_t>, Places> m_known;
};

}  // namespace vitrine
