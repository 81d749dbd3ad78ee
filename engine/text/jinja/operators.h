// Operators: what Python's operators do with values.
//
// Each throws a Fault for values that Python would refuse. The integers have 64 bits; a result that does not
// fit is a Fault, too. Thread: pure functions, but for the steps they take.
#pragma once

#include "text/jinja/budget.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

bool isTrue(const Value& value);

bool areEqual(const Value& left, const Value& right, Budget& budget);
// As items of a list are compared: a value is equal to itself without a look into it.
bool areSameItem(const Value& left, const Value& right, Budget& budget);
// Negative, 0 or positive; `sign` is the operator's, for the error. With a NaN it is unordered.
std::partial_ordering compared(const Value& left, const Value& right, std::string_view sign, Budget& budget);
bool isIn(const Value& item, const Value& container, Budget& budget);

Value add(const Value& left, const Value& right, Budget& budget);
Value subtract(const Value& left, const Value& right);
Value multiply(const Value& left, const Value& right, Budget& budget);
Value divide(const Value& left, const Value& right);
Value divideFloor(const Value& left, const Value& right);
Value modulo(const Value& left, const Value& right, Budget& budget);  // of numbers; for a text its % format
Value power(const Value& left, const Value& right);
Value negated(const Value& value);
Value unchanged(const Value& value);  // the sign +

// A text with &, <, >, ' and " as HTML writes them; one that is safe stays as it is.
Value escaped(const Value& value, Budget& budget);

}  // namespace vitrine::jinja
