#include "bench_results/bench_describer.h"

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

void BenchDescriber::addSetting(const char* key, const char* text) {
  if (m_fields.has(key)) m_results.settings.push_back(tr(text, rounded(m_fields.number(key))));
}

}  // namespace vitrine
