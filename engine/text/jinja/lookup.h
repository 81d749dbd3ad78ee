// Look-ups: what `a.b`, `a[b]` and `a[b:c]` mean for each kind of value.
//
// A name that is not there gives an undefined value, which says so when it is used. Attributes that would
// change a value, or that begin with "__", are not there either: the sandbox of Jinja. Thread: pure
// functions, but for the steps they take.
#pragma once

#include <string_view>

#include "text/jinja/budget.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

// Methods and attributes first, then a key of that name.
Value attributeOf(const Value& object, std::string_view name, Budget& budget);
// An item or a key first, then an attribute of that name.
Value itemOf(const Value& object, const Value& key, Budget& budget);
// Each bound is a whole number, or none.
Value sliceOf(const Value& object, const Value& start, const Value& stop, const Value& step, Budget& budget);

// Where an index leads in `length` items: a negative one counts from the end. May lie outside.
std::int64_t placeOf(std::int64_t index, std::int64_t length);

}  // namespace vitrine::jinja
