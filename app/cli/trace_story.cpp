#include "trace_story.h"

#include <algorithm>

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
  return isAnyOf<BlockShared, BlockSwappedOut, PhaseStarted, TokenCandidates, LayerTap, ForwardMeasured,
                 LaunchesMeasured, Snapshot>(event);
}

// What happens to the machine from outside, or to a whole request, stands at the margin.
bool standsAtTheMargin(const Event& event) {
  return isAnyOf<EngineLoaded, EngineFailed, RoofMeasured, RequestSubmitted, RequestRejected,
                 RequestCancelled, SamplingChanged, RequestFinished, RequestForgotten, StepStarted>(event);
}

}  // namespace

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
  m_eventNames.note(event);
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
