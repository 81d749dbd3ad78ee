// For tests that walk the schema of options: another value of each option, and what differs between two sets.
#pragma once

#include <string>
#include <vector>

#include "vitrine/option_schema.h"

namespace vitrine::test {

// A value that the option takes, and that is not `value`. Numbers move by an odd amount, so that a unit or a
// narrower type on the way would show.
template <typename Value>
Value otherValue(const OptionInfo<Value>& info, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return !value;
  } else if constexpr (Named<Value>) {
    return static_cast<Value>((static_cast<std::size_t>(value) + 1) % kWordCount<Value>);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return info.text == TextKind::kAttentionKernel ? "reference" : "/some/folder";
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    return {"a", "b c"};
  } else {
    Value step = 1;
    if constexpr (std::is_floating_point_v<Value>) step = 0.25;
    if constexpr (std::is_integral_v<Value> && sizeof(Value) == 8) step += Value{1} << 53;
    return holds(info, static_cast<Value>(value + step)) ? value + step : value - step;
  }
}

// The keys of the options that differ.
template <typename Options, typename ForEach>
std::vector<std::string> differing(const Options& a, const Options& b, const ForEach& forEach) {
  std::vector<std::string> keys;
  forEach([&](const auto& info, const auto& access) {
    if (access(a) != access(b)) keys.push_back(info.key);
  });
  return keys;
}
inline std::vector<std::string> differing(const EngineOptions& a, const EngineOptions& b) {
  return differing(a, b, [](const auto& visit) { forEachEngineOption(visit); });
}
inline std::vector<std::string> differing(const Request& a, const Request& b) {
  return differing(a, b, [](const auto& visit) { forEachRequestOption(visit); });
}

}  // namespace vitrine::test
