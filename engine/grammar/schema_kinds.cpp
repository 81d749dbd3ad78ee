#include "grammar/schema_kinds.h"

#include <algorithm>
#include <cmath>

namespace vitrine {
namespace {

using Json = SchemaSource::Json;

std::optional<std::vector<Json>> listedValues(const Json& schema) {
  if (const Json* const value = memberOf(schema, "const")) return std::vector<Json>{*value};
  const Json* const values = memberOf(schema, "enum");
  if (values == nullptr || !values->is_array()) return std::nullopt;
  return std::vector<Json>(values->begin(), values->end());
}

bool shareNone(const std::vector<Json>& one, const std::vector<Json>& other) {
  return std::ranges::none_of(
      one, [&](const Json& value) { return std::ranges::find(other, value) != other.end(); });
}

}  // namespace

bool isOfType(const Json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type != "integer") return false;
  return value.is_number_integer() ||
         (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
}

SchemaKinds kindsOf(const Json& flat, SchemaSource& source, const SchemaPlace& place) {
  SchemaKinds kinds;
  kinds.values = listedValues(flat);
  const Json* const type = memberOf(flat, "type");
  if (type != nullptr && type->is_string()) {
    kinds.types = {type->get<std::string>()};
  } else if (type != nullptr && type->is_array()) {
    for (const Json& one : *type)
      if (one.is_string()) kinds.types.insert(one.get<std::string>());
  } else {
    kinds.types = {"null", "boolean", "object", "array", "string", "number"};
  }
  if (kinds.types.contains("number")) kinds.types.erase("integer");
  const Json* const required = memberOf(flat, "required");
  const Json* const properties = memberOf(flat, "properties");
  if (required == nullptr || !required->is_array() || properties == nullptr) return kinds;
  for (const Json& name : *required) {
    if (!name.is_string()) continue;
    const Json* const property = memberOf(*properties, name.get_ref<const std::string&>());
    if (property == nullptr) continue;
    const auto known =
        source.flat(*property, place.property("properties", name.get_ref<const std::string&>()));
    if (!known) continue;
    if (auto values = listedValues(*known)) kinds.tags[name.get<std::string>()] = std::move(*values);
  }
  return kinds;
}

bool areDisjoint(const SchemaKinds& one, const SchemaKinds& other) {
  if (one.values && other.values) return shareNone(*one.values, *other.values);
  const auto hasNoneOf = [](const std::vector<Json>& values, const SchemaKinds& kinds) {
    return std::ranges::none_of(values, [&](const Json& value) {
      return std::ranges::any_of(kinds.types, [&](const std::string& type) { return isOfType(value, type); });
    });
  };
  if (one.values && hasNoneOf(*one.values, other)) return true;
  if (other.values && hasNoneOf(*other.values, one)) return true;

  bool bothAreObjects = false;
  for (const std::string& type : one.types) {
    const bool shared = other.types.contains(type) || (type == "integer" && other.types.contains("number")) ||
                        (type == "number" && other.types.contains("integer"));
    if (shared && type != "object") return false;
    bothAreObjects |= shared;
  }
  if (!bothAreObjects) return true;
  return std::ranges::any_of(one.tags, [&](const auto& tag) {
    const auto theirs = other.tags.find(tag.first);
    return theirs != other.tags.end() && shareNone(tag.second, theirs->second);
  });
}

}  // namespace vitrine
