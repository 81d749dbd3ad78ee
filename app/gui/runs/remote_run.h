// RemoteRun: shows the run of an engine that another program serves, as it goes, in every view.
//
// A stream's thread reads and checks what the server sends; the window takes it in portions. A connection
// that is lost is tried again, each time later, until it is closed; the run then begins anew with the machine
// as it is. Thread: the window's. Read next: app/watch/event_stream.h, remote_steering.h.
#pragma once

#include <QObject>
#include <QSemaphore>
#include <QString>
#include <QTimer>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "watch/event_stream.h"
#include "widgets/session/session.h"
#include "widgets/support/notice.h"

namespace vitrine {

// What a person writes or pastes as a server's address: "10.0.0.5:8000", "http://host:8000/#token=..." (the
// link to its page). Nothing when it is none, or of another kind.
std::optional<watch::ServerPlace> serverPlace(const QString& text);

class RemoteRun : public QObject, private watch::StreamListener {
  Q_OBJECT

 public:
  explicit RemoteRun(Session& session, QObject* parent = nullptr);  // the session must outlive it
  ~RemoteRun() override;

  void open(const watch::ServerPlace& place);  // replaces what is open
  void close();                                // what was shown stays
  bool isOpen() const { return m_isOpen; }     // also while a lost connection is tried again
  bool isUnderWay() const { return m_isOpen && !m_hasBegun; }
  // "10.0.0.5:8000"; empty unless it is open.
  QString server() const;
  bool isConnected() const { return m_isConnected; }
  const watch::ServerPlace& place() const { return m_place; }  // of the last open()

 signals:
  void begun();    // a run's first events are there; before the session takes them
  void changed();  // isOpen(), isConnected()
  void failed(const vitrine::Notice& notice);   // before begun(): nothing is shown
  void noticed(const vitrine::Notice& notice);  // it was lost, and is tried again or closed
  void found();                                 // again

 private:
  // On the stream's thread.
  void came(std::vector<Event> events) override;
  void ended(const EngineError& why) override;

  void connectNow();
  void take(std::vector<Event> events);
  void onEnded(const EngineError& why);
  void hangUp();

  Session& m_session;
  watch::ServerPlace m_place;
  std::unique_ptr<watch::EventStream> m_stream;
  QSemaphore m_room;  // portions that the stream may be ahead
  std::atomic<bool> m_isHangingUp = false;
  std::atomic<int> m_ticket = 0;  // of the connection that is wanted
  QTimer m_retry;
  int m_patienceMs = 0;
  bool m_isOpen = false, m_hasBegun = false, m_isConnected = false;
};

}  // namespace vitrine
