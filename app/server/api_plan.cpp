#include "server/api_plan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "common/message_list.h"
#include "server/api_structure.h"
#include "vitrine/message_text.h"

namespace vitrine::server {
namespace {

[[noreturn]] void refuseField(const std::string& key, const std::string& message,
                              std::string code = "invalid_value") {
  throw ApiError(400, message, key, std::move(code));
}

[[noreturn]] void refuseUnknown(const std::string& key) {
  refuseField(key, "this server does not know \"" + forMessage(key, 60) + "\"", "unsupported_parameter");
}

// Names of the option table, which are OpenAI's and vLLM's.
constexpr std::array kOptions = {
    "temperature",        "top_p", "top_k",     "min_p", "typical_p", "presence_penalty", "frequency_penalty",
    "repetition_penalty", "n",     "ignore_eos"};
// They change nothing about an answer of one model on one machine.
constexpr std::array kHarmless = {
    "user",         "metadata",   "store",      "safety_identifier",   "prompt_cache_key",
    "service_tier", "prediction", "request_id", "parallel_tool_calls", "prompt_cache_retention"};

// What is not there can be asked for in vain, as long as nothing is asked of it.
bool isNeutral(const std::string& key, const Json& value, const Json& body) {
  const auto isOne = [&](std::initializer_list<const char*> keys) {
    return std::ranges::find(keys, key, [](const char* one) { return std::string(one); }) != keys.end();
  };
  if (isOne({"tools", "functions", "stop_token_ids", "bad_words"})) return value.is_array() && value.empty();
  if (isOne({"logit_bias", "chat_template_kwargs"})) return value.is_object() && value.empty();
  if (isOne({"echo", "include_stop_str_in_output", "continue_final_message"})) return value == false;
  if (isOne({"skip_special_tokens", "add_generation_prompt", "spaces_between_special_tokens"}))
    return value == true;
  if (key == "tool_choice" || key == "function_call") return value == "none" || value == "auto";
  if (key == "modalities") return value == Json{"text"};
  if (key == "suffix") return value == "";
  if (key == "best_of") return value == body.value("n", Json(1)) || value == 1;
  if (key == "beam_width")
    return value == (body.value("use_beam_search", Json()) == true ? body.value("n", Json(1)) : Json(1));
  if (key == "min_tokens") return value == 0;
  return false;
}

bool flagOf(const std::string& key, const Json& value) {
  if (!value.is_boolean()) refuseField(key, "\"" + key + "\" must be true or false", "invalid_type");
  return value.get<bool>();
}

int numberOf(const std::string& key, const Json& value, int least, int most) {
  const bool fits = value.is_number_integer() && value >= least && value <= most;
  if (!fits)
    refuseField(key, "\"" + key + "\" must be a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most));
  return value.get<int>();
}

bool isListOfIds(const Json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const Json& item) { return item.is_number_integer(); });
}

std::vector<TokenId> idsOf(const std::string& key, const Json& value) {
  std::vector<TokenId> ids;
  for (const Json& item : value) ids.push_back(numberOf(key, item, 0, std::numeric_limits<TokenId>::max()));
  return ids;
}

// Reads the fields of one body, one after the other.
class PlanReader {
 public:
  PlanReader(ApiKind kind, const Json& body, const ServedModel& model)
      : m_body(body), m_model(model), m_isChat(kind == ApiKind::kChat) {
    m_plan.kind = kind;
    m_asked.chat = m_isChat;
    m_asked.request.maxTokens = m_isChat ? 0 : 16;  // OpenAI's: the rest of the context, and 16
    m_asked.request.sampling = model.sampling;
    m_asked.request.sampling.seed = randomSeed();
  }

  ApiPlan read() {
    for (const auto& [key, value] : m_body.items()) {
      if (value.is_null()) continue;
      try {
        readField(key, value);
      } catch (const UsageError& error) {
        refuseField(key, error.what());
      }
    }
    if (m_searches)
      search();
    else if (m_asked.request.lengthPenalty != 1)
      refuseField("length_penalty", "\"length_penalty\" needs \"use_beam_search\": true");
    addPrompts();
    if (m_plan.logprobs) m_asked.request.logprobs = std::max(m_plan.topLogprobs, 1);
    if (!m_plan.streams && m_plan.includesUsage)
      refuseField("stream_options", "\"stream_options\" needs \"stream\": true");
    for (RequestArguments& prompt : m_plan.prompts) finish(prompt);
    return std::move(m_plan);
  }

 private:
  // Another one each time, so that a request that names none is drawn anew.
  static std::uint64_t randomSeed() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }

  void readField(const std::string& key, const Json& value) {
    if (key == "model")
      readModel(value);
    else if (key == (m_isChat ? "messages" : "prompt"))
      m_hasPrompt = true;
    else if (key == "seed")
      m_asked.request.sampling.seed = seedOf(value);
    else if (key == "stop")
      readStop(value);
    else if (key == "max_tokens" || (m_isChat && key == "max_completion_tokens"))
      readMaxTokens(key, value);
    else if (key == "stream")
      m_plan.streams = flagOf(key, value);
    else if (key == "stream_options")
      readStreamOptions(value);
    else if (key == "logprobs")
      readLogprobs(value);
    else if (m_isChat && key == "top_logprobs")
      m_plan.topLogprobs = numberOf(key, value, 0, kMostTopLogprobs);
    else if (key == "use_beam_search")
      m_searches = flagOf(key, value);
    else if (key == "length_penalty")
      takeRequestKey(m_asked, key, value);
    else if (key == "priority")
      readPriority(value);
    else if (key == "return_token_ids")
      m_plan.tokenIds = flagOf(key, value);
    else if (!m_isChat && key == "add_special_tokens")
      m_asked.request.addSpecialTokens = flagOf(key, value);
    else if (key == "top_k" && value == -1)
      m_asked.request.sampling.topK = 0;  // vLLM's: all
    else if (std::ranges::find(kOptions, key) != kOptions.end())
      takeRequestKey(m_asked, key, value);
    else if (takeStructure(key, value, m_asked.request))
      return;
    else if (std::ranges::find(kHarmless, key) == kHarmless.end() && !isNeutral(key, value, m_body))
      refuseField(key,
                  "this server does not know or support \"" + forMessage(key, 60) + "\"" +
                      (isKnownElsewhere(key) ? " with this value" : ""),
                  "unsupported_parameter");
  }

  bool isKnownElsewhere(const std::string& key) const {
    return key == "tool_choice" || key == "best_of" || key == "echo" || key == "beam_width";
  }

  void readModel(const Json& value) {
    if (stringValue("model", value) == m_model.name) return;
    throw ApiError(404,
                   "there is no model \"" + forMessage(value.get<std::string>(), 100) +
                       "\"; this server has \"" + m_model.name + "\"",
                   "model", "model_not_found");
  }

  static std::uint64_t seedOf(const Json& value) {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (!value.is_number_integer()) refuseField("seed", "\"seed\" must be a whole number of 64 bits");
    return static_cast<std::uint64_t>(value.get<std::int64_t>());
  }

  void readStop(const Json& value) {
    if (!value.is_array() || !value.empty()) takeRequestKey(m_asked, "stop", value);
    const std::vector<std::string>& stop = m_asked.request.stop;
    const auto isLong = [](const std::string& text) { return text.size() > kLongestStop; };
    if (stop.size() > kMostStops || std::ranges::any_of(stop, isLong))
      refuseField("stop", "\"stop\" has at most " + std::to_string(kMostStops) + " strings of at most " +
                              std::to_string(kLongestStop) + " bytes");
  }

  void readMaxTokens(const std::string& key, const Json& value) {
    const int tokens = numberOf(key, value, 1, std::numeric_limits<int>::max());
    if (m_hasMaxTokens && tokens != m_asked.request.maxTokens)
      refuseField(key, "\"max_tokens\" and \"max_completion_tokens\" contradict each other");
    m_asked.request.maxTokens = tokens;
    m_hasMaxTokens = true;
  }

  void readStreamOptions(const Json& value) {
    if (!value.is_object())
      refuseField("stream_options", "\"stream_options\" must be an object", "invalid_type");
    for (const auto& [key, flag] : value.items()) {
      if (flag.is_null() || (key == "include_obfuscation" && flag.is_boolean())) continue;
      if (key == "continuous_usage_stats" && flag == false) continue;
      if (key != "include_usage")
        refuseField("stream_options." + forMessage(key, 60),
                    "this server does not know that option of a stream", "unsupported_parameter");
      m_plan.includesUsage = flagOf("include_usage", flag);
    }
  }

  // A flag for chats, a number of alternatives for completions.
  void readLogprobs(const Json& value) {
    if (m_isChat) {
      m_plan.logprobs = flagOf("logprobs", value);
      return;
    }
    m_plan.topLogprobs = numberOf("logprobs", value, 0, kMostTopLogprobs);
    m_plan.logprobs = true;
  }

  // vLLM's goes first when it is lower, the engine's when it is larger.
  void readPriority(const Json& value) {
    constexpr int kMost = std::numeric_limits<int>::max();
    const int priority = numberOf("priority", value, -kMost, kMost);
    if (priority != 0 && !m_model.hasPriorities)
      refuseField("priority", "this server does not order requests by priority (--policy priority does)");
    m_asked.request.priority = -priority;
  }

  // As vLLM has it: `n` beams, which give `n` answers. Penalties change the beams' logprobs; the rest of
  // sampling is about draws, and what the model recommends of it is passed over.
  void search() {
    Request& asked = m_asked.request;
    if (asked.sequences > kMaxBeams)
      refuseField("n", "\"n\" is the number of beams with \"use_beam_search\", from 1 to " +
                           std::to_string(kMaxBeams));
    asked.beamWidth = asked.sequences;
    const SamplingOptions plain;
    const auto drop = [&](const std::string& key, auto field) {
      const bool isAsked = !m_body.value(key, Json()).is_null() && asked.sampling.*field != plain.*field;
      if (isAsked)
        refuseField(key, "a beam search draws no token, so \"" + key +
                             "\" with this value does not go with \"use_beam_search\"");
      asked.sampling.*field = plain.*field;
    };
    drop("temperature", &SamplingOptions::temperature);
    drop("top_k", &SamplingOptions::topK);
    drop("top_p", &SamplingOptions::topP);
    drop("min_p", &SamplingOptions::minP);
    drop("typical_p", &SamplingOptions::typicalP);
  }

  void addPrompts() {
    const std::string key = m_isChat ? "messages" : "prompt";
    if (!m_hasPrompt) refuseField(key, "\"" + key + "\" is missing", "missing_required_parameter");
    const Json& value = m_body[key];
    if (m_isChat) {
      RequestArguments& prompt = m_plan.prompts.emplace_back();
      try {
        prompt.messages = messagesFromJson(value);
      } catch (const UsageError& error) {
        refuseField(key, error.what());
      }
    } else if (value.is_string() || isListOfIds(value)) {
      addPrompt(value);
    } else {
      if (!value.is_array() || value.empty())
        refuseField(key, "\"prompt\" must be a string, a list of token ids, or a list of such",
                    "invalid_type");
      if (value.size() > kMostPrompts)
        refuseField(key, "\"prompt\" has at most " + std::to_string(kMostPrompts) + " prompts");
      for (const Json& one : value) addPrompt(one);
    }
    if (m_isChat && m_plan.topLogprobs > 0 && !m_plan.logprobs)
      refuseField("top_logprobs", "\"top_logprobs\" needs \"logprobs\": true");
  }

  void addPrompt(const Json& value) {
    RequestArguments& prompt = m_plan.prompts.emplace_back();
    if (value.is_string())
      prompt.request.prompt = value.get<std::string>();
    else if (isListOfIds(value))
      prompt.request.tokenIds = idsOf("prompt", value);
    else
      refuseField("prompt", "\"prompt\" must be a string, a list of token ids, or a list of such",
                  "invalid_type");
    if (value.is_string() && prompt.request.prompt.empty()) refuseField("prompt", "\"prompt\" is empty");
  }

  // The options of all prompts around one of them.
  void finish(RequestArguments& prompt) const {
    RequestArguments whole = m_asked;
    whole.request.prompt = std::move(prompt.request.prompt);
    whole.request.tokenIds = std::move(prompt.request.tokenIds);
    whole.messages = std::move(prompt.messages);
    try {
      whole.validate();
    } catch (const UsageError& error) {
      const std::string message = asKeys(error.what());
      throw ApiError(400, message, fieldIn(message), "invalid_value");
    }
    prompt = std::move(whole);
  }

  // The first field of the body that a message quotes.
  std::string fieldIn(const std::string& message) const {
    const std::size_t begin = message.find('"');
    const std::size_t end = begin == std::string::npos ? begin : message.find('"', begin + 1);
    if (end == std::string::npos) return {};
    std::string key = message.substr(begin + 1, end - begin - 1);
    return m_body.contains(key) ? key : std::string();
  }

  const Json& m_body;
  const ServedModel& m_model;
  const bool m_isChat;
  ApiPlan m_plan;
  RequestArguments m_asked;  // the options of all prompts
  bool m_hasPrompt = false, m_hasMaxTokens = false, m_searches = false;
};

void requireModel(const Json& value, const ServedModel& model) {
  if (value.is_null() || value == model.name) return;
  throw ApiError(404, "there is no such model; this server has \"" + model.name + "\"", "model",
                 "model_not_found");
}

}  // namespace

ApiPlan planOf(ApiKind kind, const Json& body, const ServedModel& model) {
  return PlanReader(kind, body, model).read();
}

Json jsonBodyOf(const HttpRequest& request) {
  const std::string_view type = request.header("content-type");
  const std::string_view kind = type.substr(0, type.find_first_of("; "));
  if (kind != "application/json")
    throw ApiError(415, "a request's body must be JSON: Content-Type: application/json", "",
                   "unsupported_media_type");
  return jsonObjectIn(request.body);
}

Json jsonObjectIn(std::string_view text) {
  try {
    Json object = parseJson(text);
    if (!object.is_object()) throw UsageError("a request must be a JSON object");
    return object;
  } catch (const UsageError& error) {
    throw ApiError(400, error.what(), "", "invalid_json");
  }
}

RequestArguments promptToEncode(const Json& body, const ServedModel& model) {
  RequestArguments prompt;
  for (const auto& [key, value] : body.items()) {
    if (value.is_null()) continue;
    try {
      if (key == "model") {
        requireModel(value, model);
      } else if (key == "prompt") {
        prompt.request.prompt = stringValue(key, value);
      } else if (key == "add_special_tokens") {
        prompt.request.addSpecialTokens = flagOf(key, value);
      } else if (key == "messages") {
        prompt.messages = messagesFromJson(value);
        prompt.chat = true;
      } else if (key != "add_generation_prompt" || value != true) {
        refuseField(key, "this server does not know \"" + forMessage(key, 60) + "\" with this value",
                    "unsupported_parameter");
      }
    } catch (const UsageError& error) {
      refuseField(key, error.what());
    }
  }
  if (prompt.chat == (body.contains("prompt") && !body["prompt"].is_null()))
    refuseField("prompt", "a request needs either \"prompt\" or \"messages\"", "missing_required_parameter");
  if (prompt.chat && body.contains("add_special_tokens"))
    refuseField("add_special_tokens", "the chat template writes the special tokens of a conversation");
  return prompt;
}

std::vector<TokenId> tokensToDecode(const Json& body, const ServedModel& model) {
  for (const auto& [key, value] : body.items()) {
    if (key == "model")
      requireModel(value, model);
    else if (key != "tokens" && !value.is_null())
      refuseUnknown(key);
  }
  if (!body.contains("tokens") || (!isListOfIds(body["tokens"]) && body["tokens"] != Json::array()))
    refuseField("tokens", "\"tokens\" must be a list of token ids", "invalid_type");
  return idsOf("tokens", body["tokens"]);
}

Steering steeringOf(const Json& body) {
  constexpr std::array kOrders = {std::pair("pause", Steering::kPause), std::pair("step", Steering::kStep),
                                  std::pair("run", Steering::kRun)};
  for (const auto& [key, value] : body.items())
    if (key != "do") refuseUnknown(key);
  for (const auto& [word, order] : kOrders)
    if (body.value("do", Json()) == word) return order;
  refuseField("do", "\"do\" must be \"pause\", \"step\" or \"run\"");
}

}  // namespace vitrine::server
