// How a recorded run goes on: its steps are skimmed, the KV is computed anew, and the engine follows.
#include <algorithm>

#include "events/recorded_options.h"
#include "runtime/engine_impl.h"
#include "vitrine/option_schema.h"

namespace vitrine {
namespace {

constexpr int kLeastChunk = 256;  // tokens of a forward that computes KV anew

void requireSameModel(const EngineLoaded& recorded, const EngineLoaded& own) {
  const auto require = [&](const char* what, const std::string& its, const std::string& ours) {
    if (its == ours) return;
    throw EngineError(ErrorCode::kUnsupported,
                      std::string("the run was recorded with another model: its ") + what + " is " + its +
                          ", and the loaded one's is " + ours,
                      "load " + recorded.model.name + " with the options of the recording");
  };
  const ModelInfo &its = recorded.model, &ours = own.model;
  require("family", its.family, ours.family);
  require("number of layers", std::to_string(its.layers), std::to_string(ours.layers));
  require("width", std::to_string(its.hiddenSize), std::to_string(ours.hiddenSize));
  require("vocabulary", std::to_string(its.vocabularySize), std::to_string(ours.vocabularySize));
  require("context", std::to_string(its.contextLength), std::to_string(ours.contextLength));
  require("number of parameters", std::to_string(its.parameters), std::to_string(ours.parameters));
  require("arithmetic of products", nameOf(recorded.options.compute), nameOf(own.options.compute));
  require("size in bytes", std::to_string(its.weightBytes), std::to_string(ours.weightBytes));
  require("type of weights", its.weightType, ours.weightType);
  require("backend", recorded.backend, own.backend);
  const auto kernel = [](const EngineLoaded& loaded) {
    const EngineOptions& options = loaded.options;
    return options.attention.empty() ? fastestAttention(options.compute) : options.attention;
  };
  require("attention", kernel(recorded), kernel(own));
}

void requireSamePool(const EngineLoaded& recorded, const EngineLoaded& own) {
  if (recorded.bytesPerBlock == own.bytesPerBlock && recorded.options.numBlocks == own.options.numBlocks)
    return;
  throw EngineError(ErrorCode::kUnsupported, "the KV blocks of the recording have another size",
                    "load " + recorded.model.name + " with the options of the recording");
}

void requireStep(const RunScript& script, int step) {
  if (script.empty() || step < 0 || step > script.lastStep())
    throw EngineError(ErrorCode::kInvalidArgument,
                      "the recording has no step " + std::to_string(step) + ": it ends after step " +
                          std::to_string(script.empty() ? 0 : script.lastStep()),
                      "choose an earlier step; 0 is its beginning");
  for (int i = 1; i <= step; ++i) {
    if (!script.step(i).failed) continue;
    throw EngineError(ErrorCode::kUnsupported,
                      "step " + std::to_string(i) + " failed in the recording, which cannot be repeated",
                      "resume from step " + std::to_string(i - 1) + " or an earlier one");
  }
}

// The last step, at most `step`, whose KV follows from tokens alone.
int lastSkimmable(const RunScript& script, int step) {
  if (script.loaded().options.eviction == Eviction::kHeavyHitters) return 0;
  while (step > 0 && script.step(step).evicted) --step;
  return step;
}

// Those of the recording, by what this engine has loaded. A recording names folders without their paths.
EngineOptions optionsFor(const RunScript& script, const EngineOptions& own) {
  EngineOptions options = script.options();
  takeOptions(options, own, OptionScope::kLoad);
  options.swapFolder = own.swapFolder;
  if (options.speculation.drafter == DraftMethod::kModel)
    options.speculation.draftModel = own.speculation.draftModel;
  return options;
}

}  // namespace

std::unique_ptr<Engine> EngineImpl::resume(std::shared_ptr<const RunScript> script, int step, EventSink& sink,
                                           const ResumeOptions& wishes, const Progress& progress) const {
  requireStep(*script, step);
  const bool own = wishes.ownOptions && step == 0;
  if (!own) requireSameModel(script->loaded(), m_loaded);
  EngineOptions options = own ? m_options : optionsFor(*script, m_options);
  EngineParts parts;
  parts.config = m_config;
  parts.storage = m_storage;
  parts.backend = m_runner.sharedBackend();
  parts.decoder = m_runner.sharedDecoder();
  parts.draftDecoder = m_draftModel;
  parts.tokenizer = m_tokenizer;
  parts.chatFormat = m_chatFormat;
  parts.swapFileName = m_swapFileName;
  EngineLoaded loaded = describeEngine(parts, options);
  loaded.model = m_loaded.model;
  loaded.branchOfRun = script->run();
  loaded.branchStep = step;
  if (!own) requireSamePool(script->loaded(), loaded);
  parts.rerun = std::make_shared<Rerun>(std::move(script), wishes, sink);
  parts.clock = [rerun = parts.rerun.get()] { return rerun->nowNs(); };
  Rerun& rerun = *parts.rerun;
  rerun.report().changed = own;
  auto engine = std::make_unique<EngineImpl>(std::move(parts), options, std::move(loaded), rerun);
  engine->arriveAt(step, progress);
  return engine;
}

void EngineImpl::arriveAt(int step, const Progress& progress) {
  const auto tell = [&](double fraction, const char* what) {
    if (progress && !progress(fraction, what))
      throw EngineError(ErrorCode::kCancelled, "resuming was cancelled");
  };
  RerunReport& report = m_rerun->report();
  const int skimmed = lastSkimmable(m_rerun->script(), step);
  const std::int64_t beganNs = steadyNowNs();
  const auto fraction = [&](int done) { return static_cast<double>(done) / std::max(step, 1); };
  stepAlong(skimmed, [&](int done) { tell(0.5 * fraction(done), "steps"); });
  const std::int64_t skimmedNs = steadyNowNs();
  rebuildKv([&](std::int64_t) { tell(0.5, "cache"); });
  report.skimNs = skimmedNs - beganNs;
  report.kvNs = steadyNowNs() - skimmedNs;
  m_rerun->follow();
  stepAlong(step, [&](int done) { tell(0.5 + 0.5 * fraction(done), "steps again"); });
  report.resumedAt = step;
  report.skimmedSteps = skimmed;
  report.computedSteps = step - skimmed;
  m_events.goOnBehind(m_rerun->arrive(snapshot()));
}

void EngineImpl::stepAlong(int last, const std::function<void(int)>& report) {
  constexpr int kBetweenReports = 256;
  while (m_events.step() < last) {
    const int before = m_events.step();
    step();
    const int differsAt = m_rerun->report().differsAt;
    if (differsAt > 0 || m_events.step() == before)
      throw EngineError(ErrorCode::kFileCorrupt,
                        "step " + std::to_string(before + 1) +
                            " of the recording cannot be repeated: this program " +
                            "decides otherwise with the same inputs",
                        "Another version of the program recorded it, or it is damaged; resume from step " +
                            std::to_string(before) + " or an earlier one.");
    if (m_events.step() % kBetweenReports == 0) report(m_events.step());
  }
}

void EngineImpl::rebuildKv(const KvRebuild::Report& report) {
  const int chunk = std::max(m_options.tokenBudget, kLeastChunk);
  m_rebuild = std::make_unique<KvRebuild>(m_runner, m_scheduler.blocks(), chunk);
  for (const Sequence* sequence : m_scheduler.running()) m_rebuild->compute(*sequence, report);
  m_rebuild->noteCached();
  for (const auto& [id, record] : m_requests.records()) {
    if (record->finished) continue;
    for (const auto& answer : record->answers)
      if (m_swap) m_rebuild->computeSwapped(answer->sequence, *m_swap, report);
    if (!record->beams) continue;
    for (Answer* beam : record->beams->expected())
      m_beams.offerExpected(*beam, m_runner.lastLogits(beam->sequence.tokens, chunk));
  }
  m_rerun->report().rebuiltTokens = m_rebuild->tokens();
}

// A sequence hits blocks when it is admitted, and at no other time.
void EngineImpl::rebuildHits() {
  if (!m_rebuild) return;
  for (const Sequence* sequence : m_scheduler.running()) m_rebuild->computeHits(*sequence);
  m_rerun->report().rebuiltTokens = m_rebuild->tokens();
}

void EngineImpl::noteChange() {
  if (m_rerun && !m_takesInput) m_rerun->noteChange();
}

void EngineImpl::takeInputs(int gate) {
  if (!m_rerun) return;
  m_takesInput = true;
  while (const RunScript::Input* input = m_rerun->takeInput(gate)) take(input->body);
  m_takesInput = false;
  m_rerun->goOn();
}

EngineOptions EngineImpl::optionsOf(const OptionsChanged& e) const {
  return changedOptions(m_options, e, m_loaded.bytesPerBlock);
}

// A request that this run refuses or that has ended in it is left out.
void EngineImpl::take(const EventBody& input) {
  const auto own = [this](RequestId recorded) { return m_rerun->ownId(recorded); };
  if (const auto* submitted = bodyOf<RequestSubmitted>(input)) {
    try {
      m_rerun->map(submitted->request, submit(submitted->asked));
    } catch (const EngineError&) {  // RequestRejected says it
    }
  } else if (bodyOf<RequestRejected>(input) != nullptr) {
    m_events.publish(EventBody(input));
  } else if (const auto* options = bodyOf<OptionsChanged>(input)) {
    setOptions(optionsOf(*options));
  } else if (const auto* cancelled = bodyOf<RequestCancelled>(input)) {
    if (const RequestId id = own(cancelled->request); id != 0) cancel(id);
  } else if (const auto* changed = bodyOf<SamplingChanged>(input)) {
    if (const RequestId id = own(changed->request); id != 0) setSampling(id, changed->sampling);
  } else if (const auto* forgotten = bodyOf<RequestForgotten>(input)) {
    const RequestId id = own(forgotten->request);
    if (id != 0 && m_requests.unfinished(id) == nullptr) forget(id);
  }
}

void EngineImpl::rehearseForward() {
  if (m_speculator) m_speculator->rehearse();
  for (const Work& work : m_scheduler.currentPlan().work) {
    if (work.draftTokens == 0) continue;
    Sequence& sequence = *work.sequence;
    const DraftProposed& draft = m_rerun->require<DraftProposed>(
        [&](const DraftProposed& one) { return one.sequence == sequence.id; });
    if (static_cast<int>(draft.tokens.size()) != work.draftTokens) m_rerun->missing();
    sequence.draft = draft.tokens;
    m_events.publish(draft);
  }
}

void EngineImpl::rehearseRow(const Work& work) {
  Answer& answer = m_requests.answerOf(*work.sequence);
  if (answer.record.beams) return m_beams.expectOffer(answer);
  if (work.draftTokens > 0) {
    const DraftVerified& verified = m_rerun->require<DraftVerified>(
        [&](const DraftVerified& one) { return one.sequence == work.sequence->id; });
    if (m_speculator) m_speculator->rehearse(verified);
    m_events.publish(verified);
  }
  const int answers = work.sequence->sequenceSlots;
  keepRecorded(answer);
  for (int index = 1; index < answers; ++index) keepRecorded(forkAnswer(m_scheduler, answer, index));
}

void EngineImpl::keepRecorded(Answer& answer) {
  const RunScript::Step* const now = m_rerun->step();
  if (now == nullptr) return;
  for (const RunScript::Token& token : now->tokens)
    if (token.sequence == answer.sequence.id)
      m_sampler.keepKnown({&answer, {token.token, token.logprob}, {}});
}

}  // namespace vitrine
