#include "widgets/tiny_machine.h"

#include <algorithm>
#include <utility>

namespace vitrine::test {
namespace {

const char* const kWords[] = {" the",  " garden", " was",  " quiet", " and",  " a",  " small", " bird",
                              " sang", " in",     " its",  " tree",  ".",     "\n",  " Then",  " it",
                              " flew", " over",   " hill", " where", " rain", " is", " born",  ","};
constexpr int kWordCount = static_cast<int>(std::size(kWords));

TokenId wordAfter(TokenId token, int salt) { return (token * 7 + salt * 5 + 3) % kWordCount; }

}  // namespace

TinyMachine::TinyMachine(int numBlocks, int blockSize, int tokenBudget, int maxSequences)
    : m_budget(tokenBudget), m_maxSequences(maxSequences) {
  EngineLoaded loaded;
  loaded.model.name = "tiny";
  loaded.model.contextLength = 512;
  loaded.device = "pretend";
  loaded.blockSize = blockSize;
  loaded.numBlocks = numBlocks;
  loaded.hostSwapBlocks = loaded.diskSwapBlocks = 8;
  loaded.maxSequences = maxSequences;
  loaded.tokenBudget = tokenBudget;
  say(loaded, Phase::kAdmit);
}

void TinyMachine::say(EventBody body, Phase phase) {
  Event event;
  event.run = 1;
  event.number = static_cast<std::int64_t>(m_all.size());
  event.step = m_step;
  event.phase = phase;
  event.timeNs = event.number * 100'000;
  event.body = std::move(body);
  m_state.apply(event);
  m_all.push_back(std::move(event));
}

std::vector<Event> TinyMachine::take() {
  std::vector<Event> fresh(m_all.begin() + static_cast<std::ptrdiff_t>(m_taken), m_all.end());
  m_taken = m_all.size();
  return fresh;
}

RequestId TinyMachine::submit(const std::string& name, int tokens, int maxTokens, int topic, int sequences) {
  RequestSubmitted submitted{};
  submitted.request = m_nextRequest++;
  submitted.name = name;
  submitted.maxTokens = maxTokens;
  submitted.sequences = sequences;
  submitted.firstSequence = m_nextSequence;
  m_nextSequence += sequences;
  for (int i = 0; i < tokens; ++i) {
    submitted.tokenIds.push_back((i * 3 + topic) % kWordCount);
    submitted.pieces.emplace_back(kWords[submitted.tokenIds.back()]);
    submitted.prompt += submitted.pieces.back();
  }
  m_asked[submitted.request] = {maxTokens, sequences};
  const RequestId request = submitted.request;
  say(std::move(submitted), Phase::kAdmit);
  return request;
}

void TinyMachine::cancel(RequestId request) {
  say(RequestCancelled{request});
  for (const SequenceId sequence : std::vector(m_state.requests.at(request).sequences)) {
    if (at(sequence).status != SequenceStatus::kFinished) finish(sequence, FinishReason::kCancelled);
  }
}

void TinyMachine::reject(const std::string& name) {
  say(RequestRejected{name, "out_of_memory", "needs 99 blocks, the pool has 8", "ask for less"},
      Phase::kAdmit);
}

void TinyMachine::changeSampling(RequestId request) { say(SamplingChanged{request, {}}, Phase::kAdmit); }

int TinyMachine::blocksFor(int tokens) const { return (tokens + m_state.blockSize - 1) / m_state.blockSize; }

std::uint64_t TinyMachine::hashOf(const SequenceState& sequence, int blocks) const {
  std::uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < blocks * m_state.blockSize; ++i) {
    hash = (hash ^ static_cast<std::uint64_t>(sequence.tokens[static_cast<std::size_t>(i)] + 1)) *
           1099511628211u;
  }
  return hash;
}

bool TinyMachine::step() {
  if (m_state.waiting.empty() && m_state.running.empty()) return false;
  beginStep();
  endStep();
  return true;
}

void TinyMachine::beginStep() {
  ++m_step;
  m_preempted = false;
  m_sampled = 0;
  m_work.clear();
  say(StepStarted{static_cast<int>(m_state.waiting.size()), static_cast<int>(m_state.running.size())},
      Phase::kAdmit);
  say(PhaseStarted{Phase::kAdmit}, Phase::kAdmit);
  admit();
  say(PhaseStarted{Phase::kPlan}, Phase::kPlan);
  plan();
  say(PhaseStarted{Phase::kForward}, Phase::kForward);
}

void TinyMachine::admit() {
  int promised = 0;  // blocks those admitted in this step will take
  while (!m_state.waiting.empty()) {
    const SequenceId id = m_state.waiting.front();
    const SequenceState& sequence = at(id);
    const int running = static_cast<int>(m_state.running.size());
    const int free = static_cast<int>(m_state.freeQueue.size()) - promised;
    const int length = static_cast<int>(sequence.tokens.size()), wanted = blocksFor(length + 1);
    if (running >= m_maxSequences)
      return say(SequenceWaiting{id, WaitReason::kSequences, 1, 0}, Phase::kAdmit);
    if (wanted > free) {
      say(SequenceWaiting{id, WaitReason::kBlocks, wanted, free}, Phase::kAdmit);
      for (std::size_t i = 1; i < m_state.waiting.size(); ++i) {
        say(SequenceWaiting{m_state.waiting[i], WaitReason::kBehind, 0, 0}, Phase::kAdmit);
      }
      return;
    }
    std::vector<BlockHit> hits;
    for (int b = 1; b * m_state.blockSize < length; ++b) {  // the last token is always computed
      const std::uint64_t hash = hashOf(sequence, b);
      const auto found = std::find_if(m_state.blocks.begin(), m_state.blocks.end(),
                                      [&](const BlockState& x) { return x.cached && x.hash == hash; });
      if (found == m_state.blocks.end()) break;
      hits.push_back(
          {static_cast<BlockId>(found - m_state.blocks.begin()), id, b - 1, found->refCount + 1, hash});
    }
    const bool resumed = sequence.status == SequenceStatus::kPreempted;
    say(SequenceAdmitted{id, static_cast<int>(hits.size()) * m_state.blockSize, length, resumed},
        Phase::kAdmit);
    for (const BlockHit& hit : hits) say(hit, Phase::kAdmit);
    promised += blocksFor(length) - static_cast<int>(hits.size());
  }
}

void TinyMachine::plan() {
  int left = m_budget, decodes = 0, prefills = 0, sequences = 0;
  for (const SequenceId id : std::vector(m_state.running)) {
    if (std::find(m_state.running.begin(), m_state.running.end(), id) == m_state.running.end()) continue;
    const SequenceState& sequence = at(id);
    const int length = static_cast<int>(sequence.tokens.size()), rest = length - sequence.computedTokens;
    const int tokens = std::min(rest, left);
    if (tokens == 0) continue;
    const bool decode = rest == 1 && length > sequence.promptTokens;
    if (!makeRoom(id, blocksFor(sequence.computedTokens + tokens))) continue;
    say(SequenceScheduled{id, decode ? WorkKind::kDecode : WorkKind::kPrefill, sequence.computedTokens,
                          tokens, length},
        Phase::kPlan);
    m_work.push_back({id, tokens, tokens == rest});
    left -= tokens;
    (decode ? decodes : prefills) += tokens;
    ++sequences;
  }
  say(StepPlanned{decodes, prefills, m_budget, sequences}, Phase::kPlan);
}

bool TinyMachine::makeRoom(SequenceId sequence, int wanted) {
  const int missing = wanted - static_cast<int>(at(sequence).blockTable.size());
  while (missing > static_cast<int>(m_state.freeQueue.size())) {
    const SequenceId victim = m_state.running.back();
    preempt(victim, sequence, missing);
    if (victim == sequence) return false;
  }
  allocate(sequence, missing);
  return true;
}

void TinyMachine::preempt(SequenceId victim, SequenceId forSequence, int wanted) {
  const SequenceState& sequence = at(victim);
  const int held = static_cast<int>(sequence.blockTable.size()), lost = sequence.computedTokens;
  const int free = static_cast<int>(m_state.freeQueue.size());
  while (!at(victim).blockTable.empty()) {
    const BlockId block = at(victim).blockTable.back();
    say(BlockFreed{block, victim, m_state.blocks[static_cast<std::size_t>(block)].refCount - 1},
        Phase::kPlan);
  }
  say(SequencePreempted{victim, forSequence, wanted, free, held, lost}, Phase::kPlan);
  m_preempted = true;
}

void TinyMachine::allocate(SequenceId sequence, int wanted) {
  for (int i = 0; i < wanted; ++i) {
    const BlockId block = m_state.freeQueue.front();
    const BlockState& b = m_state.blocks[static_cast<std::size_t>(block)];
    if (b.cached) say(BlockEvicted{block, b.hash}, Phase::kAllocate);
    say(BlockAllocated{block, sequence, static_cast<int>(at(sequence).blockTable.size())}, Phase::kAllocate);
  }
}

void TinyMachine::endStep() {
  say(PhaseStarted{Phase::kSample}, Phase::kSample);
  int computed = 0;
  for (const Work& work : m_work) {
    computed += work.tokens;
    if (work.samples) sample(work.sequence);
  }
  say(PhaseStarted{Phase::kCommit}, Phase::kCommit);
  for (const Work& work : m_work) {
    cacheFull(work.sequence);
    const SequenceState& sequence = at(work.sequence);
    const int written = static_cast<int>(sequence.tokens.size()) - sequence.promptTokens;
    if (written >= m_asked[sequence.request].maxTokens)
      finish(work.sequence, FinishReason::kLength);
    else if (work.samples && written == 1)
      fork(work.sequence);
  }
  StepFinished finished{};
  finished.phaseNs = {40'000, 60'000, 30'000, 3'000'000 + computed * 400'000, 200'000, 50'000};
  finished.tokens = computed;
  finished.sampled = m_sampled;
  finished.waiting = static_cast<int>(m_state.waiting.size());
  finished.running = static_cast<int>(m_state.running.size());
  finished.freeBlocks = static_cast<int>(m_state.freeQueue.size());
  for (const BlockState& block : m_state.blocks)
    finished.cachedBlocks += block.cached && block.refCount == 0 ? 1 : 0;
  say(finished);
}

void TinyMachine::sample(SequenceId id) {
  const SequenceState& sequence = at(id);
  const TokenId token =
      wordAfter(sequence.tokens.back(), sequence.index + static_cast<int>(sequence.tokens.size()));
  TokenCandidates detail{id, static_cast<int>(sequence.tokens.size()), token, {}, {}};
  const float shares[] = {0.46f, 0.22f, 0.13f, 0.08f, 0.04f, 0.02f};
  const auto stage = [&](const char* name, int count, int kept) {
    SamplingStage made{name, kept, {}};
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += shares[i];
    for (int i = 0; i < count; ++i) {
      made.top.push_back({(token + i) % kWordCount, count < 6 ? shares[i] / sum : shares[i]});
    }
    detail.stages.push_back(std::move(made));
  };
  stage("logits", 6, kWordCount);
  stage("temperature", 6, kWordCount);
  stage("top_k", 5, 5);
  stage("top_p", 3, 3);
  for (int i = 0; i < 6; ++i) detail.pieces.emplace_back(kWords[(token + i) % kWordCount]);
  const int position = detail.position;
  say(std::move(detail), Phase::kSample);
  say(TokenSampled{id, token, position, -0.78, kWords[token]}, Phase::kSample);
  ++m_sampled;
}

void TinyMachine::fork(SequenceId parent) {
  const SequenceState& sequence = at(parent);
  const Asked& asked = m_asked[sequence.request];
  const auto& family = m_state.requests.at(sequence.request).sequences;
  if (sequence.index != 0 || static_cast<int>(family.size()) >= asked.sequences) return;
  const SequenceId child = parent + static_cast<SequenceId>(family.size());
  const int shared = static_cast<int>(sequence.blockTable.size());
  say(SequenceForked{parent, child, sequence.request, static_cast<int>(family.size()), shared});
  for (int i = 0; i < shared; ++i) {
    const BlockId block = at(parent).blockTable[static_cast<std::size_t>(i)];
    say(BlockShared{block, child, i, m_state.blocks[static_cast<std::size_t>(block)].refCount + 1});
  }
  const int last = shared - 1;
  if (at(parent).computedTokens % m_state.blockSize == 0 || m_state.freeQueue.empty()) return;
  const BlockId copy = m_state.freeQueue.front(), from = at(child).blockTable[static_cast<std::size_t>(last)];
  const BlockState& target = m_state.blocks[static_cast<std::size_t>(copy)];
  if (target.cached) say(BlockEvicted{copy, target.hash});
  say(BlockCopied{from, copy, child, last});
}

void TinyMachine::cacheFull(SequenceId id) {
  const SequenceState& sequence = at(id);
  for (int b = 0; (b + 1) * m_state.blockSize <= sequence.computedTokens; ++b) {
    const BlockId block = sequence.blockTable[static_cast<std::size_t>(b)];
    const std::uint64_t hash = hashOf(sequence, b + 1);
    const bool known = std::any_of(m_state.blocks.begin(), m_state.blocks.end(),
                                   [&](const BlockState& x) { return x.cached && x.hash == hash; });
    if (!known && !m_state.blocks[static_cast<std::size_t>(block)].cached) {
      say(BlockCached{block, hash, b == 0 ? 0 : hashOf(sequence, b)});
    }
  }
}

void TinyMachine::finish(SequenceId id, FinishReason reason) {
  const SequenceState& sequence = at(id);
  const RequestId request = sequence.request;
  say(SequenceFinished{id, reason, static_cast<int>(sequence.tokens.size()) - sequence.promptTokens});
  while (!at(id).blockTable.empty()) {
    const BlockId block = at(id).blockTable.back();
    say(BlockFreed{block, id, m_state.blocks[static_cast<std::size_t>(block)].refCount - 1});
  }
  const auto& family = m_state.requests.at(request).sequences;
  const bool last = std::all_of(family.begin(), family.end(),
                                [&](SequenceId s) { return at(s).status == SequenceStatus::kFinished; });
  if (!last) return;
  const SequenceState& done = at(id);
  say(RequestFinished{request, reason, done.promptTokens,
                      static_cast<int>(done.tokens.size()) - done.promptTokens, done.cachedTokens,
                      done.preemptions, 1'000'000, 18'000'000, 260'000'000});
}

TinyMachine storyMachine() {
  TinyMachine machine(12, 8, 32, 4);
  machine.submit("garden", 23, 14);
  machine.submit("garden again", 20, 12);
  machine.submit("two answers", 12, 10, 5, 2);
  for (int i = 0; i < 4; ++i) machine.step();
  machine.submit("a longer one", 44, 16, 2);
  machine.submit("late", 9, 20, 7);
  for (int i = 0; i < 9; ++i) machine.step();
  machine.cancel(5);
  machine.run();
  return machine;
}

}  // namespace vitrine::test
