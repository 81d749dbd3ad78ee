// The sizes of the tour's windows, and the names of pictures in them. Thread: any.
#pragma once

#include <QSize>
#include <QString>

namespace vitrine {

inline constexpr QSize kTourSizes[] = {{1024, 700}, {1366, 768}, {1920, 1080}};

inline QString nameOf(const QString& view, QSize window) {
  return QStringLiteral("%1-%2x%3").arg(view).arg(window.width()).arg(window.height());
}

}  // namespace vitrine
