#include "gui/questions/inside_looker.h"

#include <algorithm>
#include <utility>

namespace vitrine {
namespace {

constexpr int kRestPerLook = 9;  // of a running machine: nine times as long as the look took
constexpr int kLongestRestMs = 2000;
constexpr int kWatchMs = 150, kQuickMs = 700;  // what is over by then shows no progress

}  // namespace

InsideLooker::InsideLooker(EngineHost& host, InsideModel& model, QObject* parent)
    : QObject(parent), m_host(host), m_model(model) {
  m_rest.setSingleShot(true);
  m_watch.setInterval(kWatchMs);
  connect(&m_watch, &QTimer::timeout, this, &InsideLooker::watch);
  connect(&m_rest, &QTimer::timeout, this, &InsideLooker::follow);
  connect(&model, &InsideModel::wanted, this, &InsideLooker::follow);
  connect(model.session(), &Session::runStarted, this, &InsideLooker::forget);
  connect(&host, &EngineHost::modeChanged, this, [this] {
    m_rest.stop();
    follow();
  });
}

// The run is another one.
void InsideLooker::forget() {
  m_question.drop();
  m_watch.stop();
}

// A view that is hidden meanwhile waits no more.
void InsideLooker::watch() {
  if (!m_model.isActive()) m_question.interrupt();
  if (m_clock.elapsed() >= kQuickMs) m_model.setProgress(m_question.fraction());
}

void InsideLooker::follow() {
  const std::optional<InsideQuestion> question = m_model.isActive() ? m_model.question() : std::nullopt;
  const MachineMode mode = m_host.mode();
  if (mode == MachineMode::kLoading) return forget();
  if (question != m_asked && mode != MachineMode::kRunning) m_question.interrupt();
  if (question && !m_question.isOpen() && !m_rest.isActive()) ask(*question);
}

void InsideLooker::ask(const InsideQuestion& question) {
  m_asked = question;
  m_clock.start();
  m_watch.start();
  const auto work = [tokens = m_model.tokensOfPlace(),
                     options = question.options](const AskedMachine& asked) {
    return std::make_shared<const InsideReport>(asked.engine.lookInside(tokens, options, asked.goesOn));
  };
  m_question = m_host.ask(
      work, this, [this](const auto& report) { take(report.value_or(nullptr)); }, Manner::kYields);
}

void InsideLooker::take(const std::shared_ptr<const InsideReport>& report) {
  m_watch.stop();
  m_model.setProgress({});
  if (m_host.mode() == MachineMode::kRunning)
    m_rest.start(static_cast<int>(std::min<qint64>(kLongestRestMs, kRestPerLook * m_clock.elapsed())));
  if (!m_question.isInterrupted() || report) m_model.setReport(m_asked, report);
  follow();
}

}  // namespace vitrine

#include "moc_inside_looker.cpp"
