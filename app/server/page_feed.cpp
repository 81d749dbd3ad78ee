#include "server/page_feed.h"

#include <algorithm>
#include <utility>

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

constexpr auto kQuiet = 50ms;   // without an event: the machine stands
constexpr auto kGather = 15ms;  // between two looks at a machine that runs
constexpr std::size_t kGroup = 64;
constexpr std::size_t kMostKept = std::size_t{256} << 10;  // bytes

std::string joined(const std::vector<std::string>& entries) {
  std::string steps = "{\"steps\":[";
  for (std::size_t i = 0; i < entries.size(); ++i) steps += (i == 0 ? "" : ",") + entries[i];
  return steps + "]}";
}

}  // namespace

class PageFeed::Client final : public SocketHandler {
 public:
  Client(PageFeed& feed, std::shared_ptr<WebSocket> socket) : m_feed(feed), m_socket(std::move(socket)) {}

  void onMessage(std::string_view) override {
    m_socket->close(SocketEnd::kPolicy, "a page that watches sends no messages");
  }
  void onTaken() override { m_feed.m_buffer->wake(); }  // it may follow again now
  void onEnding() override { m_socket->close(SocketEnd::kGoingAway, "the server is shutting down"); }
  void onGone() override { m_feed.remove(this); }

  // On the feed's thread.
  void lose() { m_follows = false; }
  bool canBegin() const { return !m_follows && m_socket->waiting() == 0; }
  void begin(const SocketText& header, const SocketText& steps, const SocketText& glance) {
    m_socket->send(header);
    m_socket->send(steps);
    if (glance) m_socket->send(glance);
    m_follows = true;
  }
  void tell(const SocketText& message) {
    if (!m_follows) return;
    if (m_socket->waiting() > m_socket->mostWaiting() / 2) return lose();
    m_socket->send(message);
  }

 private:
  PageFeed& m_feed;
  const std::shared_ptr<WebSocket> m_socket;
  bool m_follows = false;
};

PageFeed::PageFeed(Served& served) : m_served(served), m_buffer(std::make_shared<EventBuffer>()) {}

PageFeed::~PageFeed() {
  if (!m_thread.joinable()) return;
  m_served.unwatch(m_buffer);
  m_buffer->wake(true);
  m_thread.join();
}

std::shared_ptr<SocketHandler> PageFeed::open(std::shared_ptr<WebSocket> socket) {
  auto client = std::make_shared<Client>(*this, std::move(socket));
  {
    const std::lock_guard lock(m_mutex);
    m_clients.push_back(client);
  }
  if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
  m_buffer->wake();
  return client;
}

void PageFeed::remove(const Client* client) {
  {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_clients, [&](const std::shared_ptr<Client>& one) { return one.get() == client; });
  }
  m_buffer->wake();
}

PageFeed::Clients PageFeed::clients() const {
  const std::lock_guard lock(m_mutex);
  return m_clients;
}

void PageFeed::work() {
  for (;;) {
    const EventBuffer::News news =
        m_isStale ? m_buffer->wait(std::chrono::milliseconds(kQuiet)) : m_buffer->wait();
    if (news.ends) return;
    const Clients watching = clients();
    if (watching.empty()) {  // nothing is kept for the next page: what it missed is not known then
      if (m_isAsked) m_served.unwatch(m_buffer);
      m_buffer->clear();
      lose();
      m_isAsked = false;
      continue;
    }
    if (news.overflowed) {
      lose();
      m_isAsked = false;
    }
    for (const Event& event : news.events) take(event);
    if (!news.events.empty()) m_heardAt = Clock::now();
    if (m_isStale && Clock::now() - m_heardAt >= kQuiet) rest(watching);
    send(watching);
    if (!m_isAsked) {
      m_isAsked = true;
      m_served.watch(m_buffer);
    }
    if (!news.events.empty()) std::this_thread::sleep_for(kGather);
  }
}

// The next EngineLoaded begins anew.
void PageFeed::lose() {
  m_header = nullptr;
  m_run = -1;
  m_isPassing = m_isStale = false;
  m_glance = nullptr;
  m_log.clear();
  m_kept.clear();
  m_news.clear();
  m_keptBytes = 0;
}

void PageFeed::take(const Event& event) {
  if (isA<EngineLoaded>(event)) {
    lose();
    m_run = event.run;
  } else if (event.run != m_run) {
    return;
  }
  try {
    m_story.add(event);
  } catch (const EngineError&) {  // an event contradicts the state: nothing is shown until another run begins
    return lose();
  }
  if (m_header)
    follow(event);
  else if (isA<Snapshot>(event))
    begin();
}

void PageFeed::begin() {
  page::Json header = m_story.header();
  header["run"] = m_run;
  m_header = socketText("{\"begin\":" + page::lineOf(header) + "}");
  keep(m_log.next(m_story));
  for (const std::shared_ptr<Client>& client : clients()) client->lose();
}

void PageFeed::follow(const Event& event) {
  m_isStale = true;
  if (isA<StepStarted>(event)) m_isPassing = false;  // the one before it is passed over
  if (!isA<StepFinished>(event)) return;
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - std::exchange(m_creditAt, now)).count();
  m_credit = std::min<double>(kStepsAtOnce, m_credit + kStepsASecond * seconds);
  m_isPassing = m_credit < 1;
  if (m_isPassing) return;
  --m_credit;
  keep(m_log.next(m_story));
}

// The machine stands: a person holds it, or nothing is to be done.
void PageFeed::rest(const Clients& watching) {
  if (std::exchange(m_isPassing, false)) return keep(m_log.next(m_story));
  m_isStale = false;
  m_glance = socketText("{\"now\":" + m_log.glance(m_story) + "}");
  for (const std::shared_ptr<Client>& client : watching) client->tell(m_glance);
}

void PageFeed::keep(std::string entry) {
  m_isStale = false;
  m_glance = nullptr;
  m_news.push_back(entry);
  const bool isWhole = m_kept.size() % kGroup == 0;  // also behind groups that are gone
  m_kept.push_back({std::move(entry), isWhole ? m_log.whole() : std::string()});
  const auto bytesOf = [](const Kept& kept) { return kept.entry.size() + kept.whole.size(); };
  m_keptBytes += bytesOf(m_kept.back());
  const auto isGroup = [](const Kept& kept) { return !kept.whole.empty(); };
  while (m_keptBytes > kMostKept) {
    const auto next = std::find_if(m_kept.begin() + 1, m_kept.end(), isGroup);
    if (next == m_kept.end()) return;
    for (auto gone = m_kept.begin(); gone != next; ++gone) m_keptBytes -= bytesOf(*gone);
    m_kept.erase(m_kept.begin(), next);
  }
}

// For a page that comes; the newest alone where all would be too much at once.
std::string PageFeed::keptSteps() const {
  if (m_keptBytes > 2 * kMostKept) return joined({m_log.whole()});
  std::vector<std::string> entries;
  for (const Kept& kept : m_kept) entries.push_back(entries.empty() ? kept.whole : kept.entry);
  return joined(entries);
}

void PageFeed::send(const Clients& watching) {
  if (!m_header) return;
  if (!m_news.empty()) {
    const SocketText news = socketText(joined(std::exchange(m_news, {})));
    for (const std::shared_ptr<Client>& client : watching) client->tell(news);
  }
  SocketText steps;
  for (const std::shared_ptr<Client>& client : watching) {
    if (!client->canBegin()) continue;
    if (!steps) steps = socketText(keptSteps());
    client->begin(m_header, steps, m_glance);
  }
}

}  // namespace vitrine::server
