#include "bench_results/bench_comparison.h"

#include <algorithm>

namespace vitrine {
namespace {

// The place of what `is` finds, or of a new entry at the end.
template <typename List, typename Is>
std::size_t findOrAdd(List& list, const Is& is, const typename List::value_type& added) {
  const auto found = std::ranges::find_if(list, is);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(added);
  return list.size() - 1;
}

void addRows(BenchTable& table, const BenchTable& from, const std::string& name) {
  std::vector<std::size_t> places;
  for (const BenchColumn& column : from.columns) {
    const auto before = table.columns.size();
    const auto is = [&](const BenchColumn& known) { return known.name == column.name; };
    places.push_back(findOrAdd(table.columns, is, column));
    if (table.columns.size() > before)
      for (auto& row : table.rows) row.resize(table.columns.size());
  }
  for (const auto& cells : from.rows) {
    std::vector<BenchCell> row(table.columns.size());
    row.front() = wordsCell(name);
    for (std::size_t i = 0; i < cells.size(); ++i) row[places[i]] = cells[i];
    table.rows.push_back(std::move(row));
  }
}

void addTables(BenchResults& all, const NamedBenchResults& one, const std::string& heading) {
  for (const BenchTable& from : one.results.tables) {
    const auto is = [&](const BenchTable& known) { return known.title == from.title; };
    const std::size_t place = findOrAdd(all.tables, is, {from.title, {{heading, heading}}, {}});
    addRows(all.tables[place], from, one.name);
  }
}

void addSeries(BenchChart& chart, const BenchChart& from, const std::string& name) {
  std::vector<std::size_t> places;
  for (const std::string& place : from.places)
    places.push_back(findOrAdd(
        chart.places, [&](const std::string& known) { return known == place; }, place));
  for (const BenchChart::Series& series : from.series) {
    const std::string title = from.series.size() == 1 ? name : name + ": " + series.name;
    BenchChart::Series& added =
        chart.series.emplace_back(BenchChart::Series{title, std::vector<std::optional<Summary>>()});
    added.values.resize(chart.places.size());
    for (std::size_t i = 0; i < series.values.size(); ++i) added.values[places[i]] = series.values[i];
  }
  for (BenchChart::Series& series : chart.series) series.values.resize(chart.places.size());
}

void addCharts(BenchResults& all, const NamedBenchResults& one) {
  for (const BenchChart& from : one.results.charts) {
    BenchChart empty = from;
    empty.places.clear();
    empty.series.clear();
    const auto is = [&](const BenchChart& known) { return known.figure == from.figure; };
    addSeries(all.charts[findOrAdd(all.charts, is, empty)], from, one.name);
  }
}

}  // namespace

BenchResults compareBenchResults(const std::vector<NamedBenchResults>& all, const prose::Language& language) {
  if (all.size() == 1) return all.front().results;
  BenchResults together = all.front().results;
  together.tables.clear();
  together.charts.clear();
  together.remarks.clear();
  together.roofRuns.clear();
  const std::string heading = language.translate("result", -1);
  for (const NamedBenchResults& one : all) {
    addTables(together, one, heading);
    addCharts(together, one);
    for (const std::string& remark : one.results.remarks)
      together.remarks.push_back(one.name + ": " + remark);
    for (const BenchRoofRun& run : one.results.roofRuns)
      together.roofRuns.push_back({one.name + ": " + run.title, run.roof, run.forward});
  }
  return together;
}

}  // namespace vitrine
