#include "common/argument_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/message_list.h"
#include "common/option_words.h"

namespace vitrine {
namespace {

template <typename Value>
Json written(const OptionInfo<Value>& info, const Value& value) {
  if constexpr (Named<Value>)
    return nameOf(value);
  else if constexpr (std::is_same_v<Value, bool>)
    return value == (*info.off == '\0');  // "no_prefix_cache": true
  else
    return value;
}

template <typename Value>
void addWords(std::vector<std::string>& words, const OptionInfo<Value>& info, const Value& value) {
  words.push_back(optionName(info));
  if constexpr (std::is_same_v<Value, bool>) return;
  const Json text = written(info, value);
  words.push_back(text.is_string() ? text.get<std::string>() : text.dump());
}

bool isPlain(char letter) {
  constexpr std::string_view kSigns = "-_./:,+=@%";
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || kSigns.find(letter) != std::string_view::npos;
}

}  // namespace

Json requestToJson(const RequestLine& line) {
  Json json = Json::object();
  const Request& request = line.arguments.request;
  if (!request.name.empty()) json["id"] = request.name;
  if (!request.tokenIds.empty())
    json["token_ids"] = request.tokenIds;
  else if (!line.arguments.messages.empty())
    json["messages"] = messagesToJson(line.arguments.messages);
  else
    json["prompt"] = request.prompt;
  if (!line.arguments.tools.empty()) json["tools"] = parseJson(line.arguments.tools);
  if (!request.outputIds.empty()) json["output_ids"] = request.outputIds;
  const RequestArguments plain;
  forEachRequestArgument([&](const auto& info, const auto& access) {
    if (access(line.arguments) != access(plain))
      json[spelledKey(info)] = written(info, access(line.arguments));
  });
  if (line.arrivalStep > 0) json["arrival_step"] = line.arrivalStep;
  return json;
}

Json engineKeysToJson(const EngineArguments& arguments) {
  Json json = Json::object();
  const EngineOptions plain;
  forEachEngineOption([&](const auto& info, const auto& access) {
    if (access(arguments.options) != access(plain))
      json[spelledKey(info)] = written(info, access(arguments.options));
  });
  return json;
}

std::vector<std::string> engineWords(const EngineArguments& arguments) {
  std::vector<std::string> words;
  const EngineArguments plain;
  forEachEngineArgument([&](const auto& info, const auto& access) {
    if (access(arguments) != access(plain)) addWords(words, info, access(arguments));
  });
  return words;
}

std::string shellQuoted(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, isPlain)) return std::string(word);
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

std::string oneLine(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace vitrine
