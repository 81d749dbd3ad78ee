#include "chat_json.h"

#include <QHash>
#include <cmath>

#include "json_members.h"
#include "vitrine/error.h"
#include "vitrine/json_reader.h"
#include "vitrine/place_name.h"

namespace vitrine {

namespace {

std::string utf8(const QString& text) { return text.toStdString(); }

void put(Json& object, const char* key, const QString& text) {
  if (!text.isEmpty()) object[key] = utf8(text);
}
void put(Json& object, const char* key, bool flag) {
  if (flag) object[key] = true;
}
void put(Json& object, const char* key, std::int64_t number) {
  if (number != 0) object[key] = number;
}

// A text that is JSON stands as what it says, any other one as a string.
void putJson(Json& object, const char* key, const QString& text) {
  struct NotJson {};
  if (text.isEmpty()) return;
  try {
    Json value = readJson<Json>(utf8(text), {}, [](const std::string&) { throw NotJson(); });
    if (!value.is_string()) {
      object[key] = std::move(value);
      return;
    }
  } catch (const NotJson&) {
  }
  object[key] = utf8(text);
}

QString jsonOf(const Json& object, const char* key) {
  const Json& value = memberOf(object, key);
  if (value.is_null()) return {};
  return value.is_string() ? textIn(value) : QString::fromStdString(value.dump());
}

QString namesIn(const QString& options) {
  struct NotJson {};
  try {
    Json json = readJson<Json>(utf8(options), {}, [](const std::string&) { throw NotJson(); });
    for (auto& [key, value] : json.items())
      if (value.is_string()) value = placeName(value.get<std::string>());
    return QString::fromStdString(json.dump());
  } catch (const NotJson&) {
    return QString::fromStdString(withPlaceNames(utf8(options)));
  }
}

Json provenanceToJson(const Provenance& from) {
  Json json = Json::object();
  put(json, "model", from.model);
  put(json, "fingerprint", from.fingerprint);
  putJson(json, "engine_options", optionsWithNames(from.engineOptions));
  put(json, "compute_mode", from.computeMode);
  put(json, "instruction_set", from.instructionSet);
  if (from.seed != 0) json["seed"] = from.seed;
  putJson(json, "sampling", from.sampling);
  putJson(json, "left_out", from.leftOut);
  return json;
}

Provenance provenanceFromJson(const Json& json) {
  return {textOf(json, "model"),        textOf(json, "fingerprint"),     jsonOf(json, "engine_options"),
          textOf(json, "compute_mode"), textOf(json, "instruction_set"), bitsOf(json, "seed"),
          jsonOf(json, "sampling"),     jsonOf(json, "left_out")};
}

Json timingsToJson(const AnswerTimings& timings) {
  Json json = Json::object();
  put(json, "queued_ns", timings.queuedNs);
  put(json, "prefill_ns", timings.prefillNs);
  put(json, "first_token_ns", timings.firstTokenNs);
  put(json, "decode_ns", timings.decodeNs);
  put(json, "prompt_tokens", std::int64_t{timings.promptTokens});
  put(json, "cached_tokens", std::int64_t{timings.cachedTokens});
  put(json, "output_tokens", std::int64_t{timings.outputTokens});
  put(json, "thinking_ns", timings.thinkingNs);
  put(json, "thinking_tokens", std::int64_t{timings.thinkingTokens});
  return json;
}

AnswerTimings timingsFromJson(const Json& json) {
  return {wholeOf(json, "queued_ns"),     wholeOf(json, "prefill_ns"),    wholeOf(json, "first_token_ns"),
          wholeOf(json, "decode_ns"),     countOf(json, "prompt_tokens"), countOf(json, "cached_tokens"),
          countOf(json, "output_tokens"), wholeOf(json, "thinking_ns"),   countOf(json, "thinking_tokens")};
}

void putTokens(Json& json, const std::vector<AnswerToken>& tokens) {
  if (tokens.empty()) return;
  Json ids = Json::array(), logprobs = Json::array();
  for (const AnswerToken& token : tokens) {
    ids.push_back(token.id);
    logprobs.push_back(std::isfinite(token.logprob) ? Json(token.logprob) : Json());
  }
  json["tokens"] = std::move(ids);
  json["logprobs"] = std::move(logprobs);
}

std::vector<AnswerToken> tokensFromJson(const Json& json) {
  const Json &ids = memberOf(json, "tokens"), &logprobs = memberOf(json, "logprobs");
  std::vector<AnswerToken> tokens;
  if (!ids.is_array()) return tokens;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!ids[i].is_number_integer()) return {};
    AnswerToken token{.id = ids[i].get<std::int32_t>()};
    if (logprobs.is_array() && i < logprobs.size() && logprobs[i].is_number())
      token.logprob = logprobs[i].get<float>();
    tokens.push_back(token);
  }
  return tokens;
}

template <Named Enum>
Enum namedIn(const Json& json, const char* key, Enum otherwise) {
  return fromName<Enum>(utf8(textOf(json, key))).value_or(otherwise);
}

Json messageToJson(const MessageRecord& message, const QHash<MessageId, int>& places) {
  Json json = Json::object();
  if (message.parent != 0) json["parent"] = places.value(message.parent);
  json["role"] = nameOf(message.role);
  if (message.state != MessageState::kComplete) json["state"] = nameOf(message.state);
  put(json, "created_ms", message.createdMs);
  json["text"] = utf8(message.text);
  put(json, "thinking", message.thinking);
  put(json, "failure", message.failure);
  if (message.limit != AnswerLimit::kNone) json["limit"] = nameOf(message.limit);
  put(json, "left_out", message.leftOut);
  if (message.provenance != Provenance()) json["provenance"] = provenanceToJson(message.provenance);
  if (message.timings != AnswerTimings()) json["timings"] = timingsToJson(message.timings);
  putTokens(json, message.tokens);
  return json;
}

// Ids are places in the list, from 1 on.
MessageRecord messageFromJson(const Json& json, std::int64_t place) {
  MessageRecord message;
  message.id = place + 1;
  const Json& parent = memberOf(json, "parent");
  if (!parent.is_null()) {
    if (!parent.is_number_unsigned() || parent.get<std::uint64_t>() >= static_cast<std::uint64_t>(place))
      throw EngineError(ErrorCode::kFileCorrupt,
                        "message " + std::to_string(place) + " of a chat stands before its parent");
    message.parent = parent.get<std::int64_t>() + 1;
  }
  message.role = namedIn(json, "role", MessageRole::kUser);
  message.state = namedIn(json, "state", MessageState::kComplete);
  message.createdMs = wholeOf(json, "created_ms");
  message.text = textOf(json, "text");
  message.thinking = textOf(json, "thinking");
  message.failure = textOf(json, "failure");
  message.limit = namedIn(json, "limit", AnswerLimit::kNone);
  message.leftOut = flagOf(json, "left_out");
  message.provenance = provenanceFromJson(memberOf(json, "provenance"));
  message.timings = timingsFromJson(memberOf(json, "timings"));
  message.tokens = tokensFromJson(json);
  return message;
}

Json chatToJson(const ChatRecord& chat) {
  QHash<MessageId, int> places;
  for (const MessageRecord& message : chat.messages)
    places.insert(message.id, static_cast<int>(places.size()));
  Json json = Json::object();
  json["title"] = utf8(chat.summary.title);
  put(json, "title_given", chat.summary.titleGiven);
  put(json, "created_ms", chat.summary.createdMs);
  put(json, "changed_ms", chat.summary.changedMs);
  put(json, "pinned", chat.summary.pinned);
  put(json, "archived", chat.summary.archived);
  put(json, "instructions", chat.settings.instructions);
  for (const QString& stop : chat.settings.stops) json["stops"].push_back(utf8(stop));
  put(json, "preset", chat.settings.preset);
  for (const QString& word : chat.settings.asking) json["asking"].push_back(utf8(word));
  put(json, "tools", chat.settings.tools);
  put(json, "form", chat.settings.form.kind);
  put(json, "form_source", chat.settings.form.source);
  put(json, "draft", chat.draft);
  for (const QString& message : chat.waiting) json["waiting"].push_back(utf8(message));
  if (places.contains(chat.shownLeaf)) json["shown"] = places.value(chat.shownLeaf);
  json["messages"] = Json::array();
  for (const MessageRecord& message : chat.messages)
    json["messages"].push_back(messageToJson(message, places));
  return json;
}

ChatRecord chatFromJson(const Json& json) {
  ChatRecord chat;
  chat.summary.title = textOf(json, "title");
  chat.summary.titleGiven = flagOf(json, "title_given");
  chat.summary.createdMs = wholeOf(json, "created_ms");
  chat.summary.changedMs = wholeOf(json, "changed_ms");
  chat.summary.pinned = flagOf(json, "pinned");
  chat.summary.archived = flagOf(json, "archived");
  chat.settings.instructions = textOf(json, "instructions");
  chat.settings.preset = textOf(json, "preset");
  chat.settings.tools = jsonOf(json, "tools");
  chat.settings.form = {textOf(json, "form"), textOf(json, "form_source")};
  chat.draft = textOf(json, "draft");
  const auto textsOf = [&](const char* key) {
    QStringList list;
    for (const Json& one : listOf(json, key)) list += textIn(one);
    return list;
  };
  chat.settings.stops = textsOf("stops");
  chat.settings.asking = textsOf("asking");
  chat.waiting = textsOf("waiting");
  for (const Json& message : listOf(json, "messages"))
    chat.messages.push_back(messageFromJson(message, static_cast<std::int64_t>(chat.messages.size())));
  const bool shown = memberOf(json, "shown").is_number_unsigned();
  const auto place = static_cast<std::uint64_t>(wholeOf(json, "shown"));
  if (shown && place < chat.messages.size()) chat.shownLeaf = static_cast<MessageId>(place) + 1;
  return chat;
}

}  // namespace

QString optionsWithNames(const QString& options) { return options.isEmpty() ? QString() : namesIn(options); }

QByteArray chatsToJson(const std::vector<ChatRecord>& chats) {
  Json root = {{"format", kChatsFormat}, {"version", kChatsVersion}, {"chats", Json::array()}};
  for (const ChatRecord& chat : chats) root["chats"].push_back(chatToJson(chat));
  return QByteArray::fromStdString(root.dump(1, ' ', false, Json::error_handler_t::replace)) + '\n';
}

std::vector<ChatRecord> chatsFromJson(const Json& root) {
  if (wholeOf(root, "version") > kChatsVersion)
    throw EngineError(ErrorCode::kUnsupported, "these chats were written by a newer version of Vitrine",
                      "Import them with that version.");
  std::vector<ChatRecord> chats;
  for (const Json& chat : listOf(root, "chats")) chats.push_back(chatFromJson(chat));
  return chats;
}

}  // namespace vitrine
