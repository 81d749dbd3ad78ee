// HubLister: the list of a model's files, page by page. Thread: that of its network manager.
// Read next: hub_listing.h; hub_fetch.h.
#pragma once

#include <QObject>
#include <QTimer>

#include "catalog/hub_address.h"
#include "catalog/hub_fetch.h"
#include "catalog/hub_listing.h"
#include "catalog/retry_plan.h"

namespace vitrine {

class HubLister : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  HubLister(QNetworkAccessManager& network, const DownloadSettings& settings, QObject* parent);

  void start(const HubAddress& address);  // once
  void stop();                            // no signal follows

 signals:
  void waiting(int milliseconds, const QString& why);
  void listed(const vitrine::HubListing& listing);
  void failed(const vitrine::DownloadProblem& problem);

 private:
  void onArrived();
  void onEnded(const FetchEnd& end);
  void takePage();
  QString thing() const;
  void fail(const DownloadProblem& problem);
  void refuse(const QString& message) { fail({DownloadFault::kHostile, message, {}}); }

  const DownloadSettings& m_settings;
  HubFetch m_fetch;
  RetryPlan m_retries;
  QTimer m_wait;
  QUrl m_page;
  int m_pages = 0;
  QByteArray m_content;  // of this page
  HubListing m_listing;
};

// The addresses of the hub. Names are encoded, so that each stays one step of the path.
QUrl hubListUrl(const QUrl& hub, const HubAddress& address);
QUrl hubFileUrl(const QUrl& hub, const HubListing& listing, const QString& path);

}  // namespace vitrine
