// str.format: "{} has {count:>3}".format("it", count=3).
#pragma once

#include "text/jinja/budget.h"
#include "text/jinja/builtin.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

// Throws a Fault when the places and the arguments do not fit.
Value braceFormat(const Value& format, const Arguments& arguments, Budget& budget);

}  // namespace vitrine::jinja
