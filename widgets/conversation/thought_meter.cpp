#include "widgets/conversation/thought_meter.h"

#include <algorithm>
#include <utility>

namespace vitrine {
namespace {
constexpr const char* kBlanks = " \t\r\n";
}  // namespace

// Reads what an answer says next. False: it does not begin with thinking.
bool ThoughtMeter::read(Thought& thought, std::string_view text) {
  std::string& unread = thought.unread;
  unread += text;
  if (thought.phase == Phase::kUndecided) {
    unread.erase(0, unread.find_first_not_of(kBlanks));  // all of it, when there is nothing else
    const AnswerParts parts = answerParts(unread, nullptr, false);
    if (parts.marks != nullptr)
      begin(thought, *parts.marks, unread.substr(parts.marks->open.size()));
    else if (!parts.answer.empty())
      return false;
  }
  if (thought.phase == Phase::kThinking) {
    const std::string_view close = thought.marks->close;
    if (unread.find(close) != std::string::npos) thought.phase = Phase::kEnded;
    unread.erase(0, unread.size() - std::min(unread.size(), close.size() - 1));
  }
  return true;
}

void ThoughtMeter::begin(Thought& thought, const ThoughtMarks& marks, std::string unread) {
  thought.phase = Phase::kThinking;
  thought.marks = &marks;
  thought.unread = std::move(unread);
}

void ThoughtMeter::begin(const RequestSubmitted& submitted) {
  Thought thought;
  thought.tokens = static_cast<int>(std::ssize(submitted.asked.outputIds));
  if (const ThoughtMarks* const opened = openedThought(submitted.asked.prompt)) begin(thought, *opened, {});
  const bool thinks = read(thought, submitted.outputText);
  // Thinking that ended in a forced beginning was not measured here.
  if (thinks && thought.phase != Phase::kEnded) m_thoughts[submitted.firstSequence] = std::move(thought);
}

void ThoughtMeter::note(const TokenSampled& sampled, std::int64_t timeNs) {
  const auto found = m_thoughts.find(sampled.sequence);
  if (found == m_thoughts.end() || found->second.phase == Phase::kEnded) return;
  Thought& thought = found->second;
  ++thought.tokens;
  if (thought.firstNs < 0) thought.firstNs = timeNs;
  if (!read(thought, sampled.text)) {
    m_thoughts.erase(found);
  } else if (thought.phase == Phase::kEnded) {
    thought.figures = {thought.tokens, timeNs - thought.firstNs};
    thought.unread = {};
  }
}

void ThoughtMeter::note(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event))
    begin(*submitted);
  else if (const auto* sampled = bodyOf<TokenSampled>(event))
    note(*sampled, event.timeNs);
}

ThoughtFigures ThoughtMeter::figuresOf(SequenceId sequence) const {
  const auto found = m_thoughts.find(sequence);
  return found == m_thoughts.end() ? ThoughtFigures() : found->second.figures;
}

ThoughtFigures ThoughtMeter::figuresOf(SequenceId sequence, const RequestFinished& finished) const {
  const auto found = m_thoughts.find(sequence);
  if (found == m_thoughts.end() || found->second.phase != Phase::kThinking) return figuresOf(sequence);
  return {finished.completionTokens, finished.ttftNs == 0 ? 0 : finished.totalNs - finished.ttftNs};
}

}  // namespace vitrine
