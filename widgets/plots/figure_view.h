// FigureView: a bar or line chart of a FigureModel, with the spread of each value: a figure of measurements.
//
// Series differ in colour and hatch, and on lines in the shape of their points. Arrow keys walk the values:
// Left and Right the places, Up and Down the series. More places than there is room for scroll under the
// axis. Thread: the window's. Read next: figure_model.h, cursor_view.h.
#pragma once

#include "widgets/painting/cursor_view.h"
#include "widgets/plots/figure_model.h"

namespace vitrine {

class FigureView : public CursorView {
  Q_OBJECT
 public:
  explicit FigureView(FigureModel* model, QWidget* parent = nullptr);

  QString summary() const override { return m_figure->figure().title; }
  // In content coordinates: of a bar, or the point on a line; empty for what was not measured.
  QRectF markArea(int series, int place) const;
  double heightOf(double value) const;  // y, in content coordinates
  int currentSeries() const { return currentRow(); }
  int currentPlace() const { return currentColumn(); }

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  int itemCount() const override { return m_figure->places() > 0 ? m_figure->seriesCount() : 0; }
  std::pair<int, int> columnsOf(int) const override { return {0, m_figure->places() - 1}; }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override;
  void arrange() override;
  void contentChanged() override;

 private:
  static constexpr double kSide = 12, kGap = 6, kSample = 22;  // pixels; a sample of the legend

  // The data's area in content coordinates, and the value at its top with the distance of the lines.
  struct Axes {
    QRectF area;
    double top = 1, step = 1;
  };

  double slotWidth() const { return m_axes.area.width() / std::max(1, m_figure->places()); }
  double middleOf(int place) const { return m_axes.area.left() + (place + 0.5) * slotWidth(); }
  double barWidth() const;
  bool numbersFit() const;
  QRectF labelArea(int place) const;
  void paintLegend(QPainter& painter, const Theme& theme) const;
  void paintGrid(QPainter& painter, const Theme& theme) const;
  void paintAxis(QPainter& painter, const Theme& theme) const;
  void paintPlaces(QPainter& painter, const Theme& theme) const;
  void paintBar(QPainter& painter, int series, int place, const Theme& theme) const;
  void paintLine(QPainter& painter, int series, const Theme& theme) const;
  void paintSpread(QPainter& painter, int series, int place, const Theme& theme) const;
  void paintNumber(QPainter& painter, int series, int place, const Theme& theme) const;
  void paintSample(QPainter& painter, const QRectF& area, int series, const Theme& theme) const;
  void paintPoint(QPainter& painter, const QPointF& at, int series, const Theme& theme) const;

  FigureModel* m_figure;
  Axes m_axes;
  double m_axisWidth = 0, m_contentWidth = 0;
  std::vector<QRectF> m_legend;  // of each series
  int m_labelLines = 1;          // of the places
  bool m_numbersFit = false;     // over each bar, or at each point of a single line
};

}  // namespace vitrine
