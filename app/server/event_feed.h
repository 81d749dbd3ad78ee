// EventFeed: the engine's events for clients that watch it (GET /v1/events), as the lines of a trace.
//
// A client gets a trace's header, engine_loaded and a snapshot, then each event: what a trace recorded from
// now on would hold (vitrine/trace.h). When it reads slowly, details are left out first, and an
// events_dropped stands in their place. When that is not enough, everything is, until it has read what waits;
// then comes
// {"dropped": {"number", "events"}}, the number of the first event that is missing and how many are, and a
// snapshot behind which it goes on.
//
// The engine's thread only puts copies of events into a buffer of bounded length, and does that only while a
// client watches. A thread of the feed, which starts with the first client, writes each line once for all.
// Thread: the server's. Read next: event_feed.cpp, web_socket.h, served.h.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "server/event_buffer.h"
#include "server/served.h"
#include "server/web_socket.h"

namespace vitrine::server {

class EventFeed {
 public:
  // `served` must outlive this, and this all that open() returned.
  explicit EventFeed(Served& served);
  ~EventFeed();
  EventFeed(const EventFeed&) = delete;
  EventFeed& operator=(const EventFeed&) = delete;

  std::shared_ptr<SocketHandler> open(std::shared_ptr<WebSocket> socket);

 private:
  class Client;
  class Lines;

  void remove(const Client* client);
  void work();
  void pass(const Event& event);

  Served& m_served;
  const std::shared_ptr<EventBuffer> m_buffer;  // the engine's thread may hold it for longer
  std::mutex m_mutex;                           // of the next two
  std::vector<std::shared_ptr<Client>> m_clients;
  bool m_isAsked = false;  // a snapshot, of m_served
  std::thread m_thread;    // from the first client on
};

}  // namespace vitrine::server
