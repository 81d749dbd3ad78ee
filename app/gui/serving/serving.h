// Serving: the window's server: turned on, it takes requests from the network for the machine of the window.
//
// It listens until it is turned off, whatever model is open. Its token is in memory alone. Thread: the
// window's; no method waits for a step or a client. Read next: served_machine.h, app/server/api_server.h,
// serve_dialog.h.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

#include "gui/machine/engine_host.h"

namespace vitrine {

class Serving : public QObject {
  Q_OBJECT

 public:
  struct Place {
    QString address;          // "127.0.0.1", "::1", "0.0.0.0"; also "localhost"
    int port = 0;             // 0: one that is free
    QString token = {};       // empty: clients need none
    QString watchToken = {};  // of clients that watch and make no requests; empty: there is none
  };
  enum class State : std::uint8_t { kOff, kOn, kEnding };

  explicit Serving(EngineHost& host);  // which must outlive it
  ~Serving() override;                 // closes all connections at once

  // Listens from then on, and lets a machine without work go on (EngineHost::letGoOn()). Returns why it
  // cannot.
  std::optional<Notice> start(const Place& place);
  // Requests under way fail, and their clients have a moment to read it: kEnding, then kOff.
  void stop();
  // A load has ended. `runs`: its machine goes on as the one before did; a scenario, which a person steps
  // through, does not.
  void onLoaded(bool runs);

  State state() const { return m_state; }
  QString url() const;      // of the API: "http://127.0.0.1:8000/v1"; empty while it is off
  QString pageUrl() const;  // "http://127.0.0.1:8000/"
  QString place() const;    // "127.0.0.1:8000"
  int connections() const;
  int underWay() const;   // requests that wait or run
  QString model() const;  // as clients name it; empty: none is open
  bool isHeld() const;    // a person or a breakpoint has paused the machine, so requests wait

  static QStringList ownAddresses();  // of this computer, without loopback; IPv4
  static QString newToken();

 signals:
  void changed();  // the state; while it is not off also a few times a second, for the numbers

 private:
  struct Server;

  void follow();

  EngineHost& m_host;
  std::unique_ptr<Server> m_server;
  State m_state = State::kOff;
  bool m_runsNext = false;  // it was turned on while there was no machine
  QTimer m_watch;
  QElapsedTimer m_ending;
};

}  // namespace vitrine
