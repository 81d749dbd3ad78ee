#include "server/event_feed.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "server/api_error.h"
#include "vitrine/trace.h"

namespace vitrine::server {
namespace {

// Events that wait for the feed's thread; details are left out from half of it on.
constexpr std::size_t kMostEvents = 16384;

using Text = std::shared_ptr<const std::string>;

Text shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

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

// Between the engine's thread and the feed's.
class EventFeed::Buffer final : public EventSink {
 public:
  struct News {
    bool ends = false;
    bool overflowed = false;  // events before these are missing
    std::vector<Event> events;
  };

  void publish(const Event& event) override {
    bool wakes = false;
    {
      const std::lock_guard lock(m_mutex);
      wakes = take(event);
      m_isWoken = m_isWoken || wakes;
    }
    if (wakes) m_wake.notify_one();
  }
  void wake(bool ends = false) {
    {
      const std::lock_guard lock(m_mutex);
      m_isWoken = true;
      m_ends = m_ends || ends;
    }
    m_wake.notify_one();
  }
  void clear() {
    const std::lock_guard lock(m_mutex);
    m_events.clear();
    m_isLost = m_overflowed = false;
  }
  News wait() {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_isWoken; });
    m_isWoken = false;
    return {m_ends, std::exchange(m_overflowed, false), std::exchange(m_events, {})};
  }

 private:
  // Whether the feed's thread shall look: once a phase, since waking it costs the engine more than an event.
  bool take(const Event& event) {
    if (isA<EngineLoaded>(event)) m_isLost = m_isInStep = false;
    if (m_isLost) return false;
    if (isDetail(event) && m_events.size() >= kMostEvents / 2) return false;
    try {
      if (m_events.size() >= kMostEvents) throw std::bad_alloc();
      m_events.push_back(event);
    } catch (const std::bad_alloc&) {
      m_events = {};
      m_isLost = m_overflowed = true;
      return true;
    }
    if (isA<StepStarted>(event)) m_isInStep = true;
    if (isA<StepFinished>(event)) m_isInStep = false;
    return !m_isInStep || isA<PhaseStarted>(event);
  }

  std::mutex m_mutex;  // of all
  std::condition_variable m_wake;
  std::vector<Event> m_events;
  bool m_isWoken = false, m_ends = false, m_isInStep = false;
  bool m_overflowed = false;
  bool m_isLost = false;  // until the next EngineLoaded
};

// The text of one event, written when the first client wants it.
class EventFeed::Lines {
 public:
  explicit Lines(const Event& event) : m_event(event) {}
  const Text& header() {
    if (!m_header) m_header = shared(traceHeader(*bodyOf<EngineLoaded>(m_event)));
    return m_header;
  }
  const Text& line() {
    if (!m_line) m_line = shared(traceLine(m_event));
    return m_line;
  }

 private:
  const Event& m_event;
  Text m_header, m_line;
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
      m_socket->send(shared(textOf({{"dropped", dropped}})));
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
    if (event.number > m_next) m_socket->send(shared(dropLine(event, m_next)));
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

EventFeed::EventFeed(Served& served) : m_served(served), m_buffer(std::make_shared<Buffer>()) {}

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
    const Buffer::News news = m_buffer->wait();
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
