// The files that a drop on a window brings.
#pragma once

#include <QStringList>

class QMimeData;

namespace vitrine {

// The paths of the files, all of them local. Empty when one is not, and for anything but files.
QStringList droppedFiles(const QMimeData& data);

}  // namespace vitrine
