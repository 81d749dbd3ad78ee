#include "server/api_writing.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <random>

#include "vitrine/token_text.h"

namespace vitrine::server {
namespace {

// Unlike those of another start of the server, and of another request of this one.
std::string newId(const char* prefix) {
  static const std::uint64_t start = [] {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }();
  static std::atomic<std::uint64_t> count = 0;
  char id[64];
  std::snprintf(id, sizeof id, "%s%016llx%08llx", prefix, static_cast<unsigned long long>(start),
                static_cast<unsigned long long>(++count));
  return id;
}

const char* wordOf(FinishReason reason) { return reason == FinishReason::kLength ? "length" : "stop"; }

// JSON has no infinity; OpenAI's writes this for what is nearly impossible.
double asNumber(double logprob) { return std::isfinite(logprob) ? std::max(logprob, -9999.0) : -9999.0; }

Json bytesOf(const std::string& text) {
  Json bytes = Json::array();
  for (const char c : text) bytes.push_back(static_cast<int>(static_cast<unsigned char>(c)));
  return bytes;
}

// Characters, as OpenAI's "text_offset" counts, of text that is UTF-8 or a part of it.
std::size_t charactersIn(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Json usageJson(const ServedUsage& usage) {
  return {{"prompt_tokens", usage.promptTokens},
          {"completion_tokens", usage.completionTokens},
          {"total_tokens", usage.promptTokens + usage.completionTokens},
          {"prompt_tokens_details", {{"cached_tokens", usage.cachedTokens}}}};
}

}  // namespace

ApiWriting::ApiWriting(const ApiPlan& plan, const ServedModel& model)
    : m_isChat(plan.kind == ApiKind::kChat),
      m_includesUsage(plan.includesUsage),
      m_logprobs(plan.logprobs),
      m_tokenIds(plan.tokenIds),
      m_topLogprobs(plan.topLogprobs),
      m_model(model),
      m_id(newId(m_isChat ? "chatcmpl-" : "cmpl-")),
      m_created(static_cast<std::int64_t>(std::time(nullptr))) {}

Json ApiWriting::envelope(bool chunk, Json choices) const {
  const char* const object = !m_isChat ? "text_completion"
                             : chunk   ? "chat.completion.chunk"
                                       : "chat.completion";
  return {{"id", m_id},
          {"object", object},
          {"created", m_created},
          {"model", m_model.name},
          {"choices", std::move(choices)}};
}

std::string ApiWriting::whole(const std::vector<ApiChoice>& choices, const ServedUsage& usage) const {
  Json list = Json::array();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const ApiChoice& choice = choices[i];
    if (!choice.reason) continue;
    Json json = {{"index", i}};
    if (m_isChat)
      json["message"] = {{"role", "assistant"}, {"content", choice.text}, {"refusal", nullptr}};
    else
      json["text"] = choice.text;
    json["logprobs"] = logprobsOf(choice.logprobs, 0);
    json["finish_reason"] = wordOf(*choice.reason);
    if (m_tokenIds) json["token_ids"] = choice.tokens;
    list.push_back(std::move(json));
  }
  Json answer = envelope(false, std::move(list));
  answer["usage"] = usageJson(usage);
  return textOf(answer);
}

std::string ApiWriting::chunk(Json json) const {
  if (m_includesUsage && !json.contains("usage")) json["usage"] = nullptr;
  return textOf(json);
}

std::string ApiWriting::opening(int answer) const {
  if (!m_isChat) return {};
  return chunk(envelope(true, Json::array({{{"index", answer},
                                            {"delta", {{"role", "assistant"}, {"content", ""}}},
                                            {"logprobs", nullptr},
                                            {"finish_reason", nullptr}}})));
}

std::string ApiWriting::piece(const Written& written, std::size_t before) const {
  const bool says = !written.text.empty() || (m_logprobs && !written.logprobs.empty()) ||
                    (m_tokenIds && !written.tokens.empty());
  if (!says && !written.finished) return {};
  Json json = {{"index", written.answer}};
  if (m_isChat)
    json["delta"] = says ? Json{{"content", written.text}} : Json::object();
  else
    json["text"] = written.text;
  json["logprobs"] = written.logprobs.empty() ? Json(nullptr) : logprobsOf(written.logprobs, before);
  json["finish_reason"] = written.finished ? Json(wordOf(*written.finished)) : Json(nullptr);
  if (m_tokenIds) json["token_ids"] = written.tokens;
  Json choices = Json::array();
  choices.push_back(std::move(json));
  return chunk(envelope(true, std::move(choices)));
}

std::size_t ApiWriting::charactersOf(const std::vector<TokenLogprob>& tokens) const {
  std::size_t characters = 0;
  if (m_isChat || !m_logprobs) return characters;
  for (const TokenLogprob& item : tokens) characters += charactersIn(textOfToken(item.token));
  return characters;
}

std::string ApiWriting::usage(const ServedUsage& usage) const {
  if (!m_includesUsage) return {};
  Json json = envelope(true, Json::array());
  json["usage"] = usageJson(usage);
  return chunk(std::move(json));
}

bool ApiWriting::losesSpace(TokenId token) const {
  const std::string text = textOfToken(token);
  return text.starts_with(' ') && m_model.tokenizer != nullptr &&
         m_model.tokenizer->decode(std::span(&token, 1), false) != text;
}

std::string ApiWriting::textOfToken(TokenId token) const {
  return m_model.tokenizer != nullptr ? tokenText(*m_model.tokenizer, token)
                                      : "token_id:" + std::to_string(token);  // vLLM's form
}

Json ApiWriting::logprobsOf(const std::vector<TokenLogprob>& list, std::size_t before) const {
  if (!m_logprobs) return nullptr;
  return m_isChat ? chatLogprobs(list) : completionLogprobs(list, before);
}

Json ApiWriting::chatLogprobs(const std::vector<TokenLogprob>& list) const {
  const auto entry = [this](TokenId token, double logprob) -> Json {
    const std::string text = textOfToken(token);
    return {{"token", text}, {"logprob", asNumber(logprob)}, {"bytes", bytesOf(text)}};
  };
  Json content = Json::array();
  for (const TokenLogprob& item : list) {
    Json one = entry(item.token, item.logprob);
    Json top = Json::array();
    const auto shown = std::min(item.top.size(), static_cast<std::size_t>(m_topLogprobs));
    for (std::size_t i = 0; i < shown; ++i) top.push_back(entry(item.top[i].first, item.top[i].second));
    one["top_logprobs"] = std::move(top);
    content.push_back(std::move(one));
  }
  return {{"content", std::move(content)}, {"refusal", nullptr}};
}

// Alternatives are an object here, so of two tokens with one text the likelier one stands there.
Json ApiWriting::completionLogprobs(const std::vector<TokenLogprob>& list, std::size_t before) const {
  Json tokens = Json::array(), logprobs = Json::array(), top = Json::array(), offsets = Json::array();
  std::size_t offset = before;
  for (const TokenLogprob& item : list) {
    const std::string text = textOfToken(item.token);
    tokens.push_back(text);
    logprobs.push_back(asNumber(item.logprob));
    offsets.push_back(offset);
    offset += charactersIn(text);
    Json alternatives = Json::object();
    const auto shown = std::min(item.top.size(), static_cast<std::size_t>(m_topLogprobs));
    for (std::size_t i = 0; i < shown; ++i)
      alternatives.emplace(textOfToken(item.top[i].first), asNumber(item.top[i].second));
    top.push_back(std::move(alternatives));
  }
  return {{"tokens", std::move(tokens)},
          {"token_logprobs", std::move(logprobs)},
          {"top_logprobs", m_topLogprobs > 0 ? std::move(top) : Json(nullptr)},
          {"text_offset", std::move(offsets)}};
}

}  // namespace vitrine::server
