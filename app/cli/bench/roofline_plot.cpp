#include "bench/roofline_plot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/label_places.h"
#include "vitrine/prose/words.h"

namespace vitrine::cli {
namespace {

constexpr int kPanelWidth = 640, kPanelHeight = 600, kTitleHeight = 56;
constexpr Colour kInk{30, 30, 30}, kSoft{90, 90, 90}, kGrid{226, 226, 226}, kLower{150, 150, 150};
constexpr Colour kMatrix{86, 180, 233}, kAttention{0, 158, 115}, kRest{230, 159, 0};

struct Mark {
  std::string name;
  Operation operation = Operation::kOther;
  double share = 0;
  RoofPlace place;
};

Colour colourOf(Operation operation) {
  switch (operation) {
    case Operation::kQkv:
    case Operation::kOutput:
    case Operation::kGateUp:
    case Operation::kDown:
    case Operation::kHead:
      return kMatrix;
    case Operation::kAttention:
      return kAttention;
    default:
      return kRest;
  }
}

std::string percent(double share) {
  return rounded(share < 0.1 ? std::round(share * 1000) / 10 : std::round(share * 100)) + " %";
}

// The largest share first.
std::vector<Mark> marksOf(const MachineRoof& roof, const ForwardMeasured& forward) {
  double sum = 0;
  for (const OperationCost& cost : forward.operations) sum += static_cast<double>(cost.ns);
  std::vector<Mark> marks;
  for (const OperationCost& cost : forward.operations)
    if (cost.ns > 0)
      marks.push_back({prose::operationName(cost.operation), cost.operation,
                       static_cast<double>(cost.ns) / sum, placeUnder(roof, cost, forward)});
  std::ranges::stable_sort(marks, std::ranges::greater(), &Mark::share);
  return marks;
}

double highestGbps(const MachineRoof& roof) {
  return std::ranges::max(roof.readings, {}, &RoofReading::gbps).gbps;
}

struct LogarithmicAxis {
  double from, to;     // pixels
  double least, most;  // values

  double operator()(double value) const {
    return from + (to - from) * std::log10(value / least) / std::log10(most / least);
  }
  std::vector<double> decades() const {
    std::vector<double> values;
    for (double value = std::pow(10, std::ceil(std::log10(least))); value <= most; value *= 10)
      values.push_back(value);
    return values;
  }
};

class Panel {
 public:
  Panel(Canvas& canvas, Point corner, const BenchRoofRun& run)
      : m_canvas(canvas),
        m_corner(corner),
        m_roof(run.roof),
        m_deciding(streamLine(run.roof, run.forward)),
        m_panel(run),
        m_marks(marksOf(run.roof, run.forward)),
        m_area{corner.x + 70, corner.y + 44, corner.x + kPanelWidth - 24, corner.y + 440},
        m_labels(m_area) {
    double leastX = ridge(), mostX = ridge(), leastY = m_highest;
    for (const Mark& mark : m_marks) {
      if (!isUnderRoof(mark)) continue;
      leastX = std::min(leastX, mark.place.intensity);
      mostX = std::max(mostX, mark.place.intensity);
      leastY = std::min(leastY, mark.place.gflops);
    }
    for (const RoofCeiling& ceiling : m_roof.ceilings()) leastY = std::min(leastY, ceiling.gflops);
    leastX =
        std::min(leastX / 3, m_highest / highestGbps(m_roof) / 10);  // every slope has room for its words
    m_x = {m_area.left, m_area.right, leastX, mostX * 4};
    m_y = {m_area.bottom, m_area.top, leastY / 3, m_highest * 2};
  }

  void draw() {
    drawFrame();
    drawRoofs();
    drawMarks();
    drawShares();
  }

 private:
  double ridge() const { return m_highest / std::min(m_roof.memoryGbps(), m_deciding.gbps); }
  static bool isUnderRoof(const Mark& mark) { return mark.place.intensity > 0 && mark.place.gflops > 0; }
  Point at(double x, double y) const { return {m_x(x), m_y(y)}; }

  void drawFrame() {
    const std::string whole = prose::duration(m_panel.forward.ns) + " a forward";
    m_canvas.text({m_corner.x + 16, m_corner.y + 24}, m_panel.title, {17, Anchor::kStart, 0, kInk});
    m_canvas.text({m_area.right, m_corner.y + 24}, whole, {15, Anchor::kEnd, 0, kSoft});
    for (const double x : m_x.decades()) {
      m_canvas.line({m_x(x), m_area.top}, {m_x(x), m_area.bottom}, kGrid, 1);
      m_canvas.text({m_x(x), m_area.bottom + 17}, rounded(x), {12, Anchor::kMiddle, 0, kSoft});
    }
    for (const double y : m_y.decades()) {
      m_canvas.line({m_area.left, m_y(y)}, {m_area.right, m_y(y)}, kGrid, 1);
      m_canvas.text({m_area.left - 7, m_y(y) + 4}, rounded(y), {12, Anchor::kEnd, 0, kSoft});
    }
    m_canvas.text({(m_area.left + m_area.right) / 2, m_area.bottom + 36},
                  "floating-point operations for each byte", {13, Anchor::kMiddle, 0, kSoft});
    m_canvas.text({m_corner.x + 22, (m_area.top + m_area.bottom) / 2}, "GFLOP/s",
                  {13, Anchor::kMiddle, 90, kSoft});
  }

  // A slope for the memory and for each cache, and each peak where it begins first.
  void drawRoofs() {
    for (const RoofCeiling& ceiling : m_roof.ceilings()) drawPeak(ceiling);
    double up = kAbove;
    for (const RoofLine& other : m_roof.othersThan(m_deciding.gbps)) {
      drawSlope(other, {kLower, up});
      up = up == kAbove ? kBelow : kAbove;
    }
    drawSlope(m_deciding, {kInk, kAbove});
  }

  static double radiusOf(const Mark& mark) {
    constexpr double kRadiusOfAll = 46, kLeastRadius = 3;
    return std::max(kLeastRadius, kRadiusOfAll * std::sqrt(mark.share));
  }

  // Where there are several, each says whose it is: the highest above its line, the others below theirs, at
  // the right where no disc is.
  void drawPeak(const RoofCeiling& ceiling) {
    const double fromX = ceiling.gflops / std::max(highestGbps(m_roof), m_deciding.gbps);
    const Point left = at(std::max(fromX, m_x.least), ceiling.gflops), right = at(m_x.most, ceiling.gflops);
    std::string words = rounded(std::round(ceiling.gflops)) + " GFLOP/s";
    if (!m_roof.products.empty()) words += ", " + prose::roofPeak(ceiling.peak);
    const double width = widthOf(words, 13), top = ceiling.gflops < m_highest ? right.y : right.y - 22;
    m_canvas.line(left, right, kInk, 2);
    m_labels.avoidLine(left, right);
    const auto isFree = [&](double end) {
      for (double on = end - width; on <= end; on += 4)
        if (isOnDisc({on, top + 11})) return false;
      return true;
    };
    double end = right.x - 4;
    while (!isFree(end) && end - width > left.x + 10) end -= 10;
    if (!isFree(end)) end = right.x - 4;
    m_canvas.text({end, top + 15}, words, {13, Anchor::kEnd, 0, kInk});
    m_labels.avoid({end - width - 4, top, end + 4, top + 22});
    for (double on = end - width; on <= end; on += 4) m_words.push_back({on, top + 11});
  }

  static constexpr double kAbove = 6, kBelow = -15;
  struct SlopeStyle {
    Colour colour;
    double wordsUp;  // pixels from the line to the words' base line
  };

  // Its words stand along it, where no disc is and no other line's words are.
  void drawSlope(const RoofLine& line, const SlopeStyle& style) {
    const double gbps = line.gbps;
    const std::string words = prose::roofLine(line);
    const double lowX = std::max(m_x.least, m_y.least / gbps);
    const Point low = at(lowX, lowX * gbps), high = at(m_highest / gbps, m_highest);
    m_canvas.line(low, high, style.colour, 2);
    m_labels.avoidLine(low, high);
    const double angle = std::atan2(low.y - high.y, high.x - low.x), width = widthOf(words, 12);
    const double spare = std::hypot(high.x - low.x, high.y - low.y) - width - 14;
    const auto point = [&](double forward, double up) {
      return Point{low.x + forward * std::cos(angle) - up * std::sin(angle),
                   low.y - forward * std::sin(angle) - up * std::cos(angle)};
    };
    const auto isFree = [&](double along) {
      for (double on = along; on <= along + width; on += 4)
        if (isOnDisc(point(on, style.wordsUp + 5)) || isOnWords(point(on, style.wordsUp + 5))) return false;
      return true;
    };
    for (double along = 14; along < spare; along += 10) {
      if (!isFree(along)) continue;
      m_canvas.text(point(along, style.wordsUp), words,
                    {12, Anchor::kStart, angle * 180 / std::numbers::pi, kSoft});
      for (double on = along; on <= along + width; on += 4) m_words.push_back(point(on, style.wordsUp + 5));
      return m_labels.avoidLine(point(along, style.wordsUp + 5), point(along + width, style.wordsUp + 5));
    }
  }

  bool isOnDisc(Point point) const {
    return std::ranges::any_of(m_marks, [&](const Mark& mark) {
      if (!isUnderRoof(mark)) return false;
      const Point centre = at(mark.place.intensity, mark.place.gflops);
      return std::hypot(point.x - centre.x, point.y - centre.y) < radiusOf(mark) + 8;
    });
  }

  bool isOnWords(Point point) const {
    constexpr double kLineHeight = 14;
    return std::ranges::any_of(
        m_words, [&](Point other) { return std::hypot(point.x - other.x, point.y - other.y) < kLineHeight; });
  }

  // Discs first, the largest below, so that every label knows of all.
  void drawMarks() {
    constexpr double kSize = 13;
    std::vector<const Mark*> shown;
    for (const Mark& mark : m_marks)
      if (isUnderRoof(mark)) shown.push_back(&mark);
    for (const Mark* mark : shown) {
      const Point centre = at(mark->place.intensity, mark->place.gflops);
      const double radius = radiusOf(*mark);
      m_canvas.disc(centre, radius, colourOf(mark->operation));
      m_labels.avoid({centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius});
    }
    for (const Mark* mark : shown) {
      const Point centre = at(mark->place.intensity, mark->place.gflops);
      const LabelPlace place = m_labels.place(centre, radiusOf(*mark), mark->name, kSize);
      const bool isCovered =
          std::ranges::count_if(shown, [&](const Mark* other) {
            const Point there = at(other->place.intensity, other->place.gflops);
            return std::hypot(there.x - centre.x, there.y - centre.y) < radiusOf(*mark) + radiusOf(*other);
          }) > 1;
      if (place.isApart || isCovered) drawLeader(centre, place.box);
      m_canvas.text(place.start, mark->name, {kSize, Anchor::kStart, 0, kInk});
    }
  }

  // From the disc's centre to the nearest point of the label.
  void drawLeader(Point centre, const Box& box) {
    m_canvas.disc(centre, 1.5, kInk);
    m_canvas.line(centre,
                  {std::clamp(centre.x, box.left, box.right), std::clamp(centre.y, box.top, box.bottom)},
                  kSoft, 0.8);
  }

  // Names stand in their parts of the bar; those that do not fit, below it.
  void drawShares() {
    const double left = m_corner.x + 16, width = m_area.right - left, top = m_area.bottom + 56, height = 26;
    double x = left;
    std::vector<std::string> lines = {
        "A disc's area: its share of the time. On a line it is as fast as the "
        "machine allows.",
        ""};
    for (const Mark& mark : m_marks) {
      const double part = mark.share * width;
      m_canvas.box({x, top}, std::max(part - 1.5, 0.5), height, colourOf(mark.operation));
      const std::string both = mark.name + " " + percent(mark.share);
      x += part;
      if (mark.share < 0.0005) continue;  // "0 %"
      if (widthOf(both, 13) + 4 < part)
        m_canvas.text({x - part / 2, top + 18}, both, {13, Anchor::kMiddle, 0, kInk});
      else if (widthOf(lines.back() + " · " + both, 12) < width)
        lines.back() += (lines.back().empty() ? "" : " · ") + both;
      else
        lines.push_back(both);
    }
    for (std::size_t i = 0; i < lines.size(); ++i)
      m_canvas.text({left, top + height + 20 + 18 * static_cast<double>(i)}, lines[i],
                    {12, Anchor::kStart, 0, kSoft});
  }

  Canvas& m_canvas;
  const Point m_corner;
  const MachineRoof& m_roof;
  const double m_highest = m_roof.highestGflops();
  const RoofLine m_deciding;  // of the weights and KV
  const BenchRoofRun& m_panel;
  const std::vector<Mark> m_marks;
  const Box m_area;
  LabelPlaces m_labels;
  std::vector<Point> m_words;  // of the slopes, along their middle
  LogarithmicAxis m_x{}, m_y{};
};

}  // namespace

Picture rooflinePicture(const std::string& title, const std::vector<BenchRoofRun>& runs) {
  const int count = static_cast<int>(runs.size()), columns = count == 3 ? 3 : std::min(count, 2),
            rows = (count + columns - 1) / columns;
  const int width = columns * kPanelWidth, height = kTitleHeight + rows * kPanelHeight;
  return {width, height, [=](Canvas& canvas) {
            canvas.text({width / 2.0, 34}, title, {19, Anchor::kMiddle, 0, kInk});
            for (int i = 0; i < count; ++i)
              Panel(canvas,
                    {static_cast<double>(i % columns * kPanelWidth),
                     static_cast<double>(kTitleHeight + i / columns * kPanelHeight)},
                    runs[static_cast<std::size_t>(i)])
                  .draw();
          }};
}

}  // namespace vitrine::cli
