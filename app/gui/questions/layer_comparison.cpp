#include "gui/questions/layer_comparison.h"

#include <algorithm>
#include <span>

#include "vitrine/event_sink.h"
#include "vitrine/inside.h"

namespace vitrine {
namespace {

// libtorch keeps KV in float32 alone. The reference's treatment of requests does not matter here.
std::vector<double> differencesFromTorch(const AskedMachine& asked, std::span<const TokenId> tokens) {
  EngineOptions options = asked.options;
  options.kernels = Kernels::kReference;
  options.attention.clear();
  options.kvType = KvType::kSame;
  options.eviction = Eviction::kNone;
  options.preemption = Preemption::kRecompute;
  options.speculation = {};
  EventQueue unheard;
  const auto reference = Engine::load(asked.model, options, unheard, asked.goesOn);
  const InsideOptions states{.hiddenStates = true};
  return largestDifferences(asked.engine.lookInside(tokens, states, asked.goesOn),
                            reference->lookInside(tokens, states, asked.goesOn));
}

}  // namespace

LayerComparison::LayerComparison(EngineHost& host, ExitsModel& model, LayersPanel& panel, QObject* parent)
    : QObject(parent), m_host(host), m_model(model), m_panel(panel) {
  connect(&panel, &LayersPanel::comparisonRequested, this, &LayerComparison::begin);
  connect(model.session(), &Session::runStarted, this, [this] { m_question.interrupt(); });
}

void LayerComparison::begin() {
  if (m_model.report() == nullptr || m_model.question()) return;
  m_place = m_model.reported();
  m_panel.setComparing(true);
  m_question =
      m_host.ask([tokens = m_model.tokensOfPlace()](
                     const AskedMachine& asked) { return differencesFromTorch(asked, tokens); },
                 this, [this](const auto& differences) { end(differences.value_or(std::vector<double>())); });
}

void LayerComparison::end(const std::vector<double>& differences) {
  m_panel.setComparing(false);
  if (differences.empty() || m_model.reported() != m_place) return m_panel.setComparison({});
  m_model.setDifferences(differences);
  m_panel.setComparison(tr("libtorch: at most %1 apart").arg(std::ranges::max(differences), 0, 'g', 2));
}

}  // namespace vitrine

#include "moc_layer_comparison.cpp"
