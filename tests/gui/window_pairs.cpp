#include "gui/window_pairs.h"

#include <QSettings>

#include "gui/runs/run_archive.h"

namespace vitrine::test {

// Painting would take most of the time of a thousand pairs. Each state is painted once, and while looks
// change.
void WindowPairs::renew() {
  m_window = std::make_unique<StateWindow>(m_files);
  m_window->window.setUpdatesEnabled(false);
}

// From the state, then to rest, and one step further.
void WindowPairs::tryVerb(const WindowState& state, const WindowVerb& verb) {
  if (state.fresh && !m_window->isFresh()) renew();
  StateWindow& w = *m_window;
  QVERIFY2(state.reach(w), "the state cannot be reached");
  const bool mayLoad = verb.loads || w.isUnderWay() || state.fresh;
  const int run = w.run(), steps = w.steps();
  verb.act(w);
  QVERIFY2(w.comesToRest(), "it does not come to rest");
  const QString name = w.window.archive().runs().name().origin;
  QVERIFY2(!verb.opens || name == QLatin1String(verb.opens), qPrintable(name));
  QVERIFY2(mayLoad || w.run() == run, "another run took the place");
  QVERIFY2(mayLoad || w.steps() >= steps, "steps are lost");
  QVERIFY2(w.falsehood().isEmpty(), qPrintable(w.falsehood()));
  QVERIFY2(w.goesOn(), "it does not go on");
}

void WindowPairs::tryAll(const WindowState& state, const std::vector<WindowVerb>& verbs) {
  for (const WindowVerb& verb : verbs) {
    tryVerb(state, verb);
    if (QTest::currentTestFailed()) return qWarning("the verb: %s", qPrintable(verb.name));
  }
}

void WindowPairs::tryVerbs(const WindowState& state) {
  renew();
  tryAll(state, windowVerbs());
  if (QTest::currentTestFailed()) return;
  if (state.fresh) renew();
  QVERIFY(state.reach(*m_window));
  const std::vector<WindowVerb> offered = commandVerbs(m_window->window);
  QVERIFY(m_window->comesToRest());
  tryAll(state, offered);
}

void WindowPairs::tryLooks(const WindowState& state) {
  renew();
  StateWindow& w = *m_window;
  QVERIFY(state.reach(w));
  const bool lasts = !w.isUnderWay(), running = w.mode() == MachineMode::kRunning;
  const Unmoved before = Unmoved::of(w, running);
  w.window.setUpdatesEnabled(true);
  for (int time = 0; time < 2; ++time) {
    for (const WindowCommand& command : commandsOf(w.window)) {
      if (!command.looksOnly) continue;
      command.give();
      QVERIFY2(!lasts || Unmoved::of(w, running) == before, qPrintable(command.name));
    }
    QCoreApplication::processEvents();
    QVERIFY(!lasts || Unmoved::of(w, running) == before);
  }
  QVERIFY(w.comesToRest());
  QVERIFY2(w.falsehood().isEmpty(), qPrintable(w.falsehood()));
  QVERIFY(w.goesOn());
}

void StateActionTest::initTestCase() {
  QVERIFY(m_surroundings.prepare());
  QVERIFY(m_files.make());
}

void StateActionTest::init() { QSettings().clear(); }

void StateActionTest::addStates() const {
  QTest::addColumn<int>("state");
  const std::vector<WindowState> all = m_states();
  for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << int(i);
}

void StateActionTest::everyVerbInEveryState() {
  QFETCH(int, state);
  WindowPairs(m_files).tryVerbs(m_states().at(std::size_t(state)));
}

void StateActionTest::looksChangeNothingElse() {
  QFETCH(int, state);
  WindowPairs(m_files).tryLooks(m_states().at(std::size_t(state)));
}

}  // namespace vitrine::test
