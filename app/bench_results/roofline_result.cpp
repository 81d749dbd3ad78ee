// bench roofline: the machine's limits, and for each forward where its operations stand under them.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "bench_results/bench_describer.h"
#include "vitrine/prose/words.h"

namespace vitrine {
namespace {

double sumNs(const ForwardMeasured& forward) {
  double sum = 0;
  for (const OperationCost& cost : forward.operations) sum += static_cast<double>(cost.ns);
  return sum;
}

std::int64_t nanoseconds(const BenchFields& fields, const char* key) {
  constexpr double kMostMs = 1e9;
  const double ms = fields.number(key);
  if (ms > kMostMs) fields.refuse(key, "at most " + rounded(kMostMs) + " milliseconds");
  return std::llround(ms * 1e6);
}

// A machine that can do nothing has no roof.
double limit(const BenchFields& fields, const char* key) {
  constexpr double kLeast = 1e-6, kMost = 1e9;
  const double value = fields.number(key);
  if (value < kLeast || value > kMost) fields.refuse(key, "a number from 0.000001 to 1000000000");
  return value;
}

class RooflineResult : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using BenchDescriber::BenchDescriber;

  void describe() {
    results().title = tr("Roofline");
    results().meaning =
        tr("How near each operation of a forward comes to what the machine's memory and arithmetic allow.");
    readRoof();
    addMachine();
    addChart(
        {tr("time by operation"), tr("Time of a forward, by operation"), tr("operation"), tr("ms"), {}, {}});
    for (const BenchFields& run : fields().list("runs")) addRun(run);
  }

 private:
  void readRoof() {
    m_roof.gflops = limit(fields(), "peak_gflops");
    if (fields().has("cache_bandwidth"))
      for (const BenchFields& cache : fields().list("cache_bandwidth", 0))
        m_roof.readings.push_back({cache.whole("bytes"), limit(cache, "gbps")});
    std::erase_if(m_roof.readings, [](const RoofReading& one) { return one.bytes <= 0; });
    std::ranges::sort(m_roof.readings, {}, &RoofReading::bytes);
    const auto same = [](const RoofReading& a, const RoofReading& b) { return a.bytes == b.bytes; };
    m_roof.readings.erase(std::unique(m_roof.readings.begin(), m_roof.readings.end(), same),
                          m_roof.readings.end());
    // A result from before "bandwidth_bytes" does not say how much was read of the memory: more than of any
    // cache.
    const std::int64_t least = m_roof.readings.empty() ? 1 : m_roof.readings.back().bytes + 1;
    const std::int64_t memory = fields().has("bandwidth_bytes") ? fields().whole("bandwidth_bytes") : 0;
    m_roof.readings.push_back({std::max(memory, least), limit(fields(), "bandwidth_gbps")});
    const std::optional<BenchFields> machine = fields().maybeObject("machine");
    if (machine && machine->has("third_cache_bytes")) {
      m_roof.secondCache = machine->whole("second_cache_bytes");
      m_roof.thirdCache = machine->whole("third_cache_bytes");
    } else if (m_roof.readings.size() > 1) {  // a result from before them was measured at the caches' sizes
      m_roof.secondCache = m_roof.readings.front().bytes;
      m_roof.thirdCache = m_roof.readings[m_roof.readings.size() - 2].bytes;
    }
    m_roof.threads = machine ? machine->count("threads") : results().threads;
    if (machine) m_roof.instructions = machine->text("instructions");
    if (fields().has("product_peaks"))
      for (const BenchFields& ceiling : fields().list("product_peaks"))
        m_roof.products.push_back(
            {readPeak(ceiling), limit(ceiling, "gflops"), ceiling.text("instructions")});
    // A result from before GPUs were measured says nothing.
    if (fields().has("peak_of")) m_roof.peak = readPeak(fields());
  }

  static RoofPeak readPeak(const BenchFields& fields) {
    const std::optional<RoofPeak> peak = fromName<RoofPeak>(fields.text("peak_of"));
    if (!peak) fields.refuse("peak_of", "a peak that this program knows");
    return *peak;
  }

  // A result from before "machine" names the device in its place: the processor and its threads.
  String machineName() {
    return m_roof.instructions.empty() ? results().device : prose::roofDevice(m_roof, language());
  }

  void addMachine() {
    const String name = machineName();
    BenchTable& table = addTable(tr("The machine"), {{name, name}, {tr("at most"), tr("at most")}});
    const auto add = [&](const String& what, double value, const char* unit) {
      table.rows.push_back({wordsCell(what), {rounded(value) + unit, value}});
    };
    add(prose::roofPeak(m_roof.peak, language()), m_roof.gflops, " GFLOP/s");
    for (const RoofCeiling& ceiling : m_roof.products)
      add(prose::roofCeiling(ceiling, language()), ceiling.gflops, " GFLOP/s");
    for (std::size_t i = 0; i + 1 < m_roof.readings.size(); ++i) {
      const String size = prose::byteSize(m_roof.readings[i].bytes, language());
      add(m_roof.isOfGpu() ? tr("copying within %1", size) : tr("reading %1 again and again", size),
          m_roof.readings[i].gbps, " GB/s");
    }
    add(m_roof.isOfGpu() ? tr("copying memory") : tr("reading memory"), m_roof.memoryGbps(), " GB/s");
  }

  void addRun(const BenchFields& run) {
    const String phase = run.text("phase");
    if (phase != "prefill" && phase != "decode") run.refuse("phase", "\"prefill\" or \"decode\"");
    const bool isPrefill = phase == "prefill";
    const String name = isPrefill ? tr("prefill") : tr("decode, %n request(s)", nullptr, run.count("batch"));
    String title = name;
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    if (isPrefill) title = tr("Prefill of %1 tokens", std::to_string(run.count("prompt_tokens")));
    const ForwardMeasured forward = readForward(run);
    addRunTable(name, forward);
    if (m_roof.thirdCache > 0 || m_roof.isOfGpu()) addWeights(name, forward);
    if (const std::optional<double> peak = run.maybeNumber("device_peak_bytes"))
      results().remarks.push_back(tr("%1: at most %2 of the GPU's memory.", name,
                                     prose::byteSize(static_cast<std::int64_t>(*peak), language())));
    addToChart(title, forward);
    results().roofRuns.push_back({title, m_roof, forward});
  }

  // What decides about most operations.
  void addWeights(const String& name, const ForwardMeasured& forward) {
    results().remarks.push_back(
        tr("%1: a forward reads its weights, keys and values once each. Their roof: %2.", name,
           prose::roofLine(streamLine(m_roof, forward), language())));
  }

  static std::int64_t wholeIfAny(const BenchFields& fields, const char* key) {
    return fields.has(key) ? fields.whole(key) : 0;
  }

  static ForwardMeasured readForward(const BenchFields& run) {
    ForwardMeasured forward;
    std::set<Operation> seen;
    for (const BenchFields& fields : run.list("operations")) {
      const std::optional<Operation> operation = fromName<Operation>(fields.text("name"));
      if (!operation) fields.refuse("name", "an operation that this program knows");
      if (!seen.insert(*operation).second)
        fields.refuse("name", "another one: each operation stands there once");
      forward.operations.push_back({*operation, fields.count("calls"), nanoseconds(fields, "ms"),
                                    fields.whole("bytes"), fields.whole("operations"),
                                    wholeIfAny(fields, "int8_operations"),
                                    wholeIfAny(fields, "bf16_operations")});
    }
    // A result from before "typical_ms": its operations sum to the forward.
    forward.ns = run.has("typical_ms") ? nanoseconds(run, "typical_ms") : std::llround(sumNs(forward));
    return forward;
  }

  // The operation that takes longest comes first.
  static std::vector<OperationCost> longestFirst(const ForwardMeasured& forward) {
    std::vector<OperationCost> costs = forward.operations;
    std::ranges::stable_sort(costs, std::ranges::greater(), &OperationCost::ns);
    return costs;
  }

  void addRunTable(const String& name, const ForwardMeasured& forward) {
    BenchTable& table = addTable(name, {{name, tr("operation")},
                                        {tr("calls"), tr("calls")},
                                        {tr("ms"), tr("ms")},
                                        {tr("share"), tr("share of the time, %")},
                                        {tr("MB"), tr("MB")},
                                        {tr("Mflop"), tr("Mflop")},
                                        {tr("flop/byte"), tr("flop/byte")},
                                        {tr("GFLOP/s"), tr("GFLOP/s")},
                                        {tr("GB/s"), tr("GB/s")},
                                        {tr("of the limit"), tr("of the limit, %")},
                                        {tr("limit"), tr("limit")}});
    for (const OperationCost& cost : longestFirst(forward)) table.rows.push_back(rowOf(cost, forward));
    std::vector<BenchCell> whole(table.columns.size());
    whole[0] = wordsCell(tr("forward"));
    whole[2] = numberCell(static_cast<double>(forward.ns) / 1e6);
    table.rows.push_back(std::move(whole));
  }

  std::vector<BenchCell> rowOf(const OperationCost& cost, const ForwardMeasured& forward) {
    const RoofPlace place = placeUnder(m_roof, cost, forward);
    const double sum = sumNs(forward);
    const double share = sum > 0 ? static_cast<double>(cost.ns) / sum : 0;
    const bool moves = cost.bytes > 0, computes = cost.operations > 0, hasLimit = place.limit > 0;
    const auto ifAny = [](bool any, const BenchCell& cell) { return any ? cell : notMeasured(); };
    const auto percent = [&](double value) {
      return BenchCell{prose::percent(value, language()), value * 100};
    };
    return {wordsCell(prose::operationName(cost.operation, language())),
            countCell(cost.calls),
            numberCell(static_cast<double>(cost.ns) / 1e6),
            percent(share),
            ifAny(moves, numberCell(static_cast<double>(cost.bytes) / 1e6)),
            ifAny(computes, numberCell(static_cast<double>(cost.operations) / 1e6)),
            ifAny(computes, numberCell(place.intensity)),
            ifAny(computes, numberCell(place.gflops)),
            ifAny(moves, numberCell(place.gbps)),
            ifAny(hasLimit, percent(place.limit)),
            ifAny(hasLimit, place.isComputeBound ? wordsCell(arithmeticWords(cost))
                                                 : wordsCell(rounded(place.roofGbps) + " GB/s"))};
  }

  // Where there are several, the one that limits.
  String arithmeticWords(const OperationCost& cost) {
    if (m_roof.products.empty()) return tr("arithmetic");
    return tr("%1 arithmetic", prose::arithmeticName(arithmeticOf(cost), language()));
  }

  // All runs have the places of the first one; an operation that another run lacks has no bar there.
  void addToChart(const String& title, const ForwardMeasured& forward) {
    BenchChart& chart = results().charts[0];
    chart.series.push_back({title, std::vector<std::optional<Summary>>(chart.places.size())});
    for (const OperationCost& cost : longestFirst(forward)) {
      const String name = prose::operationName(cost.operation, language());
      const auto found = std::ranges::find(chart.places, name);
      const auto place = static_cast<std::size_t>(found - chart.places.begin());
      if (found == chart.places.end()) {
        chart.places.push_back(name);
        for (BenchChart::Series& series : chart.series) series.values.resize(chart.places.size());
      }
      chart.series.back().values[place] = single(static_cast<double>(cost.ns) / 1e6);
    }
  }

  MachineRoof m_roof;
};

}  // namespace

void describeRoofline(const BenchSource& source) { RooflineResult(source).describe(); }

}  // namespace vitrine
