// An engine's figures in Prometheus' text format, under vLLM's names. Thread: any, as
// EngineMetrics::figures(). Read next: engine_metrics.h.
#pragma once

#include <string>

#include "server/engine_metrics.h"

namespace vitrine::server {

inline constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";  // Content-Type

// `model`: the label model_name, in UTF-8.
std::string metricsText(const EngineFigures& figures, const std::string& model);

}  // namespace vitrine::server
