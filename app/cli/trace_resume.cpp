#include "trace_resume.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "common/recorded_load.h"
#include "request_run.h"
#include "vitrine/place_name.h"
#include "vitrine/trace.h"

namespace vitrine::cli {
namespace {

std::shared_ptr<RunScript> readScript(const std::string& file) {
  const auto script = std::make_shared<RunScript>();
  const TraceReading reading = readTrace(file, [&](const Event& event) { script->add(event); });
  if (reading.skipped > 0)
    throw EngineError(
        ErrorCode::kUnsupported,
        file + " holds " + std::to_string(reading.skipped) + " events that this program does not know",
        "resume it with the program that recorded it");
  return script;
}

// Writes a branch. Its steps before are the trace's own, in the place of the snapshot that the engine
// publishes for them: they have what only a forward pass measures.
class BranchWriter final : public EventSink {
 public:
  explicit BranchWriter(const std::string& file) : m_writer(file) {}
  void publish(const Event& event) override {
    if (isA<Snapshot>(event))
      m_branch = event;
    else
      m_writer.publish(event);
  }
  void writePast(const std::string& trace) {
    readTrace(trace, [this](Event event) {
      if (isA<EngineLoaded>(event) || isA<Snapshot>(event) || event.number > m_branch.number) return;
      event.run = m_branch.run;
      m_writer.publish(event);
    });
  }
  void finish() { m_writer.finish(); }

 private:
  TraceWriter m_writer;
  Event m_branch;
};

// How the recorded run was started; the model is the command line's, or one with the recorded name, here or
// beside the trace.
EngineArguments recordedArguments(const RunScript& script, const std::string& file,
                                  const std::string& model) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  const RecordedLoad recorded = recordedLoad(script, {{}, {std::filesystem::current_path(), folder}});
  if (!model.empty()) return {.model = model, .options = recorded.options};
  if (std::error_code error; !std::filesystem::exists(recorded.model, error))
    throw EngineError(ErrorCode::kFileNotFound,
                      file + " was recorded with the model " + placeName(recorded.model.string()) +
                          ", which is neither here nor beside it",
                      "name the model's folder or file with --model");
  return {.model = recorded.model.string(), .options = recorded.options};
}

void report(const ResumeArguments& arguments, const RerunReport& rerun) {
  print("%s goes on from step %d: %d steps followed in %.0f ms, the KV of %lld tokens computed in %.0f ms\n",
        arguments.file.c_str(), rerun.resumedAt, rerun.skimmedSteps, static_cast<double>(rerun.skimNs) / 1e6,
        static_cast<long long>(rerun.rebuiltTokens), static_cast<double>(rerun.kvNs) / 1e6);
  if (rerun.computedSteps > 0)
    print("%d steps before it were computed again: their KV depends on what was evicted\n",
          rerun.computedSteps);
  if (rerun.changed)
    print("options were changed there; the run decides otherwise from step %d on\n",
          std::max(rerun.differsAt, rerun.resumedAt + 1));
  else if (rerun.differsAt > 0)
    print("step %d differs from the recording\n", rerun.differsAt);
  else
    print("tokens, plans and blocks of the %d steps after it equal the recording's\n", rerun.comparedSteps);
}

Json toJson(const ResumeArguments& arguments, const RerunReport& rerun) {
  Json answer = {{"step", rerun.resumedAt},
                 {"skimmed_steps", rerun.skimmedSteps},
                 {"computed_steps", rerun.computedSteps},
                 {"rebuilt_tokens", rerun.rebuiltTokens},
                 {"skim_ms", static_cast<double>(rerun.skimNs) / 1e6},
                 {"kv_ms", static_cast<double>(rerun.kvNs) / 1e6},
                 {"compared_steps", rerun.comparedSteps},
                 {"changed", rerun.changed},
                 {"differs_at", rerun.differsAt > 0 ? Json(rerun.differsAt) : Json(nullptr)}};
  if (!arguments.out.empty()) answer["out"] = arguments.out;
  return answer;
}

void runToTheEnd(Engine& engine) {
  while (engine.hasWork()) {
    if (!engine.rerun()->following)  // until then the clock is the recording's
      std::this_thread::sleep_for(std::chrono::nanoseconds(engine.idleNs()));
    engine.step();
    requireOutput();
  }
}

}  // namespace

int resumeTrace(const ResumeArguments& arguments, bool json) {
  const std::shared_ptr<RunScript> script = readScript(arguments.file);
  EngineArguments given;
  arguments.copyGiven(given);
  const EngineArguments recorded = recordedArguments(*script, arguments.file, given.model);
  EngineArguments wanted = recorded;
  arguments.copyGiven(wanted);
  const bool changes = !sameOptions(recorded.options, wanted.options);
  const bool fromStart = changes && arguments.step == 0;
  EngineArguments loading = fromStart ? wanted : recorded;
  if (!fromStart) loading.options.numBlocks = 1;  // it lends its model alone; a GPU's pool takes memory
  if (wanted.options.speculation.drafter == DraftMethod::kModel)  // the second model is needed in the end
    loading.options.speculation = wanted.options.speculation;

  EventFanOut none, sinks;
  std::optional<BranchWriter> writer;
  if (!arguments.out.empty()) sinks.add(&writer.emplace(arguments.out));
  const LoadedEngine loaded = loadEngine(loading, none);
  ResumeOptions options;
  options.ownOptions = fromStart;
  options.publishHistory = false;
  const std::unique_ptr<Engine> engine = loaded.engine->resume(script, arguments.step, sinks, options);
  if (writer) writer->writePast(arguments.file);
  if (changes && !fromStart) {
    EngineOptions inForce = engine->options();
    arguments.copyGiven(given = {.model = given.model, .options = inForce});
    engine->setOptions(given.options);
  }
  runToTheEnd(*engine);
  if (writer) writer->finish();
  const RerunReport& rerun = *engine->rerun();
  json ? printJson(toJson(arguments, rerun)) : report(arguments, rerun);
  return !rerun.changed && rerun.differsAt > 0 ? 1 : 0;
}

}  // namespace vitrine::cli
