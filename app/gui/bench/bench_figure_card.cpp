#include "gui/bench/bench_figure_card.h"

#include <QComboBox>
#include <QStackedLayout>
#include <QToolButton>

#include "widgets/layers/operations_model.h"
#include "widgets/layers/roofline_view.h"
#include "widgets/plots/figure_model.h"
#include "widgets/plots/figure_view.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {

namespace {

Figure figureOf(const BenchChart& chart) {
  Figure figure;
  figure.title = QStringLiteral("%1: %2").arg(windowText(chart.title), windowText(chart.figure));
  figure.xLabel = windowText(chart.xLabel);
  figure.yLabel = windowText(chart.yLabel);
  figure.lines = chart.lines;
  for (const std::string& place : chart.places) figure.places << windowText(place);
  for (const BenchChart::Series& series : chart.series) {
    Figure::Series& shown = figure.series.emplace_back(Figure::Series{windowText(series.name), {}});
    for (const std::optional<Summary>& value : series.values)
      shown.values.push_back(
          value ? std::optional(FigureValue{value->median, value->min, value->max, value->count})
                : std::nullopt);
  }
  return figure;
}

}  // namespace

BenchFigureCard::BenchFigureCard(Session& session, QWidget* parent)
    : HeadedCard(parent),
      m_chartModel(new FigureModel(&session, this)),
      m_roofModel(new OperationsModel(&session, this)),
      m_figures(new QComboBox(this)),
      m_pages(new QStackedLayout),
      m_chart(new FigureView(m_chartModel, this)),
      m_roof(new RooflineView(m_roofModel, this)) {
  auto* label = labelFor(m_figures, tr("&Figure"), this);
  m_figures->setAccessibleName(tr("Figure"));
  m_figures->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_figures->setMinimumContentsLength(12);
  addParts(head(), {label, m_figures})->addStretch(1);
  connect(addCommand(tr("Copy picture"), tr("Copy the figure as a picture")), &QToolButton::clicked, this,
          [this] { shown()->copyPicture(); });
  connect(addCommand(tr("Save picture…"), tr("Save the figure as SVG or PNG")), &QToolButton::clicked, this,
          [this] { shown()->savePictureAs(); });
  m_pages->addWidget(m_chart);
  m_pages->addWidget(m_roof);
  column()->addLayout(m_pages, 1);
  connect(m_figures, &QComboBox::currentIndexChanged, this, &BenchFigureCard::choose);
}

PaintedView* BenchFigureCard::shown() const {
  return m_pages->currentWidget() == m_roof ? static_cast<PaintedView*>(m_roof) : m_chart;
}

void BenchFigureCard::show(const BenchResults& results) {
  const QString chosen = m_figures->currentText();
  m_charts = results.charts;
  m_runs = results.roofRuns;
  {
    const QSignalBlocker quiet(m_figures);
    m_figures->clear();
    for (const BenchRoofRun& run : m_runs) m_figures->addItem(windowText(run.title));
    for (const BenchChart& chart : m_charts) m_figures->addItem(windowText(chart.figure));
    m_figures->setCurrentIndex(std::max(0, m_figures->findText(chosen)));
  }
  choose(m_figures->currentIndex());
}

void BenchFigureCard::choose(int figure) {
  if (figure < 0) return;
  const auto place = static_cast<std::size_t>(figure);
  if (place < m_runs.size()) {
    m_roofModel->showForward(m_runs[place].forward, m_runs[place].roof);
    m_roof->setAccessibleName(windowText(m_runs[place].title));
    m_pages->setCurrentWidget(m_roof);
    return;
  }
  m_chartModel->setFigure(figureOf(m_charts.at(place - m_runs.size())));
  m_pages->setCurrentWidget(m_chart);
}

}  // namespace vitrine

#include "moc_bench_figure_card.cpp"
