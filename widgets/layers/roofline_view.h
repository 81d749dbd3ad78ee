// RooflineView: where the time of the shown step's forward went: at the left each kind of operation with its
// share and how near it comes to its limit, at the right the roofline (Williams, Waterman, Patterson, CACM
// 52(4), 2009): a mark for each, its area the time, under what memory and arithmetic allow. A diamond is
// limited by memory, a disc by arithmetic.
//
// A narrow view has the list alone. Arrow keys walk it. Thread: the window's. Read next: operations_model.h.
#pragma once

#include "widgets/layers/operations_model.h"
#include "widgets/painting/cursor_view.h"

namespace vitrine {

class RooflineView : public CursorView {
  Q_OBJECT
 public:
  explicit RooflineView(OperationsModel* model, QWidget* parent = nullptr);

  QString summary() const override { return m_operations->summary(); }
  QRectF rowArea(int row) const;   // in content coordinates
  QPointF placeOf(int row) const;  // of its mark; null without a roof, or when it computes nothing
  double radiusOf(int row) const;
  QLineF peakLine(int ceiling) const;  // of the roof's ceilings(); null without a chart

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override { return m_operations->emptyText(); }
  ViewItem itemAt(const QPoint& content) const override;  // of the list, or a mark
  QRect itemRect(const ViewItem& item) const override { return rowArea(item.row).toRect(); }
  QString describeItem(const ViewItem& item) const override { return m_operations->describe(item.row); }
  void contentChanged() override;

 private:
  static constexpr int kSide = 12;

  // Both axes are logarithmic: floating-point operations for each byte, and GFLOP/s.
  struct Axes {
    double fromIntensity = 0, toIntensity = 0, fromGflops = 0, toGflops = 0;
    QRectF area;
    QPointF at(double intensity, double gflops) const;
  };

  struct Columns {
    QRectF name, mark, bar, share, limit;
  };

  // The intensity at which the bandwidth line of a reading meets a peak.
  static double ridge(double gflops, double gbps) { return gbps > 0 ? gflops / gbps : 0; }
  int rowHeight() const { return fontMetrics().height() + 6; }
  bool hasChart() const;
  double listWidth() const;
  QRectF chartArea() const;
  Axes axes() const;
  // Which limit it is.
  bool hasRoomForWords() const { return listWidth() >= 44 * fontMetrics().averageCharWidth(); }
  Columns columns(const QRectF& row) const;
  void paintHead(QPainter& painter, const Theme& theme) const;
  void paintNote(QPainter& painter, const Theme& theme) const;
  void paintRow(QPainter& painter, int row, const Theme& theme) const;
  void paintChart(QPainter& painter, const Theme& theme) const;
  void paintRoof(QPainter& painter, const Axes& axes, const Theme& theme) const;
  struct PlacedWords {
    QString words;
    QRectF area;
  };
  struct RoofWords {
    std::vector<PlacedWords> peaks;
    PlacedWords stream;
  };
  RoofWords roofWords(const Axes& axes) const;
  void paintMark(QPainter& painter, int row, const QPointF& centre, double radius) const;
  void paintMarks(QPainter& painter, const Axes& axes, const Theme& theme) const;
  void paintNames(QPainter& painter, const std::vector<int>& order, const RoofWords& roof) const;

  OperationsModel* m_operations;
};

}  // namespace vitrine
