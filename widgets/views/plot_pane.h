// PlotPane: one plot of PlotView: axes over the steps, one or two lines, a cursor and, for two lines, a
// legend. Thread: the window's.
#pragma once

#include <QString>
#include <deque>

#include "widgets/models/metrics_model.h"

class QCPAxisRect;
class QCPGraph;
class QCPItemStraightLine;
class QCPLegend;
class QCustomPlot;
class QFont;
class QPoint;

namespace vitrine {

class Theme;

class PlotPane {
 public:
  using Value = double (*)(const MetricsRow&);
  // A line without a value is not drawn.
  struct Line {
    QString name;
    Value value = nullptr;
    bool stepped = true;  // discrete: a batch does not grow between two steps
  };

  struct Content {
    QString label;  // of the vertical axis
    Line line, second = {};
  };

  // The column-th pane of the plot, which owns its parts.
  PlotPane(QCustomPlot* plot, int column, const Content& content);

  void applyTheme(const Theme& theme, const QFont& font);
  void clear();    // the lines; the axis keeps its height
  void restart();  // for a new run
  // Draws rows [from, to) as at most two points a line: their minimum and maximum, in the order of the steps.
  void addBucket(const std::deque<MetricsRow>& rows, std::size_t from, std::size_t to);
  void setSteps(int first, int last);  // the range shown; the height is that of the lines
  void setCursor(int step, bool visible);

  int points() const;                  // of the first line
  int stepAt(const QPoint& at) const;  // may be negative

 private:
  QCPGraph* addGraph(QCustomPlot* plot, const Line& line);
  void addLegend();

  QCPAxisRect* m_rect;
  Line m_values[2];
  QCPGraph* m_graphs[2] = {};  // the second may be null
  QCPItemStraightLine* m_cursor;
  QCPLegend* m_legend = nullptr;
  double m_tallest = 1;
};

}  // namespace vitrine
