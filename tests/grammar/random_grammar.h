// Grammars drawn at random, over four characters of one, two and three bytes, so that random texts are often
// theirs. Some have a rule that never ends, or one that begins with itself by way of an empty one.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "grammar/grammar.h"
#include "text/utf8.h"

namespace vitrine::test {

using Random = std::mt19937;

inline int below(Random& random, int count) {
  return static_cast<int>(random() % static_cast<unsigned>(count));
}

// Over few characters, one of them of two bytes and one of three, so that random texts are often taken.
inline char32_t someCharacter(Random& random) { return U"abé€"[below(random, 4)]; }

inline std::string someText(Random& random, int most) {
  std::string text;
  for (int i = below(random, most + 1); i > 0; --i) utf8::append(text, someCharacter(random));
  return text;
}

// Calls go to later rules, or come behind a character, so that no rule begins with itself.
inline Expression someExpression(Random& random, int rule, int rules, int depth) {
  switch (below(random, depth > 3 ? 3 : 7)) {
    case 0:
      return textOf(someText(random, 2) + "a");
    case 1: {
      const char32_t one = someCharacter(random);
      return below(random, 4) == 0 ? noneOf({{one, one}}) : oneOf({{one, one}, {U'b', U'b'}});
    }
    case 2: {
      if (rule + 1 < rules && below(random, 2) == 0)
        return ruleOf(rule + 1 + below(random, rules - rule - 1));
      return sequenceOf({textOf("b"), choiceOf({ruleOf(below(random, rules)), textOf("a")})});
    }
    case 3:
    case 4: {
      std::vector<Expression> parts;
      for (int i = below(random, 4); i > 0; --i)
        parts.push_back(someExpression(random, rule, rules, depth + 1));
      return sequenceOf(std::move(parts));
    }
    case 5: {
      std::vector<Expression> parts;
      for (int i = 1 + below(random, 3); i > 0; --i)
        parts.push_back(someExpression(random, rule, rules, depth + 1));
      return choiceOf(std::move(parts));
    }
    default: {
      const int least = below(random, 3);
      const int most = below(random, 2) == 0 ? Expression::kEndless : least + below(random, 3);
      return repeatOf(someExpression(random, rule, rules, depth + 1), least, most);
    }
  }
}

inline Grammar someGrammar(Random& random) {
  Grammar grammar;
  const int rules = 1 + below(random, 4);
  for (int rule = 0; rule < rules; ++rule)
    grammar.add("rule" + std::to_string(rule), someExpression(random, rule, rules, 0));
  return grammar;
}

}  // namespace vitrine::test
