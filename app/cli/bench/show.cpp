// bench show: kept results as tables and charts again, several of one kind side by side.
#include <CLI/CLI.hpp>
#include <memory>

#include "bench/bench.h"
#include "bench/chart.h"
#include "bench/report.h"
#include "bench_results/bench_comparison.h"

namespace vitrine::cli {
namespace {

struct ShowArguments {
  std::vector<std::string> files;
  std::string plot;
};

int show(const ShowArguments& arguments) {
  if (!arguments.plot.empty()) requirePlottable(arguments.plot);
  std::vector<NamedBenchResults> all;
  for (const std::string& file : arguments.files) {
    all.push_back({std::filesystem::path(file).stem().string(),
                   readBenchFile(file, prose::english(), InputKind::kFileOrPipe)});
    if (all.back().results.kind == all.front().results.kind) continue;
    throw UsageError(file + " is a result of bench " + nameOf(all.back().results.kind) + ", and " +
                     arguments.files.front() + " of bench " + nameOf(all.front().results.kind) +
                     ": show results of one kind together");
  }
  const BenchResults results = compareBenchResults(all);
  if (!arguments.plot.empty()) plotResults(results, arguments.plot);
  printResults(results);
  return 0;
}

}  // namespace

void addShow(CLI::App& bench, Program& program) {
  CLI::App* command = bench.add_subcommand("show", "kept results again, several of one kind side by side");
  const auto arguments = std::make_shared<ShowArguments>();
  command->add_option("files", arguments->files, "files that --out or --json wrote")->required();
  command->add_option("--plot", arguments->plot, "draw the figures into this .svg or .png file");
  command->callback([arguments, &program] { program.work = [arguments] { return show(*arguments); }; });
}

}  // namespace vitrine::cli
