#include "catalog/hub_address.h"

#include <QRegularExpression>
#include <QStringList>

#include "catalog/catalog_wording.h"
#include "catalog/hub_listing.h"

namespace vitrine {
namespace {

ParsedHubAddress problem(const QString& words) { return {std::nullopt, words}; }

QString usage() { return CatalogWording::tr("Give a model as owner/name, or the address of its page."); }

bool isHost(const QString& host, const QUrl& hub) {
  return host == hub.host() || host == "www." + hub.host() || host == "hf.co" || host == "huggingface.co";
}

// The hub's rule for names.
bool isHubWord(const QString& text) {
  static const QRegularExpression word(QStringLiteral("\\A[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,95})\\z"));
  return word.match(text).hasMatch() && !text.contains("..") && !text.contains("--");
}

// [owner, name, "tree" | "blob" | "resolve", revision, folders and file...]
ParsedHubAddress fromParts(const QStringList& parts) {
  if (parts.size() < 2) return problem(usage());
  for (const QString& part : parts.mid(0, 2))
    if (!isHubWord(part))
      return problem(CatalogWording::tr("\"%1\" cannot be a name on the hub.").arg(part) + ' ' + usage());
  HubAddress address{parts[0] + '/' + parts[1]};
  const QString kind = parts.value(2);
  if (kind != "tree" && kind != "blob" && kind != "resolve") return {address};
  if (parts.size() > 3) address.revision = parts[3];
  if (kind != "tree") address.file = parts.mid(4).join('/');
  if (!address.file.isEmpty() && !isSafeHubPath(address.file))
    return problem(CatalogWording::tr("\"%1\" cannot be a file of a model.").arg(address.file));
  return {address};
}

}  // namespace

bool isRepositoryName(const QString& text) {
  const QStringList parts = text.split('/');
  return parts.size() == 2 && isHubWord(parts[0]) && isHubWord(parts[1]);
}

ParsedHubAddress parseHubAddress(const QString& text, const QUrl& hub) {
  static const QRegularExpression shortForm(
      QStringLiteral("^([^/:\\s]+)/([^/:\\s]+?)(?::([A-Za-z0-9_.-]+))?$"));
  const QString given = text.trimmed();
  if (given.isEmpty() || given.size() > 2000) return problem(usage());
  if (const auto match = shortForm.match(given); match.hasMatch() && !isHost(match.captured(1), hub)) {
    ParsedHubAddress parsed = fromParts({match.captured(1), match.captured(2)});
    if (parsed.address) parsed.address->quantization = match.captured(3).toUpper();
    return parsed;
  }
  const QUrl url(given.contains("://") ? given : "https://" + given, QUrl::StrictMode);
  if (!url.isValid() || url.host().isEmpty()) return problem(usage());
  if (url.scheme() != "https" && url.scheme() != "http") return problem(usage());
  if (!isHost(url.host(), hub))
    return problem(
        CatalogWording::tr("Models come from %1; \"%2\" is another host.").arg(hub.host(), url.host()));
  QStringList parts = url.path(QUrl::FullyEncoded).split('/', Qt::SkipEmptyParts);
  for (QString& part : parts)
    part = QUrl::fromPercentEncoding(part.toLatin1());  // a revision may hold a slash
  if (parts.value(0) == "datasets" || parts.value(0) == "spaces")
    return problem(CatalogWording::tr("This address names no model but one of the hub's %1.").arg(parts[0]));
  return fromParts(parts);
}

}  // namespace vitrine
