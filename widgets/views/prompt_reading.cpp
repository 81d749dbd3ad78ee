#include "widgets/views/prompt_reading.h"

#include <QAccessibleWidget>
#include <QPointer>
#include <QScrollBar>
#include <map>

#include "widgets/views/prompt_view.h"

namespace vitrine {
namespace {

// A screen reader may ask for what is no longer there.
class TokenReading final : public QAccessibleInterface {
 public:
  TokenReading(PromptView* view, int row) : m_view(view), m_row(row) {}

  bool isValid() const override { return m_view && m_row < m_view->tokens().rowCount(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return m_view ? list()->window() : nullptr; }
  QAccessibleInterface* parent() const override { return m_view ? list() : nullptr; }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  void setText(QAccessible::Text, const QString&) override {}
  QString text(QAccessible::Text what) const override {
    return what == QAccessible::Name && isValid() ? m_view->tokens().describe(m_row) : QString();
  }
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect area =
        m_view->tokenRect(m_row).toAlignedRect().translated(0, -m_view->verticalScrollBar()->value());
    return {m_view->viewport()->mapToGlobal(area.topLeft()), area.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    state.invalid = !isValid();
    if (!isValid()) return state;
    state.readOnly = state.focusable = state.selectable = true;
    state.selected = m_view->current() == m_row;
    state.focused = state.selected && m_view->hasFocus();
    state.invisible = !m_view->isVisible();
    state.offscreen = !m_view->viewport()->rect().intersects(
        m_view->tokenRect(m_row).toAlignedRect().translated(0, -m_view->verticalScrollBar()->value()));
    return state;
  }

 private:
  QAccessibleInterface* list() const { return QAccessible::queryAccessibleInterface(m_view.data()); }

  QPointer<PromptView> m_view;
  int m_row;
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
