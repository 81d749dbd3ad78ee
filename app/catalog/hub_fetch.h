// HubFetch: one GET, redirects followed by this program's own rules.
//
// Qt's own following would take the token along to another host. Thread: that of its network manager.
// Read next: retry_plan.h; file_download.h.
#pragma once

#include <QByteArray>
#include <QNetworkAccessManager>
#include <QObject>
#include <QTimer>
#include <QUrl>

#include "catalog/download_settings.h"

class QNetworkReply;

namespace vitrine {

struct FetchEnd {
  enum class Kind {
    kDone,         // the whole answer came
    kStatus,       // another status than 200 and 206
    kCut,          // the connection broke, or nothing came for too long
    kUnreachable,  // the host, its name or the network
    kForbidden,    // a redirect that is not followed, an address that is not requested
    kUntrusted,    // the server's certificate is not valid
  };
  Kind kind = Kind::kDone;
  int status = 0;
  int retryAfterS = 0;  // what the server asks for; 0: nothing
  QString words = {};   // of Qt or of this class, for a message
};

// Of the answer whose content follows.
struct FetchHead {
  int status = 0;                         // 200 or 206
  qint64 firstByte = 0, totalBytes = -1;  // of the whole file; -1: not said
  QByteArray validator = {};              // changes with the file; empty: none
  QUrl next = {};                         // of a list: the next page
};

class HubFetch : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  HubFetch(QNetworkAccessManager& network, const DownloadSettings& settings, QObject* parent)
      : QObject(parent), m_network(network), m_settings(settings) {}
  ~HubFetch() override { abort(); }

  // Asks for the bytes from `firstByte` on; the answer may have others. Ends a fetch of before.
  void get(const QUrl& url, qint64 firstByte = 0);
  void abort();  // no signal follows

  const FetchHead& head() const { return m_head; }
  QByteArray read();  // all that has come

 signals:
  void begun();    // the head is known
  void arrived();  // there are bytes to read
  void ended(const vitrine::FetchEnd& end);

 private:
  void request(const QUrl& url);
  void onHead();
  void onFinished();
  void follow(const QUrl& target);
  void readHead();
  void end(FetchEnd::Kind kind, const QString& words);

  QNetworkAccessManager& m_network;
  const DownloadSettings& m_settings;
  QNetworkReply* m_reply = nullptr;
  QTimer m_silence;
  qint64 m_firstByte = 0;
  int m_redirects = 0;
  QByteArray m_linkedValidator;  // the hub's, of the file that it redirects to
  FetchHead m_head;
  bool m_hasBegun = false;
};

}  // namespace vitrine
