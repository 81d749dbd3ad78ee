// PlotView: tokens per second, batch size and blocks in use for each step, live. Thread: the window's.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/support/picture_export.h"
#include "widgets/views/plot_pane.h"

class QCustomPlot;
class QLabel;

namespace vitrine {

class PlotView : public QWidget {
  Q_OBJECT
 public:
  explicit PlotView(MetricsModel* model, QWidget* parent = nullptr);

  Picture picture() const;
  QString csv() const;
  QString summary() const;  // "step 17"
  int points() const;       // steps drawn so far, for tests
  int drawn() const;        // points in the first plot

 public slots:
  void copyCsv() const;
  void copyPicture() const;
  void savePictureAs();
  void showTable();

 signals:
  void stepRequested(int step);  // the plot was clicked there
  void summaryChanged(const QString& summary);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void makePanes();
  void applyTheme();
  void refresh();
  void showMenu(const QPoint& where);
  void restart();
  void drawNew();

  MetricsModel* m_model;
  QCustomPlot* m_plot;
  QLabel* m_empty;
  std::vector<PlotPane> m_panes;  // rate, batch, blocks
  // A long run is drawn in buckets of steps, each with its minimum and maximum, so that there are never more
  // points than pixels.
  static constexpr std::size_t kMostBuckets = 512;  // about a pixel each
  std::size_t m_drawn = 0;                          // rows
  std::size_t m_bucket = 1;                         // steps
};

}  // namespace vitrine
