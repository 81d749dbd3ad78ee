#include "gui/machine/kv_watcher.h"

#include <utility>

namespace vitrine {

namespace {

constexpr int kKvAhead = 8;  // portions that the feed may be ahead

}  // namespace

class KvWatcher::Listener final : public connect::KvListener {
 public:
  explicit Listener(KvWatcher& watcher) : m_watcher(watcher), m_room(kKvAhead) {}

  void hangUp() {
    m_isHangingUp = true;
    m_room.release(kKvAhead);
  }

  void connected(bool) override {}  // events, or a notice, say it
  void came(std::vector<connect::KvEventBatch> batches) override {
    m_room.acquire();
    if (m_isHangingUp) return;
    post([this, batches = std::move(batches)] {
      m_room.release();
      emit m_watcher.came(batches);
    });
  }
  void missed(std::int64_t batches) override {
    post([this, batches] { emit m_watcher.missed(batches); });
  }
  void restarted() override {
    post([this] { emit m_watcher.restarted(); });
  }
  void noticed(const EngineError& what) override {
    post([this, notice = noticeOf(what)] { emit m_watcher.noticed(notice); });
  }
  void ended(const EngineError& why) override {
    post([this, notice = noticeOf(why)] { emit m_watcher.ended(notice); });
  }

 private:
  // Nothing of it is done when the watcher is gone.
  template <typename Work>
  void post(Work work) {
    QMetaObject::invokeMethod(&m_watcher, std::move(work), Qt::QueuedConnection);
  }

  KvWatcher& m_watcher;
  QSemaphore m_room;
  std::atomic<bool> m_isHangingUp = false;
};

KvWatcher::KvWatcher(QObject* parent) : QObject(parent), m_listener(std::make_unique<Listener>(*this)) {}

KvWatcher::~KvWatcher() {
  m_listener->hangUp();
  m_feed.reset();
}

void KvWatcher::open(const connect::KvFeedPlace& place) {
  m_feed = std::make_unique<connect::KvFeed>(place, *m_listener);
}

}  // namespace vitrine

#include "moc_kv_watcher.cpp"
