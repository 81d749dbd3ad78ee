// The operator % of a text: "%s has %d" % ("it", 3).
#pragma once

#include "text/jinja/budget.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

// `values` is a tuple, a mapping for "%(name)s", or the one value. Throws a Fault when they do not fit.
Value percentFormat(const Value& format, const Value& values, Budget& budget);

}  // namespace vitrine::jinja
