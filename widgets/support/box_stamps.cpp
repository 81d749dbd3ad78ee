#include "widgets/support/box_stamps.h"

#include <QCache>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace vitrine {
namespace {

constexpr double kLargest = 256;     // of a box's sides, in device pixels
constexpr int kMostBytes = 4 << 20;  // that the stamps of a thread take

struct Look {
  QSizeF size;
  QPointF within;  // the corner's place in its device pixel
  double radius = 0, ratio = 1, width = 0;
  QRgba64 edge, ground;
  Qt::PenStyle style = Qt::NoPen;
  bool filled = false;

  bool operator==(const Look&) const = default;
  friend size_t qHash(const Look& look, size_t seed) {
    return qHashMulti(seed, look.size.width(), look.size.height(), look.within.x(), look.within.y(),
                      look.radius, look.ratio, look.width, quint64(look.edge), quint64(look.ground),
                      static_cast<int>(look.style), look.filled);
  }
};

bool canStamp(const QPainter& painter, const QPen& edge, const QBrush& ground) {
  const QPaintEngine* engine = painter.paintEngine();
  return engine && engine->type() == QPaintEngine::Raster && painter.testRenderHint(QPainter::Antialiasing) &&
         painter.opacity() == 1 && painter.compositionMode() == QPainter::CompositionMode_SourceOver &&
         edge.style() != Qt::CustomDashLine && !edge.isCosmetic() && edge.dashOffset() == 0 &&
         edge.joinStyle() == Qt::BevelJoin && edge.capStyle() == Qt::SquareCap &&
         edge.brush().style() == Qt::SolidPattern &&
         (ground.style() == Qt::SolidPattern || ground.style() == Qt::NoBrush);
}

QImage drawn(const Look& look, int margin, double radius, const QPen& edge, const QBrush& ground) {
  const double ratio = look.ratio;
  const QSizeF pixels = look.size * ratio;
  QImage image(static_cast<int>(std::ceil(pixels.width() + look.within.x())) + 2 * margin,
               static_cast<int>(std::ceil(pixels.height() + look.within.y())) + 2 * margin,
               QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(edge);
  painter.setBrush(ground);
  const QPointF corner = (look.within + QPointF(margin, margin)) / ratio;
  painter.drawRoundedRect(QRectF(corner, look.size), radius, radius);
  painter.end();
  return image;
}

}  // namespace

bool stampBox(QPainter& painter, const QRectF& area, double radius, const QPen& edge, const QBrush& ground) {
  const QTransform to = painter.deviceTransform();
  const double ratio = to.m11();
  if (to.type() > QTransform::TxScale || ratio != to.m22() || ratio < 1 || ratio != std::floor(ratio) ||
      !area.isValid() || std::max(area.width(), area.height()) * ratio > kLargest ||
      !canStamp(painter, edge, ground))
    return false;
  const QPointF corner = to.map(area.topLeft());
  const QPointF pixel(std::floor(corner.x()), std::floor(corner.y()));
  const double width = edge.style() == Qt::NoPen ? 0 : edge.widthF();
  const Look look{area.size(),
                  corner - pixel,
                  radius,
                  ratio,
                  width,
                  width > 0 ? edge.color().rgba64() : QRgba64(),
                  ground.style() == Qt::NoBrush ? QRgba64() : ground.color().rgba64(),
                  edge.style(),
                  ground.style() != Qt::NoBrush};
  const int margin = static_cast<int>(std::ceil(width * ratio / 2)) + 1;
  thread_local QCache<Look, QImage> stamps(kMostBytes);
  QImage* stamp = stamps.object(look);
  if (!stamp) {
    stamp = new QImage(drawn(look, margin, radius, edge, ground));
    stamps.insert(look, stamp, static_cast<int>(stamp->sizeInBytes()));
  }
  painter.drawImage(area.topLeft() - (look.within + QPointF(margin, margin)) / ratio, *stamp);
  return true;
}

}  // namespace vitrine
