// parseBoundedJson(): a JSON text from outside as a tree, when it keeps within bounds. The work is linear in
// the text, but for the tree's own look-ups. Thread: any.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "vitrine/json_fault.h"

namespace vitrine {

// fail(words) must throw; it is called for what jsonFault() finds.
template <typename Json, typename Fail>
Json parseBoundedJson(std::string_view text, const JsonBounds& bounds, const Fail& fail) {
  if (const std::string fault = jsonFault(text, bounds); !fault.empty()) fail(fault);
  return Json::parse(text.begin(), text.end());
}

}  // namespace vitrine
