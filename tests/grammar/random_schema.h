// JSON schemas drawn at random from the keywords that a grammar follows.
#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace vitrine::test {

class RandomSchema {
 public:
  using Json = nlohmann::ordered_json;

  explicit RandomSchema(std::uint32_t seed) : m_random(seed) {}

  Json schema() {
    Json root = value(3);
    root["$defs"] = {{"Name", string()}, {"Tree", tree()}, {"Kind", {{"enum", {"a", "b\n", 3, nullptr}}}}};
    return root;
  }

 private:
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  bool one(int of) { return below(of) == 0; }

  static Json tree() {
    return {{"type", "object"},
            {"properties", {{"left", {{"$ref", "#/$defs/Tree"}}}, {"value", {{"type", "integer"}}}}},
            {"required", {"value"}},
            {"additionalProperties", false}};
  }

  Json value(int depth) {
    switch (below(depth > 0 ? 14 : 7)) {
      case 0:
        return string();
      case 1:
        return number(false);
      case 2:
        return number(true);
      case 3:
        return {{"enum", {"x", "\"\\", 1.5, true, nullptr}}, {"title", "listed"}};
      case 4:
        return {{"const", {{"a", {1, "two"}}}}};
      case 5:
        return {{"type", {"boolean", "null"}}, {"description", "either"}};
      case 6:
        return {{"$ref", one(2) ? "#/$defs/Name" : one(2) ? "#/$defs/Tree" : "#/$defs/Kind"}};
      case 7:
        return array(depth - 1);
      case 8:
        return one(4) ? Json::object() : array(depth - 1);
      case 9:
        return {{"anyOf", {value(depth - 1), value(depth - 1)}}};
      case 10:
        return {{"oneOf", {string(), number(one(2)), {{"type", "null"}}, object(depth - 1)}}};
      case 11:
        return {{"allOf", {object(depth - 1), object(depth - 1)}}};
      default:
        return object(depth - 1);
    }
  }

  Json string() {
    static const char* const patterns[] = {"^[a-c]{1,3}$", "b", "^x|[\\\\\"]\\d$", "^\\w+( \\w+)*$",
                                           "^.{2,4}$"};
    static const char* const formats[] = {"date", "time", "date-time", "uuid", "ipv4", "email", "color"};
    Json schema = {{"type", "string"}};
    const int kind = below(4);
    if (kind == 0) schema["pattern"] = patterns[below(5)];
    if (kind == 1) schema["format"] = formats[below(7)];
    if (kind == 2) schema["minLength"] = below(3);
    if (kind == 2 && one(2)) schema["maxLength"] = 2 + below(5);
    return schema;
  }

  Json number(bool integer) {
    Json schema = {{"type", integer ? "integer" : "number"}};
    const std::int64_t scale = one(4) ? 1'000'000'000'000 : one(3) ? 1000 : 20;
    const std::int64_t least = static_cast<std::int64_t>(m_random()) % (2 * scale) - scale;
    const bool fraction = integer && one(4);
    if (one(2)) schema[one(3) ? "exclusiveMinimum" : "minimum"] = fraction ? Json(least + 0.5) : Json(least);
    if (one(2)) schema[one(3) ? "exclusiveMaximum" : "maximum"] = least + 2 + below(one(3) ? 3000 : 30);
    if (integer && one(6)) schema["multipleOf"] = one(2) ? 1 : 10;
    return schema;
  }

  Json array(int depth) {
    Json schema = {{"type", "array"}};
    if (one(6)) {
      schema["items"] = {{"enum", {"a", 2, false}}};
      schema["uniqueItems"] = true;
      if (one(2)) schema["minItems"] = below(3);
      return schema;
    }
    int listed = 0;
    if (one(3)) {
      schema["prefixItems"] = Json::array();
      for (listed = 1 + below(3); listed > static_cast<int>(schema["prefixItems"].size());)
        schema["prefixItems"].push_back(value(depth));
    }
    if (!one(4)) schema["items"] = one(4) && listed > 0 ? Json(false) : value(depth);
    if (one(2)) schema["minItems"] = below(listed + 1);
    if (one(2)) schema["maxItems"] = listed + below(4);
    return schema;
  }

  Json object(int depth) {
    static const char* const names[] = {"name", "naming", "n", "a b", "é", "quote\"", "tags", ""};
    Json schema = {{"type", "object"}};
    if (one(8)) {
      schema["patternProperties"] = {{one(2) ? "^x_[a-z]+$" : "^\\d{1,2}$", value(depth)}};
      schema["additionalProperties"] = false;
      return schema;
    }
    schema["properties"] = Json::object();
    schema["required"] = Json::array();
    for (int count = below(4); count > 0; --count) {
      const std::string name = names[below(8)];
      if (schema["properties"].contains(name)) continue;
      schema["properties"][name] = value(depth);
      if (one(2)) schema["required"].push_back(name);
    }
    if (one(5)) schema["required"].push_back("more");
    if (one(3)) schema["additionalProperties"] = one(2) ? Json(false) : value(depth);
    if (one(5)) schema["minProperties"] = 1;
    if (one(5)) schema["maxProperties"] = 4 + below(3);
    return schema;
  }

  std::mt19937 m_random;
};

}  // namespace vitrine::test
