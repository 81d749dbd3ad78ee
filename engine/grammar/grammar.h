// Grammar: what an answer may be, as rules over code points, before it is compiled (automaton.h).
//
// All ways to ask for a structure come down to it: GBNF (gbnf.h), a regular expression (regex_grammar.h), a
// JSON schema (schema_grammar.h), a list of choices. An expression is a tree; a rule is a named one, which
// others refer to by its number, also before it is written. Names are for people: they stand in *Why* and in
// the sampler. Thread: values. Read next: gbnf.h, automaton.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vitrine {

struct CodeRange {  // code points, both ends included; none of them a surrogate
  char32_t first = 0, last = 0;
  bool operator==(const CodeRange&) const = default;
};

struct Expression {
  enum class Kind : std::uint8_t { kText, kClass, kRule, kSequence, kChoice, kRepeat };
  static constexpr int kEndless = -1;

  Kind kind = Kind::kSequence;         // an empty sequence is the empty text
  std::string text = {};               // kText: UTF-8
  std::vector<CodeRange> ranges = {};  // kClass: one code point of these; in order, none touches another
  int rule = 0;                        // kRule: its number
  int least = 0, most = 0;             // kRepeat: of the only part; kEndless: without an end
  std::vector<Expression> parts = {};  // kSequence: all in their order; kChoice: one of them, at least one

  bool operator==(const Expression&) const = default;
};

// The ways to write expressions.
Expression textOf(std::string utf8);
Expression oneOf(std::vector<CodeRange> ranges);   // put in order and joined; at least one code point
Expression noneOf(std::vector<CodeRange> ranges);  // any other code point; there must be one
Expression ruleOf(int number);
Expression sequenceOf(std::vector<Expression> parts);
Expression choiceOf(std::vector<Expression> parts);
Expression repeatOf(Expression part, int least, int most);  // least <= most, or most is kEndless
inline Expression optional(Expression part) { return repeatOf(std::move(part), 0, 1); }

struct Grammar {
  struct Rule {
    std::string name;
    Expression expression;
  };
  std::vector<Rule> rules = {};
  int root = 0;

  // A new rule, and its number; its expression may be set later.
  int add(std::string name, Expression expression = {}) {
    rules.push_back({std::move(name), std::move(expression)});
    return static_cast<int>(rules.size()) - 1;
  }
};

// A grammar in GBNF, for people to read and for tests; parseGbnf() reads the same language from it.
std::string toGbnf(const Grammar& grammar);

// Limits of what a person or a client may ask for. Beyond one: EngineError(kInvalidArgument), which names the
// limit.
inline constexpr std::size_t kLongestGrammar = std::size_t{64} << 10;  // bytes of a source
inline constexpr int kMostGrammarNodes = 100'000;  // of expressions, repetitions written out
inline constexpr int kDeepestGrammar = 64;         // brackets or schemas in each other

}  // namespace vitrine
