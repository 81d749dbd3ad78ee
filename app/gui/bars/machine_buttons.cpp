#include "gui/bars/machine_buttons.h"

#include <QEvent>
#include <QMenu>
#include <QStyleOptionToolButton>
#include <QStylePainter>

#include "gui/parts/card.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

void StepButton::setLit(bool lit) {
  if (lit == m_lit) return;
  m_lit = lit;
  update();
}

// Room for the accent's ground beside the words.
QSize StepButton::sizeHint() const { return QToolButton::sizeHint() + QSize(10, 0); }

void StepButton::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionToolButton option;
  initStyleOption(&option);
  if (m_lit && isEnabled()) {
    const QPalette colours = option.palette;
    const QColor accent = colours.color(QPalette::Highlight), text = colours.color(QPalette::Text);
    paintPill(painter, QRectF(rect()).adjusted(1, 2, -1, -2),
              isDown()       ? mix(accent, text, 0.25)
              : underMouse() ? mix(accent, text, 0.12)
                             : accent);
    const QColor ink = colours.color(QPalette::HighlightedText);
    option.palette.setColor(QPalette::ButtonText, ink);
    option.palette.setColor(QPalette::WindowText, ink);
    option.state &= ~(QStyle::State_Raised | QStyle::State_Sunken | QStyle::State_MouseOver);
    option.font.setBold(true);
    painter.setFont(option.font);
    return painter.drawControl(QStyle::CE_ToolButtonLabel, option);
  }
  painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

// A dialog that an entry opens keeps the pointer's leaving from the button, which would stay raised.
void MenuButton::give(QMenu* menu) {
  setMenu(menu);
  connect(menu, &QMenu::aboutToHide, this, [this] {
    setAttribute(Qt::WA_UnderMouse, rect().contains(mapFromGlobal(QCursor::pos())));
    update();
  });
}

void MenuButton::setChoice(const QString& words) {
  constexpr int kLetters = 20;
  const QString shown = words.size() <= kLetters ? words : words.left(kLetters - 1) + u'…';
  setText(shown + QStringLiteral(" ▾"));
}

QSize MenuButton::sizeHint() const {
  return {fontMetrics().horizontalAdvance(text()) + 20, QToolButton::sizeHint().height()};
}

void MenuButton::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionToolButton option;
  initStyleOption(&option);
  option.features &= ~(QStyleOptionToolButton::HasMenu | QStyleOptionToolButton::MenuButtonPopup);
  option.subControls = QStyle::SC_ToolButton;
  painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

RunPill::RunPill(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("State of the run"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

QFont RunPill::face() const { return boldened(font()); }

bool RunPill::setState(const QString& state, bool calls) {
  if (state == m_state && calls == m_calls) return false;
  const int before = sizeHint().width();
  m_state = state;
  m_calls = calls;
  setAccessibleDescription(state);
  update();
  if (sizeHint().width() == before) return false;
  updateGeometry();
  return true;
}

QSize RunPill::sizeHint() const {
  const QFontMetrics metrics(face());
  return {metrics.horizontalAdvance(m_state) + 32, metrics.height() + 8};
}

void RunPill::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(this);
  const QFontMetrics metrics(face());
  QRectF pill(0, 0, width() - 8, metrics.height() + 6);
  pill.moveCenter(QPointF(pill.center().x(), height() / 2.0));
  paintPill(painter, pill, m_calls ? softAccent(theme) : theme.panel());
  painter.setFont(face());
  painter.setPen(m_calls ? accentInk(theme) : theme.text());
  paintText(painter, pill, Qt::AlignCenter, m_state);
}

void RunPill::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
}

}  // namespace vitrine

#include "moc_machine_buttons.cpp"
