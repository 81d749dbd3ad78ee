#include "server/api_structure.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "vitrine/form_check.h"
#include "vitrine/message_text.h"

namespace vitrine::server {
namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& message) {
  throw ApiError(400, message, field, "invalid_value");
}

const std::string& textIn(const std::string& field, const Json& value) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    refuse(field, "\"" + field + "\" must be a text that is not empty");
  return value.get_ref<const std::string&>();
}

// As an object, as vLLM also takes it as a text, or as one of the two schemas that are no object.
std::string schemaIn(const std::string& field, const Json& value) {
  if (value.is_object() || value.is_boolean()) return textOf(value);
  if (value.is_string()) return textIn(field, value);
  refuse(field, "\"" + field + "\" must be a JSON schema");
}

std::vector<std::string> textsIn(const std::string& field, const Json& value) {
  if (!value.is_array() || value.empty()) refuse(field, "\"" + field + "\" must be a list of texts");
  std::vector<std::string> texts;
  for (const Json& one : value) texts.push_back(textIn(field, one));
  return texts;
}

// A member that asks for nothing.
bool isNothing(const Json& value) { return value.is_null() || value == false; }

void takeResponseFormat(const Json& value, Request& request) {
  const std::string field = "response_format";
  const Json type = value.is_object() ? value.value("type", Json()) : Json();
  if (type == "text") return;
  if (type == "json_object") {
    request.jsonSchema = kAnyObjectSchema;
    return;
  }
  if (type != "json_schema")
    refuse(field, "\"response_format\" has the type text, json_object or json_schema");
  const Json given = value.value("json_schema", Json());
  const Json schema = given.is_object() ? given.value("schema", Json()) : Json();
  if (schema.is_null()) refuse(field, "\"response_format\" needs {\"json_schema\": {\"schema\": ...}}");
  request.jsonSchema = schemaIn("response_format.json_schema.schema", schema);
}

void take(const std::string& form, const std::string& field, const Json& value, Request& request) {
  if (form == "json")
    request.jsonSchema = schemaIn(field, value);
  else if (form == "json_object")
    request.jsonSchema = kAnyObjectSchema;
  else if (form == "regex")
    request.regex = textIn(field, value);
  else if (form == "choice")
    request.choice = textsIn(field, value);
  else if (form == "grammar")
    request.grammar = textIn(field, value);
  else
    throw ApiError(400, "this server does not know or support \"" + forMessage(field, 80) + "\"", field,
                   "unsupported_parameter");
}

}  // namespace

bool takeStructure(const std::string& key, const Json& value, Request& request) {
  constexpr std::string_view kGuided = "guided_";
  if (key == "response_format") {
    takeResponseFormat(value, request);
    return true;
  }
  if (key == "structured_outputs") {
    if (!value.is_object()) refuse(key, "\"structured_outputs\" must be an object");
    for (const auto& [form, given] : value.items())
      if (!isNothing(given)) take(form, key + "." + form, given, request);
    return true;
  }
  if (!key.starts_with(kGuided)) return false;
  take(key.substr(kGuided.size()), key, value, request);
  return true;
}

}  // namespace vitrine::server
