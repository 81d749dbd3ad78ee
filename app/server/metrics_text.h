// An engine's figures in Prometheus' text format, under vLLM's names. Thread: any, as
// EngineMetrics::figures(). Read next: engine_metrics.h.
#pragma once

#include <string>

#include "server/engine_metrics.h"

namespace vitrine::server {

inline constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";  // Content-Type

// `model`: the label model_name, as /v1/models has it: bytes that are not UTF-8 become U+FFFD.
std::string metricsText(const EngineFigures& figures, const std::string& model);

}  // namespace vitrine::server
