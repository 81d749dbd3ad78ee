#include "bench/chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/json_files.h"
#include "output.h"
#include "vitrine/message_text.h"
#include "vitrine/output_file.h"

namespace vitrine::cli {
namespace {

constexpr int kWidth = 900, kHeight = 540;
constexpr double kLeft = 80, kRight = 870, kTop = 70, kBottom = 450, kLine = 16, kLetter = 7;
constexpr Colour kInk{60, 60, 60}, kGrid{220, 220, 220};
constexpr std::array<Colour, 8> kColours = {Colour{0, 114, 178},   Colour{230, 159, 0},  Colour{0, 158, 115},
                                            Colour{204, 121, 167}, Colour{86, 180, 233}, Colour{213, 94, 0},
                                            Colour{240, 228, 66},  Colour{0, 0, 0}};

// 1, 2 or 5 times a power of ten: about five of them cover the range.
double niceStep(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 5)));
  for (double factor : {1.0, 2.0, 5.0})
    if (range / (power * factor) <= 6) return power * factor;
  return power * 10;
}

double slotWidth(const BenchChart& chart) {
  return (kRight - kLeft) / static_cast<double>(std::max<std::size_t>(1, chart.places.size()));
}

// Long names of places take turns on so many lines.
std::size_t nameLines(const BenchChart& chart) {
  std::size_t longest = 0;
  for (const std::string& place : chart.places) longest = std::max(longest, place.size());
  const double slots = std::ceil(static_cast<double>(longest) * kLetter / slotWidth(chart));
  return static_cast<std::size_t>(std::clamp(slots, 1.0, 8.0));
}

// For lines of names beyond the two that there is room for.
double moreHeight(const BenchChart& chart) {
  return kLine * static_cast<double>(std::max<std::size_t>(nameLines(chart), 2) - 2);
}

class Plotter {
 public:
  Plotter(const BenchChart& chart, Canvas& canvas) : m_chart(chart), m_canvas(canvas) {
    for (const BenchChart::Series& series : chart.series)
      for (const auto& value : series.values)
        if (value) m_most = std::max({m_most, value->max, value->mean});
    if (m_most <= 0) m_most = 1;
    m_step = niceStep(m_most);
    m_most = std::ceil(m_most / m_step) * m_step;
  }

  void draw() {
    drawFrame();
    for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
      drawLegend(i);
      m_chart.lines ? drawLines(i) : drawBars(i);
    }
  }

 private:
  double yOf(double value) const { return kBottom - value / m_most * (kBottom - kTop); }
  double xOf(std::size_t place) const {
    return kLeft + (static_cast<double>(place) + 0.5) * slotWidth(m_chart);
  }
  static Colour colourOf(std::size_t series) { return kColours[series % kColours.size()]; }

  void drawFrame() {
    m_canvas.text({(kLeft + kRight) / 2, 24}, m_chart.title, {17, Anchor::kMiddle});
    for (double value = 0; value <= m_most * 1.0001; value += m_step) {
      m_canvas.line({kLeft, yOf(value)}, {kRight, yOf(value)}, kGrid, 1);
      m_canvas.text({kLeft - 8, yOf(value) + 4}, rounded(value), {12, Anchor::kEnd});
    }
    m_canvas.line({kLeft, kTop}, {kLeft, kBottom}, kInk, 1);
    m_canvas.line({kLeft, kBottom}, {kRight, kBottom}, kInk, 1);
    const std::size_t lines = nameLines(m_chart);
    for (std::size_t i = 0; i < m_chart.places.size(); ++i)
      drawName(m_chart.places[i], {xOf(i), kBottom + 18 + kLine * static_cast<double>(i % lines)});
    m_canvas.text({(kLeft + kRight) / 2, kBottom + 60 + moreHeight(m_chart)}, m_chart.xLabel,
                  {13, Anchor::kMiddle});
    m_canvas.text({22, (kTop + kBottom) / 2}, m_chart.yLabel, {13, Anchor::kMiddle, 90});
  }

  // Below its place, and all of it within the picture.
  void drawName(const std::string& name, Point at) {
    const double half = static_cast<double>(name.size()) * kLetter / 2;
    const double x = std::max(std::min(at.x, kWidth - half), half);
    m_canvas.text({x, at.y}, name, {12, Anchor::kMiddle});
  }

  void drawLegend(std::size_t i) {
    if (m_chart.series.size() < 2) return;
    const double x =
        kLeft + static_cast<double>(i) * (kRight - kLeft) / static_cast<double>(m_chart.series.size());
    m_canvas.box({x, 40}, 12, 12, colourOf(i));
    m_canvas.text({x + 18, 50}, m_chart.series[i].name, {12, Anchor::kStart});
  }

  // From the least to the most that was measured.
  void drawSpread(double x, const Summary& value) {
    if (value.count < 2) return;
    m_canvas.line({x, yOf(value.min)}, {x, yOf(value.max)}, kInk, 1.5);
    for (double end : {value.min, value.max}) m_canvas.line({x - 4, yOf(end)}, {x + 4, yOf(end)}, kInk, 1.5);
  }

  void drawBars(std::size_t i) {
    const double group = slotWidth(m_chart) * 0.8, width = group / static_cast<double>(m_chart.series.size());
    const auto& values = m_chart.series[i].values;
    for (std::size_t place = 0; place < values.size(); ++place) {
      if (!values[place]) continue;
      const double x = xOf(place) - group / 2 + static_cast<double>(i) * width,
                   y = yOf(values[place]->median);
      m_canvas.box({x, y}, width * 0.92, kBottom - y, colourOf(i));
      drawSpread(x + width * 0.46, *values[place]);
    }
  }

  void drawLines(std::size_t i) {
    const auto& values = m_chart.series[i].values;
    for (std::size_t place = 0; place < values.size(); ++place) {
      if (!values[place]) continue;
      const double x = xOf(place), y = yOf(values[place]->median);
      if (place > 0 && values[place - 1])
        m_canvas.line({xOf(place - 1), yOf(values[place - 1]->median)}, {x, y}, colourOf(i), 2.5);
      m_canvas.box({x - 4, y - 4}, 8, 8, colourOf(i));
      drawSpread(x, *values[place]);
    }
  }

  const BenchChart& m_chart;
  Canvas& m_canvas;
  double m_most = 0, m_step = 1;
};

}  // namespace

void requirePlottable(const std::filesystem::path& file) {
  if (file.extension() != ".svg" && file.extension() != ".png")
    throw UsageError("--plot must name a .svg or a .png file, not " + forMessage(file.string()));
  if (file.extension() == ".png" && makePngCanvas(1, 1) == nullptr)
    throw EngineError(ErrorCode::kUnavailable,
                      "this build cannot write PNG pictures: it was made without cairo", "Name a .svg file.");
  const OutputFile probe(file);
}

void writeChart(const BenchChart& chart, const std::filesystem::path& file) {
  const auto height = kHeight + static_cast<int>(moreHeight(chart));
  writePicture({kWidth, height, [&](Canvas& canvas) { Plotter(chart, canvas).draw(); }}, file);
}

void writePicture(const Picture& picture, const std::filesystem::path& file) {
  const auto canvas = file.extension() == ".png" ? makePngCanvas(picture.width, picture.height)
                                                 : makeSvgCanvas(picture.width, picture.height);
  picture.draw(*canvas);
  writeFile(file, canvas->bytes());
}

}  // namespace vitrine::cli
