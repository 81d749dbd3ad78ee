#include "gui/scenario/scenario_editing.h"

#include <algorithm>
#include <utility>

#include "gui/runs/run_to.h"
#include "gui/scenario/scenario_editor.h"
#include "scenarios/scenario_of_run.h"

namespace vitrine {
namespace {

// The words of a request that was submitted as a chat, in place of what its template made of them.
void giveWordsBack(Scenario& scenario, const std::vector<ChatOrder>& staged) {
  for (RequestLine& line : scenario.requests) {
    Request& request = line.arguments.request;
    const auto order =
        std::ranges::find(staged, request.name, [](const ChatOrder& o) { return o.request.name; });
    if (order == staged.end() || order->dialogue.messages.size() != 1 || order->dialogue.thinking) continue;
    const int maxTokens = request.maxTokens;
    line.arguments = {order->request, true};
    line.arguments.request.prompt = order->dialogue.messages.front().text;
    line.arguments.request.maxTokens = maxTokens;
  }
}

}  // namespace

ScenarioEditing::ScenarioEditing(ModelLoading& loading, RunTo& runTo, QWidget* window)
    : QObject(window), m_loading(loading), m_runTo(runTo), m_window(window) {
  connect(&loading, &ModelLoading::begun, this, [this] { m_ordered = m_runOnTo = 0; });
  connect(&loading, &ModelLoading::opened, this, [this] {
    m_draft.reset();
    m_runOnTo = std::exchange(m_ordered, 0);
  });
  connect(&loading, &ModelLoading::ended, this, &ScenarioEditing::runOn);
}

Scenario ScenarioEditing::present() const {
  const ModelLoading::Setup& open = m_loading.current();
  if (open.scenario) {
    Scenario scenario = *open.scenario;
    scenario.engine.options = open.order.options;
    return scenario;
  }
  EngineArguments engine;
  if (open.order.model != builtinModelDirectory()) engine.model = open.order.model.string();
  engine.options = open.order.options;
  Scenario scenario = scenarioOfRun(m_runTo.session().recording(), std::move(engine));
  giveWordsBack(scenario, open.order.staged);
  scenario.title = tr("My scenario").toStdString();
  return scenario;
}

void ScenarioEditing::open() {
  const int step = m_runTo.session().recording().lastFinishedStep();
  auto* editor = new ScenarioEditor(present(), std::max(step, 0), m_window);
  editor->setAttribute(Qt::WA_DeleteOnClose);
  if (m_draft) editor->showDraft(*m_draft);
  connect(editor, &QDialog::finished, this, [this, editor](int result) { onFinished(editor, result); });
  editor->open();
}

void ScenarioEditing::onFinished(ScenarioEditor* editor, int result) {
  m_draft.reset();
  if (editor->isChanged()) m_draft = editor->scenario();
  if (result != QDialog::Accepted) return;
  Scenario scenario = editor->scenario();
  if (scenario.name.empty() || editor->isChanged()) scenario.name = scenario.title;
  m_loading.playScenario(std::move(scenario));
  if (m_loading.isUnderWay()) m_ordered = editor->runsOnTo();
}

void ScenarioEditing::runOn() {
  const int step = std::exchange(m_runOnTo, 0);
  if (step == 0) return;
  Breakpoint there;
  there.kind = BreakKind::kStep;
  there.step = step;
  m_runTo.run(there);
}

}  // namespace vitrine

#include "moc_scenario_editing.cpp"
