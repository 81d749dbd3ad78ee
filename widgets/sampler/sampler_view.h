// SamplerView: how the latest token was chosen: the candidates, and in columns their probabilities as the
// model gave them and after the sampler's stages, with the stage that removed each.
//
// Where there is room, the draws stand above as cumulative bars with the drawn number as a needle. The token
// that was drawn is always in sight: where its row is not, it is pinned as the last one. With a preview, the
// columns show the preview. A click selects a candidate; "try it" at the end of its row, or Enter, asks for a
// branch with it. Thread: the window's. Read next: sampler_model.h, draw_bar_painter.h.
#pragma once

#include "widgets/painting/cursor_view.h"
#include "widgets/sampler/sampler_layout.h"

namespace vitrine {

class SamplerView : public CursorView {
  Q_OBJECT
 public:
  explicit SamplerView(SamplerModel* model, QWidget* parent = nullptr);

  const SamplerModel* candidates() const { return m_candidates; }
  int heightOf(int rows) const { return placed().heightOf(rows); }
  bool isUnfolded() const { return m_unfolded; }
  void setUnfolded(bool unfolded);  // whether each stage has a column of its own
  SamplerLayout placed() const;     // for what is in sight now
  QRect tryArea(int row) const;     // empty unless the row is selected and can be tried

 signals:
  void candidateSelected(int token, const QString& text);
  void branchRequested(int sequence, int position, int token, const QString& text);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override;
  void currentChanged() override;
  void contentChanged() override;
  QString tipAt(const QPoint& content) const override;
  void addActions(QMenu& menu) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent*) override {}  // the first click has done it
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  using Layout = SamplerLayout;

  bool isBranch(int row) const;  // it is another token than the one that was chosen
  QString positionText() const { return tr("Pos. %1").arg(m_candidates->position()); }
  QString tryText() const { return tr("try it ▸"); }
  QString tipOfHead(const Layout& layout, int x) const;
  QString tipOfDraws() const;
  void branch(int row);
  void paintDraws(QPainter& painter, const Layout& layout, const Theme& theme) const;
  void paintHead(QPainter& painter, const Layout& layout, const Theme& theme) const;
  void paintRow(QPainter& painter, const Layout& layout, int row, const QRectF& area,
                const Theme& theme) const;
  void paintTry(QPainter& painter, const QRectF& area, const Theme& theme) const;
  void paintPinned(QPainter& painter, const Layout& layout, const Theme& theme) const;
  void paintMark(QPainter& painter, const QRectF& area, const SamplerRow& row, const Theme& theme) const;
  void paintBar(QPainter& painter, const QRectF& inner, const SamplerRow& row, const StageColumn& column,
                const Theme& theme) const;

  SamplerModel* m_candidates;
  bool m_unfolded = false;
  SequenceId m_sequence = 0;  // whose candidates were shown last
  int m_position = -1;
  TokenId m_selected = 0;
};

}  // namespace vitrine
