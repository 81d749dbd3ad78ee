#include "events/replay.h"

#include <algorithm>

namespace vitrine {

void Replay::operator()(const RequestSubmitted& e) const {
  require(e.request > 0 && !m.requests.contains(e.request), "the request is not new");
  require(e.firstSequence > 0 && !m.sequences.contains(e.firstSequence), "the sequence is not new");
  require(m.isFromOutside() || !e.asked.tokenIds.empty(), "an empty prompt");
  require(e.asked.outputIds.empty() ||
              (e.asked.beamWidth == 1 && std::ssize(e.asked.outputIds) < e.asked.maxTokens),
          "the beginning of an answer");
  require(m_event.timeNs >= 0, "a time before the run began");
  require(e.asked.beamWidth >= 1 && e.asked.beamWidth <= kMaxBeams, "beam width");
  RequestState& request = m.requests[e.request];
  request.id = e.request;
  request.name = e.asked.name;
  request.prompt = e.asked.prompt;
  request.maxTokens = e.asked.maxTokens;
  request.sequences = {e.firstSequence};
  request.priority = e.asked.priority;
  request.deadlineMs = e.asked.deadlineMs;
  request.beamWidth = e.asked.beamWidth;
  request.submittedNs = m_event.timeNs;
  request.givenTokens = static_cast<int>(e.asked.outputIds.size());
  SequenceState& sequence = m.sequences[e.firstSequence];
  sequence.id = e.firstSequence;
  sequence.request = e.request;
  sequence.tokens = e.asked.tokenIds;
  sequence.tokens.insert(sequence.tokens.end(), e.asked.outputIds.begin(), e.asked.outputIds.end());
  sequence.text = e.outputText;
  sequence.promptTokens = static_cast<int>(e.asked.tokenIds.size());
  sequence.rank = e.rank;
  insertBehindEquals(m.waiting, e.firstSequence);
}

void Replay::operator()(const RequestCancelled& e) const { request(e.request).cancelled = true; }

void Replay::operator()(const SamplingChanged& e) const { request(e.request); }

void Replay::operator()(const RequestFinished& e) const {
  RequestState& r = request(e.request);
  r.finished = true;
  if (e.reason != FinishReason::kFailed) return;
  r.beams.clear();  // nothing is left of a failed search
  r.hypotheses.clear();
}

void Replay::operator()(const RequestForgotten& e) const {
  const RequestState& r = request(e.request);
  require(r.finished, "forgotten before it has finished");
  for (SequenceId id : r.sequences) {
    const SequenceState& s = sequence(id);
    require(s.status == SequenceStatus::kFinished && s.blockTable.empty(),
            "forgotten with a sequence in flight");
  }
  for (SequenceId id : r.sequences) m.sequences.erase(id);
  m.requests.erase(e.request);
}

void Replay::operator()(const BeamStep& e) const {
  RequestState& r = request(e.request);
  for (int number : e.displaced)
    std::erase_if(r.hypotheses, [&](const HypothesisState& one) { return one.number == number; });
  r.beams.clear();
  for (const BeamCandidate& candidate : e.candidates) {
    if (candidate.fate == BeamFate::kKept) r.beams.push_back({candidate.sequence, candidate.cumulative});
    if (candidate.fate != BeamFate::kFinished) continue;
    const auto worse = [&](const HypothesisState& one) { return one.score < candidate.score; };
    r.hypotheses.insert(std::find_if(r.hypotheses.begin(), r.hypotheses.end(), worse),
                        {candidate.hypothesis, candidate.score});
  }
  require(static_cast<int>(r.beams.size()) <= r.beamWidth, "more beams than the search is wide");
  require(static_cast<int>(r.hypotheses.size()) <= r.beamWidth, "more hypotheses than the search is wide");
}

void Replay::operator()(const BeamChosen& e) const {
  SequenceState& s = running(e.sequence);
  s.tokens.resize(static_cast<std::size_t>(s.promptTokens));
  s.tokens.insert(s.tokens.end(), e.tokenIds.begin(), e.tokenIds.end());
  s.computedTokens = std::min(s.computedTokens, length(s));
  s.cachedTokens = std::min(s.cachedTokens, length(s));
  s.text = e.text;
  s.score = e.score;
  noteToken(s.request);
}

void Replay::operator()(const AnswersRanked& e) const {
  for (const RankedAnswer& answer : e.answers) {
    require(sequence(answer.sequence).request == e.request, "an answer of another request");
    sequence(answer.sequence).score = answer.score;
  }
}

RequestState& Replay::request(RequestId id) const {
  const auto found = m.requests.find(id);
  require(found != m.requests.end(), "an unknown request");
  return found->second;
}

// The first token of a request, of whichever sequence.
void Replay::noteToken(RequestId id) const {
  RequestState& r = request(id);
  if (r.firstTokenNs >= 0) return;
  require(m_event.timeNs >= r.submittedNs, "a token from before its request");
  r.firstTokenNs = m_event.timeNs;
}

}  // namespace vitrine
