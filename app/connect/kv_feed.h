// KvFeed: the KV-cache events that a server of vLLM or SGLang publishes over ZeroMQ (--kv-events-config),
// batch for batch.
//
// The server sends each batch as three parts: a topic, the batch's number (eight bytes, big-endian, from 0
// on) and the batch. A publisher drops what a connection cannot take, so the numbers tell of gaps. At a
// second address a server may keep its last batches (10,000 unless told otherwise) and send them again from a
// number on: that fills gaps, and at the beginning tells of the blocks that are stored already. Both are of
// the class ZmqEventPublisher in vLLM's vllm/distributed/kv_events.py. Each parallel copy of a model (data
// parallelism) publishes at a port of its own, one higher than the last, and needs a feed of its own.
//
// ZeroMQ connects again by itself. A server may be anything: what is no batch of events, or has no number,
// ends the feed with an error that says so. Thread: one of its own, on which the listener hears. Errors:
// EngineError, from the constructor for an address, to the listener for all else. Read next: kv_feed.cpp,
// kv_events.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "connect/kv_events.h"
#include "vitrine/error.h"

namespace vitrine::connect {

struct KvFeedPlace {
  std::string endpoint;                      // "tcp://host:5557", "tcp://[::1]:5557"
  std::string replayEndpoint;                // empty: gaps cannot be filled
  std::string topic;                         // the beginning of the topics to hear; empty: all
  std::chrono::milliseconds patience{5000};  // with a replay of which nothing more comes
};

// Throws EngineError(kInvalidArgument) unless it is tcp://HOST:PORT.
void checkKvEndpoint(std::string_view endpoint);

// Thread: the feed's. None may throw. came() may wait: the batches wait meanwhile, and are asked for once
// more where there are too many.
class KvListener {
 public:
  virtual ~KvListener() = default;
  // The server is there, or it is not, or went. At first neither is known.
  virtual void connected(bool isConnected) = 0;
  // In the order of their numbers, each once.
  virtual void came(std::vector<KvEventBatch> batches) = 0;
  // So many batches, which would stand here, cannot be had any more. What is known of the cache is not whole
  // until the next restarted() or KvCleared. At the beginning: of what happened before.
  virtual void missed(std::int64_t batches) = 0;
  // The server began anew, and its cache was empty: all that is known is void.
  virtual void restarted() = 0;
  // The feed goes on. kUnavailable: the replay does not answer; kUnsupported: a server is there that does not
  // answer as a publisher does.
  virtual void noticed(const EngineError& what) = 0;
  // Nothing comes any more. kFileCorrupt: the server sends what is no such batch; kUnsupported: it does not
  // speak ZeroMQ; kUnavailable: this computer lacks what a connection needs.
  virtual void ended(const EngineError& why) = 0;
};

class KvFeed {
 public:
  // The listener must outlive this. Throws EngineError(kInvalidArgument) as checkKvEndpoint() does.
  KvFeed(KvFeedPlace place, KvListener& listener);
  // Hangs up, and the listener hears nothing more; it must not be waiting in a call. A look-up of a host's
  // name that is under way is waited for.
  ~KvFeed();
  KvFeed(const KvFeed&) = delete;
  KvFeed& operator=(const KvFeed&) = delete;

 private:
  class Connection;
  std::unique_ptr<Connection> m_connection;
};

}  // namespace vitrine::connect
