#include "gui/machine/model_loading.h"

#include <iterator>
#include <utility>

#include "gui/machine/scenario_load.h"
#include "gui/machine/usage_notice.h"
#include "widgets/support/locale_name.h"

namespace vitrine {

ModelLoading::ModelLoading(EngineHost& host, QObject* parent) : QObject(parent), m_host(host) {
  connect(&host, &EngineHost::loadProgress, this, [this](double fraction, const QString& what) {
    if (m_underWay) emit progressed(fraction, what);  // else of a load that was given up
  });
  connect(&host, &EngineHost::modeChanged, this, &ModelLoading::onModeChanged);
  connect(&host, &EngineHost::loaded, this,
          [this](LoadTicket ticket, const QString&, const QString& templateProblem, int numBlocks) {
            onLoaded(ticket, templateProblem, numBlocks);
          });
}

void ModelLoading::openModel(LoadOrder order) {
  beginWhenFree(tr("Change the model"), {std::move(order), std::nullopt});
}

void ModelLoading::openScenario(const QString& nameOrFile) {
  guarded([&] { play(readScenario(nameOrFile.toStdString(), InputKind::kFile, localeName())); });
}

void ModelLoading::playScenario(Scenario scenario) {
  guarded([&] { play(std::move(scenario)); });
}

void ModelLoading::play(Scenario scenario) {
  Setup setup;
  setup.order = loadOrderOf(scenario);
  setup.order.options.device = m_device.value_or(setup.order.options.device);
  setup.scenario = std::move(scenario);
  beginWhenFree(tr("Open the scenario"), std::move(setup));
}

template <class Action>
void ModelLoading::guarded(Action action) {
  try {
    action();
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
  } catch (const UsageError& error) {
    emit noticed(noticeOf(error, ModelLoading::tr("Correct the scenario's file, or choose another.")));
  }
}

bool ModelLoading::leaveScenario() {
  if (m_before.order.model.empty()) return false;
  beginWhenFree(tr("Leave the scenario"), {m_before.order, std::nullopt, m_before.poolIsFitted});
  return true;
}

void ModelLoading::reload(std::vector<ChatOrder> staged) {
  Setup setup = m_open;
  if (!setup.scenario) setup.order.staged = std::move(staged);
  begin(std::move(setup));
}

void ModelLoading::reloadWith(const EngineOptions& options) {
  Setup setup = m_open;
  setup.order.options = options;
  setup.poolIsFitted = false;
  beginWhenFree(tr("Load the machine anew"), std::move(setup));
}

void ModelLoading::resume(Setup run, Resumption resumption) {
  run.order.staged.clear();
  run.order.resumption = std::move(resumption);
  begin(std::move(run));
}

void ModelLoading::whenFree(const QString& change, const std::function<void()>& work) {
  const auto decided = [this, work](bool goOn) {
    if (goOn) return work();
    if (!m_underWay) emit ended();
  };
  if (m_mayChange) return m_mayChange(change, decided);
  decided(true);
}

void ModelLoading::beginWhenFree(const QString& change, Setup setup) {
  whenFree(change, [this, setup = std::move(setup)] {
    if (setup.scenario && !m_open.scenario) m_before = m_open;
    begin(setup);
  });
}

// A scenario and a run that goes on have the pool that they were written with.
void ModelLoading::begin(Setup setup) {
  const bool own = !setup.scenario && !setup.order.resumption;
  setup.order.kvShare = own ? std::optional(m_kvShare) : std::nullopt;
  setup.poolIsFitted = setup.poolIsFitted || (own && leavesPoolOpen(setup.order.options));
  const LoadTicket ticket = m_host.load(setup.order);
  m_ordered.emplace(ticket, std::move(setup));
  m_underWay = true;
  emit begun();
}

void ModelLoading::onLoaded(LoadTicket ticket, const QString& templateProblem, int numBlocks) {
  const auto ordered = m_ordered.find(ticket);
  m_open = std::move(ordered->second);
  m_open.order.options.numBlocks = numBlocks;
  if (const auto resumption = std::exchange(m_open.order.resumption, {}); resumption && resumption->options)
    m_open.order.options = *resumption->options;
  m_ordered.erase(m_ordered.begin(), std::next(ordered));  // newer orders have replaced those before it
  emit opened(templateProblem);
}

// The host reports another mode only after the last load ordered has ended.
void ModelLoading::onModeChanged() {
  if (!m_underWay || m_host.mode() == MachineMode::kLoading) return;
  m_underWay = false;
  m_ordered.clear();
  emit ended();
}

}  // namespace vitrine

#include "moc_model_loading.cpp"
