// SamplerView: how the latest token was chosen: the draws as cumulative bars with the drawn number as a
// needle, and the candidates as bars, one column a stage, with the stage that removed each.
//
// Stages that changed nothing are folded into one line, which opens. With a preview, the columns show the
// preview, and the draw that was made stays above. Another candidate is a branch to ask for, by a click or
// Enter. Thread: the window's. Read next: sampler_model.h, draw_bar_painter.h.
#pragma once

#include "widgets/painting/cursor_view.h"
#include "widgets/sampler/sampler_model.h"

namespace vitrine {

class SamplerView : public CursorView {
  Q_OBJECT
 public:
  explicit SamplerView(SamplerModel* model, QWidget* parent = nullptr);

  QString summary() const override;
  const SamplerModel* candidates() const { return m_candidates; }
  int heightOf(int rows) const { return drawsHeight() + headHeight() + rows * rowHeight(); }
  bool isUnfolded() const { return m_unfolded; }
  void setUnfolded(bool unfolded);  // whether stages that changed nothing have columns
  // In content coordinates, for tests.
  QRect rowArea(int row) const;
  QRect foldArea() const;  // empty when every stage changed something

 signals:
  void branchRequested(int sequence, int position, int token, const QString& text);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override;
  void activate(const ViewItem& item) override { branch(item.row); }
  QString tipAt(const QPoint& content) const override;
  void addActions(QMenu& menu) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent*) override {}  // the first click has branched
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  static constexpr int kSide = 10, kTop = 4, kRoomyLines = 11;

  bool isLow() const;
  int rowHeight() const { return fontMetrics().height() + (isLow() ? 4 : 8); }
  int drawsHeight() const { return kTop + (m_candidates->previewed() ? 2 : 1) * rowHeight(); }
  int headHeight() const { return (isLow() ? 1 : 2) * fontMetrics().height() + (isLow() ? 4 : 8); }
  int rowsTop() const { return drawsHeight() + headHeight(); }
  int tokenWidth() const;
  int stageWidth() const;
  int leastStageWidth() const;
  bool isBranch(int row) const;  // it is another token than the one that was chosen
  std::vector<int> shownStages() const;
  QStringList idleStages() const;  // titles of those that changed nothing
  QString positionText() const { return tr("Pos. %1").arg(m_candidates->position()); }
  QString tipOfHead(int x) const;
  QString tipOfDraws() const;
  void branch(int row);
  void paintDraws(QPainter& painter, const Theme& theme) const;
  void paintHead(QPainter& painter, const Theme& theme) const;
  void paintRow(QPainter& painter, int row, const Theme& theme) const;
  void paintMark(QPainter& painter, const QRectF& area, const SamplerRow& row, const Theme& theme) const;
  void paintBar(QPainter& painter, const QRectF& cell, const SamplerRow& row, int stage,
                const Theme& theme) const;
  void paintFold(QPainter& painter, const Theme& theme) const;

  SamplerModel* m_candidates;
  bool m_unfolded = false;
};

}  // namespace vitrine
