#include "vitrine/statistics.h"

#include <algorithm>
#include <functional>

#include "vitrine/machine_state.h"

namespace vitrine {

RequestTimes RequestTimes::of(const RequestFinished& finished) {
  return {finished.queueNs, finished.ttftNs, finished.totalNs,
          finished.completionTokens - finished.givenTokens};
}

double RequestTimes::tpotNs() const {
  return completionTokens > 1 ? static_cast<double>(totalNs - ttftNs) / (completionTokens - 1) : 0;
}

double RequestTimes::decodeRate() const {
  const double ns = tpotNs();
  return ns > 0 ? 1e9 / ns : 0;
}

double RequestTimes::tokensPerSecond() const { return perSecond(completionTokens, totalNs); }

void Statistics::add(const Event& event) {
  if (isA<EngineLoaded>(event)) *this = {};
  if (const auto* snapshot = std::get_if<Snapshot>(&event.body); snapshot && snapshot->state)
    join(*snapshot->state);
  addRequest(event);
  addSequence(event);
  addSwap(event);
  addStep(event);
}

void Statistics::join(const MachineState& state) {
  for (const auto& [id, request] : state.requests) {
    if (request.finished || m_requests.contains(id)) continue;  // a trace repeats what its events have said
    RequestStatistics& joined = m_requests[id];
    joined.submittedNs = request.submittedNs;
    joined.times.ttftNs = request.ttftNs();
    for (SequenceId sequence : request.sequences) {
      const SequenceState& s = state.sequences.at(sequence);
      joined.promptTokens = s.promptTokens;
      if (s.status == SequenceStatus::kFinished) continue;
      Answer& answer = m_answers[sequence];
      answer = {id, -1, s.computedTokens, answer.wait};
      setWait(sequence, s.wait ? std::optional(s.wait->reason) : std::nullopt);
    }
  }
}

void Statistics::addRequest(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    RequestStatistics& request = m_requests[submitted->request];
    request = {};
    request.submittedNs = event.timeNs;
    request.promptTokens = static_cast<int>(submitted->asked.tokenIds.size());
    m_answers[submitted->firstSequence] = {submitted->request, -1, 0};
    if (m_firstNs < 0) m_firstNs = event.timeNs;
    ++m_totals.submitted;
  } else if (isA<RequestRejected>(event)) {
    ++m_totals.rejected;
  } else if (const auto* finished = std::get_if<RequestFinished>(&event.body)) {
    onFinished(*finished);
  } else if (const auto* forgotten = std::get_if<RequestForgotten>(&event.body)) {
    m_requests.erase(forgotten->request);
  }
}

void Statistics::onFinished(const RequestFinished& finished) {
  RequestStatistics& request = m_requests[finished.request];
  request.finished = true;
  request.times = RequestTimes::of(finished);
  request.promptTokens = finished.promptTokens;
  request.cachedTokens = finished.cachedTokens;
  request.preemptions = finished.preemptions;
  ++m_totals.finished;
  m_totals.completionTokens += finished.completionTokens;
  m_totals.deadlines += finished.deadlineMs > 0 ? 1 : 0;
  m_totals.missedDeadlines += finished.missedDeadline ? 1 : 0;
  m_queue.add(finished.queueNs);
  if (finished.ttftNs > 0) m_ttft.add(finished.ttftNs);
  m_endToEnd.add(finished.totalNs);
}

void Statistics::addSequence(const Event& event) {
  if (const auto* sampled = std::get_if<TokenSampled>(&event.body)) {
    onToken(*sampled, event.timeNs);
  } else if (const auto* waiting = std::get_if<SequenceWaiting>(&event.body)) {
    setWait(waiting->sequence, waiting->reason);
  } else if (const auto* admitted = std::get_if<SequenceAdmitted>(&event.body)) {
    setWait(admitted->sequence, std::nullopt);
    onAdmitted(*admitted, event.timeNs);
  } else if (const auto* forked = std::get_if<SequenceForked>(&event.body)) {
    m_answers[forked->child] = {forked->request, -1, m_answers[forked->parent].computed};
  } else if (const auto* scheduled = std::get_if<SequenceScheduled>(&event.body)) {
    int& computed = m_answers[scheduled->sequence].computed;
    const int end = scheduled->firstPosition + scheduled->tokens - scheduled->draftTokens;
    m_totals.recomputedTokens += std::max(std::min(computed, end) - scheduled->firstPosition, 0);
    computed = std::max(computed, end);
  } else if (const auto* preempted = std::get_if<SequencePreempted>(&event.body)) {
    ++m_totals.preemptions;
    ++m_requests[m_answers[preempted->sequence].request].preemptions;
  } else if (const auto* finished = std::get_if<SequenceFinished>(&event.body)) {
    setWait(finished->sequence, std::nullopt);
    m_answers.erase(finished->sequence);
  }
  m_totals.aged += isA<SequenceAged>(event) ? 1 : 0;
}

void Statistics::setWait(SequenceId sequence, std::optional<WaitReason> reason) {
  std::optional<WaitReason>& wait = m_answers[sequence].wait;
  if (wait) --m_waiting[static_cast<std::size_t>(*wait)];
  if (reason) ++m_waiting[static_cast<std::size_t>(*reason)];
  wait = reason;
}

void Statistics::addSwap(const Event& event) {
  if (const auto* preempted = std::get_if<SequencePreempted>(&event.body)) {
    m_totals.swapOuts += preempted->how == Preemption::kSwap ? 1 : 0;
  } else if (const auto* admitted = std::get_if<SequenceAdmitted>(&event.body)) {
    m_totals.swapIns += admitted->swappedTokens > 0 ? 1 : 0;
  } else if (const auto* swapped = std::get_if<StepSwapped>(&event.body)) {
    m_totals.swappedOutBytes += swapped->outBytes;
    m_totals.swapDemotedBytes += swapped->demotedBytes;
    m_totals.swappedInBytes += swapped->inBytes;
    m_totals.swapNs += swapped->ns;
  }
  m_totals.swapFailures += isA<SwapFailed>(event) ? 1 : 0;
}

void Statistics::onToken(const TokenSampled& sampled, std::int64_t timeNs) {
  Answer& answer = m_answers[sampled.sequence];
  RequestStatistics& request = m_requests[answer.request];
  if (answer.lastTokenNs >= 0) {
    request.itl.add(timeNs - answer.lastTokenNs);
    m_itl.add(timeNs - answer.lastTokenNs);
  }
  answer.lastTokenNs = m_lastTokenNs = timeNs;
  ++request.times.completionTokens;
  if (request.times.ttftNs == 0) request.times.ttftNs = timeNs - request.submittedNs;
  ++m_totals.sampledTokens;
}

void Statistics::onAdmitted(const SequenceAdmitted& admitted, std::int64_t timeNs) {
  if (admitted.resumed) return;
  RequestStatistics& request = m_requests[m_answers[admitted.sequence].request];
  request.times.queueNs = timeNs - request.submittedNs;
  request.cachedTokens = admitted.cachedTokens;
  m_totals.promptTokens += admitted.totalTokens;
  m_totals.cachedTokens += admitted.cachedTokens;
}

void Statistics::addStep(const Event& event) {
  if (const auto* planned = std::get_if<StepPlanned>(&event.body)) {
    m_plan = *planned;
    m_totals.prefillTokens += planned->prefillTokens;
    m_totals.decodeTokens += planned->decodeTokens;
    m_totals.mostSequences = std::max(m_totals.mostSequences, planned->sequences);
  } else if (const auto* finished = std::get_if<StepFinished>(&event.body)) {
    const bool prefills = m_plan.prefillTokens > 0;
    ++m_totals.steps;
    (prefills ? m_totals.prefillNs : m_totals.decodeNs) += phasesNs(*finished);
    if (!prefills) m_totals.decodedTokens += finished->sampled;
    m_rate.add(*finished);
    std::ranges::transform(m_totals.waitSteps, m_waiting, m_totals.waitSteps.begin(), std::plus());
  }
  if (const auto* ahead = bodyOf<ForwardAhead>(event)) {
    m_totals.aheadRows += ahead->rows;
    m_totals.wastedRows += ahead->wasted;
  }
  m_totals.blockHits += isA<BlockHit>(event) ? 1 : 0;
  m_totals.evictions += isA<BlockEvicted>(event) ? 1 : 0;
  m_totals.copies += isA<BlockCopied>(event) ? 1 : 0;
}

const RequestStatistics* Statistics::request(RequestId id) const {
  const auto found = m_requests.find(id);
  return found == m_requests.end() ? nullptr : &found->second;
}

std::int64_t Statistics::elapsedNs() const {
  return m_firstNs >= 0 && m_lastTokenNs >= 0 ? m_lastTokenNs - m_firstNs : 0;
}

double Statistics::tokensPerSecond() const { return perSecond(m_totals.sampledTokens, elapsedNs()); }

double Statistics::cacheHitRate() const {
  return m_totals.promptTokens > 0
             ? static_cast<double>(m_totals.cachedTokens) / static_cast<double>(m_totals.promptTokens)
             : 0;
}

}  // namespace vitrine
