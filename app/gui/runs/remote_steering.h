// RemoteSteering: steers the engine that a RemoteRun shows, where the server lets it: pause, step, run, and
// requests. What they change comes back as events, to the run.
//
// Whether the machine is paused no event says, so the server is asked for it while the run is connected. An
// order is sent, and its end is not waited for. Thread: the window's. Read next: remote_run.h, and GET
// /v1/machine in app/server/README.md.
#pragma once

#include <QNetworkAccessManager>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>

#include "gui/machine/engine_worker.h"
#include "gui/runs/remote_run.h"

namespace vitrine {

class RemoteSteering : public QObject {
  Q_OBJECT

 public:
  explicit RemoteSteering(RemoteRun& run, QObject* parent = nullptr);  // the run must outlive it

  // kRunning: it goes on, also without work. kEmpty: nothing is connected, or it is watched alone.
  MachineMode mode() const { return m_mode; }
  bool isPossible() const { return m_mode != MachineMode::kEmpty; }

  void step();
  void run();
  void pause();
  // A chat of one message. It is cancelled when the connection of its own is: with this object.
  void submit(const QString& message, int maxTokens);

 signals:
  void modeChanged();
  void noticed(const vitrine::Notice& notice);  // an order or a request was refused

 private:
  void follow();
  void ask();
  void order(const char* word);
  void setMode(MachineMode mode);
  using Then = std::function<void(const QByteArray& body)>;
  QNetworkReply* send(const char* path, const QByteArray& body, Then then);  // an empty body: GET

  RemoteRun& m_run;
  QNetworkAccessManager m_network;
  QPointer<QNetworkReply> m_asked;
  QTimer m_timer;
  MachineMode m_mode = MachineMode::kEmpty;
};

}  // namespace vitrine
