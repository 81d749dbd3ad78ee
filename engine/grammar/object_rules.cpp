#include "grammar/object_rules.h"

#include <algorithm>

namespace vitrine {
namespace {

// Of free members behind another one.
Expression furtherBehind(const ObjectMembers& members, int before, JsonRules& json) {
  const int most = members.furtherMost;
  if (!members.further || most == 0) return {};
  return repeatOf(sequenceOf({json.comma(), *members.further}), std::max(0, members.furtherLeast - before),
                  most == Expression::kEndless ? most : std::max(0, most - before));
}

}  // namespace

// An object begins with its first member, behind which each has a comma before it. Only members up to the
// first required one can begin. What follows each of them is a rule, so that it stands there once.
std::optional<Expression> objectOf(const ObjectMembers& members, const std::string& name, JsonRules& json) {
  const std::vector<ObjectMembers::Named>& named = members.named;
  const std::size_t count = named.size();
  const auto required =
      static_cast<std::size_t>(std::ranges::find_if(named, &ObjectMembers::Named::required) - named.begin());
  const bool hasRequired = required < count;
  const bool hasFurther = members.further && members.furtherMost != 0;
  const std::size_t firsts = hasRequired ? required + 1 : count;  // how many can begin

  const auto behind = [&](const ObjectMembers::Named& one) {
    Expression part = sequenceOf({json.comma(), one.member});
    return one.required ? part : optional(std::move(part));
  };
  // What follows the last that can begin, without a rule of its own.
  std::vector<Expression> rest;
  for (std::size_t i = firsts; i < count; ++i) rest.push_back(behind(named[i]));
  if (hasFurther) rest.push_back(furtherBehind(members, 0, json));
  Expression tail = sequenceOf(std::move(rest));

  const std::string prefix = name.empty() ? "" : name + ": ";
  std::vector<Expression> choices;
  for (std::size_t i = firsts; i-- > 0;) {
    const bool again = i > 0 && tail != Expression{};  // the one before needs it, too
    if (again) {
      const std::string next = i + 1 < count ? "from " + named[i + 1].key : "further members";
      tail = ruleOf(json.add(prefix + next, std::move(tail)));
    }
    choices.push_back(sequenceOf({named[i].member, tail}));
    tail = tail == Expression{} ? behind(named[i]) : sequenceOf({behind(named[i]), std::move(tail)});
  }
  std::ranges::reverse(choices);
  if (!hasRequired && hasFurther)
    choices.push_back(sequenceOf({*members.further, furtherBehind(members, 1, json)}));
  const bool emptyToo = !hasRequired && !members.notEmpty && members.furtherLeast == 0;
  if (choices.empty()) {
    if (!emptyToo) return std::nullopt;
    return sequenceOf({textOf("{"), json.blanks(), textOf("}")});
  }
  return json.bracketed("{", choiceOf(std::move(choices)), "}", emptyToo);
}

}  // namespace vitrine
