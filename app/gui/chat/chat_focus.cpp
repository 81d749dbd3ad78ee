#include "gui/chat/chat_focus.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTimer>
#include <utility>

#include "widgets/chat/chat_view.h"

namespace vitrine {
namespace {

bool canHaveKeys(const QWidget* part) {
  return part != nullptr && part->isVisible() && part->isEnabled() && !qobject_cast<const QMenuBar*>(part);
}

// A letter, say: a button has no use for it. A blank presses one.
bool isTyped(const QKeyEvent& key) {
  const bool command = key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
  return !command && !key.text().isEmpty() && key.text()[0].isPrint() && !key.text()[0].isSpace();
}

// An editor of a row, which lies in the viewport of its list.
bool isEditorOf(const QWidget* part, QWidget* list) {
  const auto* const view = qobject_cast<QAbstractItemView*>(list);
  return view != nullptr && part->parentWidget() == view->viewport();
}

}  // namespace

ChatFocus::ChatFocus(QWidget& window, ChatView& view, QWidget& page, std::function<bool()> alone,
                     QObject* parent)
    : QObject(parent), m_window(window), m_view(view), m_page(page), m_alone(std::move(alone)) {
  qApp->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, &ChatFocus::onFocus);
}

// Also through other windows, which isAncestorOf() does not look into.
bool ChatFocus::isOfWindow(const QWidget& part) const {
  const QWidget* one = &part;
  while (one != nullptr && one != &m_window) one = one->parentWidget();
  return one != nullptr;
}

bool ChatFocus::isOurs(const QWidget* before) const {
  return m_view.isVisible() && (m_alone() || (before != nullptr && m_page.isAncestorOf(before)));
}

// At once: the press of the mouse that closed a popup gives the keyboard to another part afterwards.
void ChatFocus::onFocus(QWidget* old, QWidget* now) {
  const QPointer<QWidget> last = m_last;
  const bool inWindow = now != nullptr && now->window() == &m_window;
  if (inWindow && !qobject_cast<QMenuBar*>(now)) m_last = now;
  // The window is in front again, and what had the keyboard was hidden in the meantime.
  if (inWindow && old == nullptr && last && last != now && !canHaveKeys(last) && isOurs(last))
    return m_view.focusInput();
  if (old == nullptr || old->window() != &m_window || !isOurs(old)) return;
  if (now == nullptr) {
    QTimer::singleShot(0, this, &ChatFocus::settleLost);
  } else if (inWindow) {
    const bool gone = !old->isVisible() || !old->isEnabled();
    if (gone || isEditorOf(old, now)) m_view.focusInput();
  }
}

// The part with the keyboard was deleted, or hidden while another window was in front.
void ChatFocus::settleLost() {
  if (QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr) return;
  if (m_view.isVisible() && !canHaveKeys(m_window.focusWidget())) m_view.focusInput();
}

void ChatFocus::settle(const Opened& closed) {
  if (QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr) return;
  const QWidget* const now = m_window.focusWidget();
  if (!isOurs(closed.before) && !isOurs(now)) return;
  const bool isButton = qobject_cast<const QAbstractButton*>(now) != nullptr;
  if (canHaveKeys(now) && (now != closed.before || (closed.left && isButton))) return;
  m_view.focusInput();
}

bool ChatFocus::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Show: {
      if (!watched->isWidgetType() || watched == &m_window) break;
      const auto& part = static_cast<const QWidget&>(*watched);
      const bool window = part.windowType() == Qt::Dialog || part.windowType() == Qt::Window ||
                          qobject_cast<const QMenu*>(watched) != nullptr;
      if (part.isWindow() && window && isOfWindow(part)) m_opened[watched] = {m_last};
      break;
    }
    case QEvent::KeyPress:
      if (const auto open = m_opened.find(watched);
          open != m_opened.end() && qobject_cast<const QMenu*>(watched) != nullptr)
        open->left = static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape;
      if (const auto* const button = qobject_cast<const QAbstractButton*>(watched);
          button != nullptr && m_page.isAncestorOf(button) && canHaveKeys(m_view.input()) &&
          isTyped(static_cast<const QKeyEvent&>(*event))) {
        m_view.focusInput();
        QApplication::sendEvent(m_view.input(), event);
        return true;
      }
      break;
    case QEvent::MouseButtonPress:
      // A button that takes no keys passes a click's focus to what it lies in: a message's to the
      // conversation.
      if (const auto* const button = qobject_cast<const QAbstractButton*>(watched);
          button != nullptr && m_page.isAncestorOf(button) && !(button->focusPolicy() & Qt::ClickFocus) &&
          m_window.focusWidget() != nullptr && m_window.focusWidget()->isAncestorOf(button))
        m_view.focusInput();
      break;
    case QEvent::Hide:
      // Later, when what was chosen has given the keyboard to another part.
      if (m_opened.contains(watched))
        QTimer::singleShot(0, this, [this, closed = m_opened.take(watched)] { settle(closed); });
      break;
    default:
      break;
  }
  return false;
}

}  // namespace vitrine

#include "moc_chat_focus.cpp"
