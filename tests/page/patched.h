// A patch applied, as resources/page/run.js does it.
#pragma once

#include <string>

#include "page/page_patch.h"

namespace vitrine::test {

inline page::Json patched(const page::Json& before, const page::Json& patch) {
  if (!patch.is_object()) return patch;
  if (patch.contains("+")) return before.get<std::string>() + patch["+"].get<std::string>();
  page::Json after = before.is_object() ? before : page::Json::object();
  for (const auto& [name, value] : patch.items()) {
    if (value.is_null())
      after.erase(name);
    else
      after[name] = patched(after.value(name, page::Json()), value);
  }
  return after;
}

// The machine of an entry behind one that had `before`.
inline page::Json machineOf(const page::Json& entry, const page::Json& before) {
  return entry.contains("machine") ? entry["machine"] : patched(before, entry["patch"]);
}

}  // namespace vitrine::test
