#include "widgets/support/eliding_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>
#include <algorithm>

#include "widgets/support/shaped_text.h"

namespace vitrine {

QSize ElidingLabel::minimumSizeHint() const {
  const QMargins margins = contentsMargins();
  const int least = fontMetrics().averageCharWidth() * 6 + margins.left() + margins.right();
  return {std::min(least, sizeHint().width()), QLabel::minimumSizeHint().height()};
}

QString ElidingLabel::shown() const {
  const int room = contentsRect().width();
  const QString whole = wholeParts(font(), text(), room);
  return whole.isEmpty() ? elidedText(font(), text(), room) : whole;
}

bool ElidingLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || shown() == text()) return QLabel::event(event);
  const QString tip = toolTip().isEmpty() ? text() : text() + QLatin1Char('\n') + toolTip();
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
  return true;
}

void ElidingLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(),
                        shown(), foregroundRole());
}

}  // namespace vitrine

#include "moc_eliding_label.cpp"
