#include "grammar/grammar.h"

#include <algorithm>

#include "core/check.h"
#include "text/utf8.h"

namespace vitrine {
namespace {

constexpr char32_t kFirstSurrogate = 0xD800, kLastSurrogate = 0xDFFF;

std::vector<CodeRange> joined(std::vector<CodeRange> ranges) {
  std::ranges::sort(ranges, {}, &CodeRange::first);
  std::vector<CodeRange> all;
  for (const CodeRange& range : ranges) {
    if (!all.empty() && range.first <= all.back().last + 1)
      all.back().last = std::max(all.back().last, range.last);
    else
      all.push_back(range);
  }
  return all;
}

// Surrogates are no characters of a text.
std::vector<CodeRange> withoutSurrogates(const std::vector<CodeRange>& ranges) {
  std::vector<CodeRange> kept;
  for (const CodeRange& range : ranges) {
    if (range.first < kFirstSurrogate)
      kept.push_back({range.first, std::min<char32_t>(range.last, kFirstSurrogate - 1)});
    if (range.last > kLastSurrogate)
      kept.push_back({std::max<char32_t>(range.first, kLastSurrogate + 1), range.last});
  }
  return kept;
}

}  // namespace

Expression textOf(std::string utf8) { return {.kind = Expression::Kind::kText, .text = std::move(utf8)}; }

Expression oneOf(std::vector<CodeRange> ranges) {
  Expression expression{.kind = Expression::Kind::kClass};
  expression.ranges = withoutSurrogates(joined(std::move(ranges)));
  VITRINE_CHECK(!expression.ranges.empty() && expression.ranges.back().last <= kLastCode);
  return expression;
}

Expression noneOf(std::vector<CodeRange> ranges) {
  std::vector<CodeRange> others;
  char32_t next = 0;
  for (const CodeRange& range : joined(std::move(ranges))) {
    if (range.first > next) others.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastCode) others.push_back({next, kLastCode});
  return oneOf(std::move(others));
}

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
