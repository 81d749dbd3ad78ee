// PackedGroupView: a group of weights opened: for each its bits as squares (filled: 1), the integer that they
// stand for, and the float; above them the formula that leads from one to the other, and the present weight's
// own. Floats have no bits to show.
//
// The arrow keys, Home and End walk the weights, a click chooses one. Thread: the window's. Read next:
// packed_group_model.h, cursor_view.h.
#pragma once

#include "widgets/painting/cursor_view.h"
#include "widgets/weights/packed_group_model.h"

namespace vitrine {

class PackedGroupView : public CursorView {
  Q_OBJECT
 public:
  explicit PackedGroupView(PackedGroupModel* model, QWidget* parent = nullptr);

  QString summary() const override;  // of the present weight
  int currentWeight() const { return currentRow(); }
  QRectF cellArea(int weight) const;  // in content coordinates
  int columns() const { return m_columns; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  int itemsInLine() const override { return m_columns; }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override { return m_group->describe(item.row); }
  QString tipAt(const QPoint& content) const override;
  void arrange() override;

 private:
  static constexpr double kSide = 8, kPadding = 5, kSquareGap = 2;  // pixels

  void measureHead();
  double squareSize() const { return std::max(7.0, 0.5 * fontMetrics().height()); }
  double headHeight() const { return m_formulaHeight + m_sentenceHeight + kPadding; }
  void paintCell(QPainter& painter, int weight, const Theme& theme) const;
  void paintBits(QPainter& painter, int weight, const QRectF& line, const Theme& theme) const;

  PackedGroupModel* m_group;
  double m_cellWidth = 1, m_cellHeight = 1, m_formulaHeight = 0, m_sentenceHeight = 0;
  int m_columns = 1;
};

}  // namespace vitrine
