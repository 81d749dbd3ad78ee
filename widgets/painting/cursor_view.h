// CursorView: a painted view of items, one of which is current. A subclass says where the items lie, what
// each says and where a key leads; keys, clicks, hovering, tooltips, screen readers, the spotlight and
// scrolling follow from that. Thread: the window's. Read next: blocked_view.h, exits_view.h.
#pragma once

#include <optional>
#include <utility>

#include "widgets/painting/painted_view.h"

namespace vitrine {

// An item of a view. A list has rows alone.
struct ViewItem {
  int row = -1;  // -1: no item
  int column = 0;

  bool exists() const { return row >= 0; }
  bool operator==(const ViewItem&) const = default;
};

// How keyboard and mouse reach the items of a view.
struct CursorHabits {
  enum class Way {
    kDown,    // Up and Down go through the rows, and to the first column
    kAcross,  // Left and Right go through the rows; Up and Down by itemsInLine(), if there are lines
    kGrid     // Up and Down go through the rows, Left and Right through the columns
  };
  Way way = Way::kDown;
  bool ends = false;      // Home and End: to the first and the last row, in a grid column
  bool fromEnd = false;   // without a current item, a key backwards goes to the last one
  bool always = false;    // an item is current from the start
  bool enter = false;     // Return and Enter activate the current item
  bool space = false;     // Space does, too
  bool leftOnly = false;  // other buttons of the mouse choose no item
  bool points = false;    // the spotlight is on the item that became current
};

class CursorView : public PaintedView {
 public:
  int currentRow() const { return m_current.row; }  // -1: none
  int currentColumn() const { return m_current.column; }

 protected:
  CursorView(SessionModel* model, const CursorHabits& habits, QWidget* parent);

  virtual int itemCount() const { return rowCount(); }  // rows: the model's
  // The first and the last column of a row.
  virtual std::pair<int, int> columnsOf(int) const { return {0, 0}; }
  virtual int itemsInLine() const { return 0; }
  virtual ViewItem itemAt(const QPoint& content) const = 0;
  virtual QRect itemRect(const ViewItem& item) const = 0;  // what comes into sight, in content coordinates
  virtual QString describeItem(const ViewItem& item) const = 0;
  virtual prose::Target targetOf(const ViewItem&) const { return {}; }
  // Where a key leads from the current item; outside of the items is the nearest one. Null: nowhere ever.
  virtual std::optional<ViewItem> itemBeside(int key) const;
  virtual void currentChanged() {}           // by the user or the host
  virtual void activate(const ViewItem&) {}  // by Enter or a click, when it has become current
  virtual void hoverChanged() {}

  ViewItem currentItem() const { return m_current; }
  ViewItem hoveredItem() const { return m_hovered; }
  void setCurrentItem(const ViewItem& item);  // the nearest one; shows and announces it
  void placeCursor(const ViewItem& item);     // without a word; no item: none is current
  void forgetHovered() { m_hovered = {}; }

  QString tipAt(const QPoint& content) const override;
  prose::Target targetAt(const QPoint& content) const override;
  void contentChanged() override;  // keeps the cursor within the items
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void hover(const ViewItem& item);

  const CursorHabits m_habits;
  ViewItem m_current, m_hovered;
};

}  // namespace vitrine
