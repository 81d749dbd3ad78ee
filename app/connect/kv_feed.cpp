#include "connect/kv_feed.h"

#include <zmq.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "vitrine/message_text.h"

namespace vitrine::connect {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;  // of a part of a message
constexpr int kMostWaiting = 10'000;                         // messages that ZeroMQ holds for us
constexpr std::size_t kGathered = 100;                       // batches that are handed on at once
constexpr int kConnectMs = 10'000, kLongestPauseMs = 5'000;  // the pause between two attempts grows up to it
constexpr int kHandshakeMs = 5'000, kHeartbeatMs = 5'000, kSilenceMs = 15'000;
// After a connection is lost ZeroMQ tries again at once, unless the peer broke a rule.
constexpr std::chrono::seconds kRetryTime{5};
constexpr const char* kMonitorAddress = "inproc://monitor";

struct ContextCloser {
  void operator()(void* context) const { zmq_ctx_term(context); }
};
struct SocketCloser {
  void operator()(void* socket) const { zmq_close(socket); }
};
using Context = std::unique_ptr<void, ContextCloser>;
using Socket = std::unique_ptr<void, SocketCloser>;

// The context is being shut down, by the destructor.
struct Stopped {};

// What a call of ZeroMQ answered; -1 throws.
int checked(int answer) {
  if (answer != -1) return answer;
  if (zmq_errno() == ETERM) throw Stopped();
  throw EngineError(ErrorCode::kUnavailable,
                    std::string("KV events cannot be received: ") + zmq_strerror(zmq_errno()));
}

template <typename Value>
void setOption(const Socket& socket, int option, Value value) {
  checked(zmq_setsockopt(socket.get(), option, &value, sizeof value));
}

// Closing it waits for nothing, and a hostile peer finds bounds.
Socket madeSocket(const Context& context, int type) {
  Socket socket(zmq_socket(context.get(), type));
  if (!socket) checked(-1);
  setOption(socket, ZMQ_LINGER, 0);
  setOption(socket, ZMQ_MAXMSGSIZE, kMostBytes);
  setOption(socket, ZMQ_RCVHWM, kMostWaiting);
  return socket;
}

void connectTo(const Socket& socket, const std::string& endpoint) {
  setOption(socket, ZMQ_CONNECT_TIMEOUT, kConnectMs);
  setOption(socket, ZMQ_RECONNECT_IVL_MAX, kLongestPauseMs);
  setOption(socket, ZMQ_HANDSHAKE_IVL, kHandshakeMs);
  setOption(socket, ZMQ_HEARTBEAT_IVL, kHeartbeatMs);
  setOption(socket, ZMQ_HEARTBEAT_TIMEOUT, kSilenceMs);
  // With it a name stands for its first address alone, which may be one that the server does not listen at.
  setOption(socket, ZMQ_IPV6, endpoint.find('[') != std::string::npos ? 1 : 0);
  checked(zmq_connect(socket.get(), endpoint.c_str()));
}

// The parts of the next message, five at most; none while none is there.
std::optional<std::vector<std::string>> receivedParts(const Socket& socket) {
  constexpr std::size_t kMostParts = 5;  // no message that we know has so many
  std::vector<std::string> parts;
  for (bool more = true; more;) {
    zmq_msg_t part;
    zmq_msg_init(&part);
    const std::unique_ptr<zmq_msg_t, int (*)(zmq_msg_t*)> closing(&part, zmq_msg_close);
    if (zmq_msg_recv(&part, socket.get(), ZMQ_DONTWAIT) == -1) {
      if (zmq_errno() == EAGAIN) return std::nullopt;
      checked(-1);
    }
    more = zmq_msg_more(&part) != 0;
    if (parts.size() < kMostParts)
      parts.emplace_back(static_cast<const char*>(zmq_msg_data(&part)), zmq_msg_size(&part));
  }
  return parts;
}

std::string bytesOf(std::int64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8)
    bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> shift & 0xff);
  return bytes;
}

std::optional<std::int64_t> numberIn(std::string_view bytes) {
  if (bytes.size() != 8) return std::nullopt;
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  if (number == std::numeric_limits<std::int64_t>::max()) return std::nullopt;  // it has no next one
  return static_cast<std::int64_t>(number);
}

struct NumberedBatch {
  std::int64_t number;
  std::string payload;

  // Tells batches of one number apart: each holds the time at which it was made.
  std::size_t mark() const { return std::hash<std::string>()(payload); }
};

// An answer to a request for batches. It has a socket of its own: with it goes what still comes.
struct Replay {
  Socket socket;
  Clock::time_point deadline;
  bool hasBegun = false;     // a batch has come
  bool hasProgress = false;  // one that was not known
};

}  // namespace

void checkKvEndpoint(std::string_view endpoint) {
  const auto fail = [&](const char* what) {
    throw EngineError(ErrorCode::kInvalidArgument,
                      "\"" + forMessage(endpoint, 100) + "\" is no address of KV events: " + what,
                      "Write it as tcp://host:5557, with the port of the server's --kv-events-config.");
  };
  constexpr std::string_view kScheme = "tcp://";
  if (!endpoint.starts_with(kScheme)) fail("it does not begin with tcp://");
  const std::string_view place = endpoint.substr(kScheme.size());
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) fail("it has no port");
  std::string_view host = place.substr(0, colon);
  const bool isV6 = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
  if (isV6) host = host.substr(1, host.size() - 2);
  const bool isHost = !host.empty() && std::all_of(host.begin(), host.end(), [&](char c) {
    const bool isWord = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return isWord || c == '.' || c == '-' || c == '_' || (isV6 && (c == ':' || c == '%'));
  });
  if (!isHost) fail("it has no host");
  const std::string_view digits = place.substr(colon + 1);
  int port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size() || port < 1 || port > 65535)
    fail("its port is no number from 1 to 65535");
}

class KvFeed::Connection {
 public:
  Connection(KvFeedPlace place, KvListener& listener)
      : m_place(std::move(place)),
        m_listener(listener),
        m_context(zmq_ctx_new()),
        m_thread([this] { work(); }) {}
  ~Connection() {
    m_stops = true;
    zmq_ctx_shutdown(m_context.get());  // each call of ZeroMQ ends with ETERM
    m_thread.join();
  }

 private:
  void work();
  void open();
  void turn();
  void wait();
  void readMonitor();
  void takeMonitored(int event);
  void setConnected(bool isConnected);
  bool readLive();
  void takeLive(NumberedBatch batch, bool mayAsk);
  bool isOfNewLife(const NumberedBatch& batch) const;
  void ask();
  void readReplay();
  void takeReplayed(const NumberedBatch& batch);
  void finishReplay();
  void abandonReplay();
  void goOnWithHeld();
  void take(const NumberedBatch& batch);
  void miss(std::int64_t batches);
  void notice(const EngineError& what);
  void restart();
  void hand();
  EngineError noBatch(const char* what) const;

  const KvFeedPlace m_place;
  KvListener& m_listener;
  std::atomic<bool> m_stops = false;
  Context m_context;

  // The thread's.
  Socket m_live, m_monitor;
  std::optional<Replay> m_replay;       // under way; what comes live waits in ZeroMQ meanwhile
  std::optional<NumberedBatch> m_held;  // it came behind a gap that the replay is to fill
  std::optional<bool> m_isConnected;
  std::optional<Clock::time_point> m_retryDeadline;  // a connection was lost, and none is tried yet
  bool m_isSaidToBeNone = false;                     // no publisher
  bool m_wantsReplay = false, m_replayIsSilent = false, m_replayHasWorked = false;
  std::int64_t m_next = 0;       // number of the next batch to take
  std::size_t m_lastMark = 0;    // of the batch before it
  std::int64_t m_lastLive = -1;  // number of the last batch that came live
  // The marks of replayed batches, by number. They may still come live.
  std::map<std::int64_t, std::size_t> m_replayed;
  std::vector<KvEventBatch> m_batches;  // not handed on yet

  std::thread m_thread;  // the last to be made
};

void KvFeed::Connection::work() {
  std::optional<EngineError> why;
  try {
    open();
    while (!m_stops) turn();
  } catch (const Stopped&) {
  } catch (const EngineError& error) {
    why = error;
  } catch (const std::exception& error) {  // out of memory
    why = EngineError(ErrorCode::kUnavailable, std::string("KV events cannot be received: ") + error.what());
  }
  m_replay.reset();
  m_monitor.reset();
  m_live.reset();
  if (!why || m_stops) return;
  hand();
  m_listener.ended(*why);
}

void KvFeed::Connection::open() {
  m_live = madeSocket(m_context, ZMQ_SUB);
  checked(zmq_setsockopt(m_live.get(), ZMQ_SUBSCRIBE, m_place.topic.data(), m_place.topic.size()));
  checked(zmq_socket_monitor(m_live.get(), kMonitorAddress,
                             ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                                 ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                                 ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CONNECT_RETRIED));
  m_monitor = madeSocket(m_context, ZMQ_PAIR);
  checked(zmq_connect(m_monitor.get(), kMonitorAddress));
  connectTo(m_live, m_place.endpoint);
}

void KvFeed::Connection::turn() {
  wait();
  readMonitor();
  if (m_replay) {
    readReplay();
  } else if (readLive() && m_wantsReplay && !m_replay) {
    // Only behind what has come live: that belongs to the server's life before a connection was lost.
    ask();
  }
  hand();
}

void KvFeed::Connection::wait() {
  zmq_pollitem_t items[] = {{m_monitor.get(), 0, ZMQ_POLLIN, 0},
                            {m_replay ? m_replay->socket.get() : m_live.get(), 0, ZMQ_POLLIN, 0}};
  std::optional<Clock::time_point> until = m_retryDeadline;
  if (m_replay) until = std::min(until.value_or(m_replay->deadline), m_replay->deadline);
  long ms = -1;
  if (until) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now());
    ms = static_cast<long>(std::max<std::int64_t>(left.count(), 0));
  }
  if (m_wantsReplay && !m_replay) ms = 0;
  if (zmq_poll(items, 2, ms) == -1 && zmq_errno() != EINTR) checked(-1);
}

// An event of a monitor: its kind (16 bits) and a value (32 bits), in the machine's order, then an address.
void KvFeed::Connection::readMonitor() {
  while (const auto parts = receivedParts(m_monitor)) {
    std::uint16_t event = 0;
    if (parts->front().size() < sizeof event) continue;
    std::memcpy(&event, parts->front().data(), sizeof event);
    takeMonitored(event);
  }
  if (m_retryDeadline && Clock::now() >= *m_retryDeadline)
    throw noBatch("it sends too much at once, or what is no message of ZeroMQ");
}

void KvFeed::Connection::takeMonitored(int event) {
  const EngineError noPublisher(ErrorCode::kUnsupported, m_place.endpoint + " is no publisher of KV events",
                                "Name the address of the server's --kv-events-config, not that of its API.");
  switch (event) {
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
      setConnected(true);
      m_wantsReplay = !m_place.replayEndpoint.empty();
      m_replayIsSilent = m_isSaidToBeNone = false;
      return;
    case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL:  // a server of another kind, or it went in the middle
      if (!std::exchange(m_isSaidToBeNone, true)) notice(noPublisher);
      return;
    case ZMQ_EVENT_DISCONNECTED:
      m_retryDeadline = Clock::now() + kRetryTime;
      return setConnected(false);
    case ZMQ_EVENT_CONNECT_RETRIED:
      m_retryDeadline.reset();
      return setConnected(false);
    default:
      throw noPublisher;
  }
}

void KvFeed::Connection::setConnected(bool isConnected) {
  if (std::exchange(m_isConnected, isConnected) == isConnected || m_stops) return;
  hand();
  m_listener.connected(isConnected);
}

// Whether all that has come is taken.
bool KvFeed::Connection::readLive() {
  for (std::size_t i = 0; i < kGathered && !m_replay; ++i) {
    auto parts = receivedParts(m_live);
    if (!parts) return true;
    const auto number = parts->size() == 3 ? numberIn((*parts)[1]) : std::nullopt;
    if (!number || *number < 0) throw noBatch("what it sends has no number");
    takeLive({*number, std::move((*parts)[2])}, true);
  }
  return false;
}

void KvFeed::Connection::takeLive(NumberedBatch batch, bool mayAsk) {
  if (isOfNewLife(batch)) restart();
  if (batch.number > m_next && mayAsk && !m_place.replayEndpoint.empty() && !m_replayIsSilent) {
    m_held = std::move(batch);
    return ask();
  }
  m_lastLive = batch.number;
  m_replayed.erase(m_replayed.begin(), m_replayed.upper_bound(batch.number));
  if (batch.number < m_next) return;  // the replay brought it, or it is said to be missed
  if (batch.number > m_next) miss(batch.number - m_next);
  take(batch);
}

// What comes live counts upwards, until the server begins anew.
bool KvFeed::Connection::isOfNewLife(const NumberedBatch& batch) const {
  if (batch.number <= m_lastLive) return true;
  const auto replayed = m_replayed.find(batch.number);
  return replayed != m_replayed.end() && replayed->second != batch.mark();
}

// Asks for the last known batch, too: only the same server still has it.
void KvFeed::Connection::ask() {
  m_wantsReplay = false;
  m_replay.reset();
  Socket socket = madeSocket(m_context, ZMQ_DEALER);
  connectTo(socket, m_place.replayEndpoint);
  const std::string from = bytesOf(std::max<std::int64_t>(m_next - 1, 0));
  checked(
      zmq_send(socket.get(), "", 0, ZMQ_SNDMORE));  // the parts of a REQ socket, which would hear one answer
  checked(zmq_send(socket.get(), from.data(), from.size(), 0));
  m_replay = Replay{std::move(socket), Clock::now() + m_place.patience};
}

void KvFeed::Connection::readReplay() {
  for (std::size_t i = 0; i < kGathered && m_replay; ++i) {
    auto parts = receivedParts(m_replay->socket);
    if (!parts) {
      if (Clock::now() >= m_replay->deadline) abandonReplay();
      return;
    }
    const auto number = parts->size() == 3 && parts->front().empty() ? numberIn((*parts)[1]) : std::nullopt;
    if (!number || *number < -1) throw noBatch("what it sends again has no number");
    if (*number == -1) return finishReplay();
    m_replay->deadline = Clock::now() + m_place.patience;
    takeReplayed({*number, std::move((*parts)[2])});
  }
}

void KvFeed::Connection::takeReplayed(const NumberedBatch& batch) {
  const bool isFirst = !std::exchange(m_replay->hasBegun, true);
  m_replayHasWorked = true;
  if (isFirst && batch.number == m_next - 1) {
    if (batch.mark() == m_lastMark) return;
    restart();
    return ask();
  }
  if (batch.number < m_next) throw noBatch("what it sends again has no order");
  if (batch.number > m_next) {
    // The server's socket drops what finds no room. Asked once more, it goes on from there.
    if (m_replay->hasProgress) return ask();
    miss(batch.number - m_next);
  }
  m_replay->hasProgress = true;
  m_replayed.insert_or_assign(batch.number, batch.mark());
  take(batch);
}

void KvFeed::Connection::finishReplay() {
  const bool hasBegun = m_replay->hasBegun;
  m_replay.reset();
  if (!hasBegun && !m_held && m_next > 0 && m_replayHasWorked) return restart();  // it lost what we know
  goOnWithHeld();
}

// Nothing more comes, and the end has not come.
void KvFeed::Connection::abandonReplay() {
  if (m_replay->hasProgress) return ask();
  m_replay.reset();
  m_replayIsSilent = true;
  notice(
      {ErrorCode::kUnavailable, m_place.replayEndpoint + " does not send past KV events again",
       "Check the replay_endpoint of the server's --kv-events-config. Without it, gaps cannot be filled."});
  goOnWithHeld();
}

void KvFeed::Connection::goOnWithHeld() {
  if (!m_held) return;
  NumberedBatch batch = std::move(*m_held);
  m_held.reset();
  takeLive(std::move(batch), false);
}

void KvFeed::Connection::take(const NumberedBatch& batch) {
  m_batches.push_back(readKvEvents(batch.payload));
  m_next = batch.number + 1;
  m_lastMark = batch.mark();
  if (m_batches.size() >= kGathered) hand();
}

void KvFeed::Connection::miss(std::int64_t batches) {
  hand();
  if (!m_stops) m_listener.missed(batches);
}

void KvFeed::Connection::notice(const EngineError& what) {
  hand();
  if (!m_stops) m_listener.noticed(what);
}

void KvFeed::Connection::restart() {
  hand();
  m_next = 0;
  m_lastLive = -1;
  m_replayed.clear();
  m_wantsReplay = !m_place.replayEndpoint.empty();
  if (!m_stops) m_listener.restarted();
}

void KvFeed::Connection::hand() {
  if (!m_batches.empty() && !m_stops) m_listener.came(std::exchange(m_batches, {}));
}

EngineError KvFeed::Connection::noBatch(const char* what) const {
  return {ErrorCode::kFileCorrupt, m_place.endpoint + " publishes no KV events: " + what,
          "Name the address of the server's --kv-events-config."};
}

KvFeed::KvFeed(KvFeedPlace place, KvListener& listener) {
  checkKvEndpoint(place.endpoint);
  if (!place.replayEndpoint.empty()) checkKvEndpoint(place.replayEndpoint);
  m_connection = std::make_unique<Connection>(std::move(place), listener);
}

KvFeed::~KvFeed() = default;

}  // namespace vitrine::connect
