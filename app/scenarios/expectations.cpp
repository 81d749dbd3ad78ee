#include "scenarios/expectations.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "common/json_files.h"
#include "vitrine/json_reader.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

// Of an event, or of a field that a scenario's file gave: both were read once already.
nlohmann::json jsonOf(const std::string& text) {
  return readJson<nlohmann::json>(text, {}, [](const std::string& fault) { throw UsageError(fault); });
}

// "> 3" and "< 3" compare numbers; anything else must be equal.
bool holds(const nlohmann::json& value, const nlohmann::json& wanted) {
  if (value.is_number() && wanted.is_string()) {
    const auto text = wanted.get<std::string>();
    const double bound = std::strtod(text.c_str() + 1, nullptr);
    if (text.starts_with('>')) return value.get<double>() > bound;
    if (text.starts_with('<')) return value.get<double>() < bound;
  }
  return value == wanted;
}

bool matches(const LookAt& wanted, const nlohmann::json& data) {
  return std::ranges::all_of(wanted.with, [&](const auto& field) {
    const auto found = data.find(field.first);
    return found != data.end() && holds(*found, jsonOf(field.second));
  });
}

// The sequence that the event is about: of a preemption, a copy or a hit.
SequenceId sequenceOf(const nlohmann::json& data) {
  for (const char* field : {"sequence", "parent", "first_sequence"})
    if (const auto found = data.find(field); found != data.end()) return found->get<SequenceId>();
  return 0;
}

}  // namespace

const std::vector<std::string>& expectationPanels() {
  static const std::vector<std::string> kPanels = {"chat",   "schedule", "why",      "requests",
                                                   "blocks", "sampler",  "controls", "block_table",
                                                   "plot",   "events",   "metrics"};
  return kPanels;
}

void Expectations::publish(const Event& event) {
  if (isA<EngineLoaded>(event)) *this = Expectations(std::move(m_wanted));
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    m_requests[submitted->request] = {submitted->name, submitted->firstSequence};
    m_requestOf[submitted->firstSequence] = submitted->request;
  } else if (const auto* forked = std::get_if<SequenceForked>(&event.body)) {
    m_requestOf[forked->child] = forked->request;
  }
  const char* name = eventName(event);
  bool awaited = false;
  for (std::size_t i = 0; i < m_wanted.size(); ++i)
    awaited = awaited || (!m_sights[i].seen && m_wanted[i].event == name);
  if (awaited) note(event);
}

void Expectations::note(const Event& event) {
  const auto data = jsonOf(eventToJson(event)).at("data");
  SequenceId sequence = sequenceOf(data);
  const auto ofRequest = data.find("request");
  const RequestId request = ofRequest != data.end()          ? ofRequest->get<RequestId>()
                            : m_requestOf.contains(sequence) ? m_requestOf.at(sequence)
                                                             : 0;
  const auto owner = m_requests.find(request);
  const std::string name = owner == m_requests.end() ? "" : owner->second.first;
  if (sequence == 0 && owner != m_requests.end()) sequence = owner->second.second;
  for (std::size_t i = 0; i < m_wanted.size(); ++i) {
    const LookAt& wanted = m_wanted[i];
    if (m_sights[i].seen || wanted.event != eventName(event)) continue;
    if (!wanted.request.empty() && wanted.request != name) continue;
    if (matches(wanted, data)) m_sights[i] = {true, event.step, sequence};
  }
}

}  // namespace vitrine
