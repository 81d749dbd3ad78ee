#include "gui/questions/layer_comparison.h"

#include <algorithm>

namespace vitrine {

LayerComparison::LayerComparison(EngineHost& host, ExitsModel& model, LayersPanel& panel, QObject* parent)
    : QObject(parent), m_host(host), m_model(model), m_panel(panel) {
  connect(&panel, &LayersPanel::comparisonRequested, this, &LayerComparison::begin);
  connect(model.session(), &Session::runStarted, this, [this] { m_order.watch->cancelled.store(true); });
  connect(&host, &EngineHost::insideKnown, this, [this](const std::shared_ptr<const KnownInside>& known) {
    if (known->ticket == m_order.ticket) end(*known);
  });
}

// A ticket below 0 is none of InsideLooker's.
void LayerComparison::begin() {
  if (m_model.report() == nullptr || m_model.question()) return;
  m_place = m_model.reported();
  m_order = {
      .ticket = m_order.ticket - 1, .tokens = m_model.tokensOfPlace(), .options = {}, .compares = true};
  m_panel.setComparing(true);
  m_host.lookInside(m_order);
}

void LayerComparison::end(const KnownInside& known) {
  m_panel.setComparing(false);
  if (known.differences.empty() || m_model.reported() != m_place) return m_panel.setComparison({});
  m_model.setDifferences(known.differences);
  m_panel.setComparison(tr("libtorch: at most %1 apart").arg(std::ranges::max(known.differences), 0, 'g', 2));
}

}  // namespace vitrine

#include "moc_layer_comparison.cpp"
