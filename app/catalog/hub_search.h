// HubSearch: models of the hub by words, by the hub's own search. Nothing is asked before the first search.
//
// Thread: lives in the one that made it, where its signals are emitted; the network works in a thread of its
// own, which the first search begins, so that no call waits. A search takes no longer than
// DownloadSettings::searchMs. The destructor ends it. Read next: hub_offer.h.
#pragma once

#include <QList>
#include <QObject>
#include <QThread>

#include "catalog/download_problem.h"
#include "catalog/download_settings.h"
#include "catalog/hub_offer.h"

namespace vitrine {

class HubSearcher;

class HubSearch : public QObject {
  Q_OBJECT

 public:
  explicit HubSearch(const DownloadSettings& settings, QObject* parent = nullptr);
  ~HubSearch() override;

  // Ends the search of before, of which nothing is signalled any more. found() or failed() follows.
  void search(const QString& words);
  void cancel();
  bool isRunning() const { return m_isRunning; }

 signals:
  void found(const QList<vitrine::HubOffer>& offers);  // the most downloaded first
  void failed(const vitrine::DownloadProblem& problem);

 private:
  bool isAwaited(int number);

  QThread m_thread;
  HubSearcher* m_searcher;  // lives in m_thread, which deletes it
  int m_number = 0;         // of the newest search
  bool m_isRunning = false;
};

}  // namespace vitrine
