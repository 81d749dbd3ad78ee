// TranscriptView: hits of a search, and the way to a message that has no widget yet.
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/chat/transcript_view.h"
#include "widgets/message/message_widget.h"

namespace vitrine {
namespace {
constexpr int kFindingAround = 12;  // messages with widgets before and behind one that is far from the others
}  // namespace

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
