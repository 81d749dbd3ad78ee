// PageFeed: the machine for pages that watch it (GET /v1/page): states and sentences, as the file of
// page/page_writer.h has them.
//
// A page gets {"begin": header} and the newest steps as {"steps": [entries]} (page/page_log.h), then each
// step as it ends, and {"now": entry} for a machine that stands within a step or between two. Steps that come
// faster than kStepsASecond are passed over, but for the newest: what a person steps, or watches at a chosen
// pace, is there whole. A page that reads slowly begins anew when it has taken what waits.
//
// The engine's thread only puts copies of events into a buffer, and does that only while a page watches. A
// thread of the feed, which starts with the first page, makes each entry once for all. Thread: the server's.
// Read next: page_feed.cpp, event_buffer.h.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "page/page_log.h"
#include "server/event_buffer.h"
#include "server/served.h"
#include "server/web_socket.h"

namespace vitrine::server {

class PageFeed {
 public:
  static constexpr int kStepsASecond = 20, kStepsAtOnce = 40;

  // `served` must outlive this, and this all that open() returned.
  explicit PageFeed(Served& served);
  ~PageFeed();
  PageFeed(const PageFeed&) = delete;
  PageFeed& operator=(const PageFeed&) = delete;

  std::shared_ptr<SocketHandler> open(std::shared_ptr<WebSocket> socket);

 private:
  class Client;
  using Clock = std::chrono::steady_clock;
  using Clients = std::vector<std::shared_ptr<Client>>;
  // A step that pages get when they come. Each kGroup-th has its whole machine beside the patch, so that the
  // ones before it can go.
  struct Kept {
    std::string entry, whole;
  };

  void remove(const Client* client);
  Clients clients() const;
  void work();
  void take(const Event& event);
  void follow(const Event& event);
  void begin();
  void rest(const Clients& watching);
  void lose();
  void keep(std::string entry);
  void send(const Clients& clients);
  std::string keptSteps() const;

  Served& m_served;
  const std::shared_ptr<EventBuffer> m_buffer;  // the engine's thread may hold it for longer
  mutable std::mutex m_mutex;                   // of m_clients
  Clients m_clients;
  std::thread m_thread;  // from the first client on

  // The feed's thread alone.
  page::PageStory m_story;
  page::PageLog m_log;
  std::deque<Kept> m_kept;
  std::size_t m_keptBytes = 0;
  std::vector<std::string> m_news;  // entries that were not sent yet
  SocketText m_header;              // null: there is no run, or its state has not come
  SocketText m_glance;              // of a machine that stands behind the last entry, or null
  std::int32_t m_run = -1;          // -1: none
  bool m_isAsked = false;           // for a snapshot
  bool m_isPassing = false;         // the step that ended last is no entry yet
  bool m_isStale = false;           // pages have not seen the newest event
  double m_credit = kStepsAtOnce;
  Clock::time_point m_creditAt = Clock::now(), m_heardAt = {};  // heard: of an event
};

}  // namespace vitrine::server
