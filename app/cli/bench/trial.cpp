#include "bench/trial.h"

#include <algorithm>
#include <fstream>
#include <random>

namespace vitrine::cli {
namespace {

double toMs(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

std::int64_t statusBytes(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::stoll(line.substr(line.find(':') + 1)) * 1024;
  return 0;
}

}  // namespace

void Meter::publish(const Event& event) {
  if (onEvent) onEvent(event);
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    if (m_firstNs < 0) m_firstNs = event.timeNs;
    m_submittedNs[submitted->request] = event.timeNs;
    m_times[submitted->firstSequence] = {event.timeNs, -1, submitted->request};
    m_trial.promptTokens += static_cast<std::int64_t>(submitted->tokenIds.size());
  } else if (const auto* forked = std::get_if<SequenceForked>(&event.body)) {
    m_times[forked->child] = {m_submittedNs[forked->request], -1, forked->request};
  } else if (const auto* sampled = std::get_if<TokenSampled>(&event.body)) {
    onToken(event, *sampled);
  } else if (const auto* planned = std::get_if<StepPlanned>(&event.body)) {
    m_plan = *planned;
    m_trial.mostRunning = std::max<std::int64_t>(m_trial.mostRunning, planned->sequences);
  } else if (const auto* finished = std::get_if<StepFinished>(&event.body)) {
    onStep(event, *finished);
  } else if (const auto* done = std::get_if<RequestFinished>(&event.body)) {
    m_trial.endToEndMs.push_back(toMs(done->totalNs));
    m_trial.ttftMs.push_back(toMs(done->ttftNs));
  } else if (const auto* failed = bodyOf<EngineFailed>(event)) {
    m_failure = failed->message;
  }
  m_trial.preemptions += std::holds_alternative<SequencePreempted>(event.body) ? 1 : 0;
  m_trial.blockHits += std::holds_alternative<BlockHit>(event.body) ? 1 : 0;
}

void Meter::onToken(const Event& event, const TokenSampled& sampled) {
  Times& times = m_times[sampled.sequence];
  if (times.lastTokenNs >= 0) m_trial.itlMs.push_back(toMs(event.timeNs - times.lastTokenNs));
  times.lastTokenNs = m_lastNs = event.timeNs;
  ++m_trial.generatedTokens;
}

void Meter::onStep(const Event&, const StepFinished& finished) {
  double seconds = 0;
  for (std::int64_t ns : finished.phaseNs) seconds += static_cast<double>(ns) / 1e9;
  ++m_trial.steps;
  const bool prefills = m_plan.prefillTokens > 0;
  (prefills ? m_trial.prefillSeconds : m_trial.decodeSeconds) += seconds;
  m_trial.prefillTokens += m_plan.prefillTokens;
  if (!prefills) m_trial.decodeTokens += finished.sampled;
}

Trial Meter::run(Engine& engine, const std::vector<Request>& requests, int atOnce) {
  m_trial = {};
  m_times.clear();
  m_submittedNs.clear();
  m_firstNs = -1;
  m_failure.clear();
  std::vector<std::vector<TokenId>> answers(requests.size());
  std::vector<std::pair<RequestId, std::size_t>> open;
  std::size_t next = 0;
  while (next < requests.size() || !open.empty()) {
    for (; next < requests.size() && static_cast<int>(open.size()) < atOnce; ++next)
      open.emplace_back(engine.submit(requests[next]), next);
    engine.step();
    std::erase_if(open, [&](const auto& one) {
      if (!engine.isFinished(one.first)) return false;
      for (const SequenceResult& sequence : engine.takeResult(one.first).sequences)
        answers[one.second].insert(answers[one.second].end(), sequence.tokenIds.begin(),
                                   sequence.tokenIds.end());
      engine.forget(one.first);
      return true;
    });
    if (!m_failure.empty()) throw EngineError(ErrorCode::kIo, "the benchmark's run failed: " + m_failure);
  }
  m_trial.requests = static_cast<int>(requests.size());
  m_trial.answers = std::move(answers);
  m_trial.seconds = static_cast<double>(m_lastNs - m_firstNs) / 1e9;
  return m_trial;
}

std::vector<Request> syntheticRequests(const ModelInfo& model, int count, int promptTokens, int maxTokens,
                                       std::uint64_t seed, int number) {
  std::mt19937_64 random(seed * 1000003 + static_cast<std::uint64_t>(number));
  std::vector<Request> requests(static_cast<std::size_t>(count));
  for (Request& request : requests) {
    for (int i = 0; i < promptTokens; ++i)
      request.tokenIds.push_back(
          static_cast<TokenId>(random() % static_cast<std::uint64_t>(model.vocabularySize)));
    request.maxTokens = maxTokens;
    request.ignoreEos = true;
  }
  return requests;
}

std::int64_t residentBytes() { return statusBytes("VmRSS"); }
std::int64_t peakResidentBytes() { return statusBytes("VmHWM"); }

// proc(5): writing 5 sets the high water mark to what is resident now.
bool resetPeakResident() {
  std::ofstream file("/proc/self/clear_refs");
  file << 5;
  return static_cast<bool>(file.flush());
}

}  // namespace vitrine::cli
