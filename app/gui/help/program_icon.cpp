#include "gui/help/program_icon.h"

#include <QPainter>
#include <QSvgRenderer>

namespace vitrine {
namespace {

void addSizes(QIcon& icon, const QString& file, std::initializer_list<int> sizes) {
  QSvgRenderer drawing(file);
  for (const int size : sizes) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawing.render(&painter);
    painter.end();
    icon.addPixmap(pixmap);
  }
}

}  // namespace

// Drawn here, since QIcon reads SVG only with a plugin that may not be installed.
QIcon programIcon() {
  QIcon icon;
  addSizes(icon, QStringLiteral(":/icons/vitrine-small.svg"), {16, 24});
  addSizes(icon, QStringLiteral(":/icons/vitrine.svg"), {32, 48, 64, 128, 256});
  return icon;
}

}  // namespace vitrine
