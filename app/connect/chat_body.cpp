#include "connect/chat_body.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/message_list.h"
#include "vitrine/error.h"

namespace vitrine::connect {
namespace {

constexpr std::uint64_t kSeeds = std::uint64_t{1} << 31;  // what servers that count in 32 bits take

EngineError cannot(const std::string& what, ServerKind kind) {
  return {ErrorCode::kUnsupported, what + " cannot be asked of this " + traitsOf(kind).name,
          "Ask without it, or open a model of your own."};
}

void requirePlain(const ChatAsked& asked) {
  const Request& request = asked.request;
  if (request.sequenceSlots() > 1) throw cannot("several answers at once", asked.kind);
  if (!request.outputIds.empty()) throw cannot("an answer that goes on from given tokens", asked.kind);
}

void addSampling(Json& body, const SamplingOptions& sampling, const ServerTraits& traits) {
  const SamplingOptions neutral;
  body["temperature"] = sampling.temperature;
  body["seed"] = traits.kind == ServerKind::kVitrine ? sampling.seed : sampling.seed % kSeeds;
  const auto add = [&](const char* key, auto value, auto unset) {
    if (*key != '\0' && value != unset) body[key] = value;
  };
  add("top_p", sampling.topP, neutral.topP);
  add("presence_penalty", sampling.presencePenalty, neutral.presencePenalty);
  add("frequency_penalty", sampling.frequencyPenalty, neutral.frequencyPenalty);
  add(traits.repetition, sampling.repetitionPenalty, neutral.repetitionPenalty);
  if (traits.topK) add("top_k", sampling.topK, neutral.topK);
  if (traits.minP) add("min_p", sampling.minP, neutral.minP);
  if (traits.typicalP) add("typical_p", sampling.typicalP, neutral.typicalP);
}

// What the whole answer has to be.
void addForm(Json& body, const ChatAsked& asked, const ServerTraits& traits) {
  const Request& request = asked.request;
  const auto add = [&](const char* form, Json value, const char* field) {
    if (traits.structured)
      body["structured_outputs"] = {{form, std::move(value)}};
    else if (*field != '\0')
      body[field] = std::move(value);
    else
      throw cannot("an answer of this form (" + std::string(form) + ")", asked.kind);
  };
  if (!request.grammar.empty()) add("grammar", request.grammar, traits.grammar);
  if (!request.regex.empty()) add("regex", request.regex, traits.regex);
  if (!request.choice.empty()) add("choice", request.choice, "");
  if (!request.jsonSchema.empty())
    body["response_format"] = {
        {"type", "json_schema"},
        {"json_schema", {{"name", "answer"}, {"schema", parseJson(request.jsonSchema)}}}};
}

void addDialogue(Json& body, const Dialogue& dialogue, const ServerTraits& traits) {
  body["messages"] = messagesToJson(dialogue.messages);
  if (!dialogue.tools.empty()) body["tools"] = parseJson(dialogue.tools);
  if (!dialogue.reasoningEffort.empty()) body["reasoning_effort"] = dialogue.reasoningEffort;
  if (traits.templateOptions) body["chat_template_kwargs"] = {{"enable_thinking", dialogue.thinking}};
}

}  // namespace

std::string chatBody(const ChatAsked& asked) {
  requirePlain(asked);
  const ServerTraits& traits = traitsOf(asked.kind);
  Json body = {{"model", asked.model}, {"stream", true}, {"stream_options", {{"include_usage", true}}}};
  addDialogue(body, asked.dialogue, traits);
  addSampling(body, asked.request.sampling, traits);
  addForm(body, asked, traits);
  if (asked.request.maxTokens > 0) body["max_tokens"] = asked.request.maxTokens;
  if (!asked.request.stop.empty()) body["stop"] = asked.request.stop;
  if (asked.alternatives >= 0) {
    body["logprobs"] = true;
    body["top_logprobs"] = asked.alternatives;
  }
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> unsentOptions(const SamplingOptions& sampling, ServerKind kind) {
  const ServerTraits& traits = traitsOf(kind);
  const SamplingOptions neutral;
  std::vector<std::string> unsent;
  const auto note = [&](const char* key, bool isSent, bool isNeutral) {
    if (!isSent && !isNeutral) unsent.emplace_back(key);
  };
  note("repetition_penalty", *traits.repetition != '\0',
       sampling.repetitionPenalty == neutral.repetitionPenalty);
  note("top_k", traits.topK, sampling.topK == neutral.topK);
  note("min_p", traits.minP, sampling.minP == neutral.minP);
  note("typical_p", traits.typicalP, sampling.typicalP == neutral.typicalP);
  return unsent;
}

}  // namespace vitrine::connect
