// What a rendering is given beside the template: variables, limits, the date.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "text/jinja/budget.h"
#include "text/jinja/date_text.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

using Variables = std::vector<std::pair<std::string, Value>>;

struct RenderOptions {
  Limits limits;
  // What strftime_now() says. The caller gives it, so that the same conversation is always the same text.
  DateTime now;
};

}  // namespace vitrine::jinja
