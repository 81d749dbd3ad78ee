#include "catalog/hub_server.h"

#include <QCryptographicHash>
#include <QHostAddress>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <random>

namespace vitrine::test {

QByteArray sha256Of(const QByteArray& content) {
  return QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
}

QByteArray gitSha1Of(const QByteArray& content) {
  const QByteArray head = "blob " + QByteArray::number(content.size()) + '\0';
  return QCryptographicHash::hash(head + content, QCryptographicHash::Sha1).toHex();
}

QByteArray noise(qint64 bytes, quint32 seed) {
  std::mt19937 random(seed);
  QByteArray content(bytes, Qt::Uninitialized);
  for (char& byte : content) byte = char(random());
  return content;
}

HubServer::HubServer() {
  connect(&m_server, &QTcpServer::newConnection, this, &HubServer::onConnection);
  if (!m_server.listen(QHostAddress::LocalHost))
    qFatal("no port for a server: %s", qPrintable(m_server.errorString()));
}

void HubServer::onConnection() {
  while (QTcpSocket* const socket = m_server.nextPendingConnection()) {
    m_sockets.insert(socket, {});
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { onReadyRead(socket); });
    connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
      m_sockets.remove(socket);
      socket->deleteLater();
    });
  }
}

void HubServer::onReadyRead(QTcpSocket* socket) {
  QByteArray& text = m_sockets[socket];
  text += socket->readAll();
  const qsizetype end = text.indexOf("\r\n\r\n");
  if (end < 0) return;
  const QList<QByteArray> lines = text.left(end).split('\n');
  text = text.mid(end + 4);
  SeenRequest request{lines[0].split(' ').value(1), {}};
  for (const QByteArray& line : lines.mid(1)) {
    const qsizetype colon = line.indexOf(':');
    request.headers.insert(line.left(colon).toLower(), line.mid(colon + 1).trimmed());
  }
  seen.append(request);
  answer(socket, request);
}

QList<SeenRequest> HubServer::seenFor(const QByteArray& part) const {
  QList<SeenRequest> found;
  for (const SeenRequest& request : seen)
    if (request.path.contains(part)) found.append(request);
  return found;
}

QByteArray HubServer::list() const {
  QJsonArray entries{QJsonObject{{"type", "directory"}, {"path", "folder"}, {"size", 0}, {"oid", "0"}}};
  for (auto at = files.begin(); at != files.end(); ++at) {
    QJsonObject entry{{"type", "file"},
                      {"path", at.key()},
                      {"size", double(at->content.size())},
                      {"oid", QString::fromLatin1(gitSha1Of(at->content))}};
    const QByteArray sha256 = at->listedSha256.isEmpty() ? sha256Of(at->content) : at->listedSha256;
    if (at->isLarge)
      entry["lfs"] = QJsonObject{{"oid", QString::fromLatin1(sha256)}, {"size", double(at->content.size())}};
    entries.append(entry);
  }
  return QJsonDocument(entries).toJson();
}

void HubServer::answer(QTcpSocket* socket, const SeenRequest& request) {
  if (isSilent) return;
  const int status = !statuses.isEmpty() ? statuses.takeFirst() : statusAlways;
  if (status != 0) return send(socket, status, extraHead, "no");
  QByteArray path = request.path;
  // A proxy is asked for a whole address.
  if (path.startsWith("http://")) path = '/' + path.mid(7).split('/').mid(1).join('/');
  if (path.startsWith("/api/models/" + repository.toUtf8() + "/tree/")) {
    QList<QByteArray> head{"Content-Type: application/json"};
    if (!link.isEmpty()) head.append("Link: " + std::exchange(link, {}));
    return send(socket, 200, head, listing.isEmpty() ? list() : listing);
  }
  if (const QByteArray search = "/api/models?search="; path.startsWith(search))
    return send(socket, 200, {"Content-Type: application/json"},
                searches.value(QByteArray::fromPercentEncoding(path.mid(search.size()).split('&')[0]), "[]"));
  const QByteArray resolve = '/' + repository.toUtf8() + "/resolve/main/", cdn = "/content/";
  const QByteArray prefix = path.startsWith(cdn) ? cdn : resolve;
  const QString name = QString::fromUtf8(QByteArray::fromPercentEncoding(path.mid(prefix.size())));
  if (!path.startsWith(prefix) || !files.contains(name)) return send(socket, 404, {}, "no such file");
  const RemoteFile& file = files[name];
  if (!redirectTo.isEmpty()) return send(socket, 302, {"Location: " + redirectTo}, "elsewhere");
  if (prefix == resolve && !contentHost.isEmpty() && file.isLarge)
    return send(socket, 302,
                {"Location: " + contentHost.toEncoded() + cdn + QUrl::toPercentEncoding(name, "/"),
                 "X-Linked-ETag: \"" + sha256Of(file.content) + '"'},
                "elsewhere");
  answerFile(socket, request, file);
}

void HubServer::answerFile(QTcpSocket* socket, const SeenRequest& request, const RemoteFile& file) {
  const QByteArray range = request.headers.value("range");
  qint64 first = range.isEmpty() || ignoresRange ? 0 : range.mid(6).split('-').value(0).toLongLong();
  if (first > 0 && refusesRange) return send(socket, 416, {}, {});
  if (first > 0 && shiftsRange) ++first;
  QByteArray content = file.content.mid(first);
  if (addsBytes) content += "more";
  const QByteArray etag = file.etag.isEmpty() ? sha256Of(file.content) : file.etag;
  QList<QByteArray> head{"ETag: \"" + etag + '"'};
  if (!addsBytes) head.append("Content-Length: " + QByteArray::number(content.size()));
  if (first > 0)
    head.append("Content-Range: bytes " + QByteArray::number(first) + '-' +
                QByteArray::number(file.content.size() - 1) + '/' + QByteArray::number(file.content.size()));
  const bool holds = holdAfter >= 0 && first <= holdAfter && holdAfter - first < content.size();
  if (holds) content.truncate(holdAfter - first);
  if (!cutAfter.isEmpty()) content.truncate(cutAfter.takeFirst());
  QByteArray text = first > 0 ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n";
  for (const QByteArray& line : head) text += line + "\r\n";
  socket->write(text + "Connection: close\r\n\r\n" + content);
  if (!holds) socket->disconnectFromHost();
}

void HubServer::send(QTcpSocket* socket, int status, const QList<QByteArray>& head,
                     const QByteArray& content) {
  QByteArray text = "HTTP/1.1 " + QByteArray::number(status) + " Something\r\n";
  for (const QByteArray& line : head) text += line + "\r\n";
  text += "Content-Length: " + QByteArray::number(content.size()) + "\r\nConnection: close\r\n\r\n" + content;
  socket->write(text);
  socket->disconnectFromHost();
}

}  // namespace vitrine::test
