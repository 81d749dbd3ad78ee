// Any bytes to the server's port, HTTP and WebSocket: each connection is answered or closed, soon, and the
// server goes on. Behind it stands an engine that answers every request with one word.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "server/api_server.h"

namespace {

using namespace vitrine;
using namespace vitrine::server;

void require(bool holds) {
  if (!holds) std::abort();
}

class OneWord final : public Served {
 public:
  std::shared_ptr<const ServedModel> model() const override { return m_model; }
  bool isOpen() const override { return true; }
  int underWay() const override { return 0; }
  std::string metrics() const override { return "# none\n"; }
  ServedId submit(std::shared_ptr<const ServedModel>, std::vector<RequestArguments> prompts,
                  std::shared_ptr<AnswerSink> sink) override {
    sink->accepted();
    int answer = 0;
    for (const RequestArguments& prompt : prompts)
      for (int i = 0; i < prompt.request.sequences; ++i)
        sink->wrote({.answer = answer++, .text = "word", .tokens = {1}, .finished = FinishReason::kStop});
    sink->finished({.promptTokens = 1, .completionTokens = answer});
    return ++m_last;
  }
  void cancel(ServedId) override {}
  void encode(RequestArguments, Encoded done) override { done({1, 2}, nullptr); }
  void decode(std::vector<TokenId>, Decoded done) override { done("word", nullptr); }
  bool isPaused() const override { return false; }
  void steer(Steering) override {}
  void watch(std::shared_ptr<EventSink>) override {}
  void unwatch(std::shared_ptr<EventSink>) override {}

 private:
  std::shared_ptr<const ServedModel> m_model =
      std::make_shared<ServedModel>(ServedModel{.name = "m", .contextLength = 64});
  ServedId m_last = 0;
};

struct Port {
  Port() : api(engine, AccessRules::forAddress("127.0.0.1", {}, ""), 8), http(api) {
    http.listen("127.0.0.1", 0);
  }
  OneWord engine;
  ApiServer api;
  HttpServer http;
};

int connectedTo(int port) {
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  require(client >= 0 && ::connect(client, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0);
  // Soon: a client that says no more is gone. And no port is kept behind a connection that is over.
  const timeval limit = {.tv_sec = 8, .tv_usec = 0};
  const linger none = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(client, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  return client;
}

// libFuzzer looks after its time limit by an alarm, which would interrupt a call to the system. The threads
// of the server begin behind it, so none of them takes it either; the limit of a client ends what hangs.
bool holdAlarms() {
  sigset_t alarm;
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  return ::pthread_sigmask(SIG_BLOCK, &alarm, nullptr) == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool held = holdAlarms();
  static Port server;
  require(held);
  const int client = connectedTo(server.http.port());
  for (std::size_t sent = 0; sent < size;) {
    const ssize_t count = ::send(client, data + sent, size - sent, MSG_NOSIGNAL);
    if (count <= 0) break;  // the server has closed: it wants no more of this
    sent += static_cast<std::size_t>(count);
  }
  ::shutdown(client, SHUT_WR);
  std::array<char, 4096> buffer;
  std::string answer;
  for (;;) {
    const ssize_t count = ::recv(client, buffer.data(), buffer.size(), 0);
    require(count >= 0 || errno == ECONNRESET);
    if (count <= 0) break;
    answer.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(client);
  require(answer.empty() || answer.starts_with("HTTP/1.1 "));
  return 0;
}
