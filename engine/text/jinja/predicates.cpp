#include "text/jinja/predicates.h"

#include "text/jinja/fault.h"
#include "text/jinja/filters.h"
#include "text/jinja/iteration.h"
#include "text/jinja/operators.h"
#include "text/jinja/printer.h"
#include "text/jinja/text_ops.h"

namespace vitrine::jinja {
namespace {

Value isDefined(Call& call) { return Value::boolean(!call.self().isUndefined()); }
Value isNotDefined(Call& call) { return Value::boolean(call.self().isUndefined()); }
Value isNone(Call& call) { return Value::boolean(call.self().isNone()); }
Value isBoolean(Call& call) { return Value::boolean(call.self().isBoolean()); }
Value isTrueItself(Call& call) { return Value::boolean(call.self().isBoolean() && call.self().asBoolean()); }
Value isFalseItself(Call& call) {
  return Value::boolean(call.self().isBoolean() && !call.self().asBoolean());
}
Value isInteger(Call& call) { return Value::boolean(call.self().kind() == Kind::kInteger); }
Value isFloat(Call& call) { return Value::boolean(call.self().kind() == Kind::kReal); }
Value isNumber(Call& call) { return Value::boolean(call.self().isNumber()); }
Value isString(Call& call) { return Value::boolean(call.self().isString()); }
Value isMapping(Call& call) { return Value::boolean(call.self().isMapping()); }
Value isIterable(Call& call) { return Value::boolean(tryIterate(call.self()) != nullptr); }
Value isEscaped(Call& call) { return Value::boolean(call.self().isString() && call.self().asString().safe); }

// What has a length and items: texts and mappings, too. Of what is undefined Python thinks the same.
Value isSequence(Call& call) {
  const Value& value = call.self();
  return Value::boolean(value.isUndefined() || value.isString() || value.isSequence() || value.isMapping() ||
                        value.objectAs<Range>());
}

Value isCallable(Call& call) {
  const Value& value = call.self();
  return Value::boolean(value.isUndefined() || (value.isObject() && value.asObject()->isCallable()));
}

// Keeps the order of Python's %: a text is formatted.
bool restIs(Call& call, const Value& divisor, std::int64_t wanted) {
  return areEqual(modulo(call.self(), divisor, call.budget()), Value::integer(wanted), call.budget());
}
Value isOdd(Call& call) { return Value::boolean(restIs(call, Value::integer(2), 1)); }
Value isEven(Call& call) { return Value::boolean(restIs(call, Value::integer(2), 0)); }
Value isDivisibleBy(Call& call) { return Value::boolean(restIs(call, call.value(0), 0)); }

Value isLowerCase(Call& call) {
  const MarkedText text = printed(call.self(), call.budget());
  call.budget().takeLetters(text.size());
  return Value::boolean(text_ops::isLower(text.text()));
}
Value isUpperCase(Call& call) {
  const MarkedText text = printed(call.self(), call.budget());
  call.budget().takeLetters(text.size());
  return Value::boolean(text_ops::isUpper(text.text()));
}

// Python has one object for each short text, and mostly for each long one.
Value isSame(Call& call) {
  const bool texts = call.self().isString() && call.value(0).isString();
  return Value::boolean(texts ? areEqual(call.self(), call.value(0), call.budget())
                              : call.self().isSameAs(call.value(0)));
}
Value isInside(Call& call) { return Value::boolean(isIn(call.self(), call.value(0), call.budget())); }
Value isEqual(Call& call) { return Value::boolean(areEqual(call.self(), call.value(0), call.budget())); }
Value isUnequal(Call& call) { return Value::boolean(!areEqual(call.self(), call.value(0), call.budget())); }
Value isLess(Call& call) {
  return Value::boolean(compared(call.self(), call.value(0), "<", call.budget()) < 0);
}
Value isLessOrEqual(Call& call) {
  return Value::boolean(compared(call.self(), call.value(0), "<=", call.budget()) <= 0);
}
Value isGreater(Call& call) {
  return Value::boolean(compared(call.self(), call.value(0), ">", call.budget()) > 0);
}
Value isGreaterOrEqual(Call& call) {
  return Value::boolean(compared(call.self(), call.value(0), ">=", call.budget()) >= 0);
}

Value isFilter(Call& call) {
  call.budget().take(call.self().extent().weight);
  return Value::boolean(call.self().isString() && findFilter(call.self().text()) != nullptr);
}
Value isTest(Call& call) {
  call.budget().take(call.self().extent().weight);
  return Value::boolean(call.self().isString() && findTest(call.self().text()) != nullptr);
}

}  // namespace

const Builtin* findTest(std::string_view name) {
  static const BuiltinTable table = {
      {"!=", "/ other", isUnequal},
      {"<", "/ other", isLess},
      {"<=", "/ other", isLessOrEqual},
      {"==", "/ other", isEqual},
      {">", "/ other", isGreater},
      {">=", "/ other", isGreaterOrEqual},
      {"boolean", "", isBoolean},
      {"callable", "", isCallable},
      {"defined", "", isDefined},
      {"divisibleby", "num", isDivisibleBy},
      {"eq", "/ other", isEqual},
      {"equalto", "/ other", isEqual},
      {"escaped", "", isEscaped},
      {"even", "", isEven},
      {"false", "", isFalseItself},
      {"filter", "", isFilter},
      {"float", "", isFloat},
      {"ge", "/ other", isGreaterOrEqual},
      {"greaterthan", "/ other", isGreater},
      {"gt", "/ other", isGreater},
      {"in", "seq", isInside},
      {"integer", "", isInteger},
      {"iterable", "", isIterable},
      {"le", "/ other", isLessOrEqual},
      {"lessthan", "/ other", isLess},
      {"lower", "", isLowerCase},
      {"lt", "/ other", isLess},
      {"mapping", "", isMapping},
      {"ne", "/ other", isUnequal},
      {"none", "", isNone},
      {"number", "", isNumber},
      {"odd", "", isOdd},
      {"sameas", "other", isSame},
      {"sequence", "", isSequence},
      {"string", "", isString},
      {"test", "", isTest},
      {"true", "", isTrueItself},
      {"undefined", "", isNotDefined},
      {"upper", "", isUpperCase},
  };
  return table.find(name);
}

}  // namespace vitrine::jinja
