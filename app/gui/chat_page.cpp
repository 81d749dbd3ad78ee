#include "chat_page.h"

#include <QEvent>
#include <QHBoxLayout>

#include "widgets/support/tab_order.h"
#include "widgets/views/chat_view.h"

namespace vitrine {
namespace {
constexpr int kListLetters = 26, kChatLetters = 44,
              kSideLetters = 34;  // widths, in the average letter of the font
}  // namespace

ChatPage::ChatPage(ChatView* chat, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(chat, 1);
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
  m_list->setVisible(m_wanted && width() >= (kListLetters + kChatLetters + side) * letter);
}

void ChatPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
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
