#include "scenarios/expectations.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vitrine {

const std::vector<std::string>& expectationPanels() {
  static const std::vector<std::string> kPanels = {
      "chat",     "schedule", "text",    "batch",    "layers",      "beams", "speculation", "why",
      "requests", "blocks",   "sampler", "controls", "block_table", "plot",  "events",      "metrics"};
  return kPanels;
}

Breakpoint breakpointAt(const ExpectedEvent& expected) {
  Breakpoint there;
  there.kind = BreakKind::kEvent;
  there.event = expected.event;
  there.with = expected.with;
  there.requestName = expected.request;
  return there;
}

Expectations::Expectations(std::vector<ExpectedEvent> wanted)
    : m_wanted(std::move(wanted)), m_occurrences(m_wanted.size()) {
  std::vector<Breakpoint> list;
  for (const ExpectedEvent& expected : m_wanted) list.push_back(breakpointAt(expected));
  m_breakpoints.set(std::move(list));
}

void Expectations::publish(const Event& event) {
  if (isA<EngineLoaded>(event)) *this = Expectations(std::move(m_wanted));
  while (const auto hit = m_breakpoints.check(event)) {  // one event may be several that are expected
    m_occurrences[hit->place] = {*hit, true};
    std::vector<Breakpoint> list = m_breakpoints.list();
    list[hit->place].enabled = false;
    m_breakpoints.set(std::move(list));
  }
}

std::vector<std::size_t> Expectations::inOrder() const {
  std::vector<std::size_t> places(m_wanted.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, [this](std::size_t a, std::size_t b) {
    const Occurrence &one = m_occurrences[a], &other = m_occurrences[b];
    return one.seen && (!other.seen || one.step < other.step);
  });
  return places;
}

}  // namespace vitrine
