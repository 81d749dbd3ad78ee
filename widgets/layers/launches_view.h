// LaunchesView: how a GPU is handed the layers of the shown step: a bar for each way of launching them, the
// spans of the first layers as boxes on the GPU's clock, with gaps where it waits, and in words why the step
// is not faster.
//
// Up and Down walk the ways, Left and Right the boxes of a way. All words have places that do not overlap;
// too long ones wrap. Thread: the window's. Read next: launches_model.h.
#pragma once

#include <vector>

#include "widgets/layers/launches_model.h"
#include "widgets/painting/cursor_view.h"

namespace vitrine {

// A text of the view with its place.
struct LaunchLabel {
  enum class Ink : std::uint8_t { kText, kDim, kTitle, kLimit };
  QString text;
  QRectF area;
  Ink ink = Ink::kText;
};

class LaunchesView : public CursorView {
  Q_OBJECT
 public:
  explicit LaunchesView(LaunchesModel* model, QWidget* parent = nullptr);

  QString summary() const override { return m_launches->summary(); }
  int currentSpan() const { return currentColumn(); }  // -1: the way itself
  const std::vector<LaunchLabel>& labels() const { return m_labels; }
  QRectF barArea(int row) const;  // in content coordinates
  QRectF boxArea(int row, int span) const;
  double limitLine() const;  // from the left; 0: no line

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override { return m_launches->emptyText(); }
  // Column -1 is the way itself.
  std::pair<int, int> columnsOf(int row) const override;
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override;
  std::optional<ViewItem> itemBeside(int key) const override;
  void arrange() override;
  void contentChanged() override;

 private:
  using Ink = LaunchLabel::Ink;
  struct KindSwatch {
    SpanKind kind = SpanKind::kSmallWork;
    QRectF area;
  };

  int lineHeight() const { return fontMetrics().height() + 2; }
  int barHeight() const { return lineHeight() + 2; }
  double textSide() const { return viewport()->width() - kSide; }
  // Each from `top` on; they return where the next part begins.
  double arrangeHeading(const QString& title, const QString& remark, double top);
  double arrangeBars(double top);
  double arrangeBoxes(double top);
  double arrangeLegend(double top);
  double arrangeText(const QString& text, Ink ink, double top);
  double nameWidth() const;
  static QColor colourOf(SpanKind kind, const Theme& theme);
  void paintBars(QPainter& painter, const Theme& theme) const;
  void paintBoxes(QPainter& painter, const Theme& theme) const;
  void paintLayers(QPainter& painter, int row, const Theme& theme) const;
  void paintLabels(QPainter& painter, const Theme& theme) const;

  static constexpr int kSide = 12;

  LaunchesModel* m_launches;
  std::vector<LaunchLabel> m_labels;
  std::vector<KindSwatch> m_swatches;
  QRectF m_bars, m_boxes;  // both axes, from zero to their ends, all ways below each other
  double m_barsEndNs = 0, m_boxesEndNs = 0, m_barPitch = 0, m_boxPitch = 0;
  double m_height = 0;
};

}  // namespace vitrine
