// BlockedView: a bar for each reason that kept sequences waiting over the run, the longest first, with its
// number of steps and its share. Up and Down go through the bars. Thread: the window's.
#pragma once

#include "widgets/explain/blocked_model.h"
#include "widgets/painting/cursor_view.h"

namespace vitrine {

class BlockedView : public CursorView {
  Q_OBJECT
 public:
  explicit BlockedView(BlockedModel* model, QWidget* parent = nullptr);

  QString summary() const override;  // "41 steps of waiting"
  QRect rowRect(int row) const;      // in content coordinates

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override { return rowRect(item.row); }
  QString describeItem(const ViewItem& item) const override { return m_blocked->describe(item.row); }
  prose::Target targetOf(const ViewItem& item) const override;

 private:
  int rowHeight() const { return fontMetrics().height() + 12; }
  double nameWidth() const;

  BlockedModel* m_blocked;
};

}  // namespace vitrine
