// readSmallFile(): settings and manifests of other programs. Thread: any.
#pragma once

#include <QByteArray>
#include <QString>

namespace vitrine {

// The whole of a file of at most 4 MiB; empty for a larger one, one that cannot be read, or no file.
QByteArray readSmallFile(const QString& path);

}  // namespace vitrine
