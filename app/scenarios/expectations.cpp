#include "scenarios/expectations.h"

#include <utility>

namespace vitrine {

const std::vector<std::string>& expectationPanels() {
  static const std::vector<std::string> kPanels = {
      "chat",     "schedule", "text",    "batch",    "layers",      "beams", "speculation", "why",
      "requests", "blocks",   "sampler", "controls", "block_table", "plot",  "events",      "metrics"};
  return kPanels;
}

Breakpoint breakpointAt(const LookAt& look) {
  Breakpoint there;
  there.kind = BreakKind::kEvent;
  there.event = look.event;
  there.with = look.with;
  there.requestName = look.request;
  return there;
}

Expectations::Expectations(std::vector<LookAt> wanted)
    : m_wanted(std::move(wanted)), m_sights(m_wanted.size()) {
  std::vector<Breakpoint> list;
  for (const LookAt& look : m_wanted) list.push_back(breakpointAt(look));
  m_breakpoints.set(std::move(list));
}

void Expectations::publish(const Event& event) {
  if (isA<EngineLoaded>(event)) *this = Expectations(std::move(m_wanted));
  while (const auto hit = m_breakpoints.check(event)) {  // one event may be several sights
    m_sights[hit->place] = {true, hit->step, hit->sequence};
    std::vector<Breakpoint> list = m_breakpoints.list();
    list[hit->place].enabled = false;
    m_breakpoints.set(std::move(list));
  }
}

}  // namespace vitrine
