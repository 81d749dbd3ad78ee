// EventStream: the events of an engine that another program serves (GET /v1/events, app/server/README.md).
//
// It connects, and hands on what comes, checked: a listener gets an EngineLoaded and a Snapshot, then each
// event behind it, as a recording takes them. Where the server has left events out for a reader that was too
// slow, the run begins anew with its EngineLoaded and the next Snapshot. A server may be anything: what is no
// event, contradicts the state before it or is too long ends the stream with an error that says so. Thread:
// one of its own, on which the listener hears. Read next: event_stream.cpp, app/gui/runs/remote_run.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vitrine/error.h"
#include "vitrine/event.h"

namespace vitrine::watch {

struct ServerPlace {
  std::string host;  // a name or an address, "::1" without brackets
  int port = 8000;
  std::string token;  // empty: none
};

// "10.0.0.5:8000", "[::1]:8000": without the token.
std::string serverText(const ServerPlace& place);

// Thread: the stream's. Neither may throw. came() may wait: the server leaves details out meanwhile.
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void came(std::vector<Event> events) = 0;
  // Nothing comes any more. kUnavailable: no server, or it went; kInvalidArgument: it wants another token;
  // kUnsupported: it is none of ours, or of another version; kFileCorrupt: it contradicts itself.
  virtual void ended(const EngineError& why) = 0;
};

class EventStream {
 public:
  // The listener must outlive this.
  EventStream(ServerPlace place, StreamListener& listener);
  ~EventStream();  // hangs up, and the listener hears nothing more; it must not be waiting in came()
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

 private:
  class Connection;
  std::unique_ptr<Connection> m_connection;
};

}  // namespace vitrine::watch
