// The whole machine from its real structures, prompts examined by themselves, and the device's limits.
#include <algorithm>

#include "runtime/engine_impl.h"
#include "vitrine/token_text.h"

namespace vitrine {
namespace {

SequenceState stateOf(const Answer& answer) {
  const Sequence& sequence = answer.sequence;
  return {sequence.id,
          sequence.request,
          sequence.index,
          sequence.status,
          sequence.tokens,
          sequence.promptTokens,
          sequence.computedTokens,
          sequence.cachedTokens,
          sequence.preemptions,
          sequence.rank,
          sequence.blockTable,
          answer.stream.text(),
          sequence.finishReason,
          sequence.draft,
          sequence.evictedTokens,
          sequence.blockStarts,
          {},
          answer.result.score,
          sequence.status == SequenceStatus::kFinished ? std::nullopt : sequence.lastWait,
          sequence.prefixMiss ? std::optional(*sequence.prefixMiss) : std::nullopt};
}

}  // namespace

MachineState EngineImpl::snapshot() const {
  MachineState state;
  state.step = m_events.step();
  state.blockSize = m_options.blockSize;
  state.swapBlocks = {m_loaded.hostSwapBlocks, m_loaded.diskSwapBlocks};
  for (const auto& [id, owner] : m_requests.records()) {
    RequestState& request = state.requests[id];
    request = {id,
               owner->request.name,
               owner->request.prompt,
               owner->request.maxTokens,
               {},
               owner->finished,
               owner->cancelled,
               owner->request.priority,
               owner->request.deadlineMs,
               owner->request.beamWidth,
               {},
               {},
               owner->submittedNs,
               owner->firstTokenNs,
               static_cast<int>(owner->request.outputIds.size())};
    if (owner->beams) owner->beams->describe(request);
    for (const auto& answer : owner->answers) {
      request.sequences.push_back(answer->sequence.id);
      SequenceState& sequence = state.sequences[answer->sequence.id];
      sequence = stateOf(*answer);
      if (!m_swap) continue;
      const auto swapped = m_swap->space.contentOf(sequence.id);
      sequence.swapped.assign(swapped.begin(), swapped.end());
    }
  }
  for (const Sequence* sequence : m_scheduler.waiting()) state.waiting.push_back(sequence->id);
  for (const Sequence* sequence : m_scheduler.running()) state.running.push_back(sequence->id);
  if (m_batchInFlight) {
    for (const Work& work : m_scheduler.currentPlan().work) {
      state.batch.push_back(
          {work.sequence->id, work.kind, work.firstPosition, work.tokens, work.draftTokens});
    }
  }
  fillBlocks(state);
  return state;
}

void EngineImpl::fillBlocks(MachineState& state) const {
  const KvBlocks& blocks = m_scheduler.blocks();
  state.freeQueue = blocks.pool().freeQueue();
  state.blocks.resize(static_cast<std::size_t>(blocks.pool().totalCount()));
  for (BlockId id = 0; id < blocks.pool().totalCount(); ++id) {
    BlockState& block = state.blocks[static_cast<std::size_t>(id)];
    block.refCount = blocks.pool().refCount(id);
    if (const PrefixIndex::Entry* entry = blocks.index().ofBlock(id)) {
      block.cached = true;
      block.hash = entry->link.hash;
      block.filled = m_options.blockSize;
    }
  }
  for (const Sequence* sequence : m_scheduler.running()) {
    int left = sequence->residentTokens();
    for (BlockId id : sequence->blockTable) {
      int& filled = state.blocks[static_cast<std::size_t>(id)].filled;
      filled = std::max(filled, std::min(left, m_options.blockSize));
      left = std::max(left - m_options.blockSize, 0);
    }
  }
}

MachineRoof EngineImpl::measureRoof(const RoofProgress& progress, const MachineRoof& known) {
  RoofMeasured measured{limits(progress, known)};
  m_events.publish(Boxed<RoofMeasured>(measured));
  return std::move(measured.roof);
}

MachineRoof EngineImpl::limits(const RoofProgress& progress, const MachineRoof& known) {
  const std::int64_t modelBytes = m_loaded.model.weightBytes;
  const Compute compute = m_loaded.options.compute;
  if (known.isMeasuredFor(m_loaded.threads, modelBytes, compute)) return known;
  if (auto roof = m_runner.backend().measureRoof(modelBytes, progress)) return *std::move(roof);
  return vitrine::measureRoof(m_loaded.threads, modelBytes, progress, compute);
}

ForwardReport EngineImpl::examine(std::span<const TokenId> tokens, bool hiddenStates) {
  m_checks.requireExaminable(tokens);
  return m_runner.examine(tokens, hiddenStates, m_options.tokenBudget);
}

NextLogits EngineImpl::nextLogits(std::span<const TokenId> tokens, int pieces) {
  m_checks.requireExaminable(tokens);
  NextLogits next{m_runner.lastLogits(tokens, m_options.tokenBudget), {}};
  if (m_tokenizer)
    for (const auto& [token, logprob] : Sampler::topLogprobs(next.logits, pieces))
      next.pieces.emplace_back(token, tokenText(*m_tokenizer, token));
  return next;
}

std::optional<std::vector<TokenId>> EngineImpl::allowedNext(const Request& request,
                                                            std::span<const TokenId> output) {
  m_checks.requireKnownTokens(output);
  const auto grammar = m_grammars.forRequest(request);
  if (!grammar) return std::nullopt;
  std::vector<TokenId> tokens;
  GrammarPlace place;
  if (!grammar->has(place, output)) return tokens;
  const AllowedTokens allowed = grammar->allowed(place, output);
  for (TokenId token = 0; token < m_config.vocabularySize; ++token)
    if (allowed.has(token)) tokens.push_back(token);
  return tokens;
}

std::vector<SamplingStage> EngineImpl::distribution(std::span<const TokenId> tokens, int generated,
                                                    const SamplingOptions& sampling) {
  sampling.validate();
  if (generated < 0 || static_cast<std::size_t>(generated) > tokens.size()) {
    throw EngineError(ErrorCode::kInvalidArgument, "more generated tokens than tokens");
  }
  const std::vector<float> logits = nextLogits(tokens, 0).logits;
  const std::size_t promptTokens = tokens.size() - static_cast<std::size_t>(generated);
  return Sampler().distribution(
      {logits, {tokens.first(promptTokens), tokens.subspan(promptTokens)}, sampling});
}

}  // namespace vitrine
