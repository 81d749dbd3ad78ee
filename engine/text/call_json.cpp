#include "text/call_json.h"

#include <algorithm>
#include <string>

#include "text/answer_cursor.h"
#include "text/dialogue_json.h"

namespace vitrine {
namespace {

using Json = nlohmann::ordered_json;

std::optional<Json> jsonIn(std::string_view text, int depth) {
  struct NoJson {};
  try {
    return readJson<Json>(text, {.depth = depth, .keepsDigits = true},
                          [](const std::string&) { throw NoJson(); });
  } catch (const NoJson&) {
    return std::nullopt;
  }
}

bool isOfType(const Json& value, std::string_view type) {
  return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
         (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null()) ||
         ((type == "number" || type == "integer") && (value.is_number() || value.is_binary()));
}

// Of valid JSON.
void skipValue(AnswerCursor& cursor) {
  Json value;
  for (const char first : {'{', '[', '"'})
    if (cursor.startsWith(first)) {
      cursor.takeJson(first, kArgumentsDepth, value);
      return;
    }
  std::string_view word;
  cursor.takeWord([](char c) { return c != ',' && c != '}'; }, word);
}

}  // namespace

std::optional<ToolCall> callIn(const Json& object) {
  const auto name = object.find("name");
  if (name == object.end() || !name->is_string() || name->get_ref<const std::string&>().empty())
    return std::nullopt;
  auto given = object.find("arguments");
  if (given == object.end()) given = object.find("parameters");
  std::optional<Json> arguments = given == object.end() ? Json::object() : *given;
  if (arguments->is_string()) arguments = jsonIn(arguments->get_ref<const std::string&>(), kArgumentsDepth);
  if (!arguments || !arguments->is_object()) return std::nullopt;
  return ToolCall{*name, writtenJson(*arguments)};
}

CallPlaces placesInCall(std::string_view text, std::size_t begin) {
  AnswerCursor cursor(text, begin);
  TextRange name, arguments, parameters;
  cursor.take("{");
  do {
    Json key;
    cursor.skipBlanks();
    if (cursor.takeJson('"', 1, key) != Found::kYes) break;
    cursor.skipBlanks();
    cursor.take(":");
    cursor.skipBlanks();
    const std::size_t at = cursor.at();
    skipValue(cursor);
    if (key == "name") name = {at, cursor.at()};
    if (key == "arguments") arguments = {at, cursor.at()};
    if (key == "parameters") parameters = {at, cursor.at()};
    cursor.skipBlanks();
  } while (cursor.take(",") == Found::kYes);
  return {name, arguments.end > 0 ? arguments : parameters};
}

std::optional<Json> argumentIn(std::string_view text) {
  if (text == "True") return true;
  if (text == "False") return false;
  if (text == "None") return nullptr;
  return jsonIn(text, kArgumentsDepth - 1);
}

Json jsonArgument(std::string_view text, const std::vector<std::string>& types) {
  const bool isText = types.empty() || std::ranges::find(types, "string") != types.end();
  const std::optional<Json> value = isText ? std::nullopt : argumentIn(trimmed(text));
  return value ? *value : Json(std::string(text));
}

Json typedArgument(std::string_view text, const std::vector<std::string>& types) {
  Json value = jsonArgument(text, types);
  const bool fits = std::ranges::any_of(types, [&](const auto& type) { return isOfType(value, type); });
  return fits ? value : Json(std::string(text));
}

}  // namespace vitrine
