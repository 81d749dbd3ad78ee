// The tests: `value is name(...)`.
#pragma once

#include <string_view>

#include "text/jinja/builtin.h"

namespace vitrine::jinja {

// Null for an unknown name.
const Builtin* findTest(std::string_view name);

}  // namespace vitrine::jinja
