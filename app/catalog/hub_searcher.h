// HubSearcher: the work of a HubSearch, in the thread of its own. Read next: hub_search.h, the other side;
// hub_fetch.h.
#pragma once

#include <QNetworkAccessManager>
#include <QObject>
#include <QTimer>
#include <memory>

#include "catalog/download_problem.h"
#include "catalog/hub_fetch.h"
#include "catalog/hub_search_answer.h"

namespace vitrine {

class HubSearcher : public QObject {
  Q_OBJECT

 public:
  explicit HubSearcher(const DownloadSettings& settings) : m_settings(settings) {}

  // Each ends the search of before. `number` tells answers apart.
  void search(int number, const QString& words);
  void stop();  // no signal follows

 signals:
  void found(int number, const QList<vitrine::HubOffer>& offers);
  void failed(int number, const vitrine::DownloadProblem& problem);

 private:
  void prepare();
  void onEnded(const FetchEnd& end);
  void fail(const DownloadProblem& problem);

  const DownloadSettings m_settings;
  std::unique_ptr<QNetworkAccessManager> m_network;  // made in the thread of the work, as what follows
  std::unique_ptr<HubFetch> m_fetch;
  std::unique_ptr<QTimer> m_limit;
  QByteArray m_content;
  int m_number = 0;
};

}  // namespace vitrine
