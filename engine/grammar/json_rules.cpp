#include "grammar/json_rules.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grammar/code_ranges.h"
#include "text/utf8.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

constexpr int kMostIndent = 20, kLongestName = 60;
constexpr std::size_t kComparedCodes = 24;

const std::vector<CodeRange>& plainCodes() {  // of a string, without an escape
  static const std::vector<CodeRange> codes = complementOf({{0, 0x1F}, {'"', '"'}, {'\\', '\\'}});
  return codes;
}

struct ShortEscape {
  char32_t code;
  char letter;
};
constexpr ShortEscape kShortEscapes[] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                         {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};

Expression letterOf(std::string_view letters) {
  std::vector<CodeRange> ranges;
  for (const char c : letters) ranges.push_back({static_cast<char32_t>(c), static_cast<char32_t>(c)});
  return oneOf(std::move(ranges));
}
Expression anyDigit() { return oneOf({{'0', '9'}}); }
Expression firstDigit() { return oneOf({{'1', '9'}}); }
Expression digitsOf(int least, int most) { return repeatOf(anyDigit(), least, most); }
Expression hexDigits(int count) {
  return repeatOf(oneOf({{'0', '9'}, {'A', 'F'}, {'a', 'f'}}), count, count);
}

std::string escapedUtf8(std::string_view text) {
  const std::string quoted = nlohmann::json(text).dump();
  return quoted.substr(1, quoted.size() - 2);
}

bool holds(const std::vector<CodeRange>& ranges, char32_t code) {
  return std::ranges::any_of(
      ranges, [code](const CodeRange& range) { return range.first <= code && code <= range.last; });
}

// Keys as a tree of their code points.
struct KeyTree {
  std::map<char32_t, KeyTree> children;
  bool ends = false;   // a key ends here
  bool isCut = false;  // a longer key was cut here: all that begin like this are left out
};

Expression keyCharacter(std::vector<CodeRange> ranges) {
  std::vector<Expression> choices;
  if (auto plain = commonOf(complementOf(complementOf(ranges)), plainCodes()); !plain.empty())
    choices.push_back(oneOf(std::move(plain)));
  if (holds(ranges, '"')) choices.push_back(textOf("\\\""));
  if (holds(ranges, '\\')) choices.push_back(textOf("\\\\"));
  return choiceOf(std::move(choices));
}

// What may follow in a key that is none of the tree's.
Expression keyTail(const KeyTree& tree, const Expression& anything) {
  std::vector<CodeRange> known;
  std::vector<Expression> choices;
  for (const auto& [code, child] : tree.children) {
    known.push_back({code, code});
    if (child.isCut || (code < 0x20)) continue;
    choices.push_back(sequenceOf({keyCharacter({{code, code}}), keyTail(child, anything)}));
  }
  choices.push_back(sequenceOf({keyCharacter(complementOf(std::move(known))), anything}));
  if (!tree.ends) choices.push_back({});
  return choiceOf(std::move(choices));
}

}  // namespace

int JsonRules::add(const std::string& name, Expression expression) {
  const std::string shown = forMessage(name, kLongestName);
  const int wanted = ++m_names[shown];
  return m_grammar.add(wanted == 1 ? shown : shown + " (" + std::to_string(wanted) + ")",
                       std::move(expression));
}

// Its number is known before it is made: a value may hold values.
Expression JsonRules::ruleFor(const char* name, Expression (JsonRules::*make)()) {
  if (const auto known = m_made.find(name); known != m_made.end()) return ruleOf(known->second);
  const int rule = add(name);
  m_made.emplace(name, rule);
  Expression made = (this->*make)();
  m_grammar.rules[static_cast<std::size_t>(rule)].expression = std::move(made);
  return ruleOf(rule);
}

Expression JsonRules::blanks() { return ruleFor("blanks", &JsonRules::makeBlanks); }
Expression JsonRules::character() { return ruleFor("character", &JsonRules::makeCharacter); }
Expression JsonRules::string() { return ruleFor("string", &JsonRules::makeString); }
Expression JsonRules::integer() { return ruleFor("integer", &JsonRules::makeInteger); }
Expression JsonRules::number() { return ruleFor("number", &JsonRules::makeNumber); }
Expression JsonRules::boolean() { return ruleFor("boolean", &JsonRules::makeBoolean); }
Expression JsonRules::value() { return ruleFor("value", &JsonRules::makeValue); }
Expression JsonRules::object() { return ruleFor("object", &JsonRules::makeObject); }
Expression JsonRules::array() { return ruleFor("array", &JsonRules::makeArray); }

Expression JsonRules::makeBlanks() {
  Expression indent = repeatOf(textOf(" "), 0, kMostIndent);
  return optional(choiceOf({textOf(" "), sequenceOf({textOf("\n"), std::move(indent)})}));
}

Expression JsonRules::makeCharacter() {
  Expression one = sequenceOf({choiceOf({sequenceOf({letterOf("0123456789ABCEFabcef"), hexDigits(1)}),
                                         sequenceOf({letterOf("Dd"), oneOf({{'0', '7'}})})}),
                               hexDigits(2)});
  Expression pair = sequenceOf({letterOf("Dd"), letterOf("89ABab"), hexDigits(2), textOf("\\u"),
                                letterOf("Dd"), letterOf("CDEFcdef"), hexDigits(2)});
  Expression number = sequenceOf({textOf("u"), choiceOf({std::move(one), std::move(pair)})});
  Expression escape = sequenceOf({textOf("\\"), choiceOf({letterOf("\"\\/bfnrt"), std::move(number)})});
  return choiceOf({oneOf(plainCodes()), std::move(escape)});
}

Expression JsonRules::makeString() {
  return sequenceOf({textOf("\""), repeatOf(character(), 0, Expression::kEndless), textOf("\"")});
}

Expression JsonRules::makeInteger() {
  return choiceOf({textOf("0"), sequenceOf({optional(textOf("-")), firstDigit(), digitsOf(0, 14)})});
}

Expression JsonRules::makeNumber() {
  Expression small = sequenceOf({textOf("0"), optional(sequenceOf({textOf("."), digitsOf(1, 15)}))});
  Expression whole = sequenceOf({firstDigit(), digitsOf(0, 14)});
  Expression broken = sequenceOf({firstDigit(), digitsOf(0, 7), textOf("."), digitsOf(1, 7)});
  Expression exponent = sequenceOf({letterOf("Ee"), optional(letterOf("+-")), digitsOf(1, 2)});
  return sequenceOf({optional(textOf("-")), choiceOf({std::move(small), std::move(whole), std::move(broken)}),
                     optional(std::move(exponent))});
}

Expression JsonRules::makeBoolean() { return choiceOf({textOf("true"), textOf("false")}); }

Expression JsonRules::makeValue() {
  return choiceOf({object(), array(), string(), number(), boolean(), textOf("null")});
}

Expression JsonRules::makeObject() {
  Expression more = repeatOf(sequenceOf({comma(), member(string(), value())}), 0, Expression::kEndless);
  return bracketed("{", sequenceOf({member(string(), value()), std::move(more)}), "}", true);
}

Expression JsonRules::makeArray() {
  Expression more = repeatOf(sequenceOf({comma(), value()}), 0, Expression::kEndless);
  return bracketed("[", sequenceOf({value(), std::move(more)}), "]", true);
}

Expression JsonRules::comma() { return sequenceOf({blanks(), textOf(","), blanks()}); }

Expression JsonRules::member(Expression key, Expression memberValue) {
  return sequenceOf({std::move(key), blanks(), textOf(":"), blanks(), std::move(memberValue)});
}

Expression JsonRules::bracketed(const char* open, Expression content, const char* close, bool emptyToo) {
  Expression inside = sequenceOf({std::move(content), blanks()});
  if (emptyToo) inside = optional(std::move(inside));
  return sequenceOf({textOf(open), blanks(), std::move(inside), textOf(close)});
}

Expression JsonRules::stringOf(const Expression& text, const std::string& name) {
  return sequenceOf({textOf("\""), escapedText(text, name), textOf("\"")});
}

Expression JsonRules::escapedText(const Expression& text, const std::string& name) {
  if (text.kind == Expression::Kind::kText) return textOf(escapedUtf8(text.text));
  if (text.kind == Expression::Kind::kClass) return escapedClass(text.ranges, name);
  Expression escaped = text;
  for (Expression& part : escaped.parts) part = escapedText(part, name);
  return escaped;
}

Expression JsonRules::escapedClass(const std::vector<CodeRange>& ranges, const std::string& name) {
  if (commonOf(ranges, plainCodes()) == ranges) return oneOf(ranges);
  std::string key;
  for (const CodeRange& range : ranges)
    key += std::to_string(range.first) + '-' + std::to_string(range.last) + ' ';
  if (const auto known = m_classes.find(key); known != m_classes.end()) return ruleOf(known->second);

  std::vector<Expression> choices;
  if (auto plain = commonOf(ranges, plainCodes()); !plain.empty()) choices.push_back(oneOf(std::move(plain)));
  std::string letters;
  std::vector<CodeRange> written;  // those that have a short escape
  for (const ShortEscape& escape : kShortEscapes) {
    if (holds(ranges, escape.code)) letters += escape.letter;
    written.push_back({escape.code, escape.code});
  }
  if (!letters.empty()) choices.push_back(sequenceOf({textOf("\\"), letterOf(letters)}));
  const std::vector<CodeRange> others = complementOf(std::move(written));
  for (const char32_t half : {0x00u, 0x10u}) {  // \u000H and \u001H
    std::string digits;
    for (char32_t low = 0; low < 16; ++low)
      if (holds(ranges, half + low) && holds(others, half + low)) digits += "0123456789abcdef"[low];
    if (!digits.empty())
      choices.push_back(sequenceOf({textOf(half == 0 ? "\\u000" : "\\u001"), letterOf(digits)}));
  }
  const int rule = add("character of " + name, choiceOf(std::move(choices)));
  m_classes.emplace(std::move(key), rule);
  return ruleOf(rule);
}

Expression JsonRules::keyBeside(const std::vector<std::string>& keys) {
  KeyTree tree;
  for (const std::string& key : keys) {
    KeyTree* at = &tree;
    std::size_t count = 0;
    for (std::string_view rest = key; !rest.empty() && count < kComparedCodes; ++count) {
      const utf8::Step step = utf8::decode(rest);
      at = &at->children[step.codePoint];
      rest.remove_prefix(step.length);
      if (count + 1 == kComparedCodes && !rest.empty()) at->isCut = true;
    }
    at->ends = true;
  }
  const Expression anything = repeatOf(keyCharacter({kAllCodes}), 0, Expression::kEndless);
  return sequenceOf({textOf("\""), keyTail(tree, anything), textOf("\"")});
}

}  // namespace vitrine
