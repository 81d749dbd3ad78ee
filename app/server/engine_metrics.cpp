#include "server/engine_metrics.h"

#include "vitrine/machine_state.h"

namespace vitrine::server {
namespace {

constexpr double kSecond = 1e-9;  // of a nanosecond

// The ranges are vLLM's, so that its dashboards fit.
std::vector<double> firstTokenBounds() {
  return {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75,
          1,     2.5,   5,    7.5,  10,   20,   40,   80,  160,  640, 2560};
}
std::vector<double> tokenBounds() {
  return {0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80};
}
std::vector<double> requestBounds() {
  return {0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680};
}
// 1, 2, 5, 10, ... up to the context's length.
std::vector<double> lengthBounds(int contextLength) {
  std::vector<double> bounds;
  for (double power = 1;; power *= 10)
    for (const double factor : {1, 2, 5}) {
      if (factor * power > contextLength) return bounds;
      bounds.push_back(factor * power);
    }
}

}  // namespace

EngineFigures::EngineFigures(const EngineLoaded& engine)
    : blocks(engine.options.numBlocks),
      drafts(engine.options.speculation.drafter != DraftMethod::kNone),
      acceptedAt(drafts ? static_cast<std::size_t>(engine.options.speculation.draftLength) : 0),
      firstToken(firstTokenBounds()),
      interToken(tokenBounds()),
      perToken(tokenBounds()),
      endToEnd(requestBounds()),
      queue(requestBounds()),
      prefill(requestBounds()),
      decode(requestBounds()),
      inference(requestBounds()),
      promptLength(lengthBounds(engine.model.contextLength)),
      answerLength(lengthBounds(engine.model.contextLength)),
      stepTokens({1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}) {
  freeBlocks.set(blocks);
}

void EngineMetrics::publish(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) m_figures = std::make_unique<EngineFigures>(*loaded);
  const std::int64_t gaps = m_statistics.itl().count();
  const double gapsNs = m_statistics.itl().totalNs();
  m_statistics.add(event);
  follow(event);
  if (isA<TokenSampled>(event)) {
    // One token adds one gap to Statistics, or none: then it is the first of its answer.
    if (m_statistics.itl().count() > gaps)
      m_figures->interToken.observe((m_statistics.itl().totalNs() - gapsNs) * kSecond);
    else
      onToken();
  } else if (const auto* finished = bodyOf<RequestFinished>(event)) {
    onFinished(*finished);
  } else if (const auto* verified = bodyOf<DraftVerified>(event)) {
    onDraft(*verified);
  } else if (const auto* step = bodyOf<StepFinished>(event)) {
    m_figures->stepTokens.observe(step->tokens);
    m_figures->freeBlocks.set(step->freeBlocks);
    readTotals();
  }
}

// Sequences and blocks as they are now. Between two steps a request can come or be cancelled, and the last
// step knows nothing of it.
void EngineMetrics::follow(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    setStatus(submitted->firstSequence, false);
    m_tokenless.push_back(submitted->request);
  } else if (const auto* admitted = bodyOf<SequenceAdmitted>(event)) {
    setStatus(admitted->sequence, true);
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    setStatus(forked->child, m_runs[forked->parent]);
  } else if (const auto* preempted = bodyOf<SequencePreempted>(event)) {
    setStatus(preempted->sequence, false);
  } else if (const auto* finished = bodyOf<SequenceFinished>(event)) {
    endSequence(finished->sequence);
  } else if (const auto* freed = bodyOf<BlockFreed>(event)) {
    if (!m_inStep && freed->refCount == 0) m_figures->freeBlocks.add(1);
  } else if (const auto* snapshot = bodyOf<Snapshot>(event)) {  // of a run that goes on
    for (const SequenceId sequence : snapshot->state->waiting) setStatus(sequence, false);
    for (const SequenceId sequence : snapshot->state->running) setStatus(sequence, true);
    m_figures->freeBlocks.set(static_cast<std::int64_t>(snapshot->state->freeQueue.size()));
  } else if (isA<StepStarted>(event)) {
    m_inStep = true;
  } else if (isA<StepFinished>(event)) {
    m_inStep = false;
  }
}

void EngineMetrics::setStatus(SequenceId sequence, bool runs) {
  endSequence(sequence);
  m_runs[sequence] = runs;
  (runs ? m_figures->running : m_figures->waiting).add(1);
}

void EngineMetrics::endSequence(SequenceId sequence) {
  const auto place = m_runs.find(sequence);
  if (place == m_runs.end()) return;
  (place->second ? m_figures->running : m_figures->waiting).add(-1);
  m_runs.erase(place);
}

// The event names its sequence alone; Statistics knows which request has had its first token.
void EngineMetrics::onToken() {
  std::erase_if(m_tokenless, [this](RequestId id) {
    const RequestStatistics* const request = m_statistics.request(id);
    if (request == nullptr || request->times.ttftNs == 0) return false;
    onFirstToken(request->times.ttftNs, request->promptTokens);
    return true;
  });
}

void EngineMetrics::onFirstToken(std::int64_t ttftNs, int promptTokens) {
  m_figures->firstToken.observe(static_cast<double>(ttftNs) * kSecond);
  m_figures->promptTokens.add(promptTokens);
}

void EngineMetrics::onFinished(const RequestFinished& finished) {
  // The only token of a beam search is of no beam.
  const bool hadNone = std::erase(m_tokenless, finished.request) > 0;
  if (hadNone && finished.ttftNs > 0) onFirstToken(finished.ttftNs, finished.promptTokens);
  m_figures->finished[static_cast<std::size_t>(finished.reason)].add(1);
  const RequestTimes times = RequestTimes::of(finished);
  const auto observe = [](LiveHistogram& histogram, std::int64_t ns) {
    histogram.observe(static_cast<double>(ns) * kSecond);
  };
  observe(m_figures->endToEnd, times.totalNs);
  observe(m_figures->queue, times.queueNs);
  if (times.ttftNs > 0) {
    observe(m_figures->prefill, times.ttftNs - times.queueNs);
    observe(m_figures->decode, times.totalNs - times.ttftNs);
    observe(m_figures->inference, times.totalNs - times.queueNs);
    m_figures->perToken.observe(times.tpotNs() * kSecond);
  }
  m_figures->promptLength.observe(finished.promptTokens);
  m_figures->answerLength.observe(times.completionTokens);
  readTotals();
}

void EngineMetrics::onDraft(const DraftVerified& verified) {
  m_figures->draftCount.add(1);
  m_figures->draftTokens.add(static_cast<std::int64_t>(verified.judgements.size()));
  m_figures->acceptedTokens.add(verified.accepted);
  const auto accepted = static_cast<std::size_t>(verified.accepted);
  for (std::size_t i = 0; i < std::min(accepted, m_figures->acceptedAt.size()); ++i)
    m_figures->acceptedAt[i].add(1);
}

void EngineMetrics::readTotals() {
  const RunTotals& totals = m_statistics.totals();
  m_figures->queriedTokens.set(totals.promptTokens);
  m_figures->hitTokens.set(totals.cachedTokens);
  m_figures->preemptions.set(totals.preemptions);
  m_figures->generatedTokens.set(totals.sampledTokens);
}

}  // namespace vitrine::server
