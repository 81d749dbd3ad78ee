// HubServer: a small server in the test's own thread that behaves like the hub, or as badly as it is told to.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QMap>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

namespace vitrine::test {

struct RemoteFile {
  QByteArray content;
  bool isLarge = true;           // kept in LFS: listed with its SHA-256
  QByteArray listedSha256 = {};  // another than the content's: a lie
  QByteArray etag = {};          // empty: the content's SHA-256
};

struct SeenRequest {
  QByteArray path;                        // as it stands in the request, query included
  QHash<QByteArray, QByteArray> headers;  // names in lower case
};

class HubServer : public QObject {
  Q_OBJECT

 public:
  HubServer();
  ~HubServer() override {  // its sockets end behind its list of them
    for (QTcpSocket* const socket : m_sockets.keys()) socket->disconnect(this);
  }

  QUrl url() const { return QUrl("http://127.0.0.1:" + QString::number(m_server.serverPort())); }
  quint16 port() const { return m_server.serverPort(); }
  void close() { m_server.close(); }

  QString repository = "owner/model";
  QMap<QString, RemoteFile> files;  // by path

  // The next answers in turn; used up ones are taken off.
  QList<int> statuses;     // instead of what is asked for; 0: nothing special
  QList<qint64> cutAfter;  // bytes of a file's content, then the connection ends
  // Until changed:
  int statusAlways = 0;
  qint64 holdAfter = -1;  // bytes of a file's content, then nothing more comes
  bool isSilent = false;  // no request is answered
  bool ignoresRange = false;
  bool refusesRange = false;  // answers 416
  bool shiftsRange = false;   // answers with bytes from 1 further on
  bool addsBytes = false;     // sends more than it says in the list
  QUrl contentHost;           // files are redirected there; empty: they come from here
  QByteArray redirectTo;      // files are redirected to this very address
  QByteArray listing;         // instead of the files
  // Of the search: what is found, by words of the address; others find nothing.
  QMap<QByteArray, QByteArray> searches;
  QByteArray link;              // of the listing: another page
  QList<QByteArray> extraHead;  // lines

  QList<SeenRequest> seen;
  QList<SeenRequest> seenFor(const QByteArray& part) const;
  int connectionCount() const { return int(m_sockets.size()); }
  QByteArray list() const;

 private:
  void onConnection();
  void onReadyRead(QTcpSocket* socket);
  void answer(QTcpSocket* socket, const SeenRequest& request);
  void answerFile(QTcpSocket* socket, const SeenRequest& request, const RemoteFile& file);
  void send(QTcpSocket* socket, int status, const QList<QByteArray>& head, const QByteArray& content);

  QTcpServer m_server;
  QHash<QTcpSocket*, QByteArray> m_sockets;  // and what they have sent of a request
};

QByteArray sha256Of(const QByteArray& content);
QByteArray gitSha1Of(const QByteArray& content);
// Bytes that differ from place to place, the same for the same seed.
QByteArray noise(qint64 bytes, quint32 seed = 1);

}  // namespace vitrine::test
