#include "bench_results/bench_describer.h"

#include <algorithm>

namespace vitrine {
namespace {

void replace(std::string& text, const std::string& mark, const std::string& value) {
  if (const std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), value);
}

}  // namespace

BenchDescriber::String BenchDescriber::filled(const char* text, std::initializer_list<String> values) const {
  String translated = tr(text);
  int number = 0;
  for (const String& value : values) replace(translated, "%" + std::to_string(++number), value);
  return translated;
}

// English as it stands has one plural rule (vitrine/prose/language.h).
BenchDescriber::String BenchDescriber::tr(const char* text, std::nullptr_t, int count) const {
  String translated = m_language.translate(text, count);
  replace(translated, "%n", m_language.number(count));
  replace(translated, "(s)", count == 1 ? "" : "s");
  return translated;
}

BenchTable& BenchDescriber::addTable(const String& title, std::vector<BenchColumn> columns) {
  return m_results.tables.emplace_back(BenchTable{title, std::move(columns), {}});
}

BenchChart& BenchDescriber::addChart(BenchChart chart) {
  return m_results.charts.emplace_back(std::move(chart));
}

void BenchDescriber::addPlace(const String& place, const ChartValues& values) {
  for (std::size_t i = 0; i < m_results.charts.size(); ++i) {
    BenchChart& chart = m_results.charts[i];
    chart.places.push_back(place);
    for (std::size_t one = 0; one < chart.series.size(); ++one)
      chart.series[one].values.push_back(values[i][one]);
  }
}

void BenchDescriber::addDevicePeaks(BenchTable& table, const std::vector<BenchFields>& runs) const {
  constexpr const char* kField = "device_peak_bytes";
  if (std::ranges::none_of(runs, [](const BenchFields& run) { return run.has(kField); })) return;
  table.columns.push_back({tr("GPU MiB"), tr("peak memory of the GPU, MiB")});
  for (std::vector<BenchCell>& row : table.rows) row.push_back(emptyCell());
  auto row = table.rows.end() - static_cast<std::ptrdiff_t>(runs.size());
  for (const BenchFields& run : runs) (row++)->back() = cellOf(run.maybeNumber(kField), mibCell);
}

BenchCell BenchDescriber::percentileOf(const std::optional<BenchFields>& values, const char* percentile) {
  return values ? cellOf(values->measured(percentile), numberCell) : notMeasured();
}

void BenchDescriber::addSetting(const char* key, const char* text) {
  if (m_fields.has(key)) m_results.settings.push_back(tr(text, rounded(m_fields.number(key))));
}

}  // namespace vitrine
