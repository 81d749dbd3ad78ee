// BenchResults: what a result of `vitrine-cli bench` says: headline, tables, charts and remarks, derived from
// its JSON alone. The command line prints what the window shows.
//
// The JSON may be any file: its size, nesting, lists, texts and numbers are bounded, and what is missing or
// wrong is named with its place. Texts are in the language given (vitrine/prose/language.h).
// Thread: values. Read next: bench_kind.h, bench_describer.h, bench_comparison.h.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench_results/bench_cells.h"
#include "bench_results/bench_kind.h"
#include "vitrine/files.h"
#include "vitrine/machine_roof.h"
#include "vitrine/prose/language.h"

namespace vitrine {

struct BenchColumn {
  std::string heading;  // in a printed line: short, beside its neighbours
  std::string name;     // alone, with its unit
};

struct BenchTable {
  std::string title;
  std::vector<BenchColumn> columns;
  std::vector<std::vector<BenchCell>> rows;  // each as long as the columns
};

struct BenchChart {
  struct Series {
    std::string name;
    std::vector<std::optional<Summary>> values;  // one for each place; nothing: not measured
  };
  std::string figure;  // in a list of charts: "tokens/s"
  std::string title, xLabel, yLabel;
  std::vector<std::string> places;  // on the x axis
  std::vector<Series> series;
  bool lines = false;  // a sweep; otherwise bars
};

// One forward under the machine's limits.
struct BenchRoofRun {
  std::string title;  // "Decode, 1 request"
  MachineRoof roof;
  ForwardMeasured forward;  // a typical one
};

struct BenchResults {
  BenchKind kind = BenchKind::kLatency;
  std::string title, meaning;  // the kind in plain words, and what it measures in one sentence
  std::string model, device, backend, weights;
  int threads = 0;
  std::vector<std::string> settings;  // "24 prompt tokens", "at most 8 requests at once"
  std::vector<BenchTable> tables;
  std::vector<BenchChart> charts;      // the first is the one that --plot draws
  std::vector<BenchRoofRun> roofRuns;  // of the roofline alone, and --plot draws these
  std::vector<std::string> remarks;    // sentences under the tables
};

using BenchJson = nlohmann::ordered_json;

// Throws EngineError that names the field and the remedy: kFileCorrupt for what is missing, of another type,
// or out of range; kUnsupported for a kind that this program does not know; kInvalidArgument for the message
// of a benchmark that failed.
BenchResults describeBench(const BenchJson& json, const prose::Language& language = prose::english());

// The same of a text; errors begin with its name.
BenchResults readBenchResults(std::string_view text, const std::string& name,
                              const prose::Language& language = prose::english());
// The same of a file of at most kMostBenchBytes, or of a pipe where `kind` allows one. Throws also what
// readWholeFile() throws.
inline constexpr std::size_t kMostBenchBytes = std::size_t{8} << 20;
BenchResults readBenchFile(const std::filesystem::path& file,
                           const prose::Language& language = prose::english(),
                           InputKind kind = InputKind::kFile);

// Whether the text is one to read with readBenchResults(), if only for its error: it says its kind, or has
// the fields of one. Never throws.
bool looksLikeBenchResults(std::string_view text);

}  // namespace vitrine
