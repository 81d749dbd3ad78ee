#include "gui/chat/chat_beside.h"

#include <QKeyEvent>
#include <QPainter>

#include "gui/parts/small_parts.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

ChatBeside::ChatBeside(Session& session, QWidget* parent)
    : QWidget(parent),
      m_model(&session),
      m_title(new ElidingLabel(this)),
      m_about(namedLabel(tr("What it is"), this)),
      m_parting(namedLabel(tr("Where the two part"), this)),
      m_transcript(new TranscriptView(&m_model, this)) {
  setFont(readable(font()));
  setAccessibleName(tr("Conversation beside"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_transcript->setAccessibleName(tr("Conversation beside"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 0, 0);  // a line is drawn there
  column->setSpacing(0);
  addParts(column, {makeHead(), {m_transcript, 1}});
  applyTheme();
}

QWidget* ChatBeside::makeHead() {
  auto* head = new QWidget(this);
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(12, 6, 8, 6);
  column->setSpacing(2);
  auto* line = new QHBoxLayout;
  line->setSpacing(4);
  column->addLayout(line);
  m_title->setTextFormat(Qt::PlainText);
  m_title->setAccessibleName(tr("Beside"));
  line->addWidget(m_title, 1);
  m_swap = addTool(tr("Swap"), tr("Swap the two: go on writing in this one"), head);
  connect(m_swap, &QToolButton::clicked, this, &ChatBeside::swapRequested);
  line->addWidget(m_swap);
  QToolButton* const close = addTool(tr("Close"), tr("Close the conversation beside (Esc)"), head);
  connect(close, &QToolButton::clicked, this, &ChatBeside::closeRequested);
  line->addWidget(close);
  addParts(column, {m_parting, m_about});
  return head;
}

QToolButton* ChatBeside::addTool(const QString& text, const QString& tip, QWidget* head) {
  QToolButton* tool = commandButton(text, tip, head);
  tool->setAccessibleName(tip);
  tool->setFocusPolicy(Qt::StrongFocus);
  return tool;
}

void ChatBeside::setWords(const Words& words) {
  if (words == m_words) return;
  m_words = words;
  m_title->setText(words.title);
  m_about->setText(words.about);
  m_parting->setText(words.parting);
}

void ChatBeside::setCanSwap(bool canSwap) { m_swap->setEnabled(canSwap); }

void ChatBeside::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  emit closeRequested();
}

void ChatBeside::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) return setFont(readable(font()));
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) applyTheme();
}

// The line between it and the other conversation, which lies at its left or above it.
void ChatBeside::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  QPainter painter(this);
  painter.setPen(Theme::of(this).line());
  painter.drawLine(rect().topLeft(), rect().topRight());
  painter.drawLine(rect().topLeft(), rect().bottomLeft());
}

void ChatBeside::applyTheme() {
  const Theme theme = Theme::of(this);
  QPalette dim = palette();
  dim.setColor(QPalette::WindowText, theme.dimText());
  dim.setColor(QPalette::Text, theme.dimText());
  m_about->setPalette(dim);
  m_title->setFont(boldened(font()));
}

}  // namespace vitrine

#include "moc_chat_beside.cpp"
