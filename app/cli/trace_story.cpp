#include "trace_story.h"

namespace vitrine::cli {
namespace {

template <typename... Bodies>
bool isAnyOf(const Event& event) {
  return (isA<Bodies>(event) || ...);
}

// Another event says it, or it is detail that would fill the page.
bool isLeftOut(const Event& event) {
  const auto* speculated = bodyOf<StepSpeculated>(event);
  if (speculated != nullptr && speculated->draftedTokens == 0) return true;
  return isAnyOf<BlockShared, BlockSwappedOut, PhaseStarted, TokenCandidates, LayerTap, Snapshot>(event);
}

// What happens to the machine from outside, or to a whole request, stands at the margin.
bool standsAtTheMargin(const Event& event) {
  return isAnyOf<EngineLoaded, EngineFailed, RequestSubmitted, RequestRejected, RequestCancelled,
                 SamplingChanged, RequestFinished, RequestForgotten, StepStarted>(event);
}

std::string nameOf(const std::map<std::int32_t, std::string>& names, std::int32_t id, const char* what) {
  const auto found = names.find(id);
  return found == names.end() ? what + std::to_string(id) : found->second;
}

}  // namespace

TraceStory::TraceStory() {
  m_names.request = [this](RequestId id) { return nameOf(m_requests, id, "request "); };
  m_names.sequence = [this](SequenceId id) { return nameOf(m_sequences, id, "sequence "); };
}

void TraceStory::noteNames(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    m_requests[submitted->request] = submitted->name;
    m_sequences[submitted->firstSequence] = submitted->name;
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    m_sequences[forked->child] = m_names.request(forked->request) + "/" + std::to_string(forked->index + 1);
  }
}

std::string TraceStory::linesOf(const Event& event) const {
  if (isLeftOut(event)) return "";
  const prose::EventProse prose = prose::describe(event, m_names);
  std::string text = standsAtTheMargin(event) ? "" : "  ";
  if (isA<StepStarted>(event)) text = "\nStep " + std::to_string(event.step) + ": ";
  text += prose.sentence;
  for (const std::string& line : prose.more) text += "\n    " + line;
  return text;
}

std::string TraceStory::add(const Event& event) {
  noteNames(event);
  std::string text;
  if (!m_run.empty() && !prose::inOneRun(m_run.front(), event)) {
    text = "  " + prose::describeRun(m_run, m_names).sentence;
    m_run.clear();
  }
  if (prose::inOneRun(event, event)) {
    m_run.push_back(event);
    return text;
  }
  const std::string lines = linesOf(event);
  return text.empty() || lines.empty() ? text + lines : text + "\n" + lines;
}

}  // namespace vitrine::cli
