// PlotPane: one plot of PlotView: a legend above the data with the values of one step, axes over the steps,
// lines, a mark at the step that the window shows and one under the mouse. Thread: the window's.
#pragma once

#include <QWidget>
#include <deque>

#include "widgets/plots/metrics_row.h"
#include "widgets/plots/plot_content.h"

class QCPAxisRect;
class QCPGraph;
class QCPItemStraightLine;
class QCPLayoutGrid;
class QCPLegend;
class QCPTextElement;
class QCustomPlot;

namespace vitrine {

class Theme;

class PlotPane : public QWidget {
  Q_OBJECT
 public:
  explicit PlotPane(PlotContent content, QWidget* parent = nullptr);

  const PlotContent& content() const { return m_content; }
  void applyTheme(const Theme& theme, const QFont& font);
  void clear();    // the lines; the axis keeps its height
  void restart();  // for other steps: the height is that of the new lines
  // Draws rows [from, to) as at most two points a line: their minimum and maximum, in the order of the steps.
  void addBucket(const std::deque<MetricsRow>& rows, std::size_t from, std::size_t to);
  void setSteps(double begin, double end);               // the range shown
  void setTop(double least) { m_least = least * 1.05; }  // the axis is at least so high
  void setMarks(int shown, int pointed);                 // steps; -1: none
  void tell(const MetricsRow* row);                      // its values stand in the legend; null: none
  QString told() const;                                  // "tok/s: last 16 steps 98, this step 120"
  void replot();                                         // when it is in sight

  int points() const;                                       // of the first line
  double stepAt(int x) const;                               // may lie outside of the run
  QSize leastSize() const;                                  // with the whole legend in sight
  void paintOn(QPainter& painter, const QRect& box) const;  // as vectors

 signals:
  void chosen(int step);   // clicked, or dragged to
  void pointed(int step);  // the mouse is there; -1: it has left
  void zoomed(double factor, double around);
  void panned(double share);  // of the range, to later steps

  void menuRequested(const QPoint& global);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent*) override { emit pointed(-1); }
  void wheelEvent(QWheelEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeLines();
  void makeHeader();
  void makeMarks();
  void placeLegend();
  int legendWidth() const;
  QString legendText(const PlotLine& line, const QString& number) const;

  PlotContent m_content;
  QCustomPlot* m_plot;
  QCPAxisRect* m_rect;
  QCPLayoutGrid* m_header;
  QCPTextElement* m_title;
  QCPLegend* m_legend;
  bool m_beside = true;             // the legend stands beside the title
  std::vector<QCPGraph*> m_graphs;  // one a line
  QCPItemStraightLine *m_shown, *m_pointed;
  QStringList m_numbers;  // as the legend tells them
  double m_tallest = 0, m_least = 0;
};

}  // namespace vitrine
