#include "server/event_feed.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/api_error.h"
#include "vitrine/trace.h"

namespace vitrine::server {
namespace {

// The place of details in a row that were left out, in front of the event that comes next.
std::string dropLine(const Event& next, std::int64_t first) {
  Event event;
  event.run = next.run;
  event.number = first;
  event.step = next.step;
  event.phase = next.phase;
  event.timeNs = next.timeNs;
  event.body = EventsDropped{next.number - first};
  return traceLine(event);
}

}  // namespace

// The text of one event, written when the first client wants it.
class EventFeed::Lines {
 public:
  explicit Lines(const Event& event) : m_event(event) {}
  const SocketText& header() {
    if (!m_header) m_header = socketText(traceHeader(*bodyOf<EngineLoaded>(m_event)));
    return m_header;
  }
  const SocketText& line() {
    if (!m_line) m_line = socketText(traceLine(m_event));
    return m_line;
  }

 private:
  const Event& m_event;
  SocketText m_header, m_line;
};

class EventFeed::Client final : public SocketHandler {
 public:
  Client(EventFeed& feed, std::shared_ptr<WebSocket> socket) : m_feed(feed), m_socket(std::move(socket)) {}

  void onMessage(std::string_view) override {
    m_socket->close(SocketEnd::kPolicy, "a client that watches sends no messages");
  }
  void onTaken() override { m_feed.m_buffer->wake(); }  // it may want a snapshot now
  void onEnding() override { m_socket->close(SocketEnd::kGoingAway, "the server is shutting down"); }
  void onGone() override { m_feed.remove(this); }

  // On the feed's thread, under its lock.
  void take(const Event& event, Lines& lines) {
    if (isA<EngineLoaded>(event))
      begin(event, lines);
    else if (event.run != m_run)
      return;
    else if (isA<Snapshot>(event))
      goOn(event, lines);
    else if (m_follows && event.number >= m_next)
      follow(event, lines);
  }
  void lose() { m_follows = false; }
  bool wantsSnapshot() const { return !m_follows && m_socket->waiting() == 0; }

 private:
  // Of another run than the one that it follows, if any. The snapshot for a client that comes late has an
  // EngineLoaded before it, which the others know.
  void begin(const Event& event, Lines& lines) {
    if (event.run == m_run) return;
    m_socket->send(lines.header());
    m_socket->send(lines.line());
    m_run = event.run;
    m_next = event.number + 1;
    m_follows = m_hasJustBegun = true;
  }
  void goOn(const Event& event, Lines& lines) {
    if (m_follows && !m_hasJustBegun) return;
    if (!m_hasJustBegun) {
      const Json dropped = {{"number", m_next}, {"events", event.number + 1 - m_next}};
      m_socket->send(socketText(textOf({{"dropped", dropped}})));
    }
    m_socket->send(lines.line());
    m_next = event.number + 1;
    m_follows = true;
    m_hasJustBegun = false;
  }
  void follow(const Event& event, Lines& lines) {
    const std::size_t waiting = m_socket->waiting(), most = m_socket->mostWaiting();
    m_hasJustBegun = false;
    if (waiting > most / 2) return lose();
    if (isDetail(event) && waiting > most / 8) return;
    if (event.number > m_next) m_socket->send(socketText(dropLine(event, m_next)));
    m_socket->send(lines.line());
    const auto* const dropped = bodyOf<EventsDropped>(event);
    m_next = event.number + (dropped != nullptr ? dropped->details : 1);
  }

  EventFeed& m_feed;
  const std::shared_ptr<WebSocket> m_socket;
  std::int32_t m_run = -1;      // of the events that it has; -1: it has none
  std::int64_t m_next = 0;      // the number of the first event that it has not
  bool m_follows = false;       // what it lacks of the events from m_next on is detail, or still to come
  bool m_hasJustBegun = false;  // EngineLoaded was the last
};

EventFeed::EventFeed(Served& served) : m_served(served), m_buffer(std::make_shared<EventBuffer>()) {}

EventFeed::~EventFeed() {
  if (!m_thread.joinable()) return;
  m_served.unwatch(m_buffer);
  m_buffer->wake(true);
  m_thread.join();
}

std::shared_ptr<SocketHandler> EventFeed::open(std::shared_ptr<WebSocket> socket) {
  auto client = std::make_shared<Client>(*this, std::move(socket));
  {
    const std::lock_guard lock(m_mutex);
    m_clients.push_back(client);
    m_isAsked = false;
  }
  if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
  m_buffer->wake();
  return client;
}

void EventFeed::remove(const Client* client) {
  const std::lock_guard lock(m_mutex);
  std::erase_if(m_clients, [&](const std::shared_ptr<Client>& one) { return one.get() == client; });
  if (!m_clients.empty()) return;
  m_served.unwatch(m_buffer);
  m_buffer->clear();
}

void EventFeed::work() {
  for (;;) {
    const EventBuffer::News news = m_buffer->wait();
    if (news.ends) return;
    const std::lock_guard lock(m_mutex);
    if (news.overflowed) {
      for (const std::shared_ptr<Client>& client : m_clients) client->lose();
      m_isAsked = false;
    }
    for (const Event& event : news.events) pass(event);
    const auto wants = [](const std::shared_ptr<Client>& client) { return client->wantsSnapshot(); };
    if (m_isAsked || std::ranges::none_of(m_clients, wants)) continue;
    m_isAsked = true;
    m_served.watch(m_buffer);
  }
}

void EventFeed::pass(const Event& event) {
  Lines lines(event);
  for (const std::shared_ptr<Client>& client : m_clients) client->take(event, lines);
  if (isA<Snapshot>(event)) m_isAsked = false;
}

}  // namespace vitrine::server
