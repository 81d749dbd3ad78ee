#include "gui/scenario/scenario_play.h"

#include <QAction>
#include <algorithm>
#include <utility>

#include "gui/machine/model_loading.h"
#include "gui/runs/run_to.h"
#include "gui/scenario/scenario_editor.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_menu.h"
#include "scenarios/scenario_of_run.h"
#include "widgets/session/session.h"

namespace vitrine {

namespace {

// Opens the editor on what the machine plays now: the scenario, or the run so far as one. It plays what comes
// back, and keeps changes that were not played for the next time.
class ScenarioEditing : public QObject {
 public:
  // All must outlive it; the window is the dialog's parent.
  ScenarioEditing(const ScenarioPlay& play, ModelLoading& loading, RunTo& runTo, QWidget* window);

  void open();

 private:
  void onFinished(ScenarioEditor* editor, int result);
  void runOn();

  const ScenarioPlay& m_play;
  ModelLoading& m_loading;
  RunTo& m_runTo;
  QWidget* m_window;
  std::optional<Scenario> m_draft;  // of what is open now
  int m_ordered = 0;                // the step to run on to, once the load under way succeeds
  int m_runOnTo = 0;                // it has; when it has ended
};

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

ScenarioEditing::ScenarioEditing(const ScenarioPlay& play, ModelLoading& loading, RunTo& runTo,
                                 QWidget* window)
    : QObject(window), m_play(play), m_loading(loading), m_runTo(runTo), m_window(window) {
  connect(&loading, &ModelLoading::begun, this, [this] { m_ordered = m_runOnTo = 0; });
  connect(&loading, &ModelLoading::opened, this, [this] {
    m_draft.reset();
    m_runOnTo = std::exchange(m_ordered, 0);
  });
  connect(&loading, &ModelLoading::ended, this, &ScenarioEditing::runOn);
}

void ScenarioEditing::open() {
  const int step = m_runTo.session().recording().lastFinishedStep();
  auto* editor = new ScenarioEditor(m_play.present(), std::max(step, 0), m_window);
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

}  // namespace

ScenarioPlay::ScenarioPlay(ScenarioLine& line, ModelLoading& loading, EngineHost& host, RunTo& runTo,
                           QWidget* window)
    : QObject(window),
      m_line(line),
      m_loading(loading),
      m_host(host),
      m_runTo(runTo),
      m_session(runTo.session()),
      m_menu(new ScenarioMenu(window)),
      m_next(new QAction(tr("&Next thing to see"), this)) {
  m_next->setShortcut(Qt::Key_N);
  m_next->setToolTip(tr("Runs at full speed to the next event that the scenario promises"));
  m_next->setEnabled(false);
  // Where the line is hidden, as in the chat perspective, the key is no command.
  connect(m_next, &QAction::triggered, &line, [&line] {
    if (line.isVisible()) line.proceed();
  });
  connect(&m_session, &Session::appended, &line, &ScenarioLine::take);
  connect(&line, &ScenarioLine::visitRequested, this, &ScenarioPlay::visit);
  connect(&line, &ScenarioLine::runRequested, this, &ScenarioPlay::runTo);
  connect(&host, &EngineHost::modeChanged, this, &ScenarioPlay::onStands);
  connect(m_menu, &ScenarioMenu::scenarioChosen, &loading, &ModelLoading::openScenario);
  auto* editing = new ScenarioEditing(*this, loading, runTo, window);
  connect(m_menu, &ScenarioMenu::editRequested, editing, &ScenarioEditing::open);
}

Scenario ScenarioPlay::present() const {
  const ModelLoading::Setup& open = m_loading.current();
  if (open.scenario) {
    Scenario scenario = *open.scenario;
    scenario.engine.options = open.order.options;
    return scenario;
  }
  EngineArguments engine;
  if (open.order.model != builtinModelDirectory()) engine.model = open.order.model.string();
  engine.options = open.order.options;
  Scenario scenario = scenarioOfRun(m_session.recording(), std::move(engine));
  giveWordsBack(scenario, open.order.staged);
  scenario.title = tr("My scenario").toStdString();
  return scenario;
}

void ScenarioPlay::show(const std::optional<Scenario>& scenario) {
  m_destination = -1;
  m_further = 0;
  m_next->setEnabled(scenario.has_value());
  m_menu->setInside(scenario ? QString::fromStdString(scenario->name) : QString());
  if (scenario)
    m_line.show(*scenario, m_session.recording());
  else
    m_line.leave();
}

void ScenarioPlay::visit(int expected) {
  m_host.pause();
  m_session.goToStep(m_line.expectations().occurrences()[static_cast<std::size_t>(expected)].step);
  arrive(expected);
}

// A command of another kind on the way takes the destination from it.
void ScenarioPlay::runTo(int expected) {
  m_session.goLive();
  if (m_destination >= 0 && m_host.mode() == MachineMode::kRunning) return void(++m_further);
  m_destination = expected;
  m_runTo.run(breakpointAt(m_line.expectations().wanted()[static_cast<std::size_t>(expected)]),
              RunSpeed::kFull);
}

void ScenarioPlay::onStands() {
  const MachineMode mode = m_host.mode();
  if (m_destination < 0 || (mode != MachineMode::kPaused && mode != MachineMode::kHeld)) return;
  const int expected = std::exchange(m_destination, -1);
  const int further = std::exchange(m_further, 0);
  if (!m_line.expectations().occurrences()[static_cast<std::size_t>(expected)].seen || !m_session.isLive())
    return;
  arrive(expected);
  if (further == 0) return;
  m_line.goToNext();
  if (m_destination >= 0) m_further = further - 1;
}

void ScenarioPlay::arrive(int expected) {
  const auto place = static_cast<std::size_t>(expected);
  const Expectations::Occurrence& seen = m_line.expectations().occurrences()[place];
  if (seen.sequence != 0) m_session.selectSequence(seen.sequence);
  emit arrived(QString::fromStdString(m_line.expectations().wanted()[place].panel), seen);
}

}  // namespace vitrine

#include "moc_scenario_play.cpp"
