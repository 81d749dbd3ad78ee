// Methods: what texts, lists and dicts can do, apart from what would change them.
#pragma once

#include <string_view>

#include "text/jinja/builtin.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

// Null when the value's type has no such method, or when Jinja's sandbox keeps it from templates.
const Builtin* findMethod(const Value& value, std::string_view name);
// Whether it is the name of a method that changes a list or a dict.
bool changesItsValue(const Value& value, std::string_view name);

const BuiltinTable& stringMethods();

}  // namespace vitrine::jinja
