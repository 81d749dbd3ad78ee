// bench memory: bytes of weights, KV pool and KV in use, and the process's resident memory and its peak while
// the model is loaded, prompts are computed, and tokens are generated; on a GPU the peak of its memory, too.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/bench.h"

namespace vitrine::cli {
namespace {

struct MemoryArguments {
  BenchArguments common;
  int batch = 4;
};

struct PhaseMemory {
  std::string name;
  std::vector<double> resident = {}, peak = {};  // bytes; a value for each round
  std::int64_t devicePeakBytes = 0;
};

// Runs `work` and notes what memory it came to. The bench may have its engine only then.
template <typename Work>
void watch(PhaseMemory& phase, const Bench& bench, bool counts, const Work& work) {
  resetPeakResident();
  if (bench.engine) bench.engine->resetDevicePeak();
  work();
  if (!counts) return;
  phase.resident.push_back(static_cast<double>(residentBytes()));
  phase.peak.push_back(static_cast<double>(peakResidentBytes()));
  if (const auto memory = bench.engine->deviceMemory())
    phase.devicePeakBytes = std::max(phase.devicePeakBytes, memory->peakBytes);
}

struct Measured {
  PhaseMemory load{"load"}, prefill{"prefill"}, decode{"decode"};
  double before = 0, kvUsed = 0;
};

// How many more blocks are in use after this event.
int heldBlocks(const Event& event) {
  if (std::holds_alternative<BlockAllocated>(event.body) || std::holds_alternative<BlockCopied>(event.body))
    return 1;
  if (const auto* hit = std::get_if<BlockHit>(&event.body)) return hit->refCount == 1 ? 1 : 0;
  if (const auto* freed = std::get_if<BlockFreed>(&event.body)) return freed->refCount == 0 ? -1 : 0;
  return 0;
}

void measureRounds(const MemoryArguments& arguments, Bench& bench, Measured& measured) {
  const BenchArguments& common = arguments.common;
  const EngineLoaded& engine = bench.engine->description();
  int held = 0;
  bench.meter->onEvent = [&](const Event& event) {
    held += heldBlocks(event);
    measured.kvUsed = std::max(measured.kvUsed, held * static_cast<double>(engine.bytesPerBlock));
  };
  inRounds("memory", common, {"prefill and decode"}, [&](int round, std::size_t, bool counts) {
    const auto prompts = [&](int tokens, int number) {
      SyntheticLoad load = common.load(arguments.batch);
      load.maxTokens = tokens;
      return syntheticRequests(engine.model, load, number);
    };
    watch(measured.prefill, bench, counts, [&] { bench.run(prompts(1, 2 * round), arguments.batch); });
    watch(measured.decode, bench, counts,
          [&] { bench.run(prompts(common.maxTokens, 2 * round + 1), arguments.batch); });
  });
}

Json resultOf(const Measured& measured, const EngineLoaded& engine) {
  const double pool =
      static_cast<double>(engine.options.numBlocks) * static_cast<double>(engine.bytesPerBlock);
  Json json = describe(BenchKind::kMemory, engine);
  json.update({{"weight_bytes", engine.model.weightBytes},
               {"kv_pool_bytes", static_cast<std::int64_t>(pool)},
               {"kv_bytes_per_token", engine.bytesPerBlock / engine.options.blockSize},
               {"kv_peak_bytes_used", static_cast<std::int64_t>(measured.kvUsed)},
               {"rss_before_load_bytes", static_cast<std::int64_t>(measured.before)},
               {"phases", Json::array()}});
  for (const PhaseMemory* phase : {&measured.load, &measured.prefill, &measured.decode}) {
    Json one = {{"phase", phase->name},
                {"resident_bytes", toJson(summarise(phase->resident))},
                {"peak_bytes", toJson(summarise(phase->peak))}};
    addDevicePeak(one, phase->devicePeakBytes);
    json["phases"].push_back(std::move(one));
  }
  return json;
}

int memory(const MemoryArguments& arguments, bool asJson) {
  checkBench(arguments.common);
  const EngineOptions options = optionsFor(arguments.common, arguments.batch);
  Measured measured;
  measured.before = static_cast<double>(residentBytes());
  const bool resets = resetPeakResident();
  Bench bench;
  watch(measured.load, bench, true, [&] { bench = openBench(arguments.common.engine, options); });
  measureRounds(arguments, bench, measured);
  Json json = resultOf(measured, bench.engine->description());
  json["peaks_are_of_each_phase"] = resets;
  return finish(json, arguments.common, asJson);
}

}  // namespace

void addMemory(CLI::App& bench, Program& program) {
  CLI::App* command = bench.add_subcommand("memory", "weights, KV cache, and resident memory by phase");
  const auto arguments = std::make_shared<MemoryArguments>();
  arguments->common.repeat = 3;
  addNumber(*command, arguments->batch, {"--batch", 1, 65536, "requests at once"});
  addBenchOptions(*command, arguments->common);
  setWork(*command, program, [arguments](bool json) { return memory(*arguments, json); });
}

}  // namespace vitrine::cli
