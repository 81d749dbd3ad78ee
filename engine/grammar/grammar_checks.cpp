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

// Whether a property holds of some text of the expression, as far as it is known of the rules: one that a
// sequence has when all of its parts have it. `ofText` and `ofClass`: of an expression without parts.
bool holdsOf(const Expression& expression, const std::vector<bool>& known, bool (*ofText)(const std::string&),
             bool ofClass) {
  const auto holds = [&](const Expression& part) { return holdsOf(part, known, ofText, ofClass); };
  switch (expression.kind) {
    case Expression::Kind::kText:
      return ofText(expression.text);
    case Expression::Kind::kClass:
      return ofClass;
    case Expression::Kind::kRule:
      return known[static_cast<std::size_t>(expression.rule)];
    case Expression::Kind::kSequence:
      return std::ranges::all_of(expression.parts, holds);
    case Expression::Kind::kChoice:
      return std::ranges::any_of(expression.parts, holds);
    case Expression::Kind::kRepeat:
      return expression.least == 0 || holds(expression.parts.front());
  }
  return false;
}

bool canEnd(const Expression& expression, const std::vector<bool>& ends) {
  return holdsOf(
      expression, ends, [](const std::string&) { return true; }, true);
}

// Whether it has the empty text.
bool canBeEmpty(const Expression& expression, const std::vector<bool>& empties) {
  return holdsOf(
      expression, empties, [](const std::string& text) { return text.empty(); }, false);
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

// All rules that it refers to.
void addRules(const Expression& expression, std::vector<int>& rules) {
  if (expression.kind == Expression::Kind::kRule) rules.push_back(expression.rule);
  for (const Expression& part : expression.parts) addRules(part, rules);
}

// A rule of the circle into which `next` leads, so that it is the one that is named.
template <typename Next>
int inCircle(const Grammar& grammar, int rule, const Next& next) {
  for (std::size_t i = 0; i < grammar.rules.size(); ++i) rule = next(rule);
  return rule;
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
  if (found == ends.end()) return kNoRule;
  return inCircle(grammar, static_cast<int>(found - ends.begin()), [&](int rule) {
    std::vector<int> used;
    addRules(grammar.rules[static_cast<std::size_t>(rule)].expression, used);
    return *std::ranges::find_if(used, [&](int other) { return !ends[static_cast<std::size_t>(other)]; });
  });
}

int selfBeginningRule(const Grammar& grammar) {
  const std::vector<bool> empties = leastAnswer(grammar, canBeEmpty);
  const std::size_t count = grammar.rules.size();
  std::vector<std::vector<int>> beginnings(count), users(count);
  std::vector<std::size_t> left(count);  // beginnings of a rule that are not taken away
  std::vector<int> done;
  for (std::size_t rule = 0; rule < count; ++rule) {
    addBeginnings(grammar.rules[rule].expression, empties, beginnings[rule]);
    for (const int other : beginnings[rule])
      users[static_cast<std::size_t>(other)].push_back(static_cast<int>(rule));
    if ((left[rule] = beginnings[rule].size()) == 0) done.push_back(static_cast<int>(rule));
  }
  // Rules that begin with no other are taken away until those are left that lead into a circle.
  for (std::size_t at = 0; at < done.size(); ++at)
    for (const int user : users[static_cast<std::size_t>(done[at])])
      if (--left[static_cast<std::size_t>(user)] == 0) done.push_back(user);
  if (done.size() == count) return kNoRule;
  const auto isLeft = [&](int rule) { return left[static_cast<std::size_t>(rule)] > 0; };
  const auto found = std::ranges::find_if(left, [](std::size_t some) { return some > 0; });
  return inCircle(grammar, static_cast<int>(found - left.begin()), [&](int rule) {
    return *std::ranges::find_if(beginnings[static_cast<std::size_t>(rule)], isLeft);
  });
}

}  // namespace vitrine
