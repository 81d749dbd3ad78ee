// PlotView: the live plots: rates, batch and budget, blocks, queue, TTFT and ITL, shares, over one axis of
// steps. A click or drag goes to a step, the mouse and the arrow keys read values, Ctrl and the wheel zoom,
// Space pauses. Copies itself as CSV (the whole series, paused or zoomed), SVG and PNG, and has a table twin.
//
// A plot out of sight is not drawn, and a paused one reads nothing. Thread: the window's. Read next:
// plot_content.h, plot_pane.h.
#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

#include "widgets/plots/metrics_model.h"
#include "widgets/plots/step_window.h"
#include "widgets/support/picture_export.h"

class QLabel;
class QStackedLayout;
class QToolButton;

namespace vitrine {

class PlotPane;
class PlotSheet;
class TableTwin;

class PlotView : public QWidget {
  Q_OBJECT
 public:
  explicit PlotView(MetricsModel* model, QWidget* parent = nullptr);

  Picture picture() const;  // all plots, also those that are scrolled out of sight
  QString csv() const;
  QString summary() const;  // "step 17", "paused at step 17"
  bool isPaused() const { return m_paused; }
  const StepWindow& window() const { return m_window; }
  const std::vector<PlotPane*>& panes() const { return m_panes; }
  int points() const { return static_cast<int>(m_drawn); }  // steps drawn so far, for tests
  int drawn() const;                                        // points in the first plot

 public slots:
  void setPaused(bool paused);
  void zoom(double factor, double around);
  void fit();
  void copyCsv() const;
  void copyPicture() const;
  void savePictureAs();
  void showTable();

 signals:
  void stepRequested(int step);  // a click, a drag or a key went there
  void liveRequested();          // to the end
  void summaryChanged(const QString& summary);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void makePanes();
  void makeButtons();
  void addPane(PlotPane* pane);
  void applyTheme();
  void restart();
  void refresh();
  // Of the rows that may be drawn: a pause ends them.
  std::size_t rowCount() const { return m_paused ? m_pausedRows : m_model->rows().size(); }
  void drawRun();
  void drawPart();
  void showWindow();
  void showMarks();
  void goTo(int step);
  void showMenu(const QPoint& global);
  void point(int step);

  // A long run is drawn in buckets of steps, each with its minimum and maximum, so that there are never more
  // points than pixels.
  static constexpr std::size_t kMostBuckets = 512;  // about a pixel each

  QPointer<MetricsModel> m_model;  // null while a window is taken down that deletes its models first
  QStackedLayout* m_layout;
  QLabel* m_empty;
  PlotSheet* m_sheet;
  QToolButton *m_pause, *m_fit;
  TableTwin* m_twin;
  std::vector<PlotPane*> m_panes;
  StepWindow m_window;
  std::size_t m_begin = 0, m_drawn = 0;  // rows [m_begin, m_drawn) are drawn
  std::size_t m_bucket = 1;              // steps
  int m_pointed = -1;                    // the step under the mouse
  bool m_paused = false, m_partDrawn = false;
  std::size_t m_pausedRows = 0;
};

}  // namespace vitrine
