#include "connect/chat_stream.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/json_files.h"
#include "vitrine/json_reader.h"
#include "vitrine/message_text.h"

namespace vitrine::connect {
namespace {

constexpr std::size_t kMostWords = 300;  // letters of a server's complaint

EngineError noChunk(const std::string& what) {
  return {ErrorCode::kFileCorrupt, "the server's answer is no chat completion: " + what,
          "Check that the address is that of an OpenAI-compatible server."};
}

// The member, or null where it is missing or the value no object.
const Json& memberOf(const Json& value, const char* key) {
  static const Json kNone;
  if (!value.is_object()) return kNone;
  const auto found = value.find(key);
  return found == value.end() ? kNone : *found;
}

std::string textOf(const Json& value, const char* key) {
  const Json& member = memberOf(value, key);
  if (member.is_null()) return {};
  if (!member.is_string()) throw noChunk(std::string("\"") + key + "\" is no text");
  return member.get<std::string>();
}

int countOf(const Json& value, const char* key) {
  const Json& member = memberOf(value, key);
  if (!member.is_number_integer()) return 0;
  const auto count = member.get<std::int64_t>();
  return count >= 0 && count <= std::numeric_limits<int>::max() ? static_cast<int>(count) : 0;
}

// "bytes" where they are said: the text of a part of a character is U+FFFD.
std::string bytesOf(const Json& token) {
  const Json& bytes = memberOf(token, "bytes");
  if (!bytes.is_array()) return textOf(token, "token");
  std::string text;
  for (const Json& byte : bytes) {
    if (!byte.is_number_unsigned() || byte.get<std::uint64_t>() > 255) throw noChunk("a token's bytes");
    text += static_cast<char>(byte.get<std::uint64_t>());
  }
  return text;
}

ChatToken tokenOf(const Json& json) {
  const Json& logprob = memberOf(json, "logprob");
  if (!logprob.is_number()) throw noChunk("a token without a logprob");
  ChatToken token{bytesOf(json), std::min(logprob.get<double>(), 0.0)};
  if (!std::isfinite(token.logprob)) throw noChunk("a token without a logprob");
  return token;
}

std::vector<ChatToken> tokensOf(const Json& choice) {
  const Json& content = memberOf(memberOf(choice, "logprobs"), "content");
  std::vector<ChatToken> tokens;
  if (!content.is_array()) return tokens;
  for (const Json& json : content) {
    ChatToken token = tokenOf(json);
    if (const Json& top = memberOf(json, "top_logprobs"); top.is_array())
      for (const Json& one : top) token.alternatives.push_back(tokenOf(one));
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// What is neither a limit nor a stop, such as a filter of contents or a call of a tool, ends an answer that
// is whole.
std::optional<FinishReason> endOf(const Json& choice) {
  const Json& reason = memberOf(choice, "finish_reason");
  if (!reason.is_string()) return std::nullopt;
  const auto& word = reason.get_ref<const std::string&>();
  if (word == "length") return FinishReason::kLength;
  if (word == "abort") return FinishReason::kCancelled;
  return word == "error" ? FinishReason::kFailed : FinishReason::kStop;
}

ChatChunk chunkOf(const Json& json) {
  ChatChunk chunk;
  const Json& choices = memberOf(json, "choices");
  if (!choices.is_array()) throw noChunk("there are no \"choices\"");
  if (!choices.empty()) {
    const Json& choice = choices.front();
    const Json& delta = memberOf(choice, "delta");
    chunk.text = textOf(delta, "content");
    chunk.thought = textOf(delta, "reasoning_content");
    if (chunk.thought.empty() && memberOf(delta, "reasoning").is_string())
      chunk.thought = textOf(delta, "reasoning");
    chunk.tokens = tokensOf(choice);
    chunk.end = endOf(choice);
  }
  if (const Json& usage = memberOf(json, "usage"); usage.is_object())
    chunk.usage = ChatUsage{countOf(usage, "prompt_tokens"), countOf(usage, "completion_tokens"),
                            countOf(memberOf(usage, "prompt_tokens_details"), "cached_tokens")};
  return chunk;
}

// Null: it tells of no error.
const Json* errorIn(const Json& json) {
  const Json& error = memberOf(json, "error");
  if (!error.is_null()) return &error;
  if (const Json& object = memberOf(json, "object"); object.is_string() && object == "error") return &json;
  const Json& detail = memberOf(json, "detail");  // FastAPI's
  return detail.is_null() ? nullptr : &detail;
}

std::string wordsOf(const Json& error) {
  const Json& message = memberOf(error, "message");
  const Json& words = message.is_string() ? message : error;
  return forMessage(words.is_string() ? words.get<std::string>()
                                      : words.dump(-1, ' ', false, Json::error_handler_t::replace),
                    kMostWords);
}

}  // namespace

void ChatStream::take(std::string_view bytes, std::vector<ChatChunk>& chunks) {
  for (const std::string& message : m_messages.take(bytes)) {
    if (m_hasEnded) break;
    if (message == "[DONE]") {
      m_hasEnded = true;
      break;
    }
    const Json json = readJson<Json>(message, {}, [](const std::string& fault) { throw noChunk(fault); });
    if (const Json* const error = errorIn(json))
      throw EngineError(ErrorCode::kUnavailable, "the server says: " + wordsOf(*error));
    if (ChatChunk chunk = chunkOf(json); chunk != ChatChunk()) chunks.push_back(std::move(chunk));
  }
}

std::string errorWords(std::string_view body) {
  Json json;
  if (parseJson(body, {}, json).empty())
    if (const Json* const error = errorIn(json)) return wordsOf(*error);
  return forMessage(std::string(body), kMostWords);
}

}  // namespace vitrine::connect
