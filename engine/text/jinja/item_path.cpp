#include "text/jinja/item_path.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "text/jinja/lookup.h"

namespace vitrine::jinja {

ItemPath::ItemPath(const Value& attribute) {
  if (attribute.isNone()) return;
  if (!attribute.isString()) {
    m_parts.push_back(attribute);
    return;
  }
  std::string_view rest = attribute.text();
  while (true) {
    const std::size_t end = std::min(rest.find('.'), rest.size());
    const std::string_view part = rest.substr(0, end);
    std::int64_t number = 0;
    const auto read = std::from_chars(part.data(), part.data() + part.size(), number);
    const bool digits = !part.empty() && part.front() != '-' && read.ec == std::errc() &&
                        read.ptr == part.data() + part.size();
    m_parts.push_back(digits ? Value::integer(number) : Value::string(part));
    if (end == rest.size()) return;
    rest.remove_prefix(end + 1);
  }
}

Value ItemPath::of(const Value& item, Budget& budget, const Value* otherwise) const {
  Value value = item;
  for (const Value& part : m_parts) {
    value = itemOf(value, part, budget);
    if (otherwise && value.isUndefined()) value = *otherwise;
  }
  return value;
}

std::vector<ItemPath> ItemPath::several(const Value& attribute) {
  std::vector<ItemPath> paths;
  if (!attribute.isString()) {
    paths.emplace_back(attribute);
    return paths;
  }
  std::string_view rest = attribute.text();
  while (true) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    paths.emplace_back(Value::string(rest.substr(0, end)));
    if (end == rest.size()) return paths;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace vitrine::jinja
