// Values as JSON, as json.dumps of Python writes them.
#pragma once

#include <optional>
#include <string>

#include "text/jinja/budget.h"
#include "text/jinja/marked_text.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

struct JsonStyle {
  bool onlyAscii = false;  // all other letters as \uXXXX
  std::optional<std::string> indent;
  std::string itemSeparator = ", ", keySeparator = ": ";
  bool sortKeys = false;
};

// Throws a Fault for a value that JSON does not have.
MarkedText jsonText(const Value& value, const JsonStyle& style, Budget& budget);

}  // namespace vitrine::jinja
