// ExitsView: what each layer would have said, as a grid: a row for each exit, a column for each of the newest
// tokens, in each cell the best token, tinted by its probability, which stands below it where there is room.
// A cell that says what the model says has a frame, so the eye finds the layer from which on the answer
// stands. At the left the norm of the hidden state of the current column, layer by layer.
//
// Arrow keys walk the grid. Thread: the window's. Read next: exits_model.h.
#pragma once

#include "widgets/layers/exits_model.h"
#include "widgets/painting/cursor_view.h"

namespace vitrine {

class ExitsView : public CursorView {
  Q_OBJECT
 public:
  explicit ExitsView(ExitsModel* model, QWidget* parent = nullptr);

  QString summary() const override { return m_exits->summary(); }
  QRect cellArea(int row, int column) const;  // in content coordinates

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override { return m_exits->emptyText(); }
  std::pair<int, int> columnsOf(int) const override { return {0, m_exits->tokens() - 1}; }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override;
  prose::Target targetOf(const ViewItem& item) const override;
  void contentChanged() override;
  void spotlightMoved() override { viewport()->update(); }

 private:
  static constexpr int kSide = 10, kGap = 2;

  int headHeight() const { return fontMetrics().height() + 8; }
  int gutter() const;  // names and norms of the layers
  int cellWidth() const { return fontMetrics().averageCharWidth() * 9; }
  bool isRoomy() const;  // every exit fits with two lines
  int cellHeight() const { return (isRoomy() ? 2 : 1) * fontMetrics().height() + 2; }
  void paintHeads(QPainter& painter, int first, int last, const Theme& theme) const;
  void paintNames(QPainter& painter, const Theme& theme) const;
  void paintNorm(QPainter& painter, int row, const QRectF& area, const Theme& theme) const;
  void paintCell(QPainter& painter, int row, int column, const Theme& theme) const;

  ExitsModel* m_exits;
  InsidePlace m_shown;  // at the last refresh
};

}  // namespace vitrine
