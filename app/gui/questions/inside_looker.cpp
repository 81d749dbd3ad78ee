#include "gui/questions/inside_looker.h"

#include <algorithm>
#include <utility>

namespace vitrine {
namespace {

constexpr int kRestPerLook = 9;  // of a running machine: nine times as long as the look took
constexpr int kLongestRestMs = 2000;
constexpr int kWatchMs = 150, kQuickMs = 700;  // what is over by then shows no progress

std::int64_t nextTicket() {
  static std::int64_t last = 0;
  return ++last;
}

}  // namespace

InsideLooker::InsideLooker(EngineHost& host, InsideModel& model, QObject* parent)
    : QObject(parent), m_host(host), m_model(model) {
  m_rest.setSingleShot(true);
  m_watch.setInterval(kWatchMs);
  connect(&m_watch, &QTimer::timeout, this, &InsideLooker::watch);
  connect(&m_rest, &QTimer::timeout, this, &InsideLooker::follow);
  connect(&model, &InsideModel::wanted, this, &InsideLooker::follow);
  connect(model.session(), &Session::runStarted, this, &InsideLooker::forget);
  connect(&host, &EngineHost::insideKnown, this, [this](const std::shared_ptr<const KnownInside>& known) {
    if (m_isAsking && known->ticket == m_order.ticket) take(*known);
  });
  connect(&host, &EngineHost::modeChanged, this, [this] {
    m_rest.stop();
    follow();
  });
}

// No view waits for the answer: the run is another one, or the window closes.
void InsideLooker::forget() {
  m_order.watch->cancelled.store(true);
  m_isAsking = false;
  m_watch.stop();
}

// A view that is hidden meanwhile waits no more.
void InsideLooker::watch() {
  if (!m_model.isActive()) m_order.watch->cancelled = true;
  if (m_clock.elapsed() >= kQuickMs) m_model.setProgress(m_order.watch->fraction);
}

void InsideLooker::follow() {
  const std::optional<InsideQuestion> question = m_model.isActive() ? m_model.question() : std::nullopt;
  const MachineMode mode = m_host.mode();
  if (mode == MachineMode::kLoading) return forget();
  if (m_isAsking && question != m_asked && mode != MachineMode::kRunning)
    m_order.watch->cancelled.store(true);
  if (question && !m_isAsking && !m_rest.isActive()) ask(*question);
}

void InsideLooker::ask(const InsideQuestion& question) {
  m_isAsking = true;
  m_asked = question;
  m_order = {.ticket = nextTicket(), .tokens = m_model.tokensOfPlace(), .options = question.options};
  m_clock.start();
  m_watch.start();
  m_host.lookInside(m_order);
}

void InsideLooker::take(const KnownInside& known) {
  m_isAsking = false;
  m_watch.stop();
  m_model.setProgress({});
  const bool cancelled = m_order.watch->cancelled.load();
  if (m_host.mode() == MachineMode::kRunning)
    m_rest.start(static_cast<int>(std::min<qint64>(kLongestRestMs, kRestPerLook * m_clock.elapsed())));
  if (!cancelled || known.report) m_model.setReport(m_asked, known.report);
  follow();
}

}  // namespace vitrine

#include "moc_inside_looker.cpp"
