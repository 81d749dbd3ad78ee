// Chart: a small picture of a benchmark: bars or lines with the spread of what was measured.
//
// Written as SVG by ourselves, or as PNG through cairo where the build found it. Colours: Okabe and Ito's
// eight.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/canvas.h"
#include "bench/summary.h"

namespace vitrine::cli {

struct Chart {
  struct Series {
    std::string name;
    std::vector<Summary> values;  // one for each place on the x axis
  };
  std::string title, xLabel, yLabel;
  std::vector<std::string> places;
  std::vector<Series> series;
  bool lines = false;  // a sweep; otherwise bars
};

// Throws UsageError for another ending than .svg and .png, EngineError(kUnavailable) for a PNG without cairo,
// EngineError(kIo) for a place that cannot be written to: asked before anything is measured.
void requirePlottable(const std::filesystem::path& file);
void writeChart(const Chart& chart, const std::filesystem::path& file);  // throws EngineError(kIo)

// A picture of another kind, in pixels.
struct Picture {
  int width = 0, height = 0;
  std::function<void(Canvas&)> draw;
};
void writePicture(const Picture& picture, const std::filesystem::path& file);  // throws EngineError(kIo)

}  // namespace vitrine::cli
