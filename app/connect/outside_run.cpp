#include "connect/outside_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vitrine::connect {
namespace {

// Where a thought stands beside its answer, it gets the marks that most models write.
constexpr std::string_view kThoughtBegins = "<think>\n", kThoughtEnds = "\n</think>\n\n";

constexpr double kNoLogprob = 1;     // TokenSampled
constexpr TokenId kFirstToken = -2;  // and downwards; -1 is no token

// Offloaded blocks are told of, too: "CPU", "disk".
bool isOfDevice(const std::string& medium) { return medium.empty() || medium == "GPU"; }

// A model with several kinds of attention has a cache for each, in which one hash may stand at once. 0 is no
// hash.
std::uint64_t keyOf(KvHash hash, int group) {
  const std::uint64_t key = hash ^ (static_cast<std::uint64_t>(group) * 0x9e3779b97f4a7c15U);
  return key == 0 ? 1 : key;
}

// In which phase of ours it would be decided: sentences and views are sorted by it.
Phase phaseOf(const EventBody& body) {
  if (bodyOf<TokenSampled>(body) != nullptr || bodyOf<TokenCandidates>(body) != nullptr)
    return Phase::kSample;
  const bool ends =
      std::holds_alternative<SequenceFinished>(body) || std::holds_alternative<StepFinished>(body);
  return ends ? Phase::kCommit : Phase::kAdmit;
}

}  // namespace

OutsideRun::OutsideRun(const SeenEngine& engine, Clock clock) : m_clock(std::move(clock)) {
  EngineLoaded loaded;
  loaded.server = engine.server;
  loaded.model.name = engine.model;
  loaded.model.contextLength = engine.contextLength;
  loaded.backend = engine.kind;
  loaded.device = engine.kind + " at " + engine.server;
  loaded.options.numBlocks = 0;
  loaded.options.blockSize = std::max(engine.blockSize, 1);
  publish(std::move(loaded));
}

void OutsideRun::publish(EventBody body) {
  Event event;
  event.run = m_run;
  event.number = m_number++;
  event.step = m_state.step + (std::holds_alternative<StepStarted>(body) ? 1 : 0);
  event.phase = phaseOf(body);
  event.timeNs = m_clock();
  event.body = std::move(body);
  m_state.apply(event);
  m_events.push_back(std::move(event));
}

void OutsideRun::beginStep() {
  publish(StepStarted{static_cast<int>(m_state.waiting.size()), static_cast<int>(m_state.running.size())});
}

void OutsideRun::endStep(int tokens) {
  StepFinished finished;
  finished.tokens = finished.sampled = tokens;
  finished.waiting = static_cast<int>(m_state.waiting.size());
  finished.running = static_cast<int>(m_state.running.size());
  finished.freeBlocks = static_cast<int>(m_state.blocks.size());
  finished.cachedBlocks = static_cast<int>(m_blocks.size());
  publish(finished);
}

RequestId OutsideRun::submit(Request asked) {
  const RequestId request = ++m_lastRequest;
  asked.tokenIds.clear();
  RequestSubmitted submitted;
  submitted.request = request;
  submitted.asked = std::move(asked);
  submitted.firstSequence = ++m_lastSequence;
  submitted.rank = request;
  publish(std::move(submitted));
  Answer& answer = m_answers[request];
  answer.sequence = m_lastSequence;
  answer.submittedNs = m_events.back().timeNs;
  return request;
}

void OutsideRun::admit(const Answer& answer) {
  SequenceAdmitted admitted;
  admitted.sequence = answer.sequence;
  publish(admitted);
}

void OutsideRun::add(RequestId request, const ChatChunk& chunk) {
  Answer& answer = m_answers.at(request);
  if (chunk.usage) answer.usage = *chunk.usage;
  if (!chunk.thought.empty() || !chunk.text.empty() || !chunk.tokens.empty()) {
    beginStep();
    const int before = answer.tokens;
    if (before == 0) {
      admit(answer);
      answer.firstNs = m_events.back().timeNs;
    }
    std::string text;
    if (!chunk.thought.empty() && !std::exchange(answer.hasThought, true)) {
      answer.thinks = true;
      text += kThoughtBegins;
    }
    text += chunk.thought;
    if (!chunk.text.empty() && std::exchange(answer.thinks, false)) text += kThoughtEnds;
    addText(answer, text + chunk.text, chunk.tokens);
    endStep(answer.tokens - before);
  }
  if (chunk.end) answer.end = *chunk.end;
}

// Each token has its part of the chunk's text, as far as they agree: a server keeps back a part of a
// character, and a stop string. The last one has the rest.
void OutsideRun::addText(Answer& answer, std::string_view text, const std::vector<ChatToken>& tokens) {
  if (tokens.empty()) return addToken(answer, nullptr, std::string(text));
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::size_t at = text.find(tokens[i].text);
    const std::size_t size = at == std::string_view::npos ? 0 : at + tokens[i].text.size();
    addToken(answer, &tokens[i], std::string(text.substr(0, size)));
    text.remove_prefix(size);
  }
  addToken(answer, &tokens.back(), std::string(text));
}

void OutsideRun::addToken(Answer& answer, const ChatToken* told, std::string text) {
  TokenSampled sampled;
  sampled.sequence = answer.sequence;
  sampled.position = answer.tokens++;
  sampled.token = idOf(told != nullptr ? told->text : text);
  sampled.logprob = told != nullptr ? told->logprob : kNoLogprob;
  sampled.text = std::move(text);
  if (told != nullptr && sampled.text.empty()) sampled.piece = told->text;
  if (told != nullptr && !told->alternatives.empty()) publish(candidatesOf(answer, sampled, *told));
  publish(std::move(sampled));
}

// Under the model's own distribution, as the first stage of one of ours.
TokenCandidates OutsideRun::candidatesOf(const Answer& answer, const TokenSampled& sampled,
                                         const ChatToken& told) {
  std::vector<ChatToken> ranked = told.alternatives;
  std::ranges::stable_sort(ranked, std::ranges::greater(), &ChatToken::logprob);
  TokenCandidates candidates;
  candidates.sequence = answer.sequence;
  candidates.position = sampled.position;
  candidates.chosen = sampled.token;
  SamplingStage& stage = candidates.stages.emplace_back();
  stage.name = "logits";
  stage.kept = static_cast<int>(ranked.size());
  for (ChatToken& one : ranked) {
    stage.top.push_back({idOf(one.text), static_cast<float>(std::exp(one.logprob))});
    candidates.pieces.push_back(std::move(one.text));
  }
  return candidates;
}

TokenId OutsideRun::idOf(const std::string& text) {
  return m_ids.try_emplace(text, kFirstToken - static_cast<TokenId>(m_ids.size())).first->second;
}

void OutsideRun::add(const KvEventBatch& batch) {
  if (batch.events.empty()) return;
  beginStep();
  for (const KvEvent& event : batch.events) std::visit([this](const auto& one) { add(one); }, event);
  endStep(0);
}

void OutsideRun::add(const KvStored& stored) {
  if (!isOfDevice(stored.medium)) return;
  std::uint64_t parent = stored.parent ? keyOf(*stored.parent, stored.group) : 0;
  for (const KvHash hash : stored.hashes) {
    store(keyOf(hash, stored.group), parent);
    parent = keyOf(hash, stored.group);
  }
}

void OutsideRun::add(const KvRemoved& removed) {
  if (!isOfDevice(removed.medium)) return;
  for (const KvHash hash : removed.hashes) remove(keyOf(hash, removed.group));
}

void OutsideRun::store(std::uint64_t hash, std::uint64_t parent) {
  if (m_blocks.contains(hash)) return;
  BlockId block = static_cast<BlockId>(m_state.blocks.size());
  if (!m_places.empty()) block = m_places.extract(m_places.begin()).value();
  if (block >= kMaxBlocks)
    throw EngineError(ErrorCode::kUnsupported, "the server tells of more KV blocks than a pool can have");
  publish(BlockCached{block, hash, parent});
  m_blocks.emplace(hash, block);
}

// One that was stored before this window came may be unknown.
void OutsideRun::remove(std::uint64_t hash) {
  const auto found = m_blocks.find(hash);
  if (found == m_blocks.end()) return;
  publish(BlockEvicted{found->second, hash});
  m_places.insert(found->second);
  m_blocks.erase(found);
}

void OutsideRun::forgetBlocks() {
  while (!m_blocks.empty()) remove(m_blocks.begin()->first);
}

void OutsideRun::end(RequestId request, std::optional<FinishReason> why) {
  const Answer answer = m_answers.at(request);
  const FinishReason reason = why ? *why : answer.end.value_or(FinishReason::kFailed);
  if (reason == FinishReason::kCancelled) publish(RequestCancelled{request});
  publish(SequenceFinished{answer.sequence, reason, answer.tokens});
  RequestFinished finished;
  finished.request = request;
  finished.reason = reason;
  finished.promptTokens = answer.usage.promptTokens;
  finished.completionTokens = std::max(answer.usage.completionTokens, answer.tokens);
  finished.cachedTokens = answer.usage.cachedTokens;
  if (answer.firstNs >= 0) finished.ttftNs = answer.firstNs - answer.submittedNs;
  finished.totalNs = m_events.back().timeNs - answer.submittedNs;
  publish(finished);
  m_answers.erase(request);
}

}  // namespace vitrine::connect
