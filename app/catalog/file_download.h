// FileDownload: one file of a model, from where an earlier attempt has stopped, to its name.
//
// Bytes that are there are read for the checksum first, a few megabytes at a turn of the event loop, so that
// stop() is never waited for. Thread: that of its network manager. Read next: part_file.h; hub_fetch.h.
#pragma once

#include <QCryptographicHash>
#include <QObject>
#include <QTimer>
#include <functional>

#include "catalog/hub_fetch.h"
#include "catalog/hub_listing.h"
#include "catalog/part_file.h"
#include "catalog/retry_plan.h"

namespace vitrine {

// The checksum that the hub lists for a file, computed while its bytes pass:
// SHA-256 of a large file; of a small one git's SHA-1, which begins with "blob", its size and a zero byte;
// where neither is listed, the size alone.
class FileDigest {
 public:
  explicit FileDigest(const HubFile& file)
      : m_file(file), m_hash(file.sha256.isEmpty() ? QCryptographicHash::Sha1 : QCryptographicHash::Sha256) {
    reset();
  }

  void reset() {
    m_hash.reset();
    m_bytes = 0;
    if (m_file.sha256.isEmpty()) {
      m_hash.addData("blob " + QByteArray::number(m_file.bytes));
      m_hash.addData(QByteArray(1, '\0'));
    }
  }
  void add(const QByteArray& bytes) {
    m_hash.addData(bytes);
    m_bytes += bytes.size();
  }
  qint64 bytes() const { return m_bytes; }  // added so far
  bool matches() const {
    const QByteArray& listed = m_file.sha256.isEmpty() ? m_file.gitSha1 : m_file.sha256;
    return m_bytes == m_file.bytes && (listed.isEmpty() || m_hash.result().toHex() == listed);
  }

 private:
  const HubFile m_file;
  QCryptographicHash m_hash;
  qint64 m_bytes = 0;
};

class FileDownload : public QObject {
  Q_OBJECT

 public:
  // The manager and the settings must outlive it. `target` is the path of the finished file.
  FileDownload(QNetworkAccessManager& network, const DownloadSettings& settings, const QUrl& url,
               const HubFile& file, const QString& target, QObject* parent);

  void start();  // once
  void stop();   // keeps what has come; no signal follows

 signals:
  void checking();   // reads what is there already
  void receiving();  // the server sends
  void waiting(int milliseconds, const QString& why);
  void moved(qint64 bytes);   // of the file, so far: may become less
  void finished(bool isNew);  // false: it was there before, complete
  void failed(const vitrine::DownloadProblem& problem);

 private:
  // Reads on at the next turn of the event loop; then calls `done`.
  void hashOn(const std::function<QByteArray(qint64 offset)>& read, const std::function<void()>& done);
  void checkTarget();
  void openPart();
  void fetch();
  void onBegun();
  void onArrived();
  void onEnded(const FetchEnd& end);
  void beginAnew(const QByteArray& validator);
  void complete();
  void fail(const DownloadProblem& problem);
  DownloadProblem changed() const;

  const DownloadSettings& m_settings;
  const QUrl m_url;
  const HubFile m_file;
  const QString m_target;
  PartFile m_part;
  FileDigest m_digest;
  HubFetch m_fetch;
  RetryPlan m_retries;
  QTimer m_wait;
  int m_beginnings = 0;  // of the file, from its first byte: a server may have another one each time
  bool m_isOver = false;
};

}  // namespace vitrine
