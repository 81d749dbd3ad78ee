#include "compare/run_tally.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "vitrine/machine_state.h"
#include "vitrine/option_schema.h"

namespace vitrine::compare {
namespace {

constexpr std::size_t kMostAnswers = 65536, kMostSteps = std::size_t{1} << 20;
constexpr std::int64_t kMostTokens = std::int64_t{4} << 20;

enum class Sight : std::uint8_t { kAdmitted, kPreempted, kScheduled };

// A number of `hash` and `value`; splitmix64's finish (Steele, Lea and Flood, 2014).
std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  std::uint64_t z = hash + 0x9e3779b97f4a7c15 + value * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t mixed(std::uint64_t hash, const std::string& text) {
  hash = mixed(hash, text.size());
  for (const char letter : text) hash = mixed(hash, static_cast<unsigned char>(letter));
  return hash;
}

template <typename Value>
std::uint64_t mixedWith(std::uint64_t hash, const Value& value) {
  if constexpr (std::is_same_v<Value, double>)
    return mixed(hash, std::bit_cast<std::uint64_t>(value));
  else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
    return std::accumulate(value.begin(), value.end(), mixed(hash, value.size()),
                           [](std::uint64_t so, const std::string& one) { return mixed(so, one); });
  else if constexpr (std::is_same_v<Value, std::string>)
    return mixed(hash, value);
  else
    return mixed(hash, static_cast<std::uint64_t>(value));
}

std::uint64_t numberOf(const Request& request) {
  std::uint64_t hash = mixed(0, request.tokenIds.size());
  for (const TokenId token : request.tokenIds) hash = mixedWith(hash, token);
  for (const TokenId token : request.outputIds) hash = mixedWith(hash, token);
  forEachRequestOption([&](const auto&, const auto& access) { hash = mixedWith(hash, access(request)); });
  return hash;
}

std::uint64_t markOfAnswer(const AnswerKey& key) {
  const std::uint64_t hash = mixed(mixed(0, key.request), static_cast<std::uint64_t>(key.time));
  return mixed(hash, static_cast<std::uint64_t>(key.answer));
}

std::uint64_t sight(Sight what, std::uint64_t mark, int number) {
  return mixed(mixed(mark, static_cast<std::uint64_t>(what)), static_cast<std::uint64_t>(number));
}

bool isWhole(FinishReason reason) { return reason == FinishReason::kStop || reason == FinishReason::kLength; }

}  // namespace

void RunTally::publish(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    *this = {};
    m_options = loaded->options;
    m_poolBlocks = loaded->options.numBlocks;
    m_bytesPerBlock = loaded->bytesPerBlock;
  }
  if (const auto* snapshot = bodyOf<Snapshot>(event); snapshot && snapshot->state) join(*snapshot->state);
  m_statistics.add(event);
  addRequest(event);
  addSequence(event);
  addStep(event);
}

std::int64_t RunTally::swappedBytes() const {
  const RunTotals& all = totals();
  return all.swappedOutBytes + all.swapDemotedBytes + all.swappedInBytes;
}

std::int64_t RunTally::waitSteps() const {
  const auto& steps = totals().waitSteps;
  return std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
}

// A trace has snapshots of what its events have said; a late joiner begins with one.
void RunTally::join(const MachineState& state) {
  if (m_poolBlocks == 0) m_poolBlocks = static_cast<int>(state.blocks.size());
  for (const auto& [id, request] : state.requests) {
    if (request.finished || m_open.contains(id)) continue;
    ++m_submitted;
    follow(id, request.name, request.searches());
    for (const SequenceId sequence : request.sequences) {
      const auto found = state.sequences.find(sequence);
      if (found == state.sequences.end()) continue;
      const SequenceState& known = found->second;
      addAnswer(sequence, id, known.index);
      TalliedAnswer* const answer = request.searches() ? nullptr : answerOf(sequence);
      const auto written = static_cast<std::size_t>(known.promptTokens + request.givenTokens);
      if (answer == nullptr || known.tokens.size() <= written) continue;
      answer->tokens.assign(known.tokens.begin() + static_cast<std::ptrdiff_t>(written), known.tokens.end());
      m_tokens += static_cast<std::int64_t>(answer->tokens.size());
    }
  }
}

void RunTally::follow(RequestId id, const std::string& name, bool searches) {
  FollowedRequest& request = m_open[id];
  request = {name, 0, searches, m_answers.size() < kMostAnswers, {}};
  if (request.isCompared)
    request.time = m_times[name]++;
  else
    m_isCut = true;
}

void RunTally::addAnswer(SequenceId sequence, RequestId id, int index) {
  const auto request = m_open.find(id);
  if (request == m_open.end()) return;
  const AnswerKey key{request->second.name, request->second.time, index};
  m_sequences[sequence] = {id, index, markOfAnswer(key)};
  request->second.sequences.push_back(sequence);
  if (!request->second.searches && request->second.isCompared) m_answers[key].order = m_order++;
}

AnswerKey RunTally::keyOf(SequenceId sequence) const {
  const FollowedAnswer& followed = m_sequences.at(sequence);
  const FollowedRequest& request = m_open.at(followed.request);
  return {request.name, request.time, followed.index};
}

TalliedAnswer* RunTally::answerOf(SequenceId sequence) {
  const auto found = m_answers.end();
  const auto answer = m_sequences.contains(sequence) ? m_answers.find(keyOf(sequence)) : found;
  return answer == found ? nullptr : &answer->second;
}

void RunTally::addRequest(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    ++m_submitted;
    const Request& asked = submitted->asked;
    follow(submitted->request, asked.name, asked.searches());
    const FollowedRequest& request = m_open.at(submitted->request);
    if (request.isCompared) m_requests[{request.name, request.time}] = numberOf(asked);
    addAnswer(submitted->firstSequence, submitted->request, 0);
  } else if (const auto* finished = bodyOf<RequestFinished>(event)) {
    const auto request = m_open.find(finished->request);
    if (request == m_open.end()) return;
    for (const SequenceId sequence : request->second.sequences) m_sequences.erase(sequence);
    m_open.erase(request);
  }
}

void RunTally::addSequence(const Event& event) {
  if (const auto* forked = bodyOf<SequenceForked>(event)) {
    addAnswer(forked->child, forked->request, forked->index);
    const TalliedAnswer* const parent = answerOf(forked->parent);
    TalliedAnswer* const child = answerOf(forked->child);
    if (parent == nullptr || child == nullptr) return;
    child->tokens = parent->tokens;
    m_tokens += static_cast<std::int64_t>(child->tokens.size());
  } else if (const auto* sampled = bodyOf<TokenSampled>(event)) {
    TalliedAnswer* const answer = answerOf(sampled->sequence);
    if (answer == nullptr) return;
    m_isCut = m_isCut || m_tokens >= kMostTokens;
    if (m_isCut) return;
    answer->tokens.push_back(sampled->token);
    ++m_tokens;
  } else if (const auto* chosen = bodyOf<BeamChosen>(event)) {
    if (!m_sequences.contains(chosen->sequence) || m_isCut) return;
    TalliedAnswer& answer = m_answers[keyOf(chosen->sequence)];
    answer.order = m_order++;
    answer.tokens = chosen->tokenIds;
    m_tokens += static_cast<std::int64_t>(answer.tokens.size());
  } else if (const auto* finished = bodyOf<SequenceFinished>(event)) {
    TalliedAnswer* const answer = answerOf(finished->sequence);
    if (answer != nullptr) answer->whole = isWhole(finished->reason) && !m_isCut;
  } else if (const auto* verified = bodyOf<DraftVerified>(event)) {
    for (const DraftJudgement& judgement : verified->judgements)
      m_drafts.judged += judgement.verdict == DraftVerdict::kUndecided ? 0 : 1;
    m_drafts.accepted += verified->accepted;
  }
}

std::uint64_t RunTally::markOf(SequenceId sequence) const {
  const auto found = m_sequences.find(sequence);
  return found == m_sequences.end() ? 0 : found->second.mark;
}

void RunTally::addStep(const Event& event) {
  if (isA<StepStarted>(event)) {
    m_scheduled.clear();
    m_seen = 0;
  } else if (const auto* admitted = bodyOf<SequenceAdmitted>(event)) {
    m_seen += sight(Sight::kAdmitted, markOf(admitted->sequence), 0);
  } else if (const auto* preempted = bodyOf<SequencePreempted>(event)) {
    m_scheduled.erase(preempted->sequence);
    m_seen += sight(Sight::kPreempted, markOf(preempted->sequence), static_cast<int>(preempted->how));
  } else if (const auto* scheduled = bodyOf<SequenceScheduled>(event)) {
    m_scheduled[scheduled->sequence] = {markOf(scheduled->sequence), scheduled->tokens};
  } else if (const auto* finished = bodyOf<StepFinished>(event)) {
    finishStep(event.step, *finished);
  }
}

void RunTally::finishStep(int step, const StepFinished& finished) {
  const int blocks = std::max(m_poolBlocks - finished.freeBlocks, 0);
  m_blocksAtMost = std::max(m_blocksAtMost, blocks);
  for (const auto& [sequence, work] : m_scheduled) m_seen += sight(Sight::kScheduled, work.mark, work.tokens);
  if (m_steps.size() < kMostSteps)
    m_steps.push_back({step, mixed(m_seen, static_cast<std::uint64_t>(blocks))});
  else
    m_isCut = true;
}

}  // namespace vitrine::compare
