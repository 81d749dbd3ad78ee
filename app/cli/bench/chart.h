// Chart: a small picture of a benchmark: bars or lines with the spread of what was measured.
//
// Written as SVG by ourselves, or as PNG through cairo where the build found it. Colours: Okabe and Ito's
// eight.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "bench/canvas.h"
#include "bench_results/bench_results.h"

namespace vitrine::cli {

// Throws UsageError for another ending than .svg and .png, EngineError(kUnavailable) for a PNG without cairo,
// EngineError(kIo) for a place that cannot be written to: asked before anything is measured.
void requirePlottable(const std::filesystem::path& file);
void writeChart(const BenchChart& chart, const std::filesystem::path& file);  // throws EngineError(kIo)

// A picture of another kind, in pixels.
struct Picture {
  int width = 0, height = 0;
  std::function<void(Canvas&)> draw;
};
void writePicture(const Picture& picture, const std::filesystem::path& file);  // throws EngineError(kIo)

}  // namespace vitrine::cli
