#include "runtime/request_result.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vitrine {
namespace {

using ScoredAnswer = std::pair<const Answer*, double>;

// A grammar may leave a search fewer answers than its request asked for.
bool hasEndedSearch(const RequestRecord& record) {
  return record.beams && record.beams->unfinished().empty();
}

bool choosesAmongAnswers(const RequestRecord& record) {
  return record.request.bestOf > record.request.sequences;
}

std::vector<ScoredAnswer> answersToGive(const RequestRecord& record) {
  std::vector<ScoredAnswer> answers;
  if (record.beams) answers = record.beams->unfinished();
  if (answers.empty())
    for (const auto& answer : record.answers)
      if (answer->sequence.finishReason != FinishReason::kPruned)
        answers.emplace_back(answer.get(), record.beams ? answer->result.score : scoreOf(*answer));
  if (choosesAmongAnswers(record))
    std::ranges::stable_sort(answers, std::ranges::greater(), &ScoredAnswer::second);
  const auto wanted = static_cast<std::size_t>(record.request.sequences);
  if (answers.size() > wanted) answers.resize(wanted);
  return answers;
}

int preemptionsOf(const RequestRecord& record) {
  int preemptions = 0;
  for (const auto& answer : record.answers) preemptions += answer->sequence.preemptions;
  return preemptions;
}

}  // namespace

double scoreOf(const Answer& answer) {
  const int drawn = answer.sequence.outputTokens() - static_cast<int>(answer.record.request.outputIds.size());
  const double length = std::max(drawn, 1);
  return answer.result.cumulativeLogprob / std::pow(length, answer.record.request.lengthPenalty);
}

AnswersRanked rankAnswers(RequestRecord& record) {
  AnswersRanked ranked{record.id, {}};
  for (const auto& answer : record.answers)
    ranked.answers.push_back({answer->sequence.id, scoreOf(*answer), false});
  std::ranges::stable_sort(ranked.answers, std::ranges::greater(), &RankedAnswer::score);
  const auto chosen = std::min(ranked.answers.size(), static_cast<std::size_t>(record.request.sequences));
  for (RankedAnswer& answer : std::span(ranked.answers).first(chosen)) answer.chosen = true;
  for (const auto& answer : record.answers) answer->result.score = scoreOf(*answer);
  return ranked;
}

RequestFinished finishedEvent(const RequestRecord& record, FinishReason reason) {
  int completionTokens = 0, givenTokens = 0;
  for (const auto& answer : record.answers) {
    if (answer->sequence.finishReason == FinishReason::kPruned) continue;
    completionTokens += answer->sequence.outputTokens();
    givenTokens += static_cast<int>(record.request.outputIds.size());
  }
  return {record.id,           reason,
          record.promptTokens, completionTokens,
          record.cachedTokens, preemptionsOf(record),
          record.queueNs(),    record.ttftNs(),
          record.totalNs(),    record.request.deadlineMs,
          record.lateNs(),     record.lateNs() > 0 && reason != FinishReason::kCancelled,
          givenTokens};
}

RequestResult resultOf(const RequestRecord& record) {
  RequestResult result;
  result.id = record.id;
  result.name = record.request.name;
  result.promptTokens = record.promptTokens;
  result.cachedTokens = record.cachedTokens;
  result.preemptions = preemptionsOf(record);
  result.givenTokens = static_cast<int>(record.request.outputIds.size());
  for (const auto& [answer, score] : answersToGive(record)) {
    const Sequence& sequence = answer->sequence;
    SequenceResult& one = result.sequences.emplace_back(answer->result);
    one.tokenIds.assign(sequence.tokens.begin() + sequence.promptTokens, sequence.tokens.end());
    one.text = answer->stream.text();
    one.reason = sequence.finishReason;
    one.score = score;
  }
  if (!hasEndedSearch(record))
    while (static_cast<int>(result.sequences.size()) < record.request.sequences)  // it ended before it forked
      result.sequences.emplace_back().reason = result.sequences.front().reason;
  result.queueNs = record.queueNs();
  result.ttftNs = record.ttftNs();
  result.totalNs = record.totalNs();
  result.deadlineMs = record.request.deadlineMs;
  result.lateNs = record.lateNs();
  return result;
}

}  // namespace vitrine
