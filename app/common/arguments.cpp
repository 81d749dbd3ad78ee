#include "common/arguments.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/chat_prompt.h"
#include "common/option_words.h"
#include "vitrine/engine.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

[[noreturn]] void wrongKind(const std::string& key, const char* kind) {
  throw UsageError("\"" + key + "\" must be " + kind);
}

void requireWord(const std::string& key, const std::string& word, const std::vector<std::string>& words) {
  if (words.empty() || std::ranges::find(words, word) != words.end()) return;
  std::string list;
  for (const std::string& known : words) list += (list.empty() ? "" : ", ") + known;
  throw UsageError("\"" + key + "\" must be one of " + list + ", not \"" + forMessage(word, 60) + "\"");
}

void take(const std::string& key, const Json& json, double& value) {
  if (!json.is_number()) wrongKind(key, "a number");
  value = json.get<double>();
}
void take(const std::string& key, const Json& json, std::uint64_t& value) {
  if (!json.is_number_unsigned()) wrongKind(key, "a whole number of 0 or more");
  value = json.get<std::uint64_t>();
}
void take(const std::string& key, const Json& json, std::int64_t& value) {
  const bool fits = json.is_number_integer() &&
                    (!json.is_number_unsigned() ||
                     json.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  if (!fits) wrongKind(key, "a whole number");
  value = json.get<std::int64_t>();
}
void take(const std::string& key, const Json& json, int& value) {
  std::int64_t wide = 0;
  take(key, json, wide);
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
    wrongKind(key, "a whole number of 32 bits");
  value = static_cast<int>(wide);
}
void take(const std::string& key, const Json& json, std::vector<std::string>& value) {
  value.clear();
  if (json.is_string()) value.push_back(json.get<std::string>());
  if (!json.is_string() && !json.is_array()) wrongKind(key, "a string or a list of strings");
  if (json.is_array())
    for (const Json& item : json) value.push_back(stringValue(key, item));
}

template <typename Value>
void take(const OptionInfo<Value>& info, const Json& json, Value& value) {
  take(spelledKey(info), json, value);
}
void take(const OptionInfo<bool>& info, const Json& json, bool& value) {
  if (!json.is_boolean()) wrongKind(spelledKey(info), "true or false");
  value = json.get<bool>() == (*info.off == '\0');
}
void take(const OptionInfo<std::string>& info, const Json& json, std::string& value) {
  value = stringValue(info.key, json);
  requireWord(info.key, value, wordsOf(info));
}
// A boolean counts as the word "true" or "false": transformers has both for early_stopping.
template <Named Value>
void take(const OptionInfo<Value>& info, const Json& json, Value& value) {
  const std::string word =
      json.is_boolean() ? json.get<bool>() ? "true" : "false" : stringValue(info.key, json);
  requireWord(info.key, word, wordsOf(info));
  value = valueOf(info, word);
}

}  // namespace

void RequestArguments::validate() const {
  asUsage([&] { request.validate(); });
  if (chat && !request.tokenIds.empty()) throw UsageError("--chat needs a prompt as text, not as token ids");
  if (!chat && !tools.empty()) throw UsageError("--tools needs --chat");
  if (!chat && !messages.empty()) throw UsageError("--messages needs --chat");
}

Request RequestArguments::toRequest(const Engine& engine) const {
  if (!chat || !request.tokenIds.empty()) return request;
  return chatRequest(engine, dialogue(), request);
}

Dialogue RequestArguments::dialogue() const {
  Dialogue dialogue{messages, tools};
  if (messages.empty()) dialogue.messages.push_back({ChatRole::kUser, request.prompt});
  dialogue.typedMarks = typedMarks;
  return dialogue;
}

const EngineOptions& EngineArguments::toOptions() const {
  asUsage([&] { options.validate(); });
  return options;
}

std::filesystem::path EngineArguments::modelDirectory() const {
  if (!model.empty()) return model;
  std::filesystem::path builtin = builtinModelDirectory();
  if (builtin.empty())
    throw EngineError(ErrorCode::kFileNotFound, "the built-in model is not installed",
                      "Name a Hugging Face model directory or a GGUF file with --model.");
  return builtin;
}

bool takeRequestKey(RequestArguments& arguments, const std::string& key, const Json& json) {
  bool known = false;
  forEachRequestArgument([&](const auto& info, const auto& access) {
    if (key != spelledKey(info)) return;
    known = true;
    take(info, json, access(arguments));
  });
  return known;
}

bool takeEngineKey(EngineArguments& arguments, const std::string& key, const Json& json) {
  bool known = false;
  forEachEngineArgument([&](const auto& info, const auto& access) {
    if (key != spelledKey(info)) return;
    known = true;
    take(info, json, access(arguments));
  });
  return known;
}

}  // namespace vitrine
