#include "until.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "vitrine/message_text.h"
#include "vitrine/prose/breakpoint_words.h"

namespace vitrine::cli {
namespace {

Breakpoint breakpointOf(const std::string& condition) {
  try {
    return breakpointFromText(condition);
  } catch (const EngineError& error) {
    throw UsageError(std::string("--until: ") + error.what(), error.hint());
  }
}

}  // namespace

Until::Until(const std::vector<std::string>& conditions) : m_conditions(conditions) {
  std::vector<Breakpoint> list;
  for (const std::string& one : conditions) list.push_back(breakpointOf(one));
  m_breakpoints.set(std::move(list));
}

void Until::publish(const Event& event) {
  m_names.note(event);
  m_breakpoints.publish(event);
  if (!m_stop) m_stop = m_breakpoints.takeStop();
}

std::string Until::sentence() const { return prose::stopReason(*m_stop, m_names.proseNames()); }

Json Until::toJson() const {
  if (!m_stop) return nullptr;
  const BreakHit& hit = m_stop->hit;
  Json json = {{"until", m_conditions[hit.place]}, {"step", hit.step}, {"phase", nameOf(hit.phase)}};
  if (hit.request != 0) json["id"] = m_names.request(hit.request);
  json["sentence"] = sentence();
  return json;
}

void Until::print() const {
  if (m_conditions.empty()) return;
  std::string said = m_stop ? sentence() : "The run ended, and nothing met --until";
  if (!m_stop)
    for (const std::string& one : m_conditions) said += " " + forMessage(one, 60);
  std::fprintf(stderr, "%s\n", said.c_str());
}

}  // namespace vitrine::cli
