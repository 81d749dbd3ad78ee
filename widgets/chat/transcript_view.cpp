#include "widgets/chat/transcript_view.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/message/message_widget.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kAtFirst = 24;                         // messages
constexpr int kAtOnce = 3, kTranscriptFrameMs = 16;  // a message takes 2 to 3 ms to make and to lay out
constexpr int kWidestColumn = 860;  // about ninety characters: longer lines are hard to follow

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

constexpr int kFindingAround = 12;  // messages with widgets before and behind one that is far from the others

}  // namespace

TranscriptView::TranscriptView(ChatModel* model, QWidget* parent) : QScrollArea(parent), m_model(model) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBar(new QuietScrollBar(Qt::Vertical, this));
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  setMinimumHeight(fontMetrics().lineSpacing());  // it scrolls, so a small window may shrink it
  setAccessibleName(tr("Conversation"));
  viewport()->setBackgroundRole(QPalette::Base);
  setWidget(makePage());
  makeEndButton();
  QScrollBar* bar = verticalScrollBar();
  connect(bar, &QScrollBar::valueChanged, this, &TranscriptView::onScrolled);
  connect(bar, &QScrollBar::rangeChanged, this, &TranscriptView::onRange);
  connect(model, &QAbstractItemModel::rowsInserted, this, &TranscriptView::sync);
  connect(model, &QAbstractItemModel::rowsRemoved, this, &TranscriptView::sync);
  connect(model, &QAbstractItemModel::dataChanged, this, &TranscriptView::sync);
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    showRows(std::max(0, m_model->rowCount() - kAtFirst), kAllRows);
    m_earlier.start();
  });
  m_earlier.setSingleShot(true);
  m_earlier.setInterval(kTranscriptFrameMs);
  connect(&m_earlier, &QTimer::timeout, this, &TranscriptView::showEarlier);
}

QWidget* TranscriptView::makePage() {
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  page->setAutoFillBackground(true);
  auto* centre = new QHBoxLayout(page);
  centre->setContentsMargins(12, 8, 12, 8);
  auto* column = new QWidget(page);
  column->setMaximumWidth(kWidestColumn);
  m_messages = withoutMargins(new QVBoxLayout(column));
  m_messages->setSpacing(8);
  m_empty = new QWidget(column);
  fillEmptyPage();
  m_messages->addWidget(m_empty, 1);
  m_messages->addStretch(1);
  centre->addStretch(1);
  centre->addWidget(column, 1000);
  centre->addStretch(1);
  return page;
}

void TranscriptView::fillEmptyPage() {
  m_suggestions = new QVBoxLayout(m_empty);
  m_suggestions->setSpacing(8);
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

void TranscriptView::makeEndButton() {
  m_toEnd = new QPushButton(tr("↓ To the end"), this);
  m_toEnd->setAccessibleName(tr("Scroll to the end"));
  m_toEnd->setFocusPolicy(Qt::TabFocus);
  m_toEnd->hide();
  connect(m_toEnd, &QPushButton::clicked, this, &TranscriptView::followEnd);
}

void TranscriptView::setSuggestions(const QStringList& suggestions) {
  for (QPushButton* old : m_empty->findChildren<QPushButton*>()) delete old;
  for (const QString& suggestion : suggestions) {
    auto* button = new QPushButton(suggestion, m_empty);
    button->setAccessibleName(tr("Ask: %1").arg(suggestion));
    button->setEnabled(m_suggestionsEnabled);
    connect(button, &QPushButton::clicked, this, [this, suggestion] { emit suggestionClicked(suggestion); });
    m_suggestions->insertWidget(m_suggestions->count() - 1, button, 0, Qt::AlignHCenter);
  }
}

void TranscriptView::setSuggestionsEnabled(bool enabled) {
  m_suggestionsEnabled = enabled;
  for (QPushButton* button : m_empty->findChildren<QPushButton*>()) button->setEnabled(enabled);
}

void TranscriptView::sync() {
  if (!isVisible()) return;
  const int rows = std::min(m_model->rowCount(), m_end);
  m_first = std::min(m_first, rows);
  while (m_first + static_cast<int>(m_widgets.size()) > rows) {
    delete m_widgets.back();
    m_widgets.pop_back();
  }
  for (std::size_t i = 0; i < m_widgets.size(); ++i)
    m_widgets[i]->display(m_model->at(m_first + static_cast<int>(i)));
  for (int row = m_first + static_cast<int>(m_widgets.size()); row < rows; ++row) {
    m_widgets.push_back(makeMessage(row));
    // After the empty page and before the stretch that keeps messages at the top.
    m_messages->insertWidget(m_messages->count() - 1, m_widgets.back());
    m_widgets.back()->show();
  }
  m_empty->setVisible(m_model->rowCount() == 0);
  if (m_follow) scrollToEnd();
}

MessageWidget* TranscriptView::makeMessage(int row) {
  auto* message = new MessageWidget(m_model->at(row), m_messages->parentWidget());
  connect(message, &MessageWidget::siblingRequested, this, &TranscriptView::siblingRequested);
  connect(message, &MessageWidget::againRequested, this, &TranscriptView::againRequested);
  connect(message, &MessageWidget::goOnRequested, this, &TranscriptView::goOnRequested);
  connect(message, &MessageWidget::editRequested, this, &TranscriptView::editRequested);
  connect(message, &MessageWidget::menuRequested, this, &TranscriptView::menuRequested);
  connect(message, &MessageWidget::wordPointed, this, &TranscriptView::wordPointed);
  light(*message, row);
  if (row == m_marked) message->setMark(m_mark);
  if (message->answer() != nullptr) emit answerShown();
  return message;
}

AnswerText* TranscriptView::answer(qint64 message) const {
  const auto found = std::ranges::find(m_widgets, message, &MessageWidget::message);
  return found == m_widgets.end() ? nullptr : (*found)->answer();
}

// Less than a view's height is above what is in sight. So it is, too, where the newest messages leave room
// and there is nothing to scroll with.
bool TranscriptView::needsEarlier() const {
  return m_first > 0 && isVisible() && verticalScrollBar()->value() < viewport()->height();
}

// A few each frame. What is in sight stays where it is: its distance to the end does not change.
void TranscriptView::showEarlier() {
  if (!needsEarlier()) return;
  const QScrollBar* const bar = verticalScrollBar();
  m_fromEnd = bar->maximum() - bar->value();
  for (int i = 0; i < kAtOnce && m_first > 0; ++i) {
    m_widgets.insert(m_widgets.begin(), makeMessage(--m_first));
    m_messages->insertWidget(1, m_widgets.front());
    m_widgets.front()->show();
  }
  m_earlier.start();
}

void TranscriptView::onScrolled(int value) {
  if (!m_scrolling) {
    const int below = verticalScrollBar()->maximum() - value;
    const bool cut = m_end < m_model->rowCount();
    m_follow = below <= 4 && !cut;
    m_fromEnd = -1;
    m_revealed = -1;
    if (cut && below < viewport()->height()) showLater();
    if (needsEarlier() && !m_earlier.isActive()) showEarlier();
  }
  m_toEnd->setVisible(!m_follow && !m_widgets.empty());
}

void TranscriptView::onRange() {
  if (m_follow) return scrollToEnd();
  if (m_revealed >= 0) return settle();
  if (m_fromEnd < 0) return;
  m_scrolling = true;
  verticalScrollBar()->setValue(verticalScrollBar()->maximum() - m_fromEnd);
  m_scrolling = false;
}

void TranscriptView::followEnd() {
  m_follow = true;
  m_revealed = -1;
  if (m_end < m_model->rowCount()) showRows(std::max(0, m_model->rowCount() - kAtFirst), kAllRows);
  scrollToEnd();
}

void TranscriptView::scrollToEnd() {
  if (m_model->rowCount() == 0) return;  // suggestions are read from the top
  m_scrolling = true;
  verticalScrollBar()->setValue(verticalScrollBar()->maximum());
  m_scrolling = false;
  m_toEnd->hide();
}

void TranscriptView::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  sync();
}

void TranscriptView::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  m_toEnd->adjustSize();
  m_toEnd->move((width() - m_toEnd->width()) / 2, rect().bottom() - m_toEnd->height() - 8);
}

// Hits of a search, and the way to a message that has no widget yet.

void TranscriptView::setSearch(ConversationSearch* search) {
  m_search = search;
  connect(search, &ConversationSearch::changed, this, &TranscriptView::lightAll);
  connect(search, &ConversationSearch::currentChanged, this, [this] {
    if (const auto hit = m_search->current()) reveal(hit->row);
  });
}

void TranscriptView::light(MessageWidget& message, int row) {
  if (m_search == nullptr) return;
  std::optional<FoundPlace> hit = m_search->current();
  if (hit && hit->row != row) hit.reset();
  message.light(m_search->sought(), hit);
}

void TranscriptView::lightAll() {
  for (std::size_t i = 0; i < m_widgets.size(); ++i) light(*m_widgets[i], m_first + static_cast<int>(i));
}

void TranscriptView::setMark(int row, const QString& words) {
  m_marked = row;
  m_mark = words;
  for (std::size_t i = 0; i < m_widgets.size(); ++i)
    m_widgets[i]->setMark(m_first + static_cast<int>(i) == row ? words : QString());
}

// Other rows than those that had widgets.
void TranscriptView::showRows(int first, int end) {
  // Later, since one of them may be what asked for another branch.
  for (MessageWidget* message : m_widgets) {
    message->hide();
    message->deleteLater();
  }
  m_widgets.clear();
  m_first = first;
  m_end = end;
  m_fromEnd = -1;
  m_revealed = -1;
  sync();
}

void TranscriptView::showLater() {
  m_end = m_end + kFindingAround < m_model->rowCount() ? m_end + kFindingAround : kAllRows;
  sync();
}

void TranscriptView::reveal(int row) {
  if (row < 0 || row >= m_model->rowCount()) return;
  m_follow = false;
  const int end = m_first + static_cast<int>(m_widgets.size());
  if (row < m_first || row >= end)
    showRows(std::max(0, row - kFindingAround),
             row + kFindingAround < m_model->rowCount() ? row + kFindingAround : kAllRows);
  m_revealed = row;
  lightAll();
  m_messages->activate();
  settle();
  QTimer::singleShot(0, this, &TranscriptView::settle);  // heights of new messages are known then
}

// Scrolls as little as brings the hit, or the message's first line, into the middle half of the view. A mark
// comes to one place: the messages behind it lie beside those of the other conversation.
void TranscriptView::settle() {
  const int index = m_revealed - m_first;
  if (m_revealed < 0 || index < 0 || index >= static_cast<int>(m_widgets.size())) return;
  const MessageWidget& message = *m_widgets[static_cast<std::size_t>(index)];
  QRect target(0, 0, 1, fontMetrics().height());
  if (const auto hit = m_search ? m_search->current() : std::nullopt; hit && hit->row == m_revealed)
    if (const QRect area = message.hitRect(*hit); area.isValid()) target = area;
  const int top = target.translated(message.mapTo(widget(), QPoint())).top();
  QScrollBar* const bar = verticalScrollBar();
  const int height = viewport()->height(), highest = std::max(top - height / 4, 0);
  const bool marked = m_revealed == m_marked && target.top() == 0;
  m_scrolling = true;
  bar->setValue(marked ? highest : std::clamp(bar->value(), top - height * 3 / 4, highest));
  m_scrolling = false;
  m_toEnd->setVisible(bar->value() < bar->maximum() || m_end < m_model->rowCount());
}

int TranscriptView::rowInSight() const {
  for (std::size_t i = 0; i < m_widgets.size(); ++i)
    if (m_widgets[i]->mapTo(viewport(), QPoint(0, m_widgets[i]->height())).y() > 0)
      return m_first + static_cast<int>(i);
  return 0;
}

}  // namespace vitrine

#include "moc_transcript_view.cpp"
