#include "gui/chat/chat_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QList>
#include <QScrollArea>
#include <algorithm>

#include "widgets/chat/chat_view.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kListLetters = 26, kChatLetters = 44, kSideLetters = 34,
              kFrontLetters = 175;  // widths, in the average letter of the font

void collect(QWidget& part, QList<QWidget*>& stops);

void collect(const QLayout& layout, QList<QWidget*>& stops) {
  for (int i = 0; i < layout.count(); ++i) {
    QLayoutItem* const item = layout.itemAt(i);
    if (QWidget* const widget = item->widget())
      collect(*widget, stops);
    else if (const QLayout* const inner = item->layout())
      collect(*inner, stops);
  }
}

void collect(QWidget& part, QList<QWidget*>& stops) {
  if (part.focusPolicy() & Qt::TabFocus) stops << &part;
  if (const auto* area = qobject_cast<QScrollArea*>(&part)) {
    if (area->widget()) collect(*area->widget(), stops);
    for (auto* over :
         area->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))  // a button above what scrolls
      if (over->focusPolicy() & Qt::TabFocus) stops << over;
  } else if (const auto* text = qobject_cast<QAbstractScrollArea*>(&part)) {
    for (auto* in : text->viewport()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
      if (in->focusPolicy() & Qt::TabFocus) stops << in;  // a button in an answer
  } else if (const QLayout* const layout = part.layout()) {
    collect(*layout, stops);
  }
}

// Tab visits what lies in `part` in the order of its layouts, with what scrolls in its scroll areas. Qt puts
// each new widget at the end, wherever the widget stands.
void orderTabs(QWidget& part) {
  QList<QWidget*> stops;
  if (part.layout()) collect(*part.layout(), stops);
  for (qsizetype i = 0; i + 1 < stops.size(); ++i)
    if (stops[i]->nextInFocusChain() != stops[i + 1]) QWidget::setTabOrder(stops[i], stops[i + 1]);
}

}  // namespace

ChatPage::ChatPage(ChatView* chat, QWidget* parent) : QWidget(parent) {
  auto* row = withoutMargins(new QHBoxLayout(this));
  row->setSpacing(8);
  row->addLayout(m_pair = new QBoxLayout(QBoxLayout::LeftToRight), 1);
  m_pair->setSpacing(0);
  m_pair->addWidget(chat, 1);
  setFocusProxy(chat);
}

void ChatPage::setList(QWidget* list) {
  m_list = list;
  static_cast<QHBoxLayout*>(layout())->insertWidget(0, list);
  arrange();
}

void ChatPage::setSide(QWidget* side) {
  m_side = side;
  layout()->addWidget(side);
}

void ChatPage::setBeside(QWidget* conversation) {
  m_beside = conversation;
  m_pair->addWidget(conversation, 1);
}

void ChatPage::setFront(QWidget* front) {
  m_front = front;
  static_cast<QHBoxLayout*>(layout())->insertWidget(layout()->indexOf(m_pair) + 1, front, 1);
}

void ChatPage::showFront(bool shown) {
  QWidget* const chat = m_pair->itemAt(0)->widget();
  m_front->setVisible(shown);
  chat->setVisible(!shown);
  if (m_beside) m_beside->setVisible(!shown);
  setFocusProxy(shown ? m_front : chat);
  arrange();
}

void ChatPage::setListWanted(bool wanted) {
  m_wanted = wanted;
  arrange();
}

void ChatPage::arrange() {
  if (m_list == nullptr) return;
  const int letter = fontMetrics().averageCharWidth();
  m_list->setFixedWidth(kListLetters * letter);
  const int side = m_side == nullptr || m_side->isHidden() ? 0 : kSideLetters;
  if (m_side != nullptr) m_side->setFixedWidth(kSideLetters * letter);
  const bool beside = m_beside && !m_beside->isHidden();
  const bool fronted = m_front && !m_front->isHidden();
  int chats = (fronted ? kFrontLetters : kChatLetters) * letter;
  if (beside) {
    chats += std::max(chats, m_pair->itemAt(0)->widget()->minimumSizeHint().width());
    m_pair->setDirection(width() >= chats + side * letter ? QBoxLayout::LeftToRight
                                                          : QBoxLayout::TopToBottom);
  }
  m_list->setVisible(m_wanted && width() >= chats + (kListLetters + side) * letter);
}

void ChatPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

// The conversation's least size changes with the buttons under it.
bool ChatPage::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest && m_beside) arrange();
  return QWidget::event(event);
}

bool ChatPage::focusNextPrevChild(bool next) {
  orderTabs(*this);
  return QWidget::focusNextPrevChild(next);
}

void ChatPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) arrange();
}

}  // namespace vitrine

#include "moc_chat_page.cpp"
