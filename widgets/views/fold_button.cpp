#include "widgets/views/fold_button.h"

#include <QKeyEvent>
#include <QStyleOptionToolButton>
#include <QStylePainter>

namespace vitrine {
namespace {
constexpr int kFewestLetters = 8;  // of a title that is cut
}  // namespace

FoldButton::FoldButton(QWidget* parent) : QToolButton(parent) {
  setAutoRaise(true);
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  setArrowType(Qt::RightArrow);
  connect(this, &QToolButton::toggled, this,
          [this](bool open) { setArrowType(open ? Qt::DownArrow : Qt::RightArrow); });
}

QSize FoldButton::minimumSizeHint() const {
  const QSize whole = sizeHint();
  return {std::min(whole.width(), kFewestLetters * fontMetrics().averageCharWidth() + iconSize().width()),
          whole.height()};
}

void FoldButton::paintEvent(QPaintEvent*) {
  QStyleOptionToolButton option;
  initStyleOption(&option);
  const int cut = sizeHint().width() - width();
  if (cut > 0)
    option.text =
        fontMetrics().elidedText(text(), Qt::ElideRight, fontMetrics().horizontalAdvance(text()) - cut);
  QStylePainter(this).drawComplexControl(QStyle::CC_ToolButton, option);
}

// Qt presses a button by Space alone.
void FoldButton::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
    return QToolButton::keyPressEvent(event);
  if (!event->isAutoRepeat()) click();
}

}  // namespace vitrine
