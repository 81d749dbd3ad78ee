// BenchReport: figures that were measured, as a table for people and as JSON. Thread: any.
#pragma once

#include <QString>
#include <vector>

namespace vitrine {

struct BenchFigure {
  QString key;    // in JSON: "scrub_ms"
  QString words;  // in the table
  QString unit;
  std::vector<double> values;  // one, or many of which the percentiles are told
};

class BenchReport {
 public:
  void add(BenchFigure figure) { m_figures.push_back(std::move(figure)); }
  const std::vector<BenchFigure>& figures() const { return m_figures; }

  // A line each: p50, p95, max and how many there are; of a single value only the value.
  QString table() const;
  // {"scrub_ms": {"p50", "p95", "max", "count"}, "resident_start_mib": 123.4, ...}
  QByteArray json() const;

 private:
  std::vector<BenchFigure> m_figures;
};

}  // namespace vitrine
