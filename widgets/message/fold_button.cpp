#include "widgets/message/fold_button.h"

#include <QKeyEvent>
#include <QStyleOptionToolButton>
#include <QStylePainter>

namespace vitrine {
namespace {
constexpr int kFewestLetters = 8;        // of a title that is cut
constexpr qsizetype kMostLetters = 160;  // of what is folded; they are cut to the button's width
}  // namespace

FoldButton::FoldButton(QWidget* parent) : QToolButton(parent) {
  setAutoRaise(true);
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  setArrowType(Qt::RightArrow);
  connect(this, &QToolButton::toggled, this, [this](bool open) {
    setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    showTitle();
  });
}

void FoldButton::setTitle(const QString& title, const QString& beginning) {
  m_title = title;
  m_beginning = beginning.left(kMostLetters).simplified();
  showTitle();
}

void FoldButton::showTitle() {
  if (m_title.isEmpty()) return;
  const bool whole = isChecked() || m_beginning.isEmpty();
  const QString words = whole ? m_title : tr("%1: %2").arg(m_title, m_beginning);
  if (text() != words) setText(words);
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

#include "moc_fold_button.cpp"
