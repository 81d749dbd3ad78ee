// Members of a JSON object from outside: each has the kind that is asked for, or the default. A file of
// another program may lack any of them. Thread: any.
#pragma once

#include <QString>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace vitrine {

using Json = nlohmann::ordered_json;

// A null value for what is not there, or for a member of what is no object.
inline const Json& memberOf(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

inline QString textIn(const Json& value) {
  return value.is_string() ? QString::fromStdString(value.get_ref<const std::string&>()) : QString();
}
inline QString textOf(const Json& object, const char* key) { return textIn(memberOf(object, key)); }

// The list; an empty one for what is none.
inline const Json& listIn(const Json& value) {
  static const Json none = Json::array();
  return value.is_array() ? value : none;
}
inline const Json& listOf(const Json& object, const char* key) { return listIn(memberOf(object, key)); }

inline bool flagOf(const Json& object, const char* key) {
  const Json& value = memberOf(object, key);
  return value.is_boolean() && value.get<bool>();
}

// A number times `scale`, rounded to a whole one from 0 to 2^53; 0 for what is none.
std::int64_t wholeOf(const Json& object, const char* key, double scale = 1);
// The same, 2^31 - 1 for more.
int countOf(const Json& object, const char* key);
// A whole number as it stands, negative ones as their 64 bits; 0 for what is none.
std::uint64_t bitsOf(const Json& object, const char* key);

}  // namespace vitrine
