// MetricsColumn: what a column of MetricsModel shows of a row, as a text for people and as a plain number for
// a spreadsheet. Thread: any.
#pragma once

#include <QString>
#include <QVariant>
#include <span>

#include "widgets/plots/metrics_row.h"

namespace vitrine {

struct MetricsColumn {
  const char* title;                    // for tr() of MetricsModel; %1: StepRate::kSteps
  const char* unit;                     // of the plain number: "ms", "%"; empty for a count
  double (*number)(const MetricsRow&);  // in that unit; NaN: nothing yet
  QString (*text)(const MetricsRow&);   // null: the number itself
};

std::span<const MetricsColumn> metricsColumns();
QString titleOf(const MetricsColumn& column);       // "TTFT p50"
QString plainTitleOf(const MetricsColumn& column);  // "TTFT p50 (ms)"

}  // namespace vitrine
