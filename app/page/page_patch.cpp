#include "page/page_patch.h"

#include <string>

namespace vitrine::page {
namespace {

Json changeOf(const Json& before, const Json& after) {
  if (before.is_object() && after.is_object()) return patchBetween(before, after);
  if (before.is_string() && after.is_string()) {
    const auto &old = before.get_ref<const std::string&>(), &now = after.get_ref<const std::string&>();
    if (!old.empty() && now.starts_with(old)) return {{"+", now.substr(old.size())}};
  }
  return after;
}

}  // namespace

Json patchBetween(const Json& before, const Json& after) {
  Json patch = Json::object();
  for (const auto& [name, value] : before.items())
    if (!after.contains(name)) patch[name] = nullptr;
  for (const auto& [name, value] : after.items()) {
    const auto old = before.find(name);
    if (old == before.end())
      patch[name] = value;
    else if (*old != value)
      patch[name] = changeOf(*old, value);
  }
  return patch;
}

std::string lineOf(const Json& json) {
  std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  // "</script>" and "<!--" would end or bend the script around it.
  for (std::size_t at = line.find('<'); at != std::string::npos; at = line.find('<', at))
    line.replace(at, 1, "\\u003c");
  return line;
}

}  // namespace vitrine::page
