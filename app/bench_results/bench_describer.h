// BenchDescriber: what the describers of all kinds share. Each kind is one file with a class that derives
// from it, and one function that is named in the table of bench_results.cpp.
//
// Each class with texts says VITRINE_PROSE_CONTEXT, as in the engine's prose room, so that lupdate finds
// them. Thread: values. Read next: throughput_result.cpp, the shortest one.
#pragma once

#include <concepts>
#include <initializer_list>

#include "bench_results/bench_fields.h"
#include "bench_results/bench_results.h"

#define VITRINE_PROSE_CONTEXT(context)

namespace vitrine {

struct BenchSource {
  const BenchFields& fields;
  const prose::Language& language;
  BenchResults& results;  // has what all kinds have already; a kind adds its own
};

void describeLatency(const BenchSource& source);
void describeThroughput(const BenchSource& source);
void describeMemory(const BenchSource& source);
void describeAblation(const BenchSource& source);
void describeSpeculative(const BenchSource& source);
void describeQuantization(const BenchSource& source);
void describeRoofline(const BenchSource& source);

class BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  explicit BenchDescriber(const BenchSource& source)
      : m_fields(source.fields), m_language(source.language), m_results(source.results) {}

 protected:
  // lupdate takes a member function that returns std::string for one of a class "std", and loses the context.
  using String = std::string;
  String tr(const char* text) const { return m_language.translate(text, -1); }
  // The values stand in the places of %1, %2, ...
  template <std::convertible_to<String>... Values>
  String tr(const char* text, const String& first, const Values&... others) const {
    return filled(text, {first, others...});
  }
  String tr(const char* text, std::nullptr_t, int count) const;
  BenchCell yesOrNo(bool yes) const { return wordsCell(yes ? tr("yes") : tr("no")); }
  const prose::Language& language() const { return m_language; }

  const BenchFields& fields() const { return m_fields; }
  BenchResults& results() { return m_results; }
  // Of the results. Valid until the next one is added.
  BenchTable& addTable(const String& title, std::vector<BenchColumn> columns);
  BenchChart& addChart(BenchChart chart);
  // A value of each series of each chart at one more place.
  using ChartValues = std::vector<std::vector<std::optional<Summary>>>;
  void addPlace(const String& place, const ChartValues& values);
  // A last column of the table, for the peak of a GPU's memory; nothing where none of the runs tells one.
  // Its last rows are theirs, one for each.
  void addDevicePeaks(BenchTable& table, const std::vector<BenchFields>& runs) const;
  static BenchCell percentileOf(const std::optional<BenchFields>& values, const char* percentile);
  // "setting: number" of a field that is there.
  void addSetting(const char* key, const char* text);

 private:
  String filled(const char* text, std::initializer_list<String> values) const;

  const BenchFields& m_fields;
  const prose::Language& m_language;
  BenchResults& m_results;
};

}  // namespace vitrine
