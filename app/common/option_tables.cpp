#include "common/option_tables.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/chat_prompt.h"
#include "vitrine/engine.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

[[noreturn]] void wrongKind(const std::string& key, const char* kind) {
  throw UsageError("\"" + key + "\" must be " + kind);
}

void take(const std::string& key, const Json& json, bool& value) {
  if (!json.is_boolean()) wrongKind(key, "true or false");
  value = json.get<bool>();
}
void take(const std::string& key, const Json& json, double& value) {
  if (!json.is_number()) wrongKind(key, "a number");
  value = json.get<double>();
}
void take(const std::string& key, const Json& json, std::string& value) {
  if (!json.is_string()) wrongKind(key, "a string");
  value = json.get<std::string>();
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
    for (const Json& item : json) take(key, item, value.emplace_back());
}

void checkWords(const std::string& key, const std::string& value, const std::vector<std::string>& words) {
  if (words.empty() || std::find(words.begin(), words.end(), value) != words.end()) return;
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  throw UsageError("\"" + key + "\" must be one of " + list + ", not \"" + forMessage(value, 60) + "\"");
}
template <typename T>
void checkWords(const std::string&, const T&, const std::vector<std::string>&) {}

}  // namespace

void RequestArguments::validate() const {
  asUsage([&] { request.validate(); });
  static constexpr std::array<std::string_view, 4> kEndings = {"true", "heuristic", "false", "never"};
  if (std::ranges::find(kEndings, earlyStopping) == kEndings.end())
    throw UsageError("--early-stopping must be true, heuristic (or false), or never, not " +
                     forMessage(earlyStopping, 60));
  if (chat && !request.tokenIds.empty()) throw UsageError("--chat needs a prompt as text, not as token ids");
}

Request RequestArguments::toRequest(const ChatFormat& format) const {
  Request result = request;
  if (earlyStopping == "true") result.earlyStopping = EarlyStopping::kYes;
  if (earlyStopping == "never") result.earlyStopping = EarlyStopping::kNever;
  if (!chat || !request.tokenIds.empty()) return result;
  return chatRequest(format, {{ChatRole::kUser, request.prompt}}, std::move(result));
}

EngineOptions EngineArguments::toOptions() const {
  EngineOptions result = options;
  if (device == "cuda") result.device = Device::kCuda;  // the engine says whether there is one
  if (dtype == "f32") result.weightType = WeightType::kF32;
  if (dtype == "bf16") result.weightType = WeightType::kBf16;
  if (dtype == "f16") result.weightType = WeightType::kF16;
  if (weights == "int8") result.quantization = Quantization::kInt8;
  if (weights == "int4") result.quantization = Quantization::kInt4;
  if (kvDtype == "int8") result.kvType = KvType::kInt8;
  if (policy == "priority") result.policy = Policy::kPriority;
  if (policy == "deadline") result.policy = Policy::kDeadline;
  if (batching == "window") result.batching = Batching::kWindow;
  if (batching == "static") result.batching = Batching::kStatic;
  if (batching == "sequential") result.batching = Batching::kSequential;
  if (preemption == "swap") result.preemption = Preemption::kSwap;
  if (kernels == "reference") result.kernels = Kernels::kReference;
  if (eviction == "sinks") result.eviction = Eviction::kSinks;
  if (eviction == "heavy") result.eviction = Eviction::kHeavyHitters;
  if (draft == "exit") result.speculation.drafter = DraftMethod::kEarlyExit;
  if (draft == "model") result.speculation.drafter = DraftMethod::kModel;
  if (draft == "ngram") result.speculation.drafter = DraftMethod::kNgram;
  result.kvCache = !noKvCache;
  result.prefixCache = !noPrefixCache;
  result.chunkedPrefill = !noChunkedPrefill;
  asUsage([&] { result.validate(); });
  return result;
}

std::filesystem::path EngineArguments::modelDirectory() const {
  if (!model.empty()) return model;
  std::filesystem::path builtin = builtinModelDirectory();
  if (builtin.empty())
    throw EngineError(ErrorCode::kFileNotFound, "the built-in model is not installed",
                      "Name a Hugging Face model directory with --model.");
  return builtin;
}

bool takeRequestKey(RequestArguments& arguments, const std::string& key, const Json& json) {
  if (key == "early_stopping" && json.is_boolean()) {  // as transformers has it
    arguments.earlyStopping = json.get<bool>() ? "true" : "false";
    return true;
  }
  bool known = false;
  visitRequestOptions(arguments, [&](const char* name, auto& value, const char*) {
    if (key != name) return;
    known = true;
    take(key, json, value);
  });
  return known;
}

bool takeEngineKey(EngineArguments& arguments, const std::string& key, const Json& json) {
  bool known = false;
  visitEngineOptions(arguments, [&](const char* name, auto& value, const char*, const auto& words) {
    if (key != name) return;
    known = true;
    take(key, json, value);
    checkWords(key, value, words);
  });
  if (key == "seed") take(key, json, arguments.options.seed);
  return known || key == "seed";
}

}  // namespace vitrine
