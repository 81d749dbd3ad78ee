#include "scenarios/timetable.h"

#include <algorithm>
#include <numeric>

namespace vitrine {

Timetable::Timetable(std::vector<RequestLine> requests, std::vector<Command> commands)
    : m_requests(std::move(requests)),
      m_ids(m_requests.size()),
      m_order(m_requests.size()),
      m_commands(std::move(commands)) {
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
  std::ranges::stable_sort(m_order, {}, [this](std::size_t i) { return m_requests[i].arrivalStep; });
  std::ranges::reverse(m_commands);
  std::ranges::stable_sort(m_commands, std::ranges::greater(), &Command::step);
}

void Timetable::serve(Engine& engine, const Rejected& rejected) {
  submitDue(engine, rejected);
  obeyDue(engine);
  while (!engine.hasWork() && !isDone()) {  // more than once if an arrival is rejected or cancelled
    m_clock = std::max<std::int64_t>(m_clock, m_requests[m_order[m_next]].arrivalStep);
    submitDue(engine, rejected);
    obeyDue(engine);
  }
}

void Timetable::skipRecorded(const RunScript& script) {
  const auto skip = [this](const std::string& name, RequestId id) {
    if (isDone()) return;
    const std::size_t i = m_order[m_next];
    const std::string& own = m_requests[i].arguments.request.name;
    if (!own.empty() && own != name) return;  // a person sent it
    m_ids[i] = id;
    m_clock = std::max<std::int64_t>(m_clock, m_requests[i].arrivalStep);
    ++m_next;
  };
  for (int step = 1; step <= script.knownSteps(); ++step)
    for (const RunScript::Input& input : script.step(step).inputs) {
      if (const auto* submitted = bodyOf<RequestSubmitted>(input.body))
        skip(submitted->asked.name, submitted->request);
      if (const auto* rejected = bodyOf<RequestRejected>(input.body)) skip(rejected->name, 0);
    }
  m_clock = std::max<std::int64_t>(m_clock, script.lastStep());
  while (!m_commands.empty() && m_commands.back().step <= m_clock) m_commands.pop_back();
}

std::int64_t Timetable::restNs(const Engine& engine) const {
  constexpr std::int64_t kStepNs = 1'000'000;
  const bool nothingToCome = isDone() && m_commands.empty();
  return nothingToCome ? engine.idleNs() : std::min(engine.idleNs(), kStepNs);
}

void Timetable::submitDue(Engine& engine, const Rejected& rejected) {
  for (; !isDone() && m_requests[m_order[m_next]].arrivalStep <= m_clock; ++m_next) {
    const std::size_t i = m_order[m_next];
    try {
      m_ids[i] = engine.submit(m_requests[i].arguments.toRequest(engine));
    } catch (const EngineError& error) {
      rejected(i, error);
    }
  }
}

void Timetable::obeyDue(Engine& engine) {
  for (; !m_commands.empty() && m_commands.back().step <= m_clock; m_commands.pop_back()) {
    for (std::size_t i = 0; i < m_requests.size(); ++i) {
      const bool meant = m_requests[i].arguments.request.name == m_commands.back().cancel;
      if (meant && m_ids[i] != 0) engine.cancel(m_ids[i]);
    }
  }
}

}  // namespace vitrine
