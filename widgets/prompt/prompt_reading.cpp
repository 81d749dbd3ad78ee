#include "widgets/prompt/prompt_reading.h"

#include <QAccessibleWidget>
#include <QScrollBar>
#include <map>

#include "widgets/painting/painted_reading.h"
#include "widgets/prompt/prompt_view.h"

namespace vitrine {
namespace {

class TokenReading final : public ItemReading {
 public:
  TokenReading(PromptView* view, int row) : ItemReading(view), m_row(row) {}

  bool isValid() const override { return ItemReading::isValid() && m_row < prompt().tokens().rowCount(); }
  QString text(QAccessible::Text what) const override {
    return what == QAccessible::Name && isValid() ? prompt().tokens().describe(m_row) : QString();
  }
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect area =
        prompt().tokenRect(m_row).toAlignedRect().translated(0, -prompt().verticalScrollBar()->value());
    return {prompt().viewport()->mapToGlobal(area.topLeft()), area.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    state.invalid = !isValid();
    if (!isValid()) return state;
    state.readOnly = state.focusable = state.selectable = true;
    state.selected = prompt().current() == m_row;
    state.focused = state.selected && prompt().hasFocus();
    state.invisible = !prompt().isVisible();
    state.offscreen = !prompt().viewport()->rect().intersects(
        prompt().tokenRect(m_row).toAlignedRect().translated(0, -prompt().verticalScrollBar()->value()));
    return state;
  }

 private:
  PromptView& prompt() const { return *static_cast<PromptView*>(view()); }

  const int m_row;
};

class PromptReading final : public QAccessibleWidget {
 public:
  explicit PromptReading(PromptView* view) : QAccessibleWidget(view, QAccessible::List) {}
  ~PromptReading() override {
    for (const auto& [row, id] : m_items) QAccessible::deleteAccessibleInterface(id);
  }

  int childCount() const override { return view().tokens().rowCount(); }
  QAccessibleInterface* child(int row) const override {
    if (row < 0 || row >= childCount()) return nullptr;
    auto known = m_items.find(row);
    if (known == m_items.end())
      known = m_items.emplace(row, QAccessible::registerAccessibleInterface(new TokenReading(&view(), row)))
                  .first;
    return QAccessible::accessibleInterface(known->second);
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    for (int row = 0; row < childCount(); ++row)
      if (QAccessibleInterface* const item = child(row); item->rect().contains(x, y)) return item;
    return nullptr;
  }
  int indexOfChild(const QAccessibleInterface* item) const override {
    for (const auto& [row, id] : m_items)
      if (QAccessible::accessibleInterface(id) == item) return row;
    return -1;
  }
  QAccessibleInterface* focusChild() const override {
    return view().hasFocus() ? child(view().current()) : nullptr;
  }

 private:
  PromptView& view() const { return *static_cast<PromptView*>(widget()); }

  mutable std::map<int, QAccessible::Id> m_items;  // by row, of those that were asked for
};

QAccessibleInterface* makeReading(const QString&, QObject* object) {
  auto* const view = qobject_cast<PromptView*>(object);
  return view ? new PromptReading(view) : nullptr;
}

}  // namespace

void readPromptsAsLists() {
  [[maybe_unused]] static const bool done = (QAccessible::installFactory(makeReading), true);
}

}  // namespace vitrine
