#include "vitrine/tool_set.h"

#include <nlohmann/json.hpp>

#include "vitrine/error.h"
#include "vitrine/json_reader.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& problem) {
  throw EngineError(
      ErrorCode::kInvalidArgument, problem,
      "Write the tools as OpenAI's API has them: [{\"type\": \"function\", \"function\": {\"name\": "
      "\"get_weather\", \"description\": \"...\", \"parameters\": {\"type\": \"object\", "
      "\"properties\": {\"city\": {\"type\": \"string\"}}}}}].");
}

// The member of that key where it has that type; null: there is none.
const Json* member(const Json& object, const char* key, Json::value_t type) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found != object.end() && found->type() == type ? &*found : nullptr;
}

// "type" is a word or a list of words; "anyOf" and "oneOf" list schemas.
std::vector<std::string> typesIn(const Json& schema) {
  std::vector<std::string> types;
  if (const Json* const word = member(schema, "type", Json::value_t::string)) types.push_back(*word);
  if (const Json* const words = member(schema, "type", Json::value_t::array))
    for (const Json& word : *words)
      if (word.is_string()) types.push_back(word);
  for (const char* const key : {"anyOf", "oneOf"})
    if (const Json* const schemas = member(schema, key, Json::value_t::array))
      for (const Json& one : *schemas)
        if (const Json* const word = member(one, "type", Json::value_t::string)) types.push_back(*word);
  return types;
}

const Json& functionOf(const Json& tool, const std::string& place) {
  const Json* const type = member(tool, "type", Json::value_t::string);
  if (type == nullptr || *type != "function")
    refuse(place + " should be an object with \"type\": \"function\"");
  const Json* const function = member(tool, "function", Json::value_t::object);
  if (function == nullptr) refuse(place + " should have an object \"function\"");
  const Json* const name = member(*function, "name", Json::value_t::string);
  if (name == nullptr || name->get_ref<const std::string&>().empty())
    refuse(place + " should have a \"name\" in its \"function\"");
  const auto parameters = function->find("parameters");
  if (parameters != function->end() && !parameters->is_object() && !parameters->is_null())
    refuse(place + " should have a JSON schema as its \"parameters\": an object");
  return *function;
}

}  // namespace

ToolSet::ToolSet(const std::string& json) {
  if (json.empty()) return;
  const Json list = readJson<Json>(
      json, {}, [](const std::string& fault) { refuse("the tools cannot be read: " + fault); });
  if (!list.is_array()) refuse("the tools should be an array");
  for (const Json& tool : list) {
    const std::string place = "tool " + std::to_string(m_names.size() + 1);
    const Json& function = functionOf(tool, place);
    const std::string name = function["name"];
    if (has(name)) refuse("two tools have the name \"" + forMessage(name, 60) + "\"");
    m_names.push_back(name);
    Parameters& parameters = m_tools[name];
    if (const Json* const schema = member(function, "parameters", Json::value_t::object))
      if (const Json* const properties = member(*schema, "properties", Json::value_t::object))
        for (const auto& [key, property] : properties->items()) parameters[key] = typesIn(property);
  }
}

const std::vector<std::string>& ToolSet::typesOf(std::string_view tool, std::string_view parameter) const {
  static const Types unknown;
  const auto parameters = m_tools.find(tool);
  if (parameters == m_tools.end()) return unknown;
  const auto types = parameters->second.find(parameter);
  return types == parameters->second.end() ? unknown : types->second;
}

}  // namespace vitrine
