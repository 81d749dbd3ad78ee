#include "catalog/retry_plan.h"

#include <algorithm>

#include "catalog/catalog_wording.h"

namespace vitrine {
namespace {

bool passes(const FetchEnd& end, bool hasReached) {
  switch (end.kind) {
    case FetchEnd::Kind::kCut:
      return true;
    case FetchEnd::Kind::kUnreachable:
      return hasReached;
    case FetchEnd::Kind::kStatus:
      return end.status == 408 || end.status == 429 || end.status >= 500;
    default:
      return false;
  }
}

DownloadProblem statusProblem(const FetchEnd& end, const QString& thing, const DownloadSettings& settings) {
  switch (end.status) {
    case 401:
    case 403:
      return {
          DownloadFault::kRefused,
          CatalogWording::tr("The hub does not give %1: there is no such model, or it is private or gated.")
              .arg(thing),
          settings.token.isEmpty()
              ? CatalogWording::tr(
                    "Accept its terms on the hub's page, and set HF_TOKEN to a token of yours.")
              : CatalogWording::tr(
                    "Accept its terms on the hub's page with the account that HF_TOKEN belongs to.")};
    case 404:
      return {DownloadFault::kNotFound, CatalogWording::tr("The hub does not know %1.").arg(thing),
              CatalogWording::tr("Check the spelling on the hub's page.")};
    case 429:
      return {DownloadFault::kBusy,
              CatalogWording::tr("The hub asks for fewer requests and did not give %1.").arg(thing),
              CatalogWording::tr("Try again in some minutes.")};
    default:
      return {DownloadFault::kServer,
              CatalogWording::tr("The server answered %1 when asked for %2.")
                  .arg(QString::number(end.status), thing),
              CatalogWording::tr("Try again later.")};
  }
}

}  // namespace

std::optional<int> RetryPlan::waitAfter(const FetchEnd& end) {
  ++m_failures;
  if (m_failures >= m_settings.attempts || !passes(end, m_hasReached)) return {};
  qint64 wait = m_settings.firstWaitMs;
  for (int i = 1; i < m_failures && wait < m_settings.longestWaitMs; ++i) wait *= 2;
  wait = std::max<qint64>(wait, qint64{end.retryAfterS} * 1000);
  return int(std::clamp<qint64>(wait, 0, m_settings.longestWaitMs));
}

QString passingWords(const FetchEnd& end) {
  if (end.kind != FetchEnd::Kind::kStatus) return end.words + '.';
  return end.status == 429 ? CatalogWording::tr("The hub asks for fewer requests.")
                           : CatalogWording::tr("The server answered %1.").arg(end.status);
}

DownloadProblem problemOf(const FetchEnd& end, const QString& thing, const DownloadSettings& settings) {
  switch (end.kind) {
    case FetchEnd::Kind::kStatus:
      return statusProblem(end, thing, settings);
    case FetchEnd::Kind::kUnreachable:
      return {DownloadFault::kOffline,
              CatalogWording::tr("%1 cannot be reached: %2.").arg(settings.hub.host(), end.words),
              CatalogWording::tr("Check the network connection. Models already on this computer need none.")};
    case FetchEnd::Kind::kForbidden:
      return {DownloadFault::kHostile,
              CatalogWording::tr("%1 was not downloaded: %2.").arg(thing, end.words),
              {}};
    case FetchEnd::Kind::kUntrusted:
      return {DownloadFault::kHostile,
              CatalogWording::tr("%1 was not downloaded: no safe connection. %2.").arg(thing, end.words),
              CatalogWording::tr("Check the date of this computer, and whether a proxy reads along.")};
    default:
      return {DownloadFault::kCut,
              CatalogWording::tr("The connection broke again and again at %1: %2.").arg(thing, end.words),
              CatalogWording::tr("The downloaded part is kept. Try again later.")};
  }
}

}  // namespace vitrine
