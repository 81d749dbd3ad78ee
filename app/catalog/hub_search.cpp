#include "catalog/hub_search.h"

#include <QMetaObject>
#include <utility>

#include "catalog/hub_searcher.h"

namespace vitrine {

HubSearch::HubSearch(const DownloadSettings& settings, QObject* parent)
    : QObject(parent), m_searcher(new HubSearcher(settings)) {
  m_searcher->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_searcher, &QObject::deleteLater);
  connect(m_searcher, &HubSearcher::found, this, [this](int number, const QList<HubOffer>& offers) {
    if (isAwaited(number)) emit found(offers);
  });
  connect(m_searcher, &HubSearcher::failed, this, [this](int number, const DownloadProblem& problem) {
    if (isAwaited(number)) emit failed(problem);
  });
}

HubSearch::~HubSearch() {
  if (!m_thread.isRunning()) delete m_searcher;  // nothing was searched
  m_thread.quit();
  m_thread.wait();
}

bool HubSearch::isAwaited(int number) { return number == m_number && std::exchange(m_isRunning, false); }

void HubSearch::search(const QString& words) {
  m_isRunning = true;
  if (!m_thread.isRunning()) m_thread.start();
  QMetaObject::invokeMethod(
      m_searcher, [searcher = m_searcher, number = ++m_number, words] { searcher->search(number, words); });
}

void HubSearch::cancel() {
  m_isRunning = false;
  QMetaObject::invokeMethod(m_searcher, &HubSearcher::stop);
}

}  // namespace vitrine

#include "moc_hub_search.cpp"
