// StreamSession: the requests of one client over a WebSocket, any number at once (GET /v1/stream).
//
// A message of the client has the form of a line of OpenAI's batches: {"custom_id", "url", "body"}, or it is
// {"cancel": custom_id}. The server's have "custom_id" in front of what the HTTP route answers with: chunks,
// or the whole; then {"custom_id", "done": true}, or an error in its place. README.md has the fields. Thread:
// the server's, but for finish() and say(). Read next: web_socket.h, api_answer.h.
#pragma once

#include <map>
#include <mutex>

#include "server/api_error.h"
#include "server/served.h"
#include "server/web_socket.h"

namespace vitrine::server {

class StreamSession final : public SocketHandler, public std::enable_shared_from_this<StreamSession> {
 public:
  // `served` outlives the connection.
  StreamSession(Served& served, int mostUnderWay, std::shared_ptr<WebSocket> socket);

  void onMessage(std::string_view text) override;
  void onEnding() override;
  void onGone() override;

 private:
  class Reply;
  struct UnderWay {
    ServedId served = 0;
    bool isCancelled = false;
  };

  void begin(const std::string& id, const Json& message);
  void cancel(const std::string& id);
  // On any thread. An empty id is written as null.
  void say(const std::string& id, const std::string& object);
  void finish(const std::string& id, const ApiError* error);

  Served& m_served;
  const int m_mostUnderWay;
  const std::shared_ptr<WebSocket> m_socket;
  std::mutex m_mutex;  // of what follows
  std::map<std::string, UnderWay> m_underWay;
  bool m_isEnding = false;
};

}  // namespace vitrine::server
