#include "widgets/views/chat_view.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/support/theme.h"
#include "widgets/views/context_meter.h"
#include "widgets/views/message_widget.h"

namespace vitrine {
namespace {
constexpr int kWidestColumn = 860;  // about ninety characters: longer lines are hard to follow
constexpr int kMostInputLines = 7;

// Visible only when there is something to scroll. Its room is always kept, since otherwise the lines would
// wrap again.
class QuietScrollBar final : public QScrollBar {
 public:
  using QScrollBar::QScrollBar;

 protected:
  void paintEvent(QPaintEvent* event) override {
    if (maximum() > minimum()) return QScrollBar::paintEvent(event);
    QPainter(this).fillRect(rect(), palette().base());
  }
};

}  // namespace

ChatView::ChatView(ChatModel* model, Session* session, QWidget* parent) : QWidget(parent), m_model(model) {
  setFont(readable(font()));
  setAccessibleName(tr("Chat"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_meter = new ContextMeter(session, this);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(makeTranscript(), 1);
  layout->addWidget(makeComposer());

  m_toEnd = new QPushButton(tr("↓ To the end"), this);
  m_toEnd->setAccessibleName(tr("Scroll to the end"));
  m_toEnd->setFocusPolicy(Qt::TabFocus);
  m_toEnd->hide();
  connect(m_toEnd, &QPushButton::clicked, this, [this] {
    m_follow = true;
    scrollToEnd();
  });
  connect(model, &QAbstractItemModel::rowsInserted, this, &ChatView::sync);
  connect(model, &QAbstractItemModel::dataChanged, this, &ChatView::sync);
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    for (MessageWidget* message : m_widgets) delete message;
    m_widgets.clear();
    sync();
  });
  connect(model, &ChatModel::answeringChanged, this, &ChatView::updateButtons);
  updateButtons();
  fitInput();
}

QWidget* ChatView::makeTranscript() {
  m_scroll = new QScrollArea(this);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setVerticalScrollBar(new QuietScrollBar(Qt::Vertical, m_scroll));
  m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  m_scroll->setMinimumHeight(fontMetrics().lineSpacing());  // it scrolls, so a small window may shrink it
  m_scroll->setAccessibleName(tr("Conversation"));
  m_scroll->viewport()->setBackgroundRole(QPalette::Base);
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  page->setAutoFillBackground(true);
  auto* centre = new QHBoxLayout(page);
  centre->setContentsMargins(12, 8, 12, 8);
  auto* column = new QWidget(page);
  column->setMaximumWidth(kWidestColumn);
  m_messages = new QVBoxLayout(column);
  m_messages->setContentsMargins(0, 0, 0, 0);
  m_messages->setSpacing(8);
  m_empty = new QWidget(column);
  m_suggestions = new QVBoxLayout(m_empty);
  m_suggestions->setSpacing(8);
  showEmpty();
  m_messages->addWidget(m_empty, 1);
  m_messages->addStretch(1);
  centre->addStretch(1);
  centre->addWidget(column, 1000);
  centre->addStretch(1);
  m_scroll->setWidget(page);
  followScrolling();
  return m_scroll;
}

// The view follows the end until the user scrolls away from it.
void ChatView::followScrolling() {
  QScrollBar* bar = m_scroll->verticalScrollBar();
  connect(bar, &QScrollBar::valueChanged, this, [this, bar](int value) {
    if (!m_scrolling) m_follow = value >= bar->maximum() - 4;
    m_toEnd->setVisible(!m_follow && !m_widgets.empty());
  });
  connect(bar, &QScrollBar::rangeChanged, this, [this] {
    if (m_follow) scrollToEnd();
  });
}

QWidget* ChatView::makeComposer() {
  auto* composer = new QWidget(this);
  composer->setBackgroundRole(QPalette::Window);
  composer->setAutoFillBackground(true);
  auto* rows = new QVBoxLayout(composer);
  rows->setContentsMargins(12, 6, 12, 10);
  rows->setSpacing(6);
  rows->addLayout(makeInputLine(composer));
  rows->addLayout(makeMeterLine(composer));
  return composer;
}

QLayout* ChatView::makeInputLine(QWidget* composer) {
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  m_input = new QPlainTextEdit(composer);
  m_input->setAccessibleName(tr("Your message"));
  m_input->setAccessibleDescription(
      tr("Enter sends, Shift and Enter start a new line, Escape stops the answer"));
  m_input->setTabChangesFocus(true);
  m_input->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  m_input->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  m_input->installEventFilter(this);
  connect(m_input, &QPlainTextEdit::textChanged, this, [this] {
    fitInput();
    updateButtons();
  });
  line->addWidget(m_input, 1);
  m_send = new QPushButton(tr("Send"), composer);
  m_send->setToolTip(tr("Send the message (Enter)"));
  connect(m_send, &QPushButton::clicked, this, &ChatView::send);
  m_stop = new QPushButton(tr("Stop"), composer);
  m_stop->setToolTip(tr("Stop the answer (Esc)"));
  connect(m_stop, &QPushButton::clicked, this, &ChatView::stopRequested);
  // Both have the same position and size: the button under the mouse must not move.
  const int width = std::max(m_send->sizeHint().width(), m_stop->sizeHint().width()) + 12;
  for (QPushButton* button : {m_send, m_stop}) {
    button->setMinimumWidth(width);
    button->setMinimumHeight(inputHeight(1));
    line->addWidget(button, 0, Qt::AlignBottom);
  }
  return line;
}

QLayout* ChatView::makeMeterLine(QWidget* composer) {
  auto* below = new QHBoxLayout;
  below->setSpacing(12);
  below->addWidget(m_meter, 1);
  auto* fresh = new QPushButton(tr("New chat"), composer);
  fresh->setFlat(true);
  fresh->setToolTip(tr("Close this conversation and start a new one"));
  connect(fresh, &QPushButton::clicked, this, &ChatView::newChatRequested);
  below->addWidget(fresh);
  return below;
}

void ChatView::showEmpty() {
  m_suggestions->addStretch(1);
  auto* title = new QLabel(tr("Ask something, and watch the engine answer."), m_empty);
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * 1.3);
  title->setFont(large);
  title->setAlignment(Qt::AlignCenter);
  title->setWordWrap(true);
  m_suggestions->addWidget(title);
  auto* hint = new QLabel(tr("Enter sends, Shift+Enter starts a new line, Esc stops the answer."), m_empty);
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  m_suggestions->addWidget(hint);
  m_suggestions->addStretch(1);
}

void ChatView::setSuggestions(const QStringList& suggestions) {
  for (QPushButton* old : m_empty->findChildren<QPushButton*>()) delete old;
  for (const QString& suggestion : suggestions) {
    auto* button = new QPushButton(suggestion, m_empty);
    button->setAccessibleName(tr("Ask: %1").arg(suggestion));
    connect(button, &QPushButton::clicked, this, [this, suggestion] {
      m_input->setPlainText(suggestion);
      send();
    });
    m_suggestions->insertWidget(m_suggestions->count() - 1, button, 0, Qt::AlignHCenter);
  }
}

void ChatView::setReady(bool ready, const QString& why) {
  m_ready = ready;
  m_whyNot = why;
  updateButtons();
}

void ChatView::updateButtons() {
  const bool answering = m_model->isAnswering();
  m_send->setVisible(!answering);
  m_stop->setVisible(answering);
  m_send->setEnabled(m_ready && !m_input->toPlainText().trimmed().isEmpty());
  const QString wanted = m_ready || m_whyNot.isEmpty() ? tr("Write a message") : m_whyNot;
  if (m_input->placeholderText() != wanted) m_input->setPlaceholderText(wanted);
  for (QPushButton* button : m_empty->findChildren<QPushButton*>()) button->setEnabled(m_ready);
}

void ChatView::send() {
  const QString text = m_input->toPlainText().trimmed();
  if (text.isEmpty() || !m_ready || m_model->isAnswering()) return;
  m_input->clear();
  m_follow = true;
  emit sendRequested(text);
}

void ChatView::fitInput() {
  // A third of the view at most, so that the conversation stays visible and the window does not grow.
  const int room = height() / 3 / m_input->fontMetrics().lineSpacing();
  const int lines = std::clamp(static_cast<int>(m_input->document()->size().height()), 1,
                               std::clamp(room, 1, kMostInputLines));
  if (m_input->height() != inputHeight(lines)) m_input->setFixedHeight(inputHeight(lines));
}

int ChatView::inputHeight(int lines) const {
  const int frame =
      2 * m_input->frameWidth() + static_cast<int>(2 * m_input->document()->documentMargin()) + 4;
  return lines * m_input->fontMetrics().lineSpacing() + frame;
}

void ChatView::sync() {
  m_stale = !isVisible();
  if (m_stale) return;
  const auto rows = static_cast<std::size_t>(m_model->rowCount());
  while (m_widgets.size() > rows) {
    delete m_widgets.back();
    m_widgets.pop_back();
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const ChatEntry& entry = m_model->at(static_cast<int>(i));
    if (i < m_widgets.size()) {
      m_widgets[i]->display(entry);
      continue;
    }
    auto* message = new MessageWidget(entry, m_messages->parentWidget());
    // After the empty page and before the stretch that keeps messages at the top.
    m_messages->insertWidget(m_messages->count() - 1, message);
    message->show();
    m_widgets.push_back(message);
  }
  m_empty->setVisible(rows == 0);
  updateButtons();
  if (m_follow) scrollToEnd();
}

void ChatView::scrollToEnd() {
  if (m_model->rowCount() == 0) return;  // suggestions are read from the top
  m_scrolling = true;
  m_scroll->verticalScrollBar()->setValue(m_scroll->verticalScrollBar()->maximum());
  m_scrolling = false;
  m_toEnd->hide();
}

void ChatView::focusInput() { m_input->setFocus(Qt::OtherFocusReason); }

void ChatView::copyConversation() const { QApplication::clipboard()->setText(m_model->transcript()); }

bool ChatView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_input && event->type() == QEvent::Resize) fitInput();
  if (watched != m_input || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
  if (enter && !(key->modifiers() & Qt::ShiftModifier)) {
    send();
    return true;
  }
  if (key->key() == Qt::Key_Escape && m_model->isAnswering()) {
    emit stopRequested();
    return true;
  }
  // Presenters' clickers send these keys: they step the machine and do not scroll the text.
  if (key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown) {
    event->ignore();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void ChatView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && m_model->isAnswering())
    emit stopRequested();
  else
    QWidget::keyPressEvent(event);
}

void ChatView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  sync();
  fitInput();
}

void ChatView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitInput();
  m_toEnd->adjustSize();
  m_toEnd->move((width() - m_toEnd->width()) / 2, m_scroll->geometry().bottom() - m_toEnd->height() - 8);
}

void ChatView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) setFont(readable(font()));
}

}  // namespace vitrine
