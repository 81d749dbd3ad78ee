// PackedGroupView: a group of weights opened: for each its bits as squares (filled: 1), the integer that they
// stand for, and the float; above them the formula that leads from one to the other, and the present weight's
// own. Floats have no bits to show.
//
// The arrow keys, Home and End walk the weights, a click chooses one. Thread: the window's. Read next:
// packed_group_model.h, painted_view.h.
#pragma once

#include "widgets/painting/painted_view.h"
#include "widgets/weights/packed_group_model.h"

namespace vitrine {

class PackedGroupView : public PaintedView {
  Q_OBJECT
 public:
  explicit PackedGroupView(PackedGroupModel* model, QWidget* parent = nullptr);

  QString summary() const override;  // of the present weight
  int currentWeight() const { return m_weight; }
  QRectF cellArea(int weight) const;  // in content coordinates
  int columns() const { return m_columns; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  void contentChanged() override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  static constexpr double kSide = 8, kPadding = 5, kSquareGap = 2;  // pixels

  void measure();
  void measureHead();
  QFont formulaFont() const;
  void setCurrent(int weight);
  double squareSize() const;
  double headHeight() const { return m_formulaHeight + m_sentenceHeight + kPadding; }
  void paintCell(QPainter& painter, int weight, const Theme& theme) const;
  void paintBits(QPainter& painter, int weight, const QRectF& line, const Theme& theme) const;

  PackedGroupModel* m_group;
  double m_cellWidth = 1, m_cellHeight = 1, m_formulaHeight = 0, m_sentenceHeight = 0;
  int m_columns = 1, m_weight = 0;
};

}  // namespace vitrine
