#include "server/stream_session.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/api_answer.h"
#include "vitrine/message_text.h"

namespace vitrine::server {
namespace {

constexpr std::size_t kLongestId = 128;  // bytes

std::string idIn(const Json& message, const char* key) {
  const auto place = message.find(key);
  const bool fits = place != message.end() && place->is_string() &&
                    !place->get_ref<const std::string&>().empty() &&
                    place->get_ref<const std::string&>().size() <= kLongestId;
  if (!fits)
    throw ApiError(400,
                   std::string("a message needs \"") + key + "\", a string of 1 to " +
                       std::to_string(kLongestId) + " bytes",
                   key, "invalid_value");
  return place->get<std::string>();
}

ApiKind kindIn(const Json& message) {
  const Json url = message.value("url", Json());
  if (url == "/v1/chat/completions") return ApiKind::kChat;
  if (url == "/v1/completions") return ApiKind::kCompletion;
  throw ApiError(400, "\"url\" must be \"/v1/chat/completions\" or \"/v1/completions\"", "url",
                 "invalid_value");
}

void requireKnown(const Json& message, std::initializer_list<const char*> keys) {
  for (const auto& [key, value] : message.items()) {
    const auto isIt = [&name = key](const char* one) { return name == one; };
    if (std::ranges::none_of(keys, isIt))
      throw ApiError(400, "a message has no \"" + forMessage(key, 60) + "\"", key, "unsupported_parameter");
  }
}

}  // namespace

// Of one request. An answer that is dropped on its way is an error, as it is over HTTP.
class StreamSession::Reply final : public ApiReply {
 public:
  Reply(std::shared_ptr<StreamSession> session, std::string id)
      : m_session(std::move(session)), m_id(std::move(id)) {}
  ~Reply() override { fail(ApiError(500, "the request was not answered")); }

  void whole(const std::string& json) override {
    chunk(json);
    end();
  }
  void begin() override {}
  void chunk(const std::string& json) override { m_session->say(m_id, json); }
  void end() override { finish(nullptr); }
  void fail(const ApiError& error) override { finish(&error); }

 private:
  void finish(const ApiError* error) {
    if (!std::exchange(m_isFinished, true)) m_session->finish(m_id, error);
  }

  const std::shared_ptr<StreamSession> m_session;
  const std::string m_id;
  bool m_isFinished = false;
};

StreamSession::StreamSession(Served& served, int mostUnderWay, std::shared_ptr<WebSocket> socket)
    : m_served(served), m_mostUnderWay(mostUnderWay), m_socket(std::move(socket)) {}

void StreamSession::onMessage(std::string_view text) {
  std::string id;
  try {
    const Json message = jsonObjectIn(text);
    if (message.contains("cancel")) {
      requireKnown(message, {"cancel"});
      return cancel(idIn(message, "cancel"));
    }
    id = idIn(message, "custom_id");
    begin(id, message);
  } catch (const ApiError& error) {
    say(id, textOf(error.toJson()));
  }
}

void StreamSession::begin(const std::string& id, const Json& message) {
  requireKnown(message, {"custom_id", "method", "url", "body"});
  if (message.value("method", Json("POST")) != "POST")
    throw ApiError(400, "\"method\" must be \"POST\"", "method", "invalid_value");
  const ApiKind kind = kindIn(message);
  Json body = message.value("body", Json());
  if (!body.is_object()) throw ApiError(400, "\"body\" must be an object", "body", "invalid_type");
  if (body.value("stream", Json()).is_null()) body["stream"] = true;
  {
    const std::lock_guard lock(m_mutex);
    if (m_isEnding || !m_served.isOpen())
      throw ApiError(503, "the server is shutting down", "", "shutting_down");
    if (!m_underWay.try_emplace(id).second)
      throw ApiError(400, "a request with this \"custom_id\" is under way", "custom_id", "duplicate_id");
  }
  const auto reply = std::make_shared<Reply>(shared_from_this(), id);
  try {
    const ServedId served = submitBody(m_served, m_mostUnderWay, kind, body, reply);
    const std::lock_guard lock(m_mutex);
    const auto place = m_underWay.find(id);  // it may have ended by now
    if (place != m_underWay.end()) place->second.served = served;
  } catch (const ApiError& error) {
    reply->fail(error);
  }
}

// A request that has ended meanwhile has said so.
void StreamSession::cancel(const std::string& id) {
  ServedId served = 0;
  {
    const std::lock_guard lock(m_mutex);
    const auto place = m_underWay.find(id);
    if (place == m_underWay.end()) return;
    place->second.isCancelled = true;
    served = place->second.served;
  }
  m_served.cancel(served);
}

void StreamSession::onEnding() {
  const std::lock_guard lock(m_mutex);
  m_isEnding = true;
  if (m_underWay.empty()) m_socket->close(SocketEnd::kGoingAway, "the server is shutting down");
}

void StreamSession::onGone() {
  std::map<std::string, UnderWay> all;
  {
    const std::lock_guard lock(m_mutex);
    all = m_underWay;
  }
  for (const auto& [id, request] : all) m_served.cancel(request.served);
}

void StreamSession::say(const std::string& id, const std::string& object) {
  const std::string name = id.empty() ? "null" : textOf(Json(id));
  m_socket->send(std::make_shared<const std::string>("{\"custom_id\":" + name + "," + object.substr(1)));
}

// The id is free before the client hears that it is, and a connection closes behind the last word.
void StreamSession::finish(const std::string& id, const ApiError* error) {
  const std::lock_guard lock(m_mutex);
  const auto place = m_underWay.find(id);
  const bool isCancelled = place != m_underWay.end() && place->second.isCancelled;
  m_underWay.erase(id);
  if (error == nullptr)
    say(id, R"({"done":true})");
  else if (isCancelled)
    say(id, R"({"done":true,"cancelled":true})");
  else
    say(id, textOf(error->toJson()));
  if (m_isEnding && m_underWay.empty()) m_socket->close(SocketEnd::kGoingAway, "the server is shutting down");
}

}  // namespace vitrine::server
