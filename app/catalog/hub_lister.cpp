#include "catalog/hub_lister.h"

#include <QStringList>
#include <algorithm>

namespace vitrine {
namespace {

QByteArray encoded(const QString& path) {
  QByteArray steps;
  for (const QString& step : path.split('/'))
    steps += (steps.isEmpty() ? "" : "/") + QUrl::toPercentEncoding(step);
  return steps;
}

}  // namespace

QUrl hubListUrl(const QUrl& hub, const HubAddress& address) {
  return QUrl::fromEncoded(hub.toEncoded() + "/api/models/" + encoded(address.repository) + "/tree/" +
                           QUrl::toPercentEncoding(address.revision) + "?recursive=true");
}

QUrl hubFileUrl(const QUrl& hub, const HubListing& listing, const QString& path) {
  return QUrl::fromEncoded(hub.toEncoded() + '/' + encoded(listing.repository) + "/resolve/" +
                           QUrl::toPercentEncoding(listing.revision) + '/' + encoded(path));
}

HubLister::HubLister(QNetworkAccessManager& network, const DownloadSettings& settings, QObject* parent)
    : QObject(parent), m_settings(settings), m_fetch(network, settings, this), m_retries(settings) {
  m_wait.setSingleShot(true);
  connect(&m_wait, &QTimer::timeout, this, [this] { m_fetch.get(m_page); });
  connect(&m_fetch, &HubFetch::begun, this, [this] { m_content.clear(); });
  connect(&m_fetch, &HubFetch::arrived, this, &HubLister::onArrived);
  connect(&m_fetch, &HubFetch::ended, this, &HubLister::onEnded);
}

void HubLister::start(const HubAddress& address) {
  m_listing = {address.repository, address.revision};
  m_page = hubListUrl(m_settings.hub, address);
  m_fetch.get(m_page);
}

void HubLister::onArrived() {
  m_content += m_fetch.read();
  if (m_content.size() > m_settings.pageBytes) refuse(tr("The hub's list of files has no end."));
}

void HubLister::onEnded(const FetchEnd& end) {
  if (end.kind == FetchEnd::Kind::kDone) return takePage();
  const auto wait = m_retries.waitAfter(end);
  if (!wait) return fail(problemOf(end, thing(), m_settings));
  emit waiting(*wait, passingWords(end));
  m_wait.start(*wait);
}

void HubLister::takePage() {
  const HubPage page = readHubPage(m_content);
  if (!page.problem.isEmpty()) return refuse(page.problem);
  m_retries.hasProgressed();
  m_listing.files += page.files;
  const QUrl next = m_fetch.head().next;
  constexpr int kMostPages = 100;
  if (m_listing.files.size() > m_settings.listedFiles || ++m_pages > kMostPages)
    return refuse(tr("The hub lists more than %1 files.").arg(m_settings.listedFiles));
  if (!next.isEmpty()) {
    if (!isHub(next, m_settings)) return refuse(tr("The hub's list of files goes on at another host."));
    m_page = next;
    return m_fetch.get(m_page);
  }
  std::ranges::sort(m_listing.files, {}, &HubFile::path);
  const auto twice = std::ranges::adjacent_find(m_listing.files, {}, &HubFile::path);
  if (twice != m_listing.files.end()) return refuse(tr("The hub lists %1 twice.").arg(twice->path));
  emit listed(m_listing);
}

QString HubLister::thing() const {
  return tr("the files of %1 (%2)").arg(m_listing.repository, m_listing.revision);
}

void HubLister::stop() {
  m_wait.stop();
  m_fetch.abort();
}

void HubLister::fail(const DownloadProblem& problem) {
  stop();
  emit failed(problem);
}

}  // namespace vitrine

#include "moc_hub_lister.cpp"
