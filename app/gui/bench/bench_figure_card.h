// BenchFigureCard: the figures of a benchmark's result, one at a time: a bar or line chart with spreads, or
// for the roofline a forward under the machine's limits.
//
// Thread: the window's. Read next: widgets/plots/figure_view.h, widgets/layers/roofline_view.h.
#pragma once

#include "bench_results/bench_results.h"
#include "gui/parts/headed_card.h"

class QComboBox;
class QStackedLayout;

namespace vitrine {

class FigureModel;
class FigureView;
class OperationsModel;
class PaintedView;
class RooflineView;
class Session;

class BenchFigureCard : public HeadedCard {
  Q_OBJECT

 public:
  explicit BenchFigureCard(Session& session, QWidget* parent = nullptr);

  // Keeps the figure that is chosen, if there is one of that name.
  void show(const BenchResults& results);

  QComboBox* figures() const { return m_figures; }  // forwards first, then charts
  FigureView* chart() const { return m_chart; }
  RooflineView* roof() const { return m_roof; }
  PaintedView* shown() const;

 private:
  void choose(int figure);

  FigureModel* m_chartModel;
  OperationsModel* m_roofModel;
  QComboBox* m_figures;
  QStackedLayout* m_pages;
  FigureView* m_chart;
  RooflineView* m_roof;
  std::vector<BenchChart> m_charts;
  std::vector<BenchRoofRun> m_runs;
};

}  // namespace vitrine
