// How a painted view tells a screen reader its present item: as a child of its own, which has the focus while
// the view has it. A change of a widget's description would be the natural way, but readers on Linux say
// nothing then, since Qt's bridge sends no words along. Thread: the window's.
#pragma once

#include <QAccessible>
#include <QPointer>

namespace vitrine {

class PaintedView;

// An item of a view that is no widget and has no parts. A screen reader may ask for one that is no longer
// there.
class ItemReading : public QAccessibleInterface {
 public:
  explicit ItemReading(PaintedView* view);

  bool isValid() const override;
  QObject* object() const override { return nullptr; }
  QWindow* window() const override;
  QAccessibleInterface* parent() const override;  // the view's
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  void setText(QAccessible::Text, const QString&) override {}

 protected:
  PaintedView* view() const;  // null: it is gone

 private:
  QPointer<PaintedView> m_view;
};

// Of all painted views that a screen reader has not met yet: called before they are made. Once is enough.
void readViewsByItem();
// What has the focus within the view has changed.
void tellFocusedItem(PaintedView* view);

}  // namespace vitrine
