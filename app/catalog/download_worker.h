// DownloadWorker: the work of a ModelDownload, in the thread of its own. Network, disk and checksums meet
// here. Read next: model_download.h, the other side; file_download.h.
#pragma once

#include <QElapsedTimer>
#include <QLockFile>
#include <QNetworkAccessManager>
#include <QObject>
#include <QSet>
#include <QtGlobal>
#include <deque>
#include <memory>
#include <utility>

#include "catalog/download_order.h"
#include "catalog/download_state.h"
#include "catalog/file_download.h"
#include "catalog/hub_lister.h"

namespace vitrine {

// Bytes a second over the last few seconds.
class TransferRate {
 public:
  void clear() { m_samples.clear(); }

  // `bytes` received in all at `ms` of any steady clock.
  void add(qint64 ms, qint64 bytes) {
    // Files that begin anew come with fewer bytes.
    if (!m_samples.empty() && bytes < m_samples.back().second) clear();
    m_samples.emplace_back(ms, bytes);
    while (m_samples.size() > 2 && ms - m_samples.front().first > kWindowMs) m_samples.pop_front();
  }
  double perSecond() const {  // 0: not known yet
    if (m_samples.size() < 2) return 0;
    const auto [firstMs, first] = m_samples.front();
    const auto [lastMs, last] = m_samples.back();
    return lastMs > firstMs ? double(last - first) * 1000 / double(lastMs - firstMs) : 0;
  }

 private:
  static constexpr qint64 kWindowMs = 5000;
  std::deque<std::pair<qint64, qint64>> m_samples;
};

class DownloadWorker : public QObject {
  Q_OBJECT

 public:
  explicit DownloadWorker(const DownloadSettings& settings) : m_settings(settings) {}

  // As in ModelDownload. A call that does not fit the state does nothing.
  void list(const HubAddress& address);
  void start(const DownloadOrder& order);
  void pause();
  void resume();
  void cancel(bool removeWhatCame);

 signals:
  void stateChanged(vitrine::DownloadState state);
  void waiting(int milliseconds, const QString& why);
  void listed(const vitrine::HubListing& listing);
  void progressed(const vitrine::DownloadProgress& progress);
  void finished(const QString& model);
  void failed(const vitrine::DownloadProblem& problem);

 private:
  QNetworkAccessManager& network();
  void begin();
  bool lock();
  void next();
  void follow(FileDownload& file);
  void onMoved(qint64 bytes);
  void report(bool always);
  void setState(DownloadState state);
  void fail(const DownloadProblem& problem);
  void halt();

  const DownloadSettings m_settings;
  std::unique_ptr<QNetworkAccessManager> m_network;  // made in the worker's thread
  std::unique_ptr<HubLister> m_lister;
  std::unique_ptr<FileDownload> m_file;
  std::unique_ptr<QLockFile> m_lock;
  DownloadOrder m_order;
  DownloadState m_state = DownloadState::kIdle;
  int m_index = 0;      // of the present file
  QSet<int> m_ready;    // files that are there, complete
  QSet<int> m_written;  // those of them that this order has brought
  qint64 m_fileDone = 0;
  QElapsedTimer m_clock;
  qint64 m_reportedMs = 0;
  TransferRate m_rate;
};

}  // namespace vitrine
