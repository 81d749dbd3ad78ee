#include "widgets/views/message_widget.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/support/theme.h"

namespace vitrine {

MessageWidget::MessageWidget(const ChatEntry& entry, QWidget* parent) : QFrame(parent), m_role(entry.role) {
  auto* layout = new QVBoxLayout(this);
  // Close together, since some fonts have wide line spacing of their own.
  layout->setContentsMargins(16, 6, 16, 7);
  layout->setSpacing(2);
  m_who = addLabel(false);
  m_thinking = addLabel(true);
  m_text = addLabel(true);
  m_note = addLabel(false);
  addFoot();
  m_who->setText(m_role == ChatRole::kUser ? tr("You") : tr("Model"));
  m_text->setAccessibleName(m_role == ChatRole::kUser ? tr("You wrote") : tr("The model wrote"));
  m_thinking->setAccessibleName(tr("The model thought"));
  applyTheme();
  display(entry);
}

QLabel* MessageWidget::addLabel(bool selectable) {
  auto* label = new QLabel(this);
  label->setTextFormat(Qt::PlainText);  // any output of a model stays text
  label->setWordWrap(true);
  // The minimum height of a wrapping label is that of its narrowest shape, which would leave a gap below long
  // texts.
  label->setMinimumHeight(1);
  label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  if (selectable) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
    label->setCursor(Qt::IBeamCursor);
  }
  layout()->addWidget(label);
  return label;
}

QToolButton* MessageWidget::addTool(const QString& text, const QString& tip) {
  auto* tool = new QToolButton(m_foot);
  tool->setText(text);
  tool->setToolTip(tip);
  tool->setAccessibleName(tip);
  tool->setAutoRaise(true);
  m_foot->layout()->addWidget(tool);
  return tool;
}

void MessageWidget::addFoot() {
  m_foot = new QWidget(this);
  auto* line = new QHBoxLayout(m_foot);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2);
  m_previous = addTool(QStringLiteral("‹"), tr("The version before this one"));
  m_place = new QLabel(m_foot);
  line->addWidget(m_place);
  m_next = addTool(QStringLiteral("›"), tr("The version after this one"));
  m_copy = addTool(tr("Copy"), tr("Copy this message"));
  m_again = addTool(tr("Again"), tr("Another answer to the same question; this one stays"));
  m_edit = addTool(tr("Edit"), tr("Change this question; the old one and its answers stay"));
  line->addStretch(1);
  layout()->addWidget(m_foot);
  connect(m_previous, &QToolButton::clicked, this, [this] { emit siblingRequested(m_message, -1); });
  connect(m_next, &QToolButton::clicked, this, [this] { emit siblingRequested(m_message, 1); });
  connect(m_copy, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(m_text->text()); });
  connect(m_again, &QToolButton::clicked, this, [this] { emit againRequested(m_message); });
  connect(m_edit, &QToolButton::clicked, this, [this] { emit editRequested(m_message, m_text->text()); });
}

void MessageWidget::updateFoot(const ChatEntry& entry) {
  m_message = entry.message;
  const bool kept = entry.message != 0, several = kept && entry.variants > 1;
  const bool ended = entry.status == AnswerStatus::kNone || entry.status == AnswerStatus::kDone ||
                     entry.status == AnswerStatus::kStopped || entry.status == AnswerStatus::kFailed;
  for (QWidget* part :
       {static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_place), static_cast<QWidget*>(m_next)})
    part->setVisible(several);
  m_place->setText(tr("%1 of %2").arg(entry.variant + 1).arg(entry.variants));
  m_previous->setEnabled(entry.variant > 0);
  m_next->setEnabled(entry.variant + 1 < entry.variants);
  m_copy->setVisible(ended && !entry.text.isEmpty());
  m_again->setVisible(kept && ended && m_role == ChatRole::kAssistant);
  m_edit->setVisible(kept && m_role == ChatRole::kUser);
  m_foot->setVisible(ended && (kept || !entry.text.isEmpty()));
}

void MessageWidget::display(const ChatEntry& entry) {
  updateFoot(entry);
  const auto put = [](QLabel* label, const QString& text) {
    if (label->text() != text) label->setText(text);
    label->setVisible(!text.isEmpty());
  };
  put(m_thinking, entry.thinking);
  put(m_text, entry.text);
  put(m_note, entry.note);
  if (entry.status == m_status) return;
  m_status = entry.status;
  applyTheme();
  update();
}

void MessageWidget::applyTheme() {
  const Theme theme = Theme::of(this);  // its own palette; only the labels get other colours
  const auto dye = [](QLabel* label, const QColor& colour) {
    QPalette palette = label->palette();
    if (palette.color(QPalette::WindowText) == colour && palette.color(QPalette::Text) == colour) return;
    // A label on a Base ground writes in Text, on any other in WindowText.
    palette.setColor(QPalette::WindowText, colour);
    palette.setColor(QPalette::Text, colour);
    label->setPalette(palette);
  };
  const bool troubled = m_status == AnswerStatus::kFailed;
  dye(m_who, theme.dimText());
  dye(m_thinking, theme.dimText());
  dye(m_text, theme.text());
  dye(m_note, troubled ? theme.warning() : theme.dimText());
  QFont bold = font();
  bold.setBold(true);
  m_who->setFont(bold);
  QFont slanted = font();
  slanted.setItalic(true);
  m_thinking->setFont(slanted);
  QFont text = font();
  text.setPointSizeF(text.pointSizeF() * 1.06);
  m_text->setFont(text);
}

void MessageWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  if (m_role == ChatRole::kUser) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(theme.base(), theme.accent(), theme.isDark() ? 0.2 : 0.1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
  }
  const bool writing = m_status == AnswerStatus::kWriting || m_status == AnswerStatus::kThinking ||
                       m_status == AnswerStatus::kReading;
  if (writing) painter.fillRect(QRectF(2, 12, 3, height() - 24), theme.accent());
}

void MessageWidget::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // Only changes from outside: setting the labels' palettes must not call this again.
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
}

}  // namespace vitrine
