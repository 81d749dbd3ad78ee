#include "gui/compare/compared_pair.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "gui/machine/usage_notice.h"

namespace vitrine {

namespace {

constexpr double kMsOfSecond = 1000;

}  // namespace

ComparedPair::ComparedPair(QObject* parent) : QObject(parent) {
  for (ComparedMachine*& side : m_sides) {
    side = new ComparedMachine(this);
    connect(side, &ComparedMachine::advanced, this, &ComparedPair::onAdvanced);
    connect(side, &ComparedMachine::noticed, this, &ComparedPair::noticed);
  }
  m_next.setSingleShot(true);
  connect(&m_next, &QTimer::timeout, this, &ComparedPair::stepBoth);
}

void ComparedPair::open(Scenario one, Scenario other) {
  m_scenarios = {std::move(one), std::move(other)};
  m_isOpen = true;
  emit opened();
  restart();
}

void ComparedPair::restart() {
  if (!m_isOpen) return;
  m_runs = false;
  m_next.stop();
  m_cursor = m_ordered = 0;
  m_follows = true;
  try {
    for (std::size_t i = 0; i < m_sides.size(); ++i) m_sides[i]->load(m_scenarios[i]);
  } catch (const UsageError& error) {
    emit noticed(noticeOf(error));
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
  }
  emit changed();
}

void ComparedPair::close() {
  m_runs = false;
  m_next.stop();
  m_isOpen = false;
  for (ComparedMachine* side : m_sides) side->close();
}

int ComparedPair::lastStep() const { return std::max(side(0).finished(), side(1).finished()); }
bool ComparedPair::isLoading() const { return side(0).isLoading() || side(1).isLoading(); }
bool ComparedPair::haveEnded() const { return side(0).hasEnded() && side(1).hasEnded(); }

bool ComparedPair::stand() const {
  return std::ranges::none_of(m_sides, [this](const ComparedMachine* side) {
    return side->isRunning() || (side->finished() < m_ordered && !side->hasEnded());
  });
}

bool ComparedPair::isRunning() const {
  return m_runs || (m_pace == Pace::kOwnSpeed && (side(0).isRunning() || side(1).isRunning()));
}

void ComparedPair::setPace(Pace pace) {
  if (pace == m_pace) return;
  pause();
  m_pace = pace;
  emit changed();
}

// A step that both have done already is one of the recordings.
void ComparedPair::stepBoth() {
  if (!canStep() || !stand()) return;
  if (m_cursor < lastStep()) {
    show(m_cursor + 1);
    return goOn();
  }
  m_ordered = m_cursor + 1;
  for (ComparedMachine* side : m_sides)
    if (!side->hasEnded()) side->step();
}

void ComparedPair::back() {
  pause();
  goTo(m_cursor - 1);
}

void ComparedPair::goTo(int step) { show(std::clamp(step, 0, std::max(lastStep(), 0))); }

void ComparedPair::show(int step) {
  m_cursor = step;
  m_follows = step >= lastStep();
  for (ComparedMachine* side : m_sides) {
    if (side->finished() <= step)
      side->session().goLive();
    else
      side->session().goToStep(step);
  }
  emit changed();
}

void ComparedPair::run() {
  if (!canStep()) return;
  if (m_pace == Pace::kInStep) {
    m_runs = true;
    return stepBoth();
  }
  show(lastStep());
  for (ComparedMachine* side : m_sides)
    if (!side->hasEnded()) side->run();
}

void ComparedPair::pause() {
  m_runs = false;
  m_next.stop();
  for (ComparedMachine* side : m_sides) side->pause();
  emit changed();
}

// Of a run in step: both stand at the step shown.
void ComparedPair::goOn() {
  if (!m_runs || m_next.isActive()) return;
  if (!canStep()) {
    m_runs = false;
    return emit changed();
  }
  m_next.start(m_rate > 0 ? static_cast<int>(kMsOfSecond / m_rate) : 0);
}

// In step the cursor is where both have come to; at their own speeds, where the faster one is.
void ComparedPair::onAdvanced() {
  if (m_isOpen && m_follows && (m_pace == Pace::kOwnSpeed || stand()))
    m_cursor = std::max(lastStep(), m_cursor);
  emit changed();
  if (m_isOpen && m_pace == Pace::kInStep && !isLoading() && stand() && m_cursor >= lastStep()) goOn();
}

}  // namespace vitrine

#include "moc_compared_pair.cpp"
