// SingleInstance: one window for all starts of a user. The first start listens at a local socket; a later one
// hands over what it was given and ends.
//
// A start connects first, and only where no program answers it takes away what a dead one left and listens.
// It does so under a lock, so that of two starts at once one listens and the other finds it. Whatever goes
// wrong (a program that hangs, refuses, or speaks another version; no lock, no folder) ends with a window of
// its own within `answerMs`.
//
// A peer is any program of this user. Each may send kMostStartBytes within `peerMs`, and kMostPeers are heard
// at once; the others are sent away. Thread: the one that made it, with an event loop. Read next:
// start_message.h.
#pragma once

#include <QList>
#include <QLocalServer>
#include <QLocalSocket>
#include <QObject>
#include <QPointer>
#include <functional>

#include "instance/start_message.h"

namespace vitrine {

struct InstancePatience {
  int connectMs = 1000;  // also for the lock
  int answerMs = 10000;  // of a window that is still being made, on a busy computer
  int peerMs = 5000;
};

class SingleInstance : public QObject {
  Q_OBJECT

 public:
  static constexpr int kMostPeers = 16;
  // Both are called in the event loop. `takes` returns at once; `open` is called after the answer has gone to
  // a peer that still waited for it, so that no request is carried out twice.
  struct Taker {
    std::function<bool(const StartRequest& request)> takes;
    std::function<void(const StartRequest& request)> open;
  };

  // An empty socket: never listens, never hands over.
  explicit SingleInstance(QString socket, InstancePatience patience = {}, QObject* parent = nullptr);

  // True: the running program has taken the request. False: this one goes on, and listens if no other does.
  // Without a request nothing is handed over.
  bool begin(const std::optional<StartRequest>& request);
  bool isListening() const { return m_server.isListening(); }

  // Starts that come before it wait.
  void serve(Taker taker);
  void close();  // later starts find no program

 private:
  enum class Found { kProgram, kNone, kTrouble };

  Found find(QLocalSocket& socket);
  bool ask(QLocalSocket& socket, const std::string& message) const;
  void listen();
  void welcomePeers();
  void hear(QLocalSocket& peer, QByteArray& heard);
  bool answer(QLocalSocket& peer, bool taken) const;

  const QString m_socket;
  const InstancePatience m_patience;
  QLocalServer m_server;
  Taker m_taker;
  QList<QPointer<QLocalSocket>> m_peers;
};

}  // namespace vitrine
