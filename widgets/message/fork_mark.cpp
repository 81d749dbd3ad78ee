#include "widgets/message/fork_mark.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/support/theme.h"

namespace vitrine {
namespace {
constexpr int kBelow = 6;  // between the words and the message
}  // namespace

ForkMark::ForkMark(const QString& words, QWidget* parent) : QLabel(words, parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  setContentsMargins(0, 0, 0, kBelow);
  applyTheme();
}

void ForkMark::paintEvent(QPaintEvent* event) {
  QLabel::paintEvent(event);
  const QRect area = contentsRect();
  const int words = std::min(fontMetrics().horizontalAdvance(text()), area.width());
  const int space = fontMetrics().averageCharWidth(), end = area.left() + (area.width() - words) / 2 - space;
  const int y = area.top() + fontMetrics().height() / 2;
  QPainter painter(this);
  painter.setPen(QPen(Theme::of(this).accent(), 2));
  if (end <= area.left()) return;
  painter.drawLine(area.left(), y, end, y);
  painter.drawLine(area.right() - (end - area.left()), y, area.right(), y);
}

void ForkMark::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  // A label's own palette changes below: only a change from outside counts.
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
}

void ForkMark::applyTheme() {
  const QColor ink = Theme::of(this).accentText();
  QPalette own = palette();
  if (own.color(QPalette::WindowText) != ink || own.color(QPalette::Text) != ink) {
    own.setColor(QPalette::WindowText, ink);
    own.setColor(QPalette::Text, ink);
    setPalette(own);
  }
  const QFont bold = boldened(font());
  if (font() != bold) setFont(bold);
}

}  // namespace vitrine

#include "moc_fork_mark.cpp"
