// Plain values and described structs as the text of their JSON, without the tree of json_value.h: a trace
// writes hundreds of events a step, and the engine waits for it.
//
// The text says what toJson() says, field by field; what has no form here goes through its tree. Thread: any.
// Read next: json_fields.h, event_json.cpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "events/json_fields.h"

namespace vitrine {

void appendJson(std::string& out, bool value);
void appendJson(std::string& out, std::string_view value);  // bytes that are not UTF-8 become U+FFFD
void appendJson(std::string& out, double value);
void appendWhole(std::string& out, std::int64_t value);
void appendWhole(std::string& out, std::uint64_t value);
void appendName(std::string& out, const char* name);  // in quotes; of a field or an enum's value
void appendTree(std::string& out, const JsonOut& value);

inline void appendJson(std::string& out, const std::string& value) {
  appendJson(out, std::string_view(value));
}
inline void appendJson(std::string& out, float value) { appendJson(out, double{value}); }
template <std::integral T>
requires(!std::same_as<T, bool>) void appendJson(std::string& out, T value) {
  if constexpr (std::signed_integral<T>)
    appendWhole(out, std::int64_t{value});
  else
    appendWhole(out, std::uint64_t{value});
}
template <Named T>
void appendJson(std::string& out, T value) {
  appendName(out, nameOf(value));
}
template <typename T>
void appendJson(std::string& out, const std::optional<T>& value);
template <typename Range>
requires requires(const Range& range) {
  range.begin();
  range.size();
} &&(!std::convertible_to<const Range&, std::string_view>)void appendJson(std::string& out,
                                                                          const Range& range);
template <typename Id, typename Value>
void appendJson(std::string& out, const std::map<Id, Value>& values);  // the values, each with its id
template <Described T>
void appendJson(std::string& out, const T& value);
template <typename T>
void appendJson(std::string& out, const std::shared_ptr<const T>& value) {  // requires one
  appendJson(out, *value);
}

template <typename T, typename M>
void appendMember(std::string& out, const T& value, M T::*member) {
  appendJson(out, value.*member);
}
template <typename T>
void appendMember(std::string& out, const T& value, Hexadecimal<T> field) {
  appendName(out, hexOf(value.*field.member).c_str());
}
template <typename T, typename Part, typename M>
void appendMember(std::string& out, const T& value, Nested<T, Part, M> field) {
  appendJson(out, value.*field.part.*field.member);
}
template <typename T, OwnForm F>
void appendMember(std::string& out, const T& value, const F& form) {
  appendTree(out, form.toJson(value));
}

template <typename T>
void appendJson(std::string& out, const std::optional<T>& value) {
  if (value)
    appendJson(out, *value);
  else
    out += "null";
}
template <typename Range, typename ValueOf>
void appendItems(std::string& out, const Range& range, const ValueOf& valueOf) {
  out += '[';
  bool first = true;
  for (const auto& item : range) {
    if (!first) out += ',';
    first = false;
    appendJson(out, valueOf(item));
  }
  out += ']';
}
template <typename Range>
requires requires(const Range& range) {
  range.begin();
  range.size();
} &&(!std::convertible_to<const Range&, std::string_view>)void appendJson(std::string& out,
                                                                          const Range& range) {
  appendItems(
      out, range, [](const auto& item) -> const auto& { return item; });
}
template <typename Id, typename Value>
void appendJson(std::string& out, const std::map<Id, Value>& values) {
  appendItems(
      out, values, [](const auto& entry) -> const auto& { return entry.second; });
}
template <Described T>
void appendJson(std::string& out, const T& value) {
  out += '{';
  bool first = true;
  Description<T>::fields([&](const char* name, auto member) {
    if (!first) out += ',';
    first = false;
    appendName(out, name);
    out += ':';
    appendMember(out, value, member);
  });
  out += '}';
}

}  // namespace vitrine
