#include "widgets/painting/painted_reading.h"

#include <QAccessibleWidget>

#include "widgets/painting/painted_view.h"

namespace vitrine {
namespace {

// What was announced once.
class AnnouncedItem final : public ItemReading {
 public:
  AnnouncedItem(PaintedView* view, const QString& words) : ItemReading(view), m_words(words) {}

  const QString& words() const { return m_words; }

  QString text(QAccessible::Text what) const override {
    return what == QAccessible::Name ? m_words : QString();
  }
  QRect rect() const override { return isValid() ? parent()->rect() : QRect(); }
  QAccessible::State state() const override {
    QAccessible::State state;
    state.invalid = !isValid();
    if (!isValid()) return state;
    state.readOnly = state.focusable = true;
    state.focused = view()->hasFocus();
    state.invisible = !view()->isVisible();
    return state;
  }

 private:
  const QString m_words;
};

// The children of a widget, and behind them what was announced last.
class PaintedReading final : public QAccessibleWidget {
 public:
  explicit PaintedReading(PaintedView* view) : QAccessibleWidget(view, QAccessible::Client) {}
  ~PaintedReading() override { forget(); }

  int childCount() const override { return QAccessibleWidget::childCount() + (item() != nullptr ? 1 : 0); }
  QAccessibleInterface* child(int index) const override {
    return index == QAccessibleWidget::childCount() ? item() : QAccessibleWidget::child(index);
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    return child != nullptr && child == item() ? QAccessibleWidget::childCount()
                                               : QAccessibleWidget::indexOfChild(child);
  }
  QAccessibleInterface* focusChild() const override {
    return view().hasFocus() && item() != nullptr ? item() : QAccessibleWidget::focusChild();
  }

 private:
  PaintedView& view() const { return *static_cast<PaintedView*>(widget()); }

  // A new one for other words: what has the same place on the bus would not be read again.
  QAccessibleInterface* item() const {
    const QString words = view().accessibleDescription();
    if (m_item != nullptr && m_item->words() == words) return m_item;
    forget();
    if (words.isEmpty()) return nullptr;
    m_item = new AnnouncedItem(&view(), words);
    m_id = QAccessible::registerAccessibleInterface(m_item);
    return m_item;
  }
  void forget() const {
    if (m_item != nullptr) QAccessible::deleteAccessibleInterface(m_id);
    m_item = nullptr;
  }

  mutable AnnouncedItem* m_item = nullptr;  // Qt owns it, by its number
  mutable QAccessible::Id m_id = 0;
};

QAccessibleInterface* makeReading(const QString&, QObject* object) {
  auto* const view = qobject_cast<PaintedView*>(object);
  return view ? new PaintedReading(view) : nullptr;
}

}  // namespace

ItemReading::ItemReading(PaintedView* view) : m_view(view) {}
PaintedView* ItemReading::view() const { return m_view; }
bool ItemReading::isValid() const { return m_view; }
QWindow* ItemReading::window() const { return m_view ? parent()->window() : nullptr; }
QAccessibleInterface* ItemReading::parent() const {
  return QAccessible::queryAccessibleInterface(m_view.data());
}

void readViewsByItem() {
  [[maybe_unused]] static const bool done = (QAccessible::installFactory(makeReading), true);
}

void tellFocusedItem(PaintedView* view) {
  if (!QAccessible::isActive() || !view->hasFocus()) return;
  const QAccessibleInterface* const reading = QAccessible::queryAccessibleInterface(view);
  QAccessibleInterface* const item = reading != nullptr ? reading->focusChild() : nullptr;
  if (item == nullptr) return;
  QAccessibleEvent focused(item, QAccessible::Focus);
  QAccessible::updateAccessibility(&focused);
}

}  // namespace vitrine
