#include "grammar/grammar_checks.h"

#include <algorithm>

#include "text/utf8.h"

namespace vitrine {
namespace {

constexpr std::int64_t kCountedNodes = std::int64_t{1} << 40;
constexpr std::int64_t kCountedLength = std::int64_t{1} << 30;

// Factors up to 2^40 and 2^31.
std::int64_t timesUpTo(std::int64_t limit, std::int64_t a, std::int64_t b) {
  return a != 0 && b > limit / a ? limit : a * b;
}

std::int64_t lengthTimes(std::int64_t length, int count) {
  return length == Expression::kEndless ? length : timesUpTo(kCountedLength, length, count);
}

// Whether a text of it can end, as far as that is known of the rules.
bool canEnd(const Expression& expression, const std::vector<bool>& ends) {
  const auto partEnds = [&](const Expression& part) { return canEnd(part, ends); };
  switch (expression.kind) {
    case Expression::Kind::kText:
    case Expression::Kind::kClass:
      return true;
    case Expression::Kind::kRule:
      return ends[static_cast<std::size_t>(expression.rule)];
    case Expression::Kind::kSequence:
      return std::ranges::all_of(expression.parts, partEnds);
    case Expression::Kind::kChoice:
      return std::ranges::any_of(expression.parts, partEnds);
    case Expression::Kind::kRepeat:
      return expression.least == 0 || partEnds(expression.parts.front());
  }
  return false;
}

// Whether it has the empty text.
bool canBeEmpty(const Expression& expression, const std::vector<bool>& empties) {
  const auto partIsEmpty = [&](const Expression& part) { return canBeEmpty(part, empties); };
  switch (expression.kind) {
    case Expression::Kind::kText:
      return expression.text.empty();
    case Expression::Kind::kClass:
      return false;
    case Expression::Kind::kRule:
      return empties[static_cast<std::size_t>(expression.rule)];
    case Expression::Kind::kSequence:
      return std::ranges::all_of(expression.parts, partIsEmpty);
    case Expression::Kind::kChoice:
      return std::ranges::any_of(expression.parts, partIsEmpty);
    case Expression::Kind::kRepeat:
      return expression.least == 0 || partIsEmpty(expression.parts.front());
  }
  return false;
}

// For each rule whether the property holds: the least answer. A front end numbers a rule before or behind
// those that it needs, so both ways through the rules find most of them.
template <typename Holds>
std::vector<bool> leastAnswer(const Grammar& grammar, const Holds& holds) {
  std::vector<bool> known(grammar.rules.size(), false);
  bool changed = true;
  const auto look = [&](std::size_t rule) {
    if (!known[rule] && holds(grammar.rules[rule].expression, known)) known[rule] = changed = true;
  };
  while (changed) {
    changed = false;
    for (std::size_t rule = 0; rule < known.size(); ++rule) look(rule);
    for (std::size_t rule = known.size(); rule-- > 0;) look(rule);
  }
  return known;
}

// Rules with which a text of it may begin.
void addBeginnings(const Expression& expression, const std::vector<bool>& empties, std::vector<int>& rules) {
  switch (expression.kind) {
    case Expression::Kind::kText:
    case Expression::Kind::kClass:
      return;
    case Expression::Kind::kRule:
      rules.push_back(expression.rule);
      return;
    case Expression::Kind::kSequence:
      for (const Expression& part : expression.parts) {
        addBeginnings(part, empties, rules);
        if (!canBeEmpty(part, empties)) return;
      }
      return;
    case Expression::Kind::kChoice:
    case Expression::Kind::kRepeat:
      for (const Expression& part : expression.parts) addBeginnings(part, empties, rules);
  }
}

}  // namespace

std::int64_t writtenNodes(const Expression& expression) {
  std::int64_t nodes = 1;
  for (const Expression& part : expression.parts) nodes = std::min(kCountedNodes, nodes + writtenNodes(part));
  if (expression.kind == Expression::Kind::kText)
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(expression.text.size()));
  if (expression.kind != Expression::Kind::kRepeat) return nodes;
  const std::int64_t copies =
      expression.most == Expression::kEndless ? std::int64_t{expression.least} + 1 : expression.most;
  return std::min(kCountedNodes, 1 + timesUpTo(kCountedNodes, nodes - 1, copies));
}

std::int64_t writtenNodes(const Grammar& grammar) {
  std::int64_t nodes = 0;
  for (const Grammar::Rule& rule : grammar.rules)
    nodes = std::min(kCountedNodes, nodes + writtenNodes(rule.expression));
  return nodes;
}

TextLengths lengthsOf(const Expression& expression) {
  std::int64_t least = 0, most = 0;
  const auto isEndless = [](std::int64_t length) { return length == Expression::kEndless; };
  switch (expression.kind) {
    case Expression::Kind::kText:
      for (std::string_view text = expression.text; !text.empty(); ++most)
        text.remove_prefix(utf8::decode(text).length);
      least = most;
      break;
    case Expression::Kind::kRule:
    case Expression::Kind::kClass:
      least = most = 1;
      break;
    case Expression::Kind::kSequence:
      for (const Expression& part : expression.parts) {
        const TextLengths lengths = lengthsOf(part);
        least += lengths.least;
        most = isEndless(most) || isEndless(lengths.most) ? Expression::kEndless : most + lengths.most;
      }
      break;
    case Expression::Kind::kChoice:
      least = kCountedLength;
      for (const Expression& part : expression.parts) {
        const TextLengths lengths = lengthsOf(part);
        least = std::min<std::int64_t>(least, lengths.least);
        most = isEndless(most) || isEndless(lengths.most) ? Expression::kEndless
                                                          : std::max<std::int64_t>(most, lengths.most);
      }
      break;
    case Expression::Kind::kRepeat: {
      const TextLengths lengths = lengthsOf(expression.parts.front());
      least = lengthTimes(lengths.least, expression.least);
      if (lengths.most == 0 || expression.most == 0)
        most = 0;
      else
        most = isEndless(expression.most) ? Expression::kEndless : lengthTimes(lengths.most, expression.most);
    }
  }
  return {static_cast<int>(std::min(least, kCountedLength)),
          static_cast<int>(std::min(most, kCountedLength))};
}

int endlessRule(const Grammar& grammar) {
  const std::vector<bool> ends = leastAnswer(grammar, canEnd);
  const auto found = std::ranges::find(ends, false);
  return found == ends.end() ? kNoRule : static_cast<int>(found - ends.begin());
}

int selfBeginningRule(const Grammar& grammar) {
  const std::vector<bool> empties = leastAnswer(grammar, canBeEmpty);
  const std::size_t count = grammar.rules.size();
  std::vector<std::vector<int>> beginnings(count);
  std::vector<int> users(count, 0);  // how many beginnings lead to a rule
  for (std::size_t rule = 0; rule < count; ++rule) {
    addBeginnings(grammar.rules[rule].expression, empties, beginnings[rule]);
    for (const int other : beginnings[rule]) ++users[static_cast<std::size_t>(other)];
  }
  // Rules without users are taken away until there are none. A circle stays.
  std::vector<std::size_t> unused;
  for (std::size_t rule = 0; rule < count; ++rule)
    if (users[rule] == 0) unused.push_back(rule);
  for (std::size_t at = 0; at < unused.size(); ++at)
    for (const int other : beginnings[unused[at]])
      if (--users[static_cast<std::size_t>(other)] == 0) unused.push_back(static_cast<std::size_t>(other));
  if (unused.size() == count) return kNoRule;
  return static_cast<int>(std::ranges::find_if(users, [](int left) { return left > 0; }) - users.begin());
}

}  // namespace vitrine
