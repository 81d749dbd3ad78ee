// A publisher of KV events as vLLM's, in the test's own process: a PUB socket that tells of its subscribers,
// and a ROUTER for those that ask for batches again. Thread: the test's.
#pragma once

#include <zmq.h>

#include <QString>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "connect/kv_feed.h"

namespace vitrine::test {

using connect::KvFeedPlace;

constexpr int kPublisherPatienceMs = 20000;

inline std::string packed(double time) {
  const auto bytes = nlohmann::json::to_msgpack({time, nlohmann::json::array(), 0});
  return {bytes.begin(), bytes.end()};
}

inline std::string bytesOf(std::int64_t number) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i) bytes[static_cast<std::size_t>(7 - i)] = static_cast<char>(number >> 8 * i);
  return bytes;
}

// What it does with a request to send batches again.
enum class Again {
  kAll,
  kSilent,   // it answers nothing
  kNoEnd,    // it sends the batches, and no end
  kHoles,    // of the first answer every third batch is lost
  kGarbage,  // it sends what is no batch
};

// A publisher as vLLM's: batches to all, and the last ones again to those that ask.
class Publisher {
 public:
  explicit Publisher(std::optional<Again> again, const QString& endpoint = "tcp://127.0.0.1:*",
                     const QString& replayEndpoint = "tcp://127.0.0.1:*")
      : m_context(zmq_ctx_new()), m_again(again) {
    // It tells of subscribers, which a PUB socket does not.
    m_live = bound(ZMQ_XPUB, endpoint, m_endpoint);
    if (!again) return;
    m_replay = bound(ZMQ_ROUTER, replayEndpoint, m_replayEndpoint);
    m_thread = std::thread([this] { answer(); });
  }
  ~Publisher() {
    zmq_ctx_shutdown(m_context);
    if (m_thread.joinable()) m_thread.join();
    zmq_close(m_live);
    if (m_replay != nullptr) zmq_close(m_replay);
    zmq_ctx_term(m_context);
  }
  KvFeedPlace place(std::string topic = {}) const {
    return {m_endpoint.toStdString(), m_replayEndpoint.toStdString(), std::move(topic),
            std::chrono::milliseconds(300)};
  }
  const QString& endpoint() const { return m_endpoint; }
  const QString& replayEndpoint() const { return m_replayEndpoint; }

  bool waitForSubscriber() {
    char byte = 0;
    zmq_pollitem_t item{m_live, 0, ZMQ_POLLIN, 0};
    return zmq_poll(&item, 1, kPublisherPatienceMs) == 1 && zmq_recv(m_live, &byte, 1, 0) >= 1 && byte == 1;
  }
  // For those that ask.
  void keep(std::int64_t number, std::string payload) {
    const std::lock_guard lock(m_mutex);
    m_kept[number] = std::move(payload);
  }
  void publish(std::int64_t number, double time) { publish(number, packed(time)); }
  void publish(std::int64_t number) { publish(number, static_cast<double>(number)); }
  void publish(std::int64_t number, const std::string& payload, const std::string& topic = "kv") {
    sendParts(m_live, {topic, bytesOf(number), payload});
    keep(number, payload);
  }
  void lose(std::int64_t number) { keep(number, packed(static_cast<double>(number))); }
  void sendRaw(const std::vector<std::string>& parts) { sendParts(m_live, parts); }
  void forgetBefore(std::int64_t number) {
    const std::lock_guard lock(m_mutex);
    m_kept.erase(m_kept.begin(), m_kept.lower_bound(number));
  }
  int timesAsked() const { return m_asked; }

 private:
  void* bound(int type, const QString& endpoint, QString& place) {
    void* const socket = zmq_socket(m_context, type);
    const int linger = 0;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (zmq_bind(socket, endpoint.toUtf8().constData()) != 0) qFatal("%s", zmq_strerror(zmq_errno()));
    char text[100];
    std::size_t size = sizeof text;
    zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, text, &size);
    place = QString::fromLatin1(text);
    return socket;
  }
  static void sendParts(void* socket, const std::vector<std::string>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      zmq_send(socket, parts[i].data(), parts[i].size(), i + 1 < parts.size() ? ZMQ_SNDMORE : 0);
  }
  void answer() {
    for (;;) {
      std::vector<std::string> parts;
      for (int more = 1; more != 0;) {
        char bytes[300];
        const int size = zmq_recv(m_replay, bytes, sizeof bytes, 0);
        if (size < 0) return;
        parts.emplace_back(bytes, static_cast<std::size_t>(size));
        std::size_t length = sizeof more;
        zmq_getsockopt(m_replay, ZMQ_RCVMORE, &more, &length);
      }
      if (parts.size() != 3 || !parts[1].empty() || parts[2].size() != 8) qFatal("no request");
      sendAgain(parts);
    }
  }
  void sendAgain(const std::vector<std::string>& request) {
    const bool isFirst = m_asked++ == 0;
    if (m_again == Again::kSilent) return;
    if (m_again == Again::kGarbage) return sendParts(m_replay, {request[0], "", "1"});
    const std::lock_guard lock(m_mutex);
    for (const auto& [number, payload] : m_kept)
      if (bytesOf(number) >= request[2] && !(m_again == Again::kHoles && isFirst && number % 3 == 2))
        sendParts(m_replay, {request[0], "", bytesOf(number), payload});
    if (m_again != Again::kNoEnd) sendParts(m_replay, {request[0], "", bytesOf(-1), ""});
  }

  void* const m_context;
  const std::optional<Again> m_again;
  QString m_endpoint, m_replayEndpoint;
  void *m_live = nullptr, *m_replay = nullptr;
  std::mutex m_mutex;
  std::map<std::int64_t, std::string> m_kept;
  std::atomic<int> m_asked = 0;
  std::thread m_thread;
};

}  // namespace vitrine::test
