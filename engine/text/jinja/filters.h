// The filters: `value|name(...)`.
#pragma once

#include <string_view>

#include "text/jinja/builtin.h"

namespace vitrine::jinja {

// Null for an unknown name.
const Builtin* findFilter(std::string_view name);

// Each of a file of its own.
const BuiltinTable& textFilters();
const BuiltinTable& listFilters();
const BuiltinTable& valueFilters();

}  // namespace vitrine::jinja
