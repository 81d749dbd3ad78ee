#include "text/jinja/operators.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "text/jinja/fault.h"
#include "text/jinja/iteration.h"
#include "text/jinja/object.h"
#include "text/jinja/percent_format.h"
#include "text/jinja/printer.h"
#include "text/jinja/text_search.h"

namespace vitrine::jinja {
namespace {

[[noreturn]] void failOperands(std::string_view sign, const Value& left, const Value& right) {
  for (const Value* value : {&left, &right})
    if (value->isUndefined()) fail(value->reason());
  fail("'" + std::string(sign) + "' does not work between values of type " + std::string(typeName(left)) +
       " and " + std::string(typeName(right)) + ".");
}

[[noreturn]] void failOverflow() { fail("A whole number does not fit into 64 bits."); }

void requireNumbers(std::string_view sign, const Value& left, const Value& right) {
  if (!left.isNumber() || !right.isNumber()) failOperands(sign, left, right);
}

bool areWhole(const Value& left, const Value& right) { return left.isWhole() && right.isWhole(); }

std::partial_ordering compareNumbers(const Value& left, const Value& right) {
  if (areWhole(left, right)) return left.asWhole() <=> right.asWhole();
  // A long double holds every integer of 64 bits.
  const auto wide = [](const Value& value) {
    return value.isWhole() ? static_cast<long double>(value.asWhole())
                           : static_cast<long double>(value.asReal());
  };
  return wide(left) <=> wide(right);
}

bool sameItems(const Values& left, const Values& right, Budget& budget) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](const Value& a, const Value& b) { return areSameItem(a, b, budget); });
}

bool sameMappings(const Mapping& left, const Mapping& right, Budget& budget) {
  if (left.size() != right.size()) return false;
  return std::all_of(left.entries().begin(), left.entries().end(), [&](const Mapping::Entry& entry) {
    const Value* other = right.find(entry.key);
    return other && areEqual(entry.value, *other, budget);
  });
}

bool isList(const Value& value) {
  return value.isSequence() && value.asSequence().type == Sequence::Type::kList;
}

Value repeated(const Value& value, std::int64_t count, Budget& budget) {
  const auto times = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  if (value.isString()) {
    budget.takeRepeated(times, value.text().size());
    budget.take(times * value.marked().runs().size());
    MarkedText text;
    text.reserve(value.text().size() * times);
    // In parts that double, as many as the bits of the number.
    MarkedText part = value.marked();
    for (std::uint64_t rest = times; rest > 0 && !part.empty(); rest >>= 1) {
      if ((rest & 1) != 0) text.append(part);
      if (rest > 1) part.append(MarkedText(part));
    }
    return Value::string(std::move(text), value.asString().safe);
  }
  Values items;
  if (!value.items().empty()) {
    budget.take(times);
    budget.take(times * value.items().size());
    for (std::uint64_t i = 0; i < times; ++i)
      items.insert(items.end(), value.items().begin(), value.items().end());
  }
  return isList(value) ? Value::list(std::move(items), value.mark()) : Value::tuple(std::move(items));
}

// The sign of the result of Python's % is that of the divisor.
std::int64_t moduloOf(std::int64_t left, std::int64_t right) {
  if (right == -1) return 0;
  const std::int64_t rest = left % right;
  return rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest;
}

double realModulo(double left, double right) {
  double rest = std::fmod(left, right);
  if (rest != 0 && (rest < 0) != (right < 0)) rest += right;
  return rest == 0 ? std::copysign(0.0, right) : rest;
}

std::int64_t wholePower(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) failOverflow();
    if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) failOverflow();
  }
  return result;
}

Value realPower(double base, double exponent) {
  if (base == 0 && exponent < 0) fail("0 has no negative power.");
  if (base < 0 && std::floor(exponent) != exponent) fail("A root of a negative number is no real number.");
  const double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent)) fail("A power is too large.");
  return Value::real(result);
}

std::string_view escapedByte(char byte) {
  switch (byte) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '\'':
      return "&#39;";
    case '"':
      return "&#34;";
    default:
      return {};
  }
}

}  // namespace

bool isTrue(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
    case Kind::kNone:
      return false;
    case Kind::kBoolean:
    case Kind::kInteger:
      return value.asWhole() != 0;
    case Kind::kReal:
      return value.asReal() != 0;
    default:
      return lengthOf(value).value_or(1) != 0;
  }
}

bool areEqual(const Value& left, const Value& right, Budget& budget) {
  if (left.isNumber() && right.isNumber()) return compareNumbers(left, right) == 0;
  if (left.kind() != right.kind()) return false;
  switch (left.kind()) {
    case Kind::kString:
      if (left.isSameAs(right)) return true;
      if (left.text().size() != right.text().size()) return false;
      budget.takeText(left.text().size());
      return left.text() == right.text();
    case Kind::kSequence:
      budget.step();
      return isList(left) == isList(right) && sameItems(left.items(), right.items(), budget);
    case Kind::kMapping:
      budget.take(1 + left.asMapping().size());
      return sameMappings(left.asMapping(), right.asMapping(), budget);
    case Kind::kObject:
      return left.asObject()->equals(*right.asObject());
    default:
      return true;  // none, and undefined values
  }
}

bool areSameItem(const Value& left, const Value& right, Budget& budget) {
  return left.isSameAs(right) || areEqual(left, right, budget);
}

std::partial_ordering compared(const Value& left, const Value& right, std::string_view sign, Budget& budget) {
  if (left.isNumber() && right.isNumber()) return compareNumbers(left, right);
  if (left.isString() && right.isString()) {
    budget.takeText(std::min(left.text().size(), right.text().size()));
    return left.text() <=> right.text();  // UTF-8 sorts as its code points do
  }
  if (left.isSequence() && right.isSequence() && isList(left) == isList(right)) {
    const std::size_t shared = std::min(left.items().size(), right.items().size());
    for (std::size_t i = 0; i < shared; ++i) {
      budget.step();
      const Value &a = left.items()[i], &b = right.items()[i];
      if (!areSameItem(a, b, budget)) return compared(a, b, sign, budget);
    }
    return left.items().size() <=> right.items().size();
  }
  failOperands(sign, left, right);
}

bool isIn(const Value& item, const Value& container, Budget& budget) {
  if (container.isString()) {
    if (!item.isString()) failOperands("in", item, container);
    budget.takeLetters(container.text().size());
    return TextSearch(item.text(), container.text().size()).find(container.text()) != TextSearch::npos;
  }
  budget.take(item.extent().weight);  // its hash
  if (container.isMapping()) return container.asMapping().find(item) != nullptr;
  if (const auto view = container.objectAs<MappingView>(); view && view->part() == MappingView::Part::kKeys)
    return view->mapping().find(item) != nullptr;
  const auto items = tryIterate(container);
  if (!items) failOperands("in", item, container);
  for (Value other; items->next(other);) {
    budget.step();
    if (areSameItem(other, item, budget)) return true;
  }
  return false;
}

Value add(const Value& left, const Value& right, Budget& budget) {
  if (areWhole(left, right)) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(left.asWhole(), right.asWhole(), &sum)) failOverflow();
    return Value::integer(sum);
  }
  if (left.isString() && right.isString()) {
    const bool safe = left.asString().safe || right.asString().safe;
    const Value first = safe ? escaped(left, budget) : left, second = safe ? escaped(right, budget) : right;
    budget.takeText(first.marked());
    budget.takeText(second.marked());
    budget.allowText(first.text().size() + second.text().size());
    MarkedText text;
    text.reserve(first.text().size() + second.text().size());
    text.append(first.marked());
    text.append(second.marked());
    return Value::string(std::move(text), safe);
  }
  if (left.isSequence() && right.isSequence() && isList(left) == isList(right)) {
    budget.take(left.items().size() + right.items().size());
    Values items = left.items();
    items.insert(items.end(), right.items().begin(), right.items().end());
    return isList(left) ? Value::list(std::move(items), left.mark() == right.mark() ? left.mark() : Mark{})
                        : Value::tuple(std::move(items));
  }
  requireNumbers("+", left, right);
  return Value::real(left.asReal() + right.asReal());
}

Value subtract(const Value& left, const Value& right) {
  requireNumbers("-", left, right);
  if (!areWhole(left, right)) return Value::real(left.asReal() - right.asReal());
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(left.asWhole(), right.asWhole(), &difference)) failOverflow();
  return Value::integer(difference);
}

Value multiply(const Value& left, const Value& right, Budget& budget) {
  const auto repeats = [](const Value& value) { return value.isString() || value.isSequence(); };
  if (repeats(left) && right.isWhole()) return repeated(left, right.asWhole(), budget);
  if (left.isWhole() && repeats(right)) return repeated(right, left.asWhole(), budget);
  requireNumbers("*", left, right);
  if (!areWhole(left, right)) return Value::real(left.asReal() * right.asReal());
  std::int64_t product = 0;
  if (__builtin_mul_overflow(left.asWhole(), right.asWhole(), &product)) failOverflow();
  return Value::integer(product);
}

Value divide(const Value& left, const Value& right) {
  requireNumbers("/", left, right);
  if (right.asReal() == 0) fail("A number is divided by zero.");
  return Value::real(left.asReal() / right.asReal());
}

Value divideFloor(const Value& left, const Value& right) {
  requireNumbers("//", left, right);
  if (right.asReal() == 0) fail("A number is divided by zero.");
  if (!areWhole(left, right)) {
    const double rest = realModulo(left.asReal(), right.asReal());
    return Value::real(std::round((left.asReal() - rest) / right.asReal()));
  }
  const std::int64_t dividend = left.asWhole(), divisor = right.asWhole();
  if (divisor == -1) return negated(left);
  const std::int64_t quotient = dividend / divisor, rest = dividend % divisor;
  return Value::integer(rest != 0 && (rest < 0) != (divisor < 0) ? quotient - 1 : quotient);
}

Value modulo(const Value& left, const Value& right, Budget& budget) {
  if (left.isString()) return percentFormat(left, right, budget);
  requireNumbers("%", left, right);
  if (right.asReal() == 0) fail("A number is divided by zero.");
  if (areWhole(left, right)) return Value::integer(moduloOf(left.asWhole(), right.asWhole()));
  return Value::real(realModulo(left.asReal(), right.asReal()));
}

Value power(const Value& left, const Value& right) {
  requireNumbers("**", left, right);
  if (areWhole(left, right) && right.asWhole() >= 0)
    return Value::integer(wholePower(left.asWhole(), right.asWhole()));
  return realPower(left.asReal(), right.asReal());
}

Value negated(const Value& value) {
  if (value.isUndefined()) fail(value.reason());
  if (!value.isNumber()) fail("'-' does not work with a value of type " + std::string(typeName(value)) + ".");
  if (!value.isWhole()) return Value::real(-value.asReal());
  if (value.asWhole() == std::numeric_limits<std::int64_t>::min()) failOverflow();
  return Value::integer(-value.asWhole());
}

Value unchanged(const Value& value) {
  if (value.isUndefined()) fail(value.reason());
  if (!value.isNumber()) fail("'+' does not work with a value of type " + std::string(typeName(value)) + ".");
  return value.isBoolean() ? Value::integer(value.asWhole()) : value;
}

Value escaped(const Value& value, Budget& budget) {
  if (value.isString() && value.asString().safe) return value;
  const MarkedText text = printed(value, budget);
  budget.takeLetters(text);
  MarkedText result;
  MarkReader marks(text);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view entity = escapedByte(text.text()[at]);
    result.append(entity.empty() ? std::string_view(text.text()).substr(at, 1) : entity, marks.at(at));
  }
  budget.takeText(result);
  return Value::string(std::move(result), true);
}

}  // namespace vitrine::jinja
