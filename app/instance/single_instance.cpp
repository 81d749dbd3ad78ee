#include "instance/single_instance.h"

#include <QDeadlineTimer>
#include <QFileInfo>
#include <QLockFile>
#include <QThread>
#include <QTimer>
#include <memory>
#include <utility>

namespace vitrine {

namespace {

std::string_view viewOf(const QByteArray& bytes) {
  return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

// QLockFile itself sleeps longer and longer between its tries, and a start is to be seen at once.
bool lockWithin(QLockFile& lock, int milliseconds) {
  const QDeadlineTimer end(milliseconds);
  while (!lock.tryLock(0)) {
    if (end.hasExpired() || lock.error() != QLockFile::LockFailedError) return false;
    QThread::msleep(10);
  }
  return true;
}

}  // namespace

SingleInstance::SingleInstance(QString socket, InstancePatience patience, QObject* parent)
    : QObject(parent), m_socket(std::move(socket)), m_patience(patience) {
  m_server.setSocketOptions(QLocalServer::UserAccessOption);
  m_server.setMaxPendingConnections(kMostPeers);
}

bool SingleInstance::begin(const std::optional<StartRequest>& request) {
  if (m_socket.isEmpty() || !QFileInfo(QFileInfo(m_socket).path()).isWritable()) return false;
  QLocalSocket running;
  const auto meet = [&] {
    QLockFile turn(m_socket + QStringLiteral(".lock"));
    if (!lockWithin(turn, m_patience.connectMs)) return false;
    const Found found = find(running);
    if (found == Found::kNone) listen();
    return found == Found::kProgram;
  };
  if (!meet() || !request) return false;
  const std::optional<std::string> message = toStartMessage(*request);
  if (message && ask(running, *message)) return true;
  // The program may have ended meanwhile.
  running.abort();
  meet();
  return false;
}

SingleInstance::Found SingleInstance::find(QLocalSocket& socket) {
  socket.connectToServer(m_socket);
  if (socket.waitForConnected(m_patience.connectMs)) return Found::kProgram;
  const QLocalSocket::LocalSocketError error = socket.error();
  socket.abort();
  const bool none =
      error == QLocalSocket::ServerNotFoundError || error == QLocalSocket::ConnectionRefusedError;
  return none ? Found::kNone : Found::kTrouble;
}

// Within the time limit, whatever comes.
bool SingleInstance::ask(QLocalSocket& socket, const std::string& message) const {
  const QDeadlineTimer end(m_patience.answerMs);
  const auto left = [&] { return static_cast<int>(end.remainingTime()); };
  socket.setReadBufferSize(kMostStartBytes);
  socket.write(message.data(), static_cast<qint64>(message.size()));
  QByteArray heard;
  for (;;) {
    heard += socket.readAll();
    bool taken = false;
    const StartReading reading = readStartAnswer(viewOf(heard), taken);
    if (reading != StartReading::kMore) return reading == StartReading::kWhole && taken;
    if (end.hasExpired() || !socket.waitForReadyRead(left())) return false;
  }
}

void SingleInstance::listen() {
  QLocalServer::removeServer(m_socket);
  m_server.listen(m_socket);
}

void SingleInstance::serve(Taker taker) {
  m_taker = std::move(taker);
  connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::welcomePeers);
  welcomePeers();
}

void SingleInstance::close() {
  m_taker = {};
  m_server.close();
}

void SingleInstance::welcomePeers() {
  while (QLocalSocket* const peer = m_server.nextPendingConnection()) {
    m_peers.removeIf([](const QPointer<QLocalSocket>& one) { return one.isNull(); });
    if (m_peers.size() >= kMostPeers) {
      peer->abort();
      peer->deleteLater();
      continue;
    }
    m_peers << peer;
    connect(peer, &QLocalSocket::disconnected, peer, &QObject::deleteLater);
    QTimer::singleShot(m_patience.peerMs, peer, [peer] {
      peer->abort();
      peer->deleteLater();
    });
    peer->setReadBufferSize(kMostStartBytes);
    const auto heard = std::make_shared<QByteArray>();
    connect(peer, &QLocalSocket::readyRead, this, [this, peer, heard] { hear(*peer, *heard); });
    hear(*peer, *heard);
  }
}

// After the answer nothing more of a peer is read.
void SingleInstance::hear(QLocalSocket& peer, QByteArray& heard) {
  heard += peer.read(static_cast<qint64>(kMostStartBytes) + 1 - heard.size());
  StartRequest request;
  const StartReading reading = readStartMessage(viewOf(heard), request);
  if (reading == StartReading::kMore) return;
  disconnect(&peer, &QLocalSocket::readyRead, this, nullptr);
  const bool takes = reading == StartReading::kWhole && m_taker.takes && m_taker.takes(request);
  if (!answer(peer, takes) || !takes) return;
  QTimer::singleShot(0, this, [this, request = std::move(request)] {
    if (m_taker.open) m_taker.open(request);
  });
}

// False where the peer did not wait for it.
bool SingleInstance::answer(QLocalSocket& peer, bool taken) const {
  const std::string words = startAnswer(taken);
  peer.write(words.data(), static_cast<qint64>(words.size()));
  const bool sent = peer.flush() && peer.bytesToWrite() == 0;
  peer.disconnectFromServer();
  return sent;
}

}  // namespace vitrine

#include "moc_single_instance.cpp"
