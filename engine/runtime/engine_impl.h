// EngineImpl: the step of the engine (engine_impl.cpp), how requests come in (submission.cpp) and become
// answers (answers.cpp), how a step's forward begins early (overlap.cpp), what a watcher sees (snapshot.cpp),
// and how a recorded run goes on (resume.cpp).
//
// Its parts: RequestTable has the records, RequestChecks rejects what could never run, AnswerSampler chooses
// tokens, Speculator adds drafts to a step, BeamSearches the choices of beams.
// Invariant: between steps every unfinished answer is in the scheduler, running or waiting; no other is.
// Thread: the engine's. Read next: engine_impl.cpp.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "execution/step_ahead.h"
#include "execution/swap_store.h"
#include "runtime/beam_searches.h"
#include "runtime/deferred_actions.h"
#include "runtime/engine_parts.h"
#include "runtime/kv_rebuild.h"
#include "runtime/request_checks.h"
#include "runtime/rerun.h"
#include "runtime/speculator.h"

namespace vitrine {

class EngineImpl final : public Engine {
 public:
  // Publishes `loaded`, whose numbers are those of the options with every "choose for me" chosen. The sink
  // must outlive the engine.
  EngineImpl(EngineParts parts, const EngineOptions& options, EngineLoaded loaded, EventSink& sink);

  RequestId submit(Request request) override;
  void cancel(RequestId request) override;
  void forget(RequestId request) override;
  bool hasWork() const override { return m_scheduler.hasWork() || (m_rerun && m_rerun->hasInputs()); }
  void step() override;
  std::int64_t idleNs() const override { return m_scheduler.windowLeftNs(); }
  void stopClock() override { setClock(false); }
  void startClock() override { setClock(true); }
  void passTime(std::int64_t ns) override;
  void setSampling(RequestId request, const SamplingOptions& sampling) override;
  void setOptions(const EngineOptions& options) override;
  const EngineOptions& options() const override { return m_options; }
  std::unique_ptr<Engine> resume(std::shared_ptr<const RunScript> script, int step, EventSink& sink,
                                 const ResumeOptions& options, const Progress& progress) const override;
  const RerunReport* rerun() const override { return m_rerun ? &m_rerun->report() : nullptr; }
  void setGate(Gate gate) override { m_gate = std::move(gate); }
  void setDetail(Detail detail) override;
  RequestResult takeResult(RequestId request) override;
  std::span<const TokenLogprob> logprobs(RequestId request, int answer) const override;
  bool isFinished(RequestId request) const override { return m_requests.unfinished(request) == nullptr; }
  MachineState snapshot() const override;
  const EngineLoaded& description() const override { return m_loaded; }
  const Tokenizer* tokenizer() const override { return m_tokenizer.get(); }
  const ChatFormat& chatFormat() const override { return m_chatFormat; }
  void setChatFormat(ChatFormat format) override { m_chatFormat = std::move(format); }
  MachineRoof measureRoof(const RoofProgress& progress, const MachineRoof& known) override;
  std::optional<DeviceMemory> deviceMemory() const override { return m_runner.sharedBackend()->memory(); }
  std::string waitForPackedCopy() override {
    WeightCopies* const copies = m_runner.backend().copies();
    return copies != nullptr ? copies->wait() : std::string();
  }
  void resetDevicePeak() override { m_runner.backend().resetPeak(); }
  ForwardReport examine(std::span<const TokenId> tokens, bool hiddenStates) override;
  InsideReport lookInside(std::span<const TokenId> tokens, const InsideOptions& options,
                          const Progress& progress) override;
  NextLogits nextLogits(std::span<const TokenId> tokens, int pieces) override;
  std::optional<std::vector<TokenId>> allowedNext(const Request& request,
                                                  std::span<const TokenId> output) override;
  std::vector<SamplingStage> distribution(std::span<const TokenId> tokens, int generated,
                                          const SamplingOptions& sampling) override;

 private:
  std::unique_ptr<Swap> makeSwap();
  std::unique_ptr<Speculator> makeSpeculator();

  // engine_impl.cpp: the step
  void beginStep();
  void runPhases();
  void enter(Phase phase);
  void hold(Phase next);
  void setClock(bool runs);
  void leavePhase();
  void admit();
  bool askDrafter();
  void forward();
  void compute();
  void chooseWishes();
  void sample();
  void sampleRow(const Work& work, Answer& answer, std::size_t row);
  void commit();
  void reportDrafts();
  void forgetKv();
  void endStep();
  void fail(ErrorCode code, const char* message, const char* hint);
  void failRunning();

  // overlap.cpp: the next step's forward while this one ends
  bool overlaps() const;
  bool takeAhead();
  void beginAhead();
  void dropAhead();

  // answers.cpp: from tokens to finished requests
  bool endsByLength(const Answer& answer) const;
  std::optional<FinishReason> append(DrawnToken& drawn);
  void finishAnswer(Answer& answer, FinishReason reason);
  void finishRequest(RequestRecord& record, FinishReason reason);
  void endRequest(RequestRecord& record, FinishReason reason);

  // submission.cpp
  std::unique_ptr<RequestRecord> makeRecord(const Request& request) const;
  Sequence& addFirstAnswer(RequestRecord& record, Request& request) const;

  // changes.cpp
  SpeculationOptions requireChangeable(const EngineOptions& options) const;
  void changeOptions(const EngineOptions& options);
  std::vector<SequenceRank> ranks() const;

  // resume.cpp
  bool skims() const { return m_rerun && m_rerun->skims(); }
  void noteChange();
  void takeInputs(int gate);
  void take(const EventBody& input);
  EngineOptions optionsOf(const OptionsChanged& e) const;
  void rehearseForward();
  void rehearseRow(const Work& work);
  void keepRecorded(Answer& answer);
  void arriveAt(int step, const Progress& progress);
  void stepAlong(int last, const std::function<void(int)>& report);
  void rebuildKv(const KvRebuild::Report& report);
  void rebuildHits();

  // snapshot.cpp
  void fillBlocks(MachineState& state) const;
  MachineRoof limits(const RoofProgress& progress, const MachineRoof& known);

  EngineOptions m_options;
  const ModelConfig m_config;
  const WeightStorage m_storage;
  const std::shared_ptr<Tokenizer> m_tokenizer;
  ChatFormat m_chatFormat;
  const std::shared_ptr<Rerun> m_rerun;  // null: no recording is followed
  EventStream m_events;
  EngineLoaded m_loaded;
  const RequestChecks m_checks;
  ModelRunner m_runner;
  const std::shared_ptr<Decoder> m_draftModel;  // null: none was loaded
  const SwapFile::Name m_swapFileName;
  std::unique_ptr<Swap> m_swap;  // null: nothing was ever to be swapped
  Scheduler m_scheduler;
  Grammars m_grammars;
  RequestTable m_requests;
  AnswerSampler m_sampler;
  BeamSearches m_beams;
  std::unique_ptr<Speculator> m_speculator;  // null: no drafter
  StepAhead m_ahead;
  std::vector<NextWork> m_next;  // what it begins with
  DeferredActions m_actions;
  Gate m_gate;
  Detail m_detail;

  std::unique_ptr<KvRebuild> m_rebuild;  // null: every block has its content
  bool m_takesInput = false;             // from the script
  std::vector<RowWish> m_wishes;         // of the step's rows of logits
  std::vector<Answer*> m_sampling;       // of the plan's work that samples, in its order
  int m_sampled = 0;                     // tokens appended in this step
  bool m_batchInFlight = false;          // planned and not yet computed
  std::array<std::int64_t, kPhaseCount> m_phaseNs{};
  int m_phase = -1;  // the one being timed
  std::int64_t m_phaseBeganNs = 0;
};

}  // namespace vitrine
