#include "catalog/hub_listing.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "catalog/catalog_wording.h"
#include "catalog/hub_json.h"

namespace vitrine {
namespace {

// Hexadecimal of that length, or empty.
QByteArray digest(const QJsonValue& value, int length) {
  const QByteArray text = value.toString().toLatin1().toLower();
  const bool isHex =
      std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  return text.size() == length && isHex ? text : QByteArray();
}

}  // namespace

bool isSafeHubPath(const QString& path) {
  if (path.isEmpty() || path.size() > 1024 || path.endsWith(".part") || path.endsWith(".part.json"))
    return false;
  const QStringList parts = path.split('/');
  return parts.size() <= 16 && std::ranges::all_of(parts, [](const QString& part) {
           const bool isPlain =
               std::ranges::all_of(part, [](QChar c) { return c.isPrint() && c != '\\' && c != ':'; });
           return isPlain && !part.isEmpty() && part != "." && part != ".." && part.toUtf8().size() <= 200;
         });
}

HubPage readHubPage(const QByteArray& json) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(json, &error);
  if (!document.isArray())
    return {{},
            CatalogWording::tr("The hub's list of files cannot be read: %1.")
                .arg(error.error == QJsonParseError::NoError ? CatalogWording::tr("it is no list")
                                                             : error.errorString())};
  HubPage page;
  for (const QJsonValue& entry : document.array()) {
    if (entry["type"].toString() != "file") continue;
    const QJsonValue lfs = entry["lfs"];
    HubFile file{entry["path"].toString(), wholeNumber(lfs.isObject() ? lfs["size"] : entry["size"])};
    // Git's SHA-1 of a large file is that of a pointer to it.
    if (lfs.isObject())
      file.sha256 = digest(lfs["oid"], 64);
    else
      file.gitSha1 = digest(entry["oid"], 40);
    if (!isSafeHubPath(file.path))
      return {{},
              CatalogWording::tr("The hub lists a file with a name that is refused: \"%1\".")
                  .arg(file.path.left(100))};
    if (file.bytes < 0 || (lfs.isObject() && file.sha256.isEmpty()))
      return {
          {},
          CatalogWording::tr("The hub lists %1 without a size or checksum that make sense.").arg(file.path)};
    page.files.append(file);
  }
  return page;
}

}  // namespace vitrine
