#include "bench/trial.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <random>

namespace vitrine::cli {
namespace {

std::int64_t statusBytes(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::stoll(line.substr(line.find(':') + 1)) * 1024;
  return 0;
}

}  // namespace

std::vector<double> Trial::inMs(const Durations& durations) {
  std::vector<double> ms;
  for (std::int64_t ns : durations.sampleNs()) ms.push_back(static_cast<double>(ns) / 1e6);
  return ms;
}

double Trial::prefillRate() const {
  const RunTotals& totals = statistics.totals();
  return static_cast<double>(totals.prefillTokens) * 1e9 / static_cast<double>(totals.prefillNs);
}

double Trial::decodeRate() const {
  const RunTotals& totals = statistics.totals();
  return static_cast<double>(totals.decodedTokens) * 1e9 / static_cast<double>(totals.decodeNs);
}

void Meter::publish(const Event& event) {
  if (onEvent) onEvent(event);
  m_statistics.add(event);
  if (const auto* failed = bodyOf<EngineFailed>(event)) m_failure = failed->message;
}

Trial Meter::run(Engine& engine, const std::vector<Request>& requests, int atOnce) {
  m_statistics = {};
  m_failure.clear();
  engine.resetDevicePeak();
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
  const std::optional<DeviceMemory> memory = engine.deviceMemory();
  return {static_cast<int>(requests.size()), std::move(m_statistics), std::move(answers),
          memory ? memory->peakBytes : 0};
}

std::vector<Request> syntheticRequests(const ModelInfo& model, const SyntheticLoad& load, int number) {
  std::mt19937_64 random(load.seed * 1000003 + static_cast<std::uint64_t>(number));
  std::vector<Request> requests(static_cast<std::size_t>(load.requests));
  for (Request& request : requests) {
    for (int i = 0; i < load.promptTokens; ++i)
      request.tokenIds.push_back(
          static_cast<TokenId>(random() % static_cast<std::uint64_t>(model.vocabularySize)));
    request.maxTokens = load.maxTokens;
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
