// A painted view as a picture: SVG for a paper, PNG for a slide. Thread: the window's.
#pragma once

#include <QByteArray>
#include <QColor>
#include <QImage>
#include <QSize>
#include <QString>
#include <functional>

class QPainter;

namespace vitrine {

struct Picture {
  QString title;  // goes into the SVG
  QSize size;     // in device-independent pixels
  QColor background;
  std::function<void(QPainter&)> paint;
};

QImage toImage(const Picture& picture, double scale = 2.0);
QByteArray toSvg(const Picture& picture);

// By the file's suffix, .svg or .png. Throws EngineError(kIo), or kInvalidArgument for another suffix.
void savePicture(const Picture& picture, const QString& path);

}  // namespace vitrine
