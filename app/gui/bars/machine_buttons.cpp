#include "gui/bars/machine_buttons.h"

#include <QHelpEvent>
#include <QMenu>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QToolTip>
#include <utility>

#include "gui/parts/card.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kMenuSides = 20, kPillSides = 32;  // pixels
const QString kMenuSign = QStringLiteral(" ▾");

}  // namespace

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

void MenuButton::setChoice(const QString& words) { setText(words + kMenuSign); }

QString MenuButton::choice() const { return text().chopped(kMenuSign.size()); }

// In the middle, since names of runs differ at their ends.
QString MenuButton::shownChoice(double room) const {
  if (m_letters == 0) return choice();
  const QFontMetricsF metrics(font());
  return metrics.elidedText(choice(), Qt::ElideMiddle, room - metrics.horizontalAdvance(kMenuSign));
}

bool MenuButton::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || shownChoice(width() - kMenuSides) == choice())
    return QToolButton::event(event);
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                     choice() + QStringLiteral("\n\n") + toolTip(), this);
  return true;
}

void MenuButton::setLetters(int letters) {
  if (std::exchange(m_letters, letters) != letters) updateGeometry();
}

QSize MenuButton::sizeHint() const {
  const int words =
      m_letters > 0 ? m_letters * fontMetrics().averageCharWidth() : fontMetrics().horizontalAdvance(text());
  return {words + kMenuSides, QToolButton::sizeHint().height()};
}

void MenuButton::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionToolButton option;
  initStyleOption(&option);
  option.features &= ~(QStyleOptionToolButton::HasMenu | QStyleOptionToolButton::MenuButtonPopup);
  option.subControls = QStyle::SC_ToolButton;
  option.text = shownChoice(width() - kMenuSides) + kMenuSign;
  painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

RunPill::RunPill(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("State of the run"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

QFont RunPill::face() const { return boldened(font()); }

bool RunPill::setState(const QString& state, bool calls) {
  if (state == m_state && calls == m_calls) return false;
  m_state = state;
  m_calls = calls;
  setAccessibleDescription(state);
  update();
  if (roomFor(state) <= m_room) return false;
  m_room = roomFor(state);
  updateGeometry();
  return true;
}

int RunPill::roomFor(const QString& state) const {
  return QFontMetrics(face()).horizontalAdvance(state) + kPillSides;
}

QSize RunPill::sizeHint() const { return {m_room, QFontMetrics(face()).height() + 8}; }

void RunPill::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(this);
  const QFontMetrics metrics(face());
  QRectF pill(0, 0, roomFor(m_state) - 8, metrics.height() + 6);
  pill.moveCenter(QPointF(0, height() / 2.0));
  pill.moveRight(width() - 8);
  paintPill(painter, pill, m_calls ? softAccent(theme) : theme.panel());
  painter.setFont(face());
  painter.setPen(m_calls ? accentInk(theme) : theme.text());
  paintText(painter, pill, Qt::AlignCenter, m_state);
}

void RunPill::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  m_room = roomFor(m_state);
  updateGeometry();
}

}  // namespace vitrine

#include "moc_machine_buttons.cpp"
