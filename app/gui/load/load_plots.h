// LoadPlots: the load of several servers over the last ten minutes: requests, KV cache, prefix hits and
// generated tokens, a line a server, with one legend. Where a server did not answer, its line has a gap.
//
// All is one QCustomPlot, which is drawn once for all answers that come together, and only while it is in
// sight. It scrolls where the plots have no room. Thread: the window's. Read next: load_watcher.h,
// load_figures.h.
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <array>
#include <vector>

class QCPAxisRect;
class QCPGraph;
class QCPLayoutGrid;
class QCPLegend;
class QCPMarginGroup;
class QCPPlottableLegendItem;
class QCPTextElement;
class QCustomPlot;

namespace vitrine {

class LoadWatcher;

class LoadPlots : public QScrollArea {
  Q_OBJECT

 public:
  enum Plot { kRequests, kCache, kHits, kGenerated, kPlots };

  // The watcher outlives it.
  explicit LoadPlots(const LoadWatcher& watcher, QWidget* parent = nullptr);

  void setCurrent(int row);  // its lines are thicker; -1: none
  int columns() const { return m_columns; }
  int lines() const { return static_cast<int>(m_names.size()); }
  // As drawn, the oldest first, with NaN for a gap.
  std::vector<double> heights(Plot plot, int row) const;
  QSize minimumSizeHint() const override;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Pane {
    QCPLayoutGrid* cell = nullptr;  // the title above the data
    QCPTextElement* title = nullptr;
    QCPAxisRect* rect = nullptr;
    std::vector<QCPGraph*> graphs;  // by row
    double tallest = 0;
  };

  static QString titleOf(Plot plot);
  void makeLegend();
  void makePane(Plot plot);
  void makeLines();
  void applyTheme();
  void applyLines();
  void place();
  int legendRows();
  void refresh();
  void draw(int row);
  void scale(Plot plot);

  const LoadWatcher& m_watcher;
  QCustomPlot* m_plot;
  QCPMarginGroup* m_sides;  // the axes of all panes begin at the same place
  QCPLegend* m_legend = nullptr;
  QCPLayoutGrid* m_grid = nullptr;  // of the panes
  std::array<Pane, kPlots> m_panes;
  std::vector<QCPPlottableLegendItem*> m_names;  // of the legend, by row
  QTimer m_soon;
  int m_columns = 0, m_current = -1;
  bool m_outdated = true;  // other servers than those of the lines
};

}  // namespace vitrine
