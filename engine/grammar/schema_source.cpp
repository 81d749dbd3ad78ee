#include "grammar/schema_source.h"

#include <algorithm>

#include "vitrine/error.h"
#include "vitrine/json_reader.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

using Json = SchemaSource::Json;

constexpr std::int64_t kMostSchemaWork = 5 * std::int64_t{kMostGrammarNodes};
constexpr const char* kWriteSchema =
    "Write it as in {\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}}}.";

std::int64_t copyingWork(const Json& tree) {
  if (tree.is_string()) return 1 + static_cast<std::int64_t>(tree.get_ref<const std::string&>().size() / 8);
  if (!tree.is_structured()) return 1;
  std::int64_t work = 1;
  for (const auto& [key, value] : tree.items())
    work += (tree.is_object() ? static_cast<std::int64_t>(key.size() / 8) : 0) + copyingWork(value);
  return work;
}

std::string pointerToken(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~')
      token += "~0";
    else if (c == '/')
      token += "~1";
    else
      token += c;
  }
  return token;
}

// A token of a reference, without the escapes of URIs and pointers; nothing for wrong ones.
std::optional<std::string> referenceToken(std::string_view token) {
  std::string bytes, key;
  const auto hex = [](char c) {
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
  };
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '%') {
      bytes += token[i];
      continue;
    }
    if (i + 2 >= token.size() || hex(token[i + 1]) < 0 || hex(token[i + 2]) < 0) return std::nullopt;
    bytes += static_cast<char>(hex(token[i + 1]) * 16 + hex(token[i + 2]));
    i += 2;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '~') {
      key += bytes[i];
      continue;
    }
    if (++i == bytes.size() || (bytes[i] != '0' && bytes[i] != '1')) return std::nullopt;
    key += bytes[i] == '0' ? '~' : '/';
  }
  return key;
}

const Json* childOf(const Json& parent, const std::string& key) {
  if (parent.is_object()) return memberOf(parent, key);
  if (!parent.is_array() || key.empty() || key.size() > 6 ||
      !std::ranges::all_of(key, [](char c) { return c >= '0' && c <= '9'; }))
    return nullptr;
  const auto index = static_cast<std::size_t>(std::stoi(key));
  return index < parent.size() ? &parent[index] : nullptr;
}

bool isSchema(const Json& value) { return value.is_object() || value.is_boolean(); }

Json typesOfBoth(const Json& one, const Json& other) {
  const auto list = [](const Json& types) { return types.is_array() ? types : Json::array({types}); };
  Json common = Json::array();
  for (const Json& a : list(one))
    for (const Json& b : list(other)) {
      const bool narrows = a == "integer" && b == "number";
      const bool widens = a == "number" && b == "integer";
      const Json& type = widens ? b : a;
      if ((a == b || narrows || widens) && std::ranges::find(common, type) == common.end())
        common.push_back(type);
    }
  return common;
}

Json commonValues(const Json& one, const Json& other) {
  Json common = Json::array();
  for (const Json& value : one)
    if (std::ranges::find(other, value) != other.end()) common.push_back(value);
  return common;
}

Json allOf(const Json& one, const Json& other) {
  if (one == other) return one;
  Json schemas = Json::array();
  schemas.push_back(one);
  schemas.push_back(other);
  Json all = Json::object();
  all["allOf"] = std::move(schemas);
  return all;
}

bool isObjectOf(const Json& schema, const char* key) {
  const Json* const found = memberOf(schema, key);
  return found != nullptr && found->is_object();
}

// Properties that only the one names must satisfy the other's schema for further ones.
void closeProperties(Json& one, const Json& other) {
  const Json* const further = memberOf(other, "additionalProperties");
  if (further == nullptr || *further == true || !isObjectOf(one, "properties")) return;
  const Json* const named = isObjectOf(other, "properties") ? memberOf(other, "properties") : nullptr;
  for (auto& [key, property] : one["properties"].items())
    if (named == nullptr || memberOf(*named, key) == nullptr) property = allOf(*further, property);
}

}  // namespace

SchemaPlace SchemaPlace::below(std::string_view key) const {
  return {pointer + '/' + pointerToken(key), path, depth + 1};
}

SchemaPlace SchemaPlace::property(std::string_view keyword, std::string_view key) const {
  SchemaPlace place = below(keyword).below(key);
  place.depth = depth + 1;
  place.path = path.empty() ? std::string(key) : path + '.' + std::string(key);
  return place;
}

void refuseSchema(const SchemaPlace& place, const std::string& problem, const std::string& mend) {
  const std::string where = place.pointer.empty() ? "at its top" : "at " + forMessage(place.pointer, 120);
  throw EngineError(ErrorCode::kInvalidArgument, "the JSON schema, " + where + ": " + problem, mend);
}

void checkSchemaDepth(const SchemaPlace& place) {
  if (place.depth > kDeepestGrammar)
    refuseSchema(place, "schemas in each other deeper than " + std::to_string(kDeepestGrammar),
                 "Nest fewer schemas; a reference must not lead back to itself without a value between.");
}

const Json* memberOf(const Json& object, const std::string& key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

Json without(Json object, const char* key) {
  object.erase(key);
  return object;
}

SchemaSource::SchemaSource(std::string_view text) {
  const SchemaPlace top;
  if (text.size() > kLongestGrammar)
    refuseSchema(top, "more than " + std::to_string(kLongestGrammar) + " bytes", "Write a shorter one.");
  JsonBounds bounds;
  bounds.depth = 3 * kDeepestGrammar;  // a schema stands in a list or a table of another one
  bounds.members = 2000;               // look-ups go through all of them
  bounds.repeats = JsonBounds::Repeats::kRefused;
  m_root = readJson<Json>(text, bounds, [](const std::string& fault) {
    throw EngineError(ErrorCode::kInvalidArgument, "the JSON schema: " + fault, kWriteSchema);
  });
  if (!isSchema(m_root)) refuseSchema(top, "neither an object nor true", kWriteSchema);
}

const Json& SchemaSource::target(const Json& reference, const SchemaPlace& place) const {
  const char* const mend = "Refer to a part of the schema itself, as in \"#/$defs/Person\".";
  if (!reference.is_string()) refuseSchema(place, "\"$ref\" should be a text", mend);
  std::string_view rest = reference.get_ref<const std::string&>();
  const std::string shown = "\"$ref\": \"" + forMessage(rest, 80) + '"';
  if (!rest.starts_with('#') || (rest.size() > 1 && rest[1] != '/'))
    refuseSchema(place, shown + " is not followed: it is no pointer into this schema", mend);
  rest.remove_prefix(1);
  const Json* at = &m_root;
  while (!rest.empty() && at != nullptr) {
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const auto key = referenceToken(rest.substr(0, end));
    at = key ? childOf(*at, *key) : nullptr;
    rest.remove_prefix(end);
  }
  if (at == nullptr || !isSchema(*at)) refuseSchema(place, shown + " leads to no schema", mend);
  return *at;
}

void SchemaSource::spend(std::int64_t work, const SchemaPlace& place) {
  m_spent += work;
  if (m_spent > kMostSchemaWork)
    refuseSchema(place, "it grows too large where its parts are put together",
                 "Nest fewer allOf, anyOf and $ref, and repeat less.");
}

std::optional<Json> SchemaSource::flat(const Json& schema, const SchemaPlace& place) {
  checkSchemaDepth(place);
  if (schema.is_boolean()) return schema.get<bool>() ? std::optional(Json::object()) : std::nullopt;
  if (!schema.is_object()) refuseSchema(place, "a schema should be an object, true or false", kWriteSchema);
  spend(copyingWork(schema), place);
  std::optional<Json> result = without(without(schema, "$ref"), "allOf");
  const auto add = [&](const Json& further, const SchemaPlace& there) {
    if (!result) return;
    const std::optional<Json> other = flat(further, there);
    result = other ? both(std::move(*result), *other, there) : std::nullopt;
  };
  if (const Json* const reference = memberOf(schema, "$ref"))
    add(target(*reference, place), place.below("$ref"));
  if (const Json* const schemas = memberOf(schema, "allOf")) {
    if (!schemas->is_array() || schemas->empty())
      refuseSchema(place, "\"allOf\" should be a list of schemas", kWriteSchema);
    const SchemaPlace list = place.below("allOf");
    for (std::size_t i = 0; i < schemas->size(); ++i) {
      SchemaPlace there = list.below(std::to_string(i));
      there.depth = place.depth + 1;
      add((*schemas)[i], there);
    }
  }
  return result;
}

std::optional<Json> SchemaSource::both(Json one, const Json& other, const SchemaPlace& place) {
  spend(copyingWork(one) + copyingWork(other), place);
  if (one.empty()) return other;
  const auto has = [&](const char* key) { return one.contains(key) && other.contains(key); };
  const auto hasEither = [&](const char* key) { return one.contains(key) || other.contains(key); };
  const auto refuseBoth = [&](const std::string& keyword) {
    refuseSchema(place, "two schemas for one value, and both have \"" + keyword + "\"",
                 "Write them as one schema, with one \"" + keyword + "\".");
  };
  if (hasEither("patternProperties") && one != other &&
      (has("patternProperties") || hasEither("properties") || hasEither("additionalProperties")))
    refuseBoth("patternProperties");
  const auto isTuple = [](const Json& schema) {
    return schema.contains("prefixItems") || (schema.contains("items") && schema["items"].is_array());
  };
  if ((isTuple(one) && (isTuple(other) || other.contains("items"))) ||
      (isTuple(other) && one.contains("items")))
    refuseBoth("items");

  Json second = other;
  closeProperties(one, other);
  closeProperties(second, one);
  spend(copyingWork(one) + copyingWork(second), place);
  for (const auto& [key, theirs] : second.items()) {
    const auto found = one.find(key);
    if (found == one.end() || *found == theirs) {
      one[key] = theirs;
      continue;
    }
    Json& ours = *found;
    spend(static_cast<std::int64_t>(ours.size() * theirs.size()), place);
    const bool numbers = ours.is_number() && theirs.is_number();
    if (key == "type") {
      ours = typesOfBoth(ours, theirs);
      if (ours.empty()) return std::nullopt;
    } else if (key == "enum" && ours.is_array() && theirs.is_array()) {
      ours = commonValues(ours, theirs);
      if (ours.empty()) return std::nullopt;
    } else if (key == "const") {
      return std::nullopt;
    } else if (key == "properties" && ours.is_object() && theirs.is_object()) {
      for (const auto& [name, property] : theirs.items()) {
        const auto known = ours.find(name);
        if (known == ours.end())
          ours[name] = property;
        else
          *known = allOf(*known, property);
      }
    } else if (key == "required" && ours.is_array() && theirs.is_array()) {
      for (const Json& name : theirs)
        if (std::ranges::find(ours, name) == ours.end()) ours.push_back(name);
    } else if ((key == "additionalProperties" || key == "items") && isSchema(ours) && isSchema(theirs)) {
      ours = allOf(ours, theirs);
    } else if (numbers && (key == "minimum" || key == "exclusiveMinimum" || key.starts_with("min"))) {
      if (ours.get<double>() < theirs.get<double>()) ours = theirs;
    } else if (numbers && (key == "maximum" || key == "exclusiveMaximum" || key.starts_with("max"))) {
      if (theirs.get<double>() < ours.get<double>()) ours = theirs;
    } else if (key == "uniqueItems") {
      ours = ours == true || theirs == true;
    } else if (key == "pattern" || key == "format" || key == "multipleOf" || key == "anyOf" ||
               key == "oneOf" || key == "prefixItems" || key == "items" || key == "additionalItems" ||
               key == "properties" || key == "required" || key == "additionalProperties" || key == "enum" ||
               numbers) {
      refuseBoth(key);
    }  // else an annotation, or a keyword that is refused where it stands
  }
  return one;
}

}  // namespace vitrine
