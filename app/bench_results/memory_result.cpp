// bench memory: what takes the memory, and how much the process has in each phase.
#include "bench_results/bench_describer.h"

namespace vitrine {
namespace {

constexpr double kMib = 1 << 20;

class MemoryResult : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using BenchDescriber::BenchDescriber;

  void describe() {
    results().title = tr("Memory");
    results().meaning = tr("What takes the memory: weights, KV cache, and the whole process phase by phase.");
    describeParts();
    describePhases();
    if (fields().has("peaks_are_of_each_phase") && !fields().flag("peaks_are_of_each_phase"))
      results().remarks.push_back(tr("This system does not reset peaks: each is the peak since the start."));
  }

 private:
  void describeParts() {
    BenchTable& table = addTable(tr("Parts"), {{tr("part"), tr("part")}, {tr("MiB"), tr("MiB")}});
    BenchChart chart{tr("parts"),      tr("Memory of %1", results().model), tr("part"), tr("MiB"), {},
                     {{tr("MiB"), {}}}};
    const auto add = [&](const String& name, const char* key) {
      const double bytes = fields().number(key);
      table.rows.push_back({wordsCell(name), mibCell(bytes)});
      chart.places.push_back(name);
      chart.series[0].values.push_back(single(bytes / kMib));
    };
    add(tr("weights"), "weight_bytes");
    add(tr("KV pool"), "kv_pool_bytes");
    add(tr("KV in use, at most"), "kv_peak_bytes_used");
    add(tr("the program before loading"), "rss_before_load_bytes");
    m_parts = std::move(chart);
  }

  void describePhases() {
    BenchTable& table = addTable(tr("Phases"), {{tr("phase"), tr("phase")},
                                                {tr("resident MiB"), tr("resident, MiB")},
                                                {tr("peak MiB"), tr("peak, MiB")}});
    BenchChart& chart = addChart({tr("phases"),
                                  tr("Memory of %1", results().model),
                                  tr("phase"),
                                  tr("MiB"),
                                  {},
                                  {{tr("resident"), {}}, {tr("peak"), {}}}});
    const std::vector<BenchFields> phases = fields().list("phases");
    for (const BenchFields& phase : phases) {
      const auto resident = phase.summary("resident_bytes"), peak = phase.summary("peak_bytes");
      const auto inMib = [](const Summary& bytes) { return scaled(bytes, 1 / kMib); };
      const auto median = [&](const Summary& bytes) {
        BenchCell cell = mibCell(bytes.median);
        cell.spread = inMib(bytes);
        return cell;
      };
      table.rows.push_back({wordsCell(phase.text("phase")), cellOf(resident, median),
                            cellOf(peak, [](const Summary& bytes) { return mibCell(bytes.max); })});
      chart.places.push_back(phase.text("phase"));
      chart.series[0].values.push_back(resident ? std::optional(inMib(*resident)) : std::nullopt);
      chart.series[1].values.push_back(peak ? std::optional(inMib(*peak)) : std::nullopt);
    }
    addDevicePeaks(table, phases);
    addChart(std::move(m_parts));
  }

  BenchChart m_parts;  // comes after the phases, which --plot draws
};

}  // namespace

void describeMemory(const BenchSource& source) { MemoryResult(source).describe(); }

}  // namespace vitrine
