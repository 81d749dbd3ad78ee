#include "compare/variation.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "common/option_words.h"
#include "vitrine/message_text.h"

namespace vitrine::compare {
namespace {

bool truthOf(const std::string& key, const std::string& text) {
  if (text == "true" || text == "on") return true;
  if (text == "false" || text == "off") return false;
  throw UsageError("\"" + key + "\" must be true or false, not \"" + forMessage(text, 60) + "\"");
}

Json numberIn(const std::string& key, const std::string& text) {
  try {
    if (Json number = parseJson(text); number.is_number()) return number;
  } catch (const UsageError&) {
    // The message below says more.
  }
  throw UsageError("\"" + key + "\" must be a number, not \"" + forMessage(text, 60) + "\"");
}

// As takeEngineKey() reads it.
template <typename Value>
Json jsonIn(const OptionInfo<Value>& info, const std::string& key, const std::string& text) {
  if constexpr (std::is_same_v<Value, bool>)
    return truthOf(key, text) == (key == spelledKey(info));
  else if constexpr (Numeric<Value>)
    return numberIn(key, text);
  else
    return text;
}

void take(EngineArguments& arguments, std::string key, const std::string& text) {
  std::ranges::replace(key, '-', '_');
  bool known = false;
  forEachEngineArgument([&](const auto& info, const auto&) {
    if (known || (key != spelledKey(info) && key != info.key)) return;
    known = takeEngineKey(arguments, spelledKey(info), jsonIn(info, key, text));
  });
  if (!known)
    throw UsageError("the engine has no option \"" + forMessage(key, 60) + "\"",
                     "vitrine-cli run --help lists its options.");
}

template <typename Value>
std::string valueText(const Value& value) {
  if constexpr (Named<Value>)
    return nameOf(value);
  else if constexpr (std::is_same_v<Value, std::string>)
    return value;
  else
    return Json(value).dump();
}

template <typename Info, typename Value>
void addChange(std::vector<OptionChange>& changes, const Info& info, const Value& one, const Value& other) {
  if (one != other) changes.push_back({info.key, valueText(one), valueText(other)});
}

bool has(const std::vector<OptionChange>& changes, const std::set<std::string>& keys) {
  return std::ranges::any_of(changes,
                             [&](const OptionChange& change) { return keys.contains(change.option); });
}

int answersOf(const Scenario& scenario) {
  int answers = 0;
  for (const RequestLine& line : scenario.requests) answers += line.arguments.request.sequenceSlots();
  return answers;
}

template <typename Has>
bool anyRequest(const Scenario& scenario, const Has& has) {
  return std::ranges::any_of(scenario.requests,
                             [&](const RequestLine& line) { return has(line.arguments.request); });
}

std::string smallerBlocks(const EngineOptions& options) {
  const int size = options.blockSize > 4 ? 4 : 16;
  std::string text = "block_size=" + std::to_string(size);
  if (options.numBlocks == 0) return text;
  // The same memory, and never none.
  const int blocks =
      std::max(1, static_cast<int>(std::int64_t{options.numBlocks} * options.blockSize / size));
  return text + "&num_blocks=" + std::to_string(blocks);
}

std::string otherPolicy(const Scenario& scenario) {
  if (scenario.engine.options.policy != Policy::kFcfs) return "policy=fcfs";
  if (anyRequest(scenario, [](const Request& request) { return request.priority != 0; }))
    return "policy=priority";
  if (anyRequest(scenario, [](const Request& request) { return request.deadlineMs > 0; }))
    return "policy=deadline";
  return "policy=shortest";
}

}  // namespace

Variation variationFromText(std::string_view text) {
  Variation variation;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos || sign == 0)
      throw UsageError("\"" + forMessage(std::string(part), 60) + "\" is no OPTION=VALUE",
                       "Write preemption=swap, for example.");
    variation.options.emplace_back(part.substr(0, sign), part.substr(sign + 1));
  }
  return variation;
}

std::string variationToText(const Variation& variation) {
  std::string text;
  for (const auto& [option, value] : variation.options)
    text += (text.empty() ? "" : "&") + option + "=" + value;
  return text;
}

Scenario varied(const Scenario& scenario, const Variation& variation) {
  Scenario other = scenario;
  try {
    for (const auto& [option, value] : variation.options) take(other.engine, option, value);
    other.engine.toOptions();
  } catch (const UsageError& error) {
    throw UsageError(asKeys(error.what()), error.hint());
  }
  return other;
}

std::vector<OptionChange> changedOptions(const EngineOptions& one, const EngineOptions& other) {
  std::vector<OptionChange> changes;
  forEachEngineOption(
      [&](const auto& info, const auto& access) { addChange(changes, info, access(one), access(other)); });
  return changes;
}

std::vector<OptionChange> changedOptions(const Scenario& one, const Scenario& other) {
  std::vector<OptionChange> changes;
  forEachEngineArgument([&](const auto& info, const auto& access) {
    addChange(changes, info, access(one.engine), access(other.engine));
  });
  return changes;
}

bool mayChangeAnswers(const EngineOptions& one, const EngineOptions& other) {
  const std::vector<OptionChange> changes = changedOptions(one, other);
  const auto either = [&](const auto& holds) { return holds(one) || holds(other); };
  if (changes.empty()) return false;
  if (either([](const EngineOptions& options) { return options.batchInvariant == BatchInvariance::kOff; }))
    return true;
  if (has(changes,
          {"device", "kernels", "dtype", "weights", "compute", "attention", "kv_dtype", "seed", "eviction"}))
    return true;
  // Whole blocks are evicted.
  if (either([](const EngineOptions& options) { return options.eviction != Eviction::kNone; }) &&
      has(changes, {"sink_tokens", "window_tokens", "heavy_tokens", "block_size"}))
    return true;
  const bool rejects = either([](const EngineOptions& options) {
    return kWithDrafts.holds(options) && options.speculation.acceptance == DraftAcceptance::kRejection;
  });
  return rejects && has(changes, {"draft", "draft_length", "draft_adaptive", "draft_acceptance", "exit_layer",
                                  "draft_model", "ngram_length"});
}

std::vector<Variation> usualVariations(const Scenario& scenario) {
  const EngineOptions& options = scenario.engine.options;
  std::vector<Variation> usual;
  const auto add = [&](const std::string& text) {
    try {
      Variation variation = variationFromText(text);
      if (!changedOptions(scenario, varied(scenario, variation)).empty())
        usual.push_back(std::move(variation));
    } catch (const UsageError&) {
      // It does not go with the other options.
    }
  };
  if (answersOf(scenario) > 1) {
    add(options.batching == Batching::kContinuous ? "batching=static" : "batching=continuous");
    add("batching=sequential");
  }
  add(options.chunkedPrefill ? "no_chunked_prefill=true" : "no_chunked_prefill=false");
  // A step of whole prompts needs a budget for the longest one.
  if (options.chunkedPrefill)
    add("token_budget=" + std::to_string(std::clamp(options.tokenBudget / 2, 1, 32)));
  if (answersOf(scenario) > 1) add(otherPolicy(scenario));
  add(smallerBlocks(options));
  if (options.numBlocks > 0 || options.kvMemoryBytes > 0)
    add(options.preemption == Preemption::kRecompute ? "preemption=swap" : "preemption=recompute");
  add(options.prefixCache ? "no_prefix_cache=true" : "no_prefix_cache=false");
  // Beams share blocks of the cache.
  if (!anyRequest(scenario, [](const Request& request) { return request.searches(); }))
    add(options.kvCache ? "no_kv_cache=true" : "no_kv_cache=false");
  add(options.speculation.drafter == DraftMethod::kNone ? "draft=exit" : "draft=off");
  add(options.quantization == Quantization::kNone ? "weights=int8" : "weights=same");
  add(options.kvType == KvType::kSame ? "kv_dtype=int8" : "kv_dtype=same");
  return usual;
}

}  // namespace vitrine::compare
