// The files of a model on the hub, as its API lists them:
//
//   GET /api/models/OWNER/NAME/tree/REVISION?recursive=true
//   [{"type": "file", "path", "size", "oid", "lfs": {"oid", "size"}}, {"type": "directory", ...}]
//
// `oid` is git's SHA-1 of the content with a header, that of `lfs` its SHA-256. What the hub says is not
// trusted: every name becomes a path below the model's folder or the listing is refused.
// Thread: any. Read next: hub_choice.h.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QtGlobal>

namespace vitrine {

struct HubFile {
  QString path;  // within the repository: "BF16/model-00001-of-00002.gguf"
  qint64 bytes = 0;
  QByteArray sha256 = {};   // of a large file, in hexadecimal
  QByteArray gitSha1 = {};  // of a small one
  bool operator==(const HubFile&) const = default;
};

struct HubListing {
  QString repository, revision;
  QList<HubFile> files = {};  // sorted by path
};

struct HubPage {
  QList<HubFile> files;
  QString problem = {};  // why there are none, in a sentence
};

// One page of the API's answer.
HubPage readHubPage(const QByteArray& json);

// Whether the path stays below the folder that it is put to on any file system: relative, no "..", no empty
// name, no control characters, and not the name of a part of a download (part_file.h).
bool isSafeHubPath(const QString& path);

}  // namespace vitrine
