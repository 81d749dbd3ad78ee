// EngineImpl: the step, told in engine_impl.cpp; requests come in by submission.cpp and go out by
// answers.cpp, beams by beams.cpp; what a drafter adds is in speculation.cpp; what a watcher sees of the
// whole is in snapshot.cpp.
//
// Invariant: between steps every unfinished answer is in the scheduler, running or waiting; no other is.
// Thread: the engine's. Read next: engine_impl.cpp.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "execution/model_runner.h"
#include "execution/swap_store.h"
#include "runtime/engine_parts.h"
#include "runtime/request_record.h"
#include "sampling/beam_search.h"
#include "sampling/sampler.h"
#include "scheduling/scheduler.h"
#include "speculation/draft_length.h"
#include "speculation/drafter.h"

namespace vitrine {

class EngineImpl final : public Engine {
 public:
  // Publishes `loaded`, whose numbers are those of the options with every "choose for me" chosen.
  EngineImpl(EngineParts parts, const EngineOptions& options, EngineLoaded loaded, std::int32_t run,
             EventSink& sink);

  RequestId submit(Request request) override;
  void cancel(RequestId request) override;
  void forget(RequestId request) override;
  bool hasWork() const override { return m_scheduler.hasWork(); }
  void step() override;
  std::int64_t idleNs() const override { return m_scheduler.windowLeftNs(); }
  void setSampling(RequestId request, const SamplingOptions& sampling) override;
  void setGate(Gate gate) override { m_gate = std::move(gate); }
  void setDetail(Detail detail) override { m_detail = std::move(detail); }
  RequestResult takeResult(RequestId request) override;
  bool isFinished(RequestId request) const override { return unfinished(request) == nullptr; }
  MachineState snapshot() const override;
  const EngineLoaded& description() const override { return m_loaded; }
  const Tokenizer* tokenizer() const override { return m_tokenizer.get(); }
  const ChatFormat& chatFormat() const override { return m_chatFormat; }
  ForwardReport examine(std::span<const TokenId> tokens, bool hiddenStates) override;
  std::vector<SamplingStage> distribution(std::span<const TokenId> tokens, int generated,
                                          const SamplingOptions& sampling) override;

 private:
  // A token drawn in the Sample phase, appended in Commit.
  struct Drawn {
    Answer* answer;
    SampledToken token;
    std::vector<std::pair<TokenId, double>> top;
  };

  // engine_impl.cpp: the step
  std::unique_ptr<Swap> makeSwap(SwapFile::Name fileName);
  void beginStep();
  void runPhases();
  void enter(Phase phase);
  void leavePhase();
  void admit();
  void forward();
  void sample();
  void commit();
  void forgetKv();
  void endStep();
  void fail(ErrorCode code, const char* message, const char* hint);
  void failRunning();

  // answers.cpp: from logits to finished answers
  Answer& answerOf(const Sequence& sequence) const;
  Answer& fork(Answer& parent, int index);
  void draw(Answer& answer, std::span<const TokenId> tokens, std::span<const float> logits);
  void keep(Answer& answer, std::span<const TokenId> tokens, std::span<const float> logits,
            SampledToken token);
  void publishCandidates(const Answer& answer, std::size_t position, TokenId chosen);
  bool endsAnswer(const Answer& answer, TokenId token) const;
  std::optional<FinishReason> append(Drawn& drawn);
  void finishAnswer(Answer& answer, FinishReason reason);
  void finishRequest(RequestRecord& record, FinishReason reason);
  void endRequest(RequestRecord& record, FinishReason reason);

  // speculation.cpp: drafts
  std::unique_ptr<Drafter> makeDrafter(std::unique_ptr<Decoder> draftModel);
  void askDrafter();
  void draft();
  void verify(Answer& answer, const Draft& draft, int row);
  bool judge(Answer& answer, const Draft& draft, std::size_t i, std::span<const float> logits,
             DraftJudgement& judgement);
  void publishSpeculation();

  // beams.cpp: the best of several answers
  std::unique_ptr<BeamGroup> beamGroup(const Request& request, Answer& first) const;
  void offer(const Answer& beam, std::span<const float> logits);
  void chooseBeams(RequestRecord& record);
  void finishBeams(RequestRecord& record);
  void rankAnswers(RequestRecord& record);
  double scoreOf(const Answer& answer) const;
  std::vector<std::pair<const Answer*, double>> answersToGive(const RequestRecord& record) const;

  // submission.cpp: requests
  void prepare(Request& request) const;
  void enqueue(std::unique_ptr<RequestRecord> owner, Sequence& sequence);
  std::int64_t contextLimit() const;  // tokens a sequence may come to
  void requireFitting(const Request& request) const;
  void requireKnownTokens(std::span<const TokenId> tokens) const;
  std::string textOf(TokenId token) const;
  RequestRecord* find(RequestId request) const;
  RequestRecord* unfinished(RequestId request) const;
  void whenStepEnds(std::function<void()> action);

  // snapshot.cpp
  void fillBlocks(MachineState& state) const;
  void requireExaminable(std::span<const TokenId> tokens) const;

  const EngineOptions m_options;
  const ModelConfig m_config;
  const std::unique_ptr<Tokenizer> m_tokenizer;
  const ChatFormat m_chatFormat;
  std::vector<TokenId> m_eosTokens;
  EventStream m_events;
  EngineLoaded m_loaded;
  ModelRunner m_runner;
  const std::unique_ptr<Swap> m_swap;  // null: preemption by recompute
  Scheduler m_scheduler;
  Sampler m_sampler;
  ContinuationRanker m_ranker;
  Gate m_gate;
  Detail m_detail;

  std::map<RequestId, std::unique_ptr<RequestRecord>> m_records;  // all but the forgotten ones
  RequestId m_lastRequest = 0;                                    // ids given out so far
  SequenceId m_lastSequence = 0;
  std::vector<Drawn> m_drawn;  // of this step
  std::vector<SamplingStage> m_stages;
  int m_sampled = 0;  // tokens appended in this step

  // Of speculative decoding; null without.
  std::unique_ptr<Drafter> m_drafter;
  DraftLength m_draftLength;
  std::vector<Draft> m_drafts;                     // of this step, in the plan's order
  StepSpeculated m_speculated{};                   // of this step
  std::vector<TokenId> m_history;                  // tokens and what is accepted of the draft
  std::vector<double> m_probabilities;             // p
  std::vector<RequestRecord*> m_offered, m_ended;  // of this step: beam searches with new offers, and over

  bool m_inStep = false;
  bool m_batchInFlight = false;  // planned and not yet computed
  std::vector<std::function<void()>> m_deferred;
  std::array<std::int64_t, kPhaseCount> m_phaseNs{};
  int m_phase = -1;  // the one being timed
  std::int64_t m_phaseBeganNs = 0;
};

}  // namespace vitrine
