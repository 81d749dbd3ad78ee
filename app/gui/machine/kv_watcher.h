// KvWatcher: the KV events of a server, brought to the window's thread.
//
// The feed has a thread of its own, which waits when the window is behind. Thread: the window's, but for the
// listener's functions. Read next: connect/kv_feed.h, connected_engine.h.
#pragma once

#include <QObject>
#include <QSemaphore>
#include <atomic>
#include <memory>
#include <vector>

#include "connect/kv_feed.h"
#include "widgets/support/notice.h"

namespace vitrine {

class KvWatcher : public QObject {
  Q_OBJECT

 public:
  explicit KvWatcher(QObject* parent = nullptr);
  ~KvWatcher() override;  // hangs up

  // Once. Throws EngineError(kInvalidArgument) for an address that is none.
  void open(const connect::KvFeedPlace& place);

 signals:
  void came(const std::vector<vitrine::connect::KvEventBatch>& batches);
  void missed(qint64 batches);
  void restarted();
  void noticed(const vitrine::Notice& notice);
  void ended(const vitrine::Notice& why);

 private:
  class Listener;

  std::unique_ptr<Listener> m_listener;
  std::unique_ptr<connect::KvFeed> m_feed;  // the last to be made
};

}  // namespace vitrine
