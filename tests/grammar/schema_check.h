// A validator of JSON schema, for the keywords that RandomSchema (random_schema.h) writes, as the standard
// has them. It knows nothing of grammars.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "text/utf8.h"

namespace vitrine::test {

class SchemaCheck {
 public:
  using Json = nlohmann::ordered_json;

  explicit SchemaCheck(const Json& root) : m_root(root) {}
  bool isValid(const Json& value) const { return holds(m_root, value); }

 private:
  static bool isOfType(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number() && std::floor(value.get<double>()) == value.get<double>();
    if (type == "number") return value.is_number();
    return type == value.type_name();
  }
  static std::size_t codePoints(const std::string& text) { return wide(text).size(); }
  static std::wstring wide(std::string_view text) {
    std::wstring codes;
    for (; !text.empty(); text.remove_prefix(utf8::decode(text).length))
      codes += static_cast<wchar_t>(utf8::decode(text).codePoint);
    return codes;
  }
  static bool matches(const std::string& text, const std::string& pattern) {
    return std::regex_search(wide(text), std::wregex(wide(pattern)));
  }
  // How many of the schemas in a list hold.
  int holding(const Json& list, const Json& value) const {
    return static_cast<int>(
        std::count_if(list.begin(), list.end(), [&](const Json& one) { return holds(one, value); }));
  }

  bool holds(const Json& schema, const Json& value) const {
    if (schema.is_boolean()) return schema.get<bool>();
    for (const auto& [keyword, limit] : schema.items())
      if (!keywordHolds(schema, keyword, limit, value)) return false;
    return true;
  }

  bool keywordHolds(const Json& schema, const std::string& keyword, const Json& limit,
                    const Json& value) const {
    if (keyword == "$ref")
      return holds(m_root.at(Json::json_pointer(limit.get<std::string>().substr(1))), value);
    if (keyword == "allOf") return holding(limit, value) == static_cast<int>(limit.size());
    if (keyword == "anyOf") return holding(limit, value) > 0;
    if (keyword == "oneOf") return holding(limit, value) == 1;
    if (keyword == "const") return value == limit;
    if (keyword == "enum") return std::find(limit.begin(), limit.end(), value) != limit.end();
    if (keyword == "type" && limit.is_array())
      return std::any_of(limit.begin(), limit.end(),
                         [&](const Json& type) { return isOfType(value, type.get<std::string>()); });
    if (keyword == "type") return isOfType(value, limit.get<std::string>());
    if (value.is_number()) return numberHolds(keyword, limit, value.get<double>());
    if (value.is_string()) return stringHolds(keyword, limit, value.get<std::string>());
    if (value.is_array()) return arrayHolds(schema, keyword, limit, value);
    return !value.is_object() || objectHolds(schema, keyword, limit, value);
  }

  static bool numberHolds(const std::string& keyword, const Json& limit, double value) {
    if (keyword == "minimum") return value >= limit.get<double>();
    if (keyword == "maximum") return value <= limit.get<double>();
    if (keyword == "exclusiveMinimum") return value > limit.get<double>();
    if (keyword == "exclusiveMaximum") return value < limit.get<double>();
    return keyword != "multipleOf" || std::fmod(value, limit.get<double>()) == 0;
  }

  static bool stringHolds(const std::string& keyword, const Json& limit, const std::string& value) {
    if (keyword == "minLength") return codePoints(value) >= limit.get<std::size_t>();
    if (keyword == "maxLength") return codePoints(value) <= limit.get<std::size_t>();
    return keyword != "pattern" || matches(value, limit.get<std::string>());
  }

  bool arrayHolds(const Json& schema, const std::string& keyword, const Json& limit,
                  const Json& value) const {
    if (keyword == "minItems") return value.size() >= limit.get<std::size_t>();
    if (keyword == "maxItems") return value.size() <= limit.get<std::size_t>();
    if (keyword == "uniqueItems") {
      for (std::size_t i = 0; i < value.size(); ++i)
        if (std::find(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(i), value[i]) !=
            value.begin() + static_cast<std::ptrdiff_t>(i))
          return false;
    }
    const std::size_t listed = schema.contains("prefixItems") ? schema["prefixItems"].size() : 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (keyword == "prefixItems" && i < listed && !holds(limit[i], value[i])) return false;
      if (keyword == "items" && i >= listed && !holds(limit, value[i])) return false;
    }
    return true;
  }

  bool objectHolds(const Json& schema, const std::string& keyword, const Json& limit,
                   const Json& value) const {
    if (keyword == "minProperties") return value.size() >= limit.get<std::size_t>();
    if (keyword == "maxProperties") return value.size() <= limit.get<std::size_t>();
    if (keyword == "required")
      return std::all_of(limit.begin(), limit.end(),
                         [&](const Json& name) { return value.contains(name.get<std::string>()); });
    for (const auto& [key, member] : value.items()) {
      const bool named = schema.contains("properties") && schema["properties"].contains(key);
      if (keyword == "properties" && named && !holds(limit[key], member)) return false;
      bool described = named;
      if (schema.contains("patternProperties"))
        for (const auto& [pattern, property] : schema["patternProperties"].items())
          described = described || matches(key, pattern);
      if (keyword == "additionalProperties" && !described && !holds(limit, member)) return false;
      if (keyword == "patternProperties")
        for (const auto& [pattern, property] : limit.items())
          if (matches(key, pattern) && !holds(property, member)) return false;
    }
    return true;
  }

  const Json& m_root;
};

}  // namespace vitrine::test
