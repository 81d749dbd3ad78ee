#include "widgets/support/picture_export.h"

#include <QBuffer>
#include <QFile>
#include <QPainter>
#include <QSvgGenerator>
#include <algorithm>

#include "vitrine/error.h"
#include "vitrine/output_file.h"

namespace vitrine {
namespace {

// The map of a large pool may exceed the height that image formats allow.
constexpr int kLargestSide = 16384;

}  // namespace

QImage toImage(const Picture& picture, double scale) {
  const int longest = std::max({picture.size.width(), picture.size.height(), 1});
  scale = std::min(scale, static_cast<double>(kLargestSide) / longest);
  QImage image((QSizeF(picture.size) * scale).toSize().expandedTo({1, 1}),
               QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(scale);
  image.fill(picture.background);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  picture.paint(painter);
  return image;
}

QByteArray toSvg(const Picture& picture) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(picture.size);
  generator.setViewBox(QRect(QPoint(), picture.size));
  generator.setTitle(picture.title);
  generator.setResolution(96);
  {
    QPainter painter(&generator);
    painter.fillRect(QRect(QPoint(), picture.size), picture.background);
    picture.paint(painter);
  }
  return buffer.data();
}

static QByteArray toPng(const Picture& picture) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!toImage(picture).save(&buffer, "PNG"))
    throw EngineError(ErrorCode::kUnavailable, "Qt cannot write PNG files here", "end the name in .svg");
  return buffer.data();
}

void savePicture(const Picture& picture, const QString& path) {
  const bool svg = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
  if (!svg && !path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
    throw EngineError(ErrorCode::kInvalidArgument, "not a picture's name: " + path.toStdString(),
                      "end the name in .svg or .png");
  }
  // QSaveFile reports a short write, as on a full disk, as success.
  const QByteArray bytes = svg ? toSvg(picture) : toPng(picture);
  OutputFile file(QFile::encodeName(path).toStdString());
  file.write({bytes.data(), static_cast<std::size_t>(bytes.size())});
  file.finish();
}

}  // namespace vitrine
