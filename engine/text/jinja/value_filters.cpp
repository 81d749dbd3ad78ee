// The filters for numbers, for defaults and for JSON.
#include <cmath>
#include <limits>
#include <string>

#include "text/jinja/fault.h"
#include "text/jinja/filters.h"
#include "text/jinja/format_spec.h"
#include "text/jinja/json_text.h"
#include "text/jinja/lookup.h"
#include "text/jinja/number_text.h"
#include "text/jinja/operators.h"

namespace vitrine::jinja {
namespace {

// int() of a float: what is in front of the point.
std::optional<std::int64_t> wholeOf(double real) {
  if (!std::isfinite(real)) return std::nullopt;
  if (std::fabs(real) >= 9.2e18) fail("A whole number does not fit into 64 bits.");
  return static_cast<std::int64_t>(real);
}

Value intFilter(Call& call) {
  const Value& value = call.self();
  const Value otherwise = call.valueOr(0, Value::integer(0));
  if (value.isUndefined()) fail(value.reason());
  if (value.isWhole()) return Value::integer(value.asWhole());
  std::optional<std::int64_t> whole;
  if (value.isString()) {
    call.budget().takeLetters(value.text().size());
    const std::int64_t base = call.wholeOr(1, 10);
    if (base == 0 || (base >= 2 && base <= 36)) whole = wholeIn(value.text(), static_cast<int>(base));
    if (!whole)
      if (const auto real = realIn(value.text())) whole = wholeOf(*real);
  } else if (value.isNumber()) {
    whole = wholeOf(value.asReal());
  }
  return whole ? Value::integer(*whole) : otherwise;
}

Value floatFilter(Call& call) {
  const Value& value = call.self();
  if (value.isUndefined()) fail(value.reason());
  if (value.isNumber()) return Value::real(value.asReal());
  if (value.isString()) {
    call.budget().takeLetters(value.text().size());
    if (const auto real = realIn(value.text())) return Value::real(*real);
  }
  return call.valueOr(0, Value::real(0));
}

Value absFilter(Call& call) {
  const Value& value = call.self();
  if (value.isUndefined()) fail(value.reason());
  if (!value.isNumber()) fail("abs needs a number.");
  if (value.isWhole()) return value.asWhole() < 0 ? negated(value) : Value::integer(value.asWhole());
  return Value::real(std::fabs(value.asReal()));
}

// round() of Python: the nearest, of two equally near ones the even one; exactly, as the digits have it.
double rounded(double value, std::int64_t precision, Budget& budget) {
  if (!std::isfinite(value) || precision > 330) return value;
  if (precision < -330) return std::copysign(0.0, value);
  if (precision >= 0) {
    budget.takeLetters(static_cast<std::size_t>(precision));
    FormatSpec spec;
    spec.type = 'f';
    spec.precision = static_cast<int>(precision);
    return realIn(formattedReal(value, spec, budget)).value_or(value);
  }
  const double unit = std::pow(10.0, static_cast<double>(-precision));
  return std::nearbyint(value / unit) * unit;
}

std::int64_t roundedWhole(std::int64_t value, std::int64_t precision) {
  if (precision >= 0) return value;
  if (precision < -18) return 0;
  std::int64_t unit = 1;
  for (std::int64_t i = 0; i < -precision; ++i) unit *= 10;
  std::int64_t rest = value % unit, base = value - rest;
  const std::int64_t half = unit / 2, size = rest < 0 ? -rest : rest;
  const bool up = size > half || (size == half && (base / unit) % 2 != 0);
  if (!up) return base;
  std::int64_t result = 0;
  if (__builtin_add_overflow(base, value < 0 ? -unit : unit, &result))
    fail("A whole number does not fit into 64 bits.");
  return result;
}

Value roundFilter(Call& call) {
  const Value& value = call.self();
  const std::int64_t precision = call.wholeOr(0, 0);
  const std::string method = call.has(1) ? call.text(1).text.text() : "common";
  if (method != "common" && method != "ceil" && method != "floor")
    fail("round knows the methods common, ceil and floor.");
  if (value.isUndefined()) fail(value.reason());
  if (!value.isNumber()) fail("round needs a number.");
  if (method == "common") {
    if (value.isWhole()) return Value::integer(roundedWhole(value.asWhole(), precision));
    return Value::real(rounded(value.asReal(), precision, call.budget()));
  }
  const Value unit = power(Value::integer(10), Value::integer(precision));
  const Value scaled = multiply(value, unit, call.budget());
  double whole = scaled.asReal();
  if (!scaled.isWhole()) whole = method == "ceil" ? std::ceil(whole) : std::floor(whole);
  return Value::real(whole / unit.asReal());
}

Value defaultFilter(Call& call) {
  const bool missing = call.self().isUndefined() || (call.truthOr(1, false) && !isTrue(call.self()));
  return missing ? call.valueOr(0, Value::string("")) : call.self();
}

Value attrFilter(Call& call) {
  const std::string& name = call.text(0).text.text();
  if (call.self().isUndefined()) fail(call.self().reason());
  call.budget().takeText(name.size());
  // A key of that name does not count.
  if (call.self().isMapping() && call.self().asMapping().find(name)) {
    const Value found = attributeOf(call.self(), name, call.budget());
    if (!found.isObject() || !found.asObject()->isCallable())
      return Value::undefined("A dict has no attribute '" + name + "'.");
  }
  return attributeOf(call.self(), name, call.budget());
}

Value toJsonFilter(Call& call) {
  JsonStyle style;
  style.onlyAscii = call.truthOr(0, false);
  if (call.has(1) && call.value(1).isString()) {
    style.indent = call.text(1).text.text();
  } else if (call.has(1) && !call.value(1).isNone()) {
    const std::int64_t width = std::max<std::int64_t>(call.whole(1), 0);
    call.budget().takeRepeated(static_cast<std::uint64_t>(width), 1);
    style.indent = std::string(static_cast<std::size_t>(width), ' ');
  }
  if (style.indent) style.itemSeparator = ",";
  if (call.has(2) && !call.value(2).isNone()) {
    const Value& separators = call.value(2);
    if (!separators.isSequence() || separators.items().size() != 2 || !separators.items()[0].isString() ||
        !separators.items()[1].isString())
      fail("tojson needs two texts for separators.");
    style.itemSeparator = separators.items()[0].text();
    style.keySeparator = separators.items()[1].text();
  }
  style.sortKeys = call.truthOr(3, false);
  return Value::string(jsonText(call.self(), style, call.budget()));
}

}  // namespace

const BuiltinTable& valueFilters() {
  static const BuiltinTable table = {
      {"abs", "", absFilter},
      {"attr", "name", attrFilter},
      {"d", "[default_value] [boolean]", defaultFilter},
      {"default", "[default_value] [boolean]", defaultFilter},
      {"float", "[default]", floatFilter},
      {"int", "[default] [base]", intFilter},
      {"round", "[precision] [method]", roundFilter},
      {"tojson", "[ensure_ascii] [indent] [separators] [sort_keys]", toJsonFilter},
  };
  return table;
}

}  // namespace vitrine::jinja
