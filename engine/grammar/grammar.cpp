#include "grammar/grammar.h"

#include <algorithm>

#include "core/check.h"
#include "grammar/code_ranges.h"
#include "text/utf8.h"

namespace vitrine {
namespace {

Expression classOf(std::vector<CodeRange> ranges) {
  VITRINE_CHECK(!ranges.empty());
  Expression expression{.kind = Expression::Kind::kClass};
  expression.ranges = std::move(ranges);
  return expression;
}

}  // namespace

Expression textOf(std::string utf8) { return {.kind = Expression::Kind::kText, .text = std::move(utf8)}; }

Expression oneOf(std::vector<CodeRange> ranges) {
  return classOf(complementOf(complementOf(std::move(ranges))));
}

Expression noneOf(std::vector<CodeRange> ranges) { return classOf(complementOf(std::move(ranges))); }

Expression ruleOf(int number) { return {.kind = Expression::Kind::kRule, .rule = number}; }

Expression sequenceOf(std::vector<Expression> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return {.kind = Expression::Kind::kSequence, .parts = std::move(parts)};
}

Expression choiceOf(std::vector<Expression> parts) {
  VITRINE_CHECK(!parts.empty());
  if (parts.size() == 1) return std::move(parts.front());
  return {.kind = Expression::Kind::kChoice, .parts = std::move(parts)};
}

Expression repeatOf(Expression part, int least, int most) {
  VITRINE_CHECK(least >= 0 && (most == Expression::kEndless || least <= most));
  Expression expression{.kind = Expression::Kind::kRepeat, .least = least, .most = most};
  expression.parts.push_back(std::move(part));
  return expression;
}

namespace {

std::string escaped(char32_t code, std::string_view marks) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  if (code == '\n') return "\\n";
  if (code < 0x80 && marks.find(static_cast<char>(code)) != std::string_view::npos)
    return std::string("\\") + static_cast<char>(code);
  std::string text;
  if (code >= 0x20 && code != 0x7F) {
    utf8::append(text, code);
    return text;
  }
  return {'\\', 'x', kDigits[code >> 4], kDigits[code & 15]};
}

std::string written(const Expression& expression, const Grammar& grammar, bool inSequence);

std::string writtenText(const std::string& text) {
  std::string out = "\"";
  for (std::string_view rest = text; !rest.empty();) {
    const utf8::Step step = utf8::decode(rest);
    out += escaped(step.codePoint, "\"\\");
    rest.remove_prefix(step.length);
  }
  return out + "\"";
}

std::string writtenClass(const std::vector<CodeRange>& ranges) {
  std::string out = "[";
  for (const CodeRange& range : ranges) {
    out += escaped(range.first, "[]^-\\");
    if (range.last != range.first) out += "-" + escaped(range.last, "[]^-\\");
  }
  return out + "]";
}

std::string writtenRepeat(const Expression& expression, const Grammar& grammar) {
  const Expression& part = expression.parts.front();
  const bool nested = part.kind == Expression::Kind::kRepeat || part.kind == Expression::Kind::kSequence;
  std::string out = written(part, grammar, true);
  if (nested) out = "(" + out + ")";
  const int least = expression.least, most = expression.most;
  if (least == 0 && most == 1) return out + "?";
  if (most == Expression::kEndless && least < 2) return out + (least == 0 ? "*" : "+");
  out += "{" + std::to_string(least);
  if (most == Expression::kEndless) return out + ",}";
  return out + (most == least ? "}" : "," + std::to_string(most) + "}");
}

std::string writtenParts(const Expression& expression, const Grammar& grammar, std::string_view between,
                         bool inSequence) {
  std::string out;
  for (const Expression& part : expression.parts) {
    if (&part != &expression.parts.front()) out += between;
    out += written(part, grammar, inSequence);
  }
  return out;
}

// Rules are called r and their number where their names are for people alone.
std::string nameIn(const Grammar& grammar, int rule) {
  const std::string& name = grammar.rules[static_cast<std::size_t>(rule)].name;
  if (rule == grammar.root) return "root";
  const bool isName = !name.empty() && name != "root" && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
  const auto isSame = [&](const Grammar::Rule& one) { return one.name == name; };
  return isName && std::ranges::count_if(grammar.rules, isSame) == 1 ? name : "r_" + std::to_string(rule);
}

std::string written(const Expression& expression, const Grammar& grammar, bool inSequence) {
  switch (expression.kind) {
    case Expression::Kind::kText:
      return writtenText(expression.text);
    case Expression::Kind::kClass:
      return writtenClass(expression.ranges);
    case Expression::Kind::kRule:
      return nameIn(grammar, expression.rule);
    case Expression::Kind::kSequence:
      return expression.parts.empty() ? "\"\"" : writtenParts(expression, grammar, " ", true);
    case Expression::Kind::kChoice: {
      const std::string parts = writtenParts(expression, grammar, " | ", false);
      return inSequence ? "(" + parts + ")" : parts;
    }
    case Expression::Kind::kRepeat:
      return writtenRepeat(expression, grammar);
  }
  VITRINE_CHECK(false);
}

}  // namespace

std::string toGbnf(const Grammar& grammar) {
  std::string text;
  for (int rule = 0; rule < static_cast<int>(grammar.rules.size()); ++rule)
    text += nameIn(grammar, rule) +
            " ::= " + written(grammar.rules[static_cast<std::size_t>(rule)].expression, grammar, false) +
            "\n";
  return text;
}

}  // namespace vitrine
