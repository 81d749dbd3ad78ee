// AttentionView: where each token looks, as a map: a row for each token that looks, a column for each that it
// may look at; the darker, the larger the share. Above it the current row in words.
//
// The map is a picture made once a report, a pixel for each pair, so a map of 1,024 tokens opens and scrolls
// at once. Cells grow when tokens are few, and then bear the tokens' texts. Arrow keys walk it. Thread: the
// window's. Read next: attention_model.h.
#pragma once

#include <QImage>

#include "widgets/layers/attention_model.h"
#include "widgets/painting/cursor_view.h"

namespace vitrine {

class AttentionView : public CursorView {
  Q_OBJECT
 public:
  explicit AttentionView(AttentionModel* model, QWidget* parent = nullptr);

  QString summary() const override { return m_attention->summary(); }
  QRect cellArea(int row, int column) const;  // in content coordinates

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override { return m_attention->emptyText(); }
  // Column -1 is the row as a whole.
  std::pair<int, int> columnsOf(int row) const override { return {-1, m_attention->positionOf(row)}; }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override;
  prose::Target targetOf(const ViewItem& item) const override;
  void contentChanged() override;

 private:
  static constexpr int kSide = 10, kMostCell = 26;

  int cellSize() const;
  bool hasLabels() const { return cellSize() >= fontMetrics().height(); }
  int headHeight() const;
  int gutter() const { return kSide + (hasLabels() ? 9 * fontMetrics().averageCharWidth() : 0); }
  void makePicture(const Theme& theme) const;
  void paintRowLabels(QPainter& painter, const QRect& exposed, const Theme& theme) const;
  void paintColumnLabels(QPainter& painter, const QRect& exposed, const Theme& theme) const;
  void paintWords(QPainter& painter, const Theme& theme) const;
  void paintCurrent(QPainter& painter, const Theme& theme) const;

  AttentionModel* m_attention;
  double m_labels = 0;             // height of the columns' upright texts
  InsidePlace m_shown;             // at the last refresh
  mutable QImage m_picture;        // a pixel for each pair; null: to be made
  mutable QColor m_pictureGround;  // the colours it was made of
  mutable QColor m_pictureInk;
};

}  // namespace vitrine
