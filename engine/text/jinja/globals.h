// The functions that every template has: range, namespace, raise_exception and the others.
#pragma once

#include <string_view>

#include "text/jinja/builtin.h"

namespace vitrine::jinja {

// Null for an unknown name.
const Builtin* findGlobal(std::string_view name);

}  // namespace vitrine::jinja
