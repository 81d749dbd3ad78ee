#include "catalog/hub_searcher.h"

#include "catalog/hub_network.h"
#include "catalog/retry_plan.h"

namespace vitrine {

void HubSearcher::prepare() {
  if (m_network) return;
  m_network = makeHubNetwork(m_settings);
  m_fetch = std::make_unique<HubFetch>(*m_network, m_settings, nullptr);
  connect(m_fetch.get(), &HubFetch::begun, this, [this] { m_content.clear(); });
  connect(m_fetch.get(), &HubFetch::arrived, this, [this] {
    m_content += m_fetch->read();
    if (m_content.size() > m_settings.pageBytes)
      fail({DownloadFault::kHostile, tr("The hub's answer to the search has no end."),
            tr("Search with other words.")});
  });
  connect(m_fetch.get(), &HubFetch::ended, this, &HubSearcher::onEnded);
  m_limit = std::make_unique<QTimer>();
  m_limit->setSingleShot(true);
  m_limit->setInterval(m_settings.searchMs);
  connect(m_limit.get(), &QTimer::timeout, this, [this] { onEnded({FetchEnd::Kind::kCut}); });
}

void HubSearcher::search(int number, const QString& words) {
  stop();
  m_number = number;
  if (const DownloadProblem problem = problemBeforeAsking(m_settings); problem.fault != DownloadFault::kNone)
    return fail(problem);
  prepare();
  m_content.clear();
  m_limit->start();
  m_fetch->get(hubSearchUrl(m_settings.hub, words));
}

void HubSearcher::stop() {
  if (!m_network) return;
  m_limit->stop();
  m_fetch->abort();
}

// A person waits: nothing is tried again by itself.
void HubSearcher::onEnded(const FetchEnd& end) {
  const QString again = tr("Search again later. A model whose address you know can be listed all the same.");
  const QString host = m_settings.hub.host();
  if (end.kind == FetchEnd::Kind::kCut)
    return fail({DownloadFault::kCut, tr("%1 does not answer the search.").arg(host), again});
  if (end.kind == FetchEnd::Kind::kStatus && end.status != 429)
    return fail({DownloadFault::kServer,
                 tr("%1 answered the search with error %2.").arg(host).arg(end.status), again});
  if (end.kind != FetchEnd::Kind::kDone)
    return fail(problemOf(end, tr("The answer to the search"), m_settings));
  stop();
  const HubSearchAnswer answer = readHubSearch(m_content);
  if (!answer.problem.isEmpty()) return fail({DownloadFault::kHostile, answer.problem, again});
  emit found(m_number, answer.offers);
}

void HubSearcher::fail(const DownloadProblem& problem) {
  stop();
  emit failed(m_number, problem);
}

}  // namespace vitrine

#include "moc_hub_searcher.cpp"
