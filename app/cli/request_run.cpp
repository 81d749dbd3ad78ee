#include "request_run.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <set>
#include <thread>

#include "common/message_list.h"
#include "vitrine/message_text.h"
#include "vitrine/prose/words.h"
#include "vitrine/swap_folder.h"

namespace vitrine::cli {
namespace {

Json sequenceToJson(const SequenceResult& sequence, const std::vector<ToolCall>& calls) {
  Json logprobs = Json::array();
  for (const TokenLogprob& item : sequence.logprobs) {
    Json top = Json::array();
    for (const auto& [token, logprob] : item.top)
      top.push_back({{"token_id", token}, {"logprob", finite(logprob)}});
    logprobs.push_back(
        {{"token_id", item.token}, {"logprob", finite(item.logprob)}, {"top", std::move(top)}});
  }
  Json json = {
      {"token_ids", sequence.tokenIds},           {"text", sequence.text},
      {"finish_reason", nameOf(sequence.reason)}, {"cumulative_logprob", finite(sequence.cumulativeLogprob)},
      {"score", finite(sequence.score)},          {"logprobs", std::move(logprobs)}};
  for (std::size_t i = 0; i < calls.size(); ++i) json["tool_calls"].push_back(callToJson(calls[i], i + 1));
  return json;
}

}  // namespace

void RunObserver::publish(const Event& event) {
  m_statistics.add(event);
  m_speculation.add(event);
  if (const auto* sampled = std::get_if<TokenSampled>(&event.body); sampled && onText)
    onText(sampled->sequence, sampled->text);
  if (const auto* submitted = bodyOf<RequestSubmitted>(event);
      submitted && onText && !submitted->outputText.empty())
    onText(submitted->firstSequence, submitted->outputText);
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    m_maxSequences = loaded->options.maxSequences;
    m_fittingSequences = loaded->fittingSequences;
  }
  if (const auto* submitted = bodyOf<RequestSubmitted>(event))
    m_opened[submitted->request] = openedThought(submitted->asked.prompt);
  if (const auto* forgotten = bodyOf<RequestForgotten>(event)) m_opened.erase(forgotten->request);
  if (const auto* failed = bodyOf<EngineFailed>(event)) m_failure = *failed;
  if (const auto* failed = bodyOf<SwapFailed>(event)) m_swapFailure = failed->message;
}

std::vector<ToolCall> RunObserver::callsIn(const std::string& text, RequestId request,
                                           const ToolSet& tools) const {
  if (tools.empty()) return {};
  const auto opened = m_opened.find(request);
  const AnswerParts parts = answerParts(text, opened == m_opened.end() ? nullptr : opened->second, true);
  return wholeCalls(toolCalls(parts.answer, tools, true));
}

int RunObserver::reportFailures(const RunReport& report) const {
  int status = 0;
  for (const Outcome& outcome : report.outcomes) {
    const auto failed = [](const SequenceResult& sequence) {
      return sequence.reason == FinishReason::kFailed;
    };
    if (!outcome.result || std::ranges::none_of(outcome.result->sequences, failed)) continue;
    std::fprintf(stderr, "vitrine-cli: %s failed: %s\n", outcome.name.c_str(), m_failure.message.c_str());
    status = 1;
  }
  return status;
}

void RunObserver::reportSwaps() const {
  const std::int64_t failures = m_statistics.totals().swapFailures;
  if (failures > 0)
    std::fprintf(stderr, "vitrine-cli: %lld times swapping failed and tokens were computed again: %s\n",
                 static_cast<long long>(failures), m_swapFailure.c_str());
}

Json RunObserver::stats() const {
  const RunTotals& totals = m_statistics.totals();
  Json waits = Json::object();
  for (std::size_t i = 0; i < totals.waitSteps.size(); ++i)
    waits[Names<WaitReason>::list[i]] = totals.waitSteps[i];
  return {{"engine_steps", totals.steps},
          {"elapsed_ms", static_cast<double>(m_statistics.elapsedNs()) / 1e6},
          {"prefill_tokens", totals.prefillTokens},
          {"decode_tokens", totals.decodeTokens},
          {"sampled_tokens", totals.sampledTokens},
          {"tokens_per_second", m_statistics.tokensPerSecond()},
          {"most_sequences_in_a_step", totals.mostSequences},
          {"max_sequences", m_maxSequences},
          {"fitting_sequences", m_fittingSequences},
          {"wait_steps", std::move(waits)},
          {"deadlines", totals.deadlines},
          {"deadline_misses", totals.missedDeadlines},
          {"aged", totals.aged},
          {"preemptions", totals.preemptions},
          {"recomputed_tokens", totals.recomputedTokens},
          {"swap_outs", totals.swapOuts},
          {"swap_ins", totals.swapIns},
          {"swap_failures", totals.swapFailures},
          {"swapped_out_bytes", totals.swappedOutBytes},
          {"swap_demoted_bytes", totals.swapDemotedBytes},
          {"swapped_in_bytes", totals.swappedInBytes},
          {"swap_ms", static_cast<double>(totals.swapNs) / 1e6},
          {"prefix_block_hits", totals.blockHits},
          {"evictions", totals.evictions},
          {"copies_on_write", totals.copies},
          {"ahead_rows", totals.aheadRows},
          {"wasted_rows", totals.wastedRows}};
}

Json draftPositions(const SpeculationReport& drafts) {
  Json positions = Json::array();
  for (const auto& [judged, accepted] : drafts.positions) {
    const double share = judged > 0 ? static_cast<double>(accepted) / static_cast<double>(judged) : 0;
    positions.push_back({{"judged", judged}, {"accepted", accepted}, {"acceptance", share}});
  }
  return positions;
}

void RunObserver::addSpeculation(Json& answer) const {
  const SpeculationReport& report = m_speculation;
  if (report.options.drafter == DraftMethod::kNone) return;
  const auto total = [](const std::vector<std::int64_t>& ns) {
    return static_cast<double>(std::accumulate(ns.begin(), ns.end(), std::int64_t{0})) / 1e6;
  };
  const auto measured = [](std::optional<double> value) { return value ? finite(*value) : Json(nullptr); };
  Json sizes = Json::array();
  const auto costs = [](const SpeculationReport::Costs& cost) -> Json {
    return {{"steps", cost.stepNs.size()}, {"median_ms", cost.medianNs() / 1e6}, {"tokens", cost.keptTokens}};
  };
  for (const auto& [sequences, size] : report.sizes)
    sizes.push_back(
        {{"sequences", sequences}, {"plain", costs(size.plain)}, {"drafted", costs(size.drafted)}});
  answer["speculation"] = {{"drafter", nameOf(report.options.drafter)},
                           {"draft_length", report.options.draftLength},
                           {"exit_layer", report.options.exitLayer},
                           {"adaptive", report.options.adaptive},
                           {"draft_acceptance", nameOf(report.options.acceptance)},
                           {"drafts", report.drafts},
                           {"drafted_tokens", report.draftedTokens},
                           {"accepted_tokens", report.acceptedTokens},
                           {"acceptance", report.acceptance()},
                           {"positions", draftPositions(report)},
                           {"mean_accepted_length", report.meanAcceptedLength()},
                           {"draft_ms", total(report.draftNs)},
                           {"verify_ms", total(report.verifyNs)},
                           {"steps", std::move(sizes)},
                           {"relative_cost", measured(report.relativeCost())},
                           {"break_even_acceptance", measured(report.breakEvenAcceptance())},
                           {"speed_up", measured(report.speedUp())}};
}

namespace {

void warnOfSwapFolder(const EngineOptions& options) {
  try {
    requireSwapFolder(options);
  } catch (const EngineError& error) {
    std::fprintf(stderr,
                 "vitrine-cli: warning: %s; what does not fit into --host-swap is computed again\n  %s\n",
                 error.what(), error.hint().c_str());
  }
}

}  // namespace

void noteIgnored(const IgnoredTensors& ignored) {
  static std::set<std::string> said;  // bench loads a model several times
  const std::string words = prose::ignoredTensors(ignored);
  if (!words.empty() && said.insert(words).second)
    std::fprintf(stderr, "vitrine-cli: note: %s\n", words.c_str());
}

void noteChatFormat(const Engine& engine) {
  const std::string& problem = engine.chatFormat().problem();
  if (problem.empty()) return;
  std::fprintf(stderr,
               "vitrine-cli: note: the model's chat template cannot be followed (%s); it is asked in a plain "
               "form, so its answers may be worse than they could be. Name another with --template.\n",
               forMessage(problem, 200).c_str());
}

void noteTools(const Engine& engine, const Dialogue& dialogue) {
  if (dialogue.tools.empty() || engine.chatFormat().takesTools(dialogue)) return;
  std::fputs(
      "vitrine-cli: note: the chat template leaves the tools out of this conversation, so the model does not "
      "know "
      "them. Some templates write them with a system message alone; another one can be named with "
      "--template.\n",
      stderr);
}

void notePackedCopy(Engine& engine) {
  const bool visible = isatty(STDERR_FILENO) != 0 && engine.description().packedCopy == PackedCopy::kKept;
  if (visible) std::fputs("\r\033[Kkeeping the packed weights for the next start ...", stderr);
  const std::string complaint = engine.waitForPackedCopy();
  if (visible) std::fputs("\r\033[K", stderr);
  if (!complaint.empty())
    std::fprintf(stderr,
                 "vitrine-cli: note: the packed weights were not kept for the next start (%s). "
                 "--packed-copies off does without.\n",
                 complaint.c_str());
}

LoadedEngine::~LoadedEngine() {
  if (!engine) return;
  flushOutput();  // an answer does not wait for it
  notePackedCopy(*engine);
}

LoadedEngine loadEngine(const EngineArguments& arguments, EventSink& sink) {
  const EngineOptions options = arguments.toOptions();
  const std::filesystem::path directory = arguments.modelDirectory();
  const bool visible = isatty(STDERR_FILENO) != 0;
  const auto progress = [visible](double fraction, const char* what) {
    if (visible) std::fprintf(stderr, "\r\033[Kloading %s %3.0f %%", what, fraction * 100);
    return true;
  };
  const auto begin = std::chrono::steady_clock::now();
  LoadedEngine loaded;
  try {
    loaded.engine = Engine::load(directory, options, sink, progress);
    if (!arguments.chatTemplate.empty())
      loaded.engine->setChatFormat(ChatFormat::ofModel(directory, readFile(arguments.chatTemplate)));
  } catch (...) {
    if (visible) std::fputs("\r\033[K", stderr);
    throw;
  }
  if (visible) std::fputs("\r\033[K", stderr);
  warnOfSwapFolder(options);
  std::ranges::for_each(loaded.engine->description().ignoredTensors, noteIgnored);
  loaded.loadMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return loaded;
}

RunReport runRequests(Engine& engine, const std::vector<RequestLine>& requests,
                      const std::vector<Command>& commands, const std::function<bool()>& stopped) {
  RunReport report;
  for (const RequestLine& line : requests) {
    report.outcomes.push_back({line.arguments.request.name, ToolSet(line.arguments.tools), {}, {}});
  }
  Timetable timetable(requests, commands);
  const auto rejected = [&](std::size_t i, const EngineError& error) { report.outcomes[i].error = error; };
  for (timetable.serve(engine, rejected); engine.hasWork() && !stopped(); timetable.serve(engine, rejected)) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(timetable.restNs(engine)));
    engine.step();
    timetable.stepped();
    requireOutput();  // an answer that cannot be written is not computed
  }
  report.steps = timetable.clock();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const RequestId id = timetable.idOf(i);
    if (report.outcomes[i].error || id == 0) continue;  // id 0: the run stopped before it arrived
    if (!engine.isFinished(id)) engine.cancel(id);
    report.outcomes[i].result = engine.takeResult(id);
    report.outcomes[i].name = report.outcomes[i].result->name;
  }
  return report;
}

Json answerToJson(const Outcome& outcome, const RunObserver& observer, double loadMs) {
  const RequestResult& result = *outcome.result;
  Json sequences = Json::array();
  std::size_t completion = 0;
  for (const SequenceResult& sequence : result.sequences) {
    sequences.push_back(sequenceToJson(sequence, observer.callsIn(sequence.text, result.id, outcome.tools)));
    completion += sequence.tokenIds.size();
  }
  const auto given = static_cast<int>(result.sequences.size()) * result.givenTokens;
  const RequestTimes times{result.queueNs, result.ttftNs, result.totalNs,
                           static_cast<int>(completion) - given};
  const RequestStatistics* const known = observer.statistics().request(result.id);
  const Durations itl = known != nullptr ? known->itl : Durations();
  Json answer = {{"sequences", std::move(sequences)},
                 {"usage",
                  {{"prompt_tokens", result.promptTokens},
                   {"completion_tokens", completion},
                   {"cached_tokens", result.cachedTokens}}},
                 {"timing",
                  {{"load_ms", loadMs},
                   {"queue_ms", static_cast<double>(times.queueNs) / 1e6},
                   {"ttft_ms", static_cast<double>(times.ttftNs) / 1e6},
                   {"itl_ms", itl.meanNs() / 1e6},
                   {"itl_median_ms", itl.percentileNs(0.5) / 1e6},
                   {"total_ms", static_cast<double>(times.totalNs) / 1e6},
                   {"tokens_per_second", times.tokensPerSecond()}}}};
  if (result.deadlineMs > 0) answer["timing"]["late_ms"] = static_cast<double>(result.lateNs) / 1e6;
  return answer;
}

}  // namespace vitrine::cli
