#include "vitrine/trace_verifier.h"

#include <limits>

#include "events/state_json.h"

namespace vitrine {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw EngineError(ErrorCode::kFileCorrupt, what);
}

}  // namespace

void TraceVerifier::add(const Event& event) {
  const bool snapshot = std::holds_alternative<Snapshot>(event.body);
  if (m_report.events == 0) {
    require(isA<EngineLoaded>(event), "a trace begins with engine_loaded");
    m_run = event.run;
    m_next = event.number;
  } else {
    require(!isA<EngineLoaded>(event), "a trace holds one run");
  }
  require(event.run == m_run, "an event of another run");
  require(event.timeNs >= m_timeNs, "time runs backwards");
  snapshot ? checkSnapshot(event) : checkNumber(event);
  m_timeNs = event.timeNs;
  ++m_report.events;
}

void TraceVerifier::skip(const Event& event) {
  require(m_report.events > 0, "a trace begins with engine_loaded");
  require(event.run == m_run, "an event of another run");
  require(event.timeNs >= m_timeNs, "time runs backwards");
  require(event.number == m_next || event.number == m_next - 1, "an event is missing or repeated");
  require(event.number < std::numeric_limits<std::int64_t>::max(), "a count out of range");
  m_next = event.number + 1;
  m_timeNs = event.timeNs;
}

TraceReport TraceVerifier::report(const TraceReading& reading) const {
  TraceReport report = m_report;
  static_cast<TraceReading&>(report) = reading;
  return report;
}

// A snapshot is not numbered itself: it is the state after the event whose number it has.
void TraceVerifier::checkSnapshot(const Event& event) {
  if (m_report.events == 1) {  // recording began in the middle of a run
    m_state.apply(event);
    m_next = event.number + 1;
    m_report.lastStep = m_state.step;
  }
  require(event.number == m_next - 1 && event.step == m_state.step, "a snapshot out of place");
  require(*std::get<Snapshot>(event.body).state == m_state, "the snapshot differs from the replayed state");
  ++m_report.snapshots;
}

void TraceVerifier::checkNumber(const Event& event) {
  require(event.number == m_next, "an event is missing or repeated");
  const EventsDropped* dropped = std::get_if<EventsDropped>(&event.body);
  const std::int64_t stands = dropped == nullptr ? 1 : dropped->details;
  require(stands >= 1 && stands <= std::numeric_limits<std::int64_t>::max() - m_next, "a count out of range");
  m_next += stands;
  m_state.apply(event);
  if (const StepFinished* finished = std::get_if<StepFinished>(&event.body)) checkStep(*finished);
}

void TraceVerifier::checkStep(const StepFinished& finished) {
  requireConsistent(m_state);
  ++m_report.steps;
  m_report.lastStep = m_state.step;
  int freeBlocks = 0, cachedBlocks = 0;
  for (const BlockState& block : m_state.blocks) {
    freeBlocks += block.refCount == 0 ? 1 : 0;
    cachedBlocks += block.refCount == 0 && block.cached ? 1 : 0;
  }
  require(finished.freeBlocks == freeBlocks && finished.cachedBlocks == cachedBlocks,
          "the step's count of free blocks");
  require(finished.waiting == static_cast<int>(m_state.waiting.size()) &&
              finished.running == static_cast<int>(m_state.running.size()),
          "the step's count of sequences");
}

TraceReport verifyTrace(const std::filesystem::path& file) {
  TraceVerifier verifier;
  return verifier.report(readTrace(
      file, [&](const Event& event) { verifier.add(event); },
      [&](const Event& event) { verifier.skip(event); }));
}

}  // namespace vitrine
