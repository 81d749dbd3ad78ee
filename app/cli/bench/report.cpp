#include "bench/report.h"

#include <algorithm>

#include "bench/chart.h"
#include "bench/roofline_plot.h"
#include "output.h"

namespace vitrine::cli {
namespace {

using Line = std::vector<std::string>;

std::vector<Line> linesOf(const BenchTable& table) {
  std::vector<Line> lines(1);
  for (const BenchColumn& column : table.columns) lines[0].push_back(column.heading);
  for (const auto& row : table.rows) {
    Line& line = lines.emplace_back();
    for (const BenchCell& cell : row) line.push_back(cell.text);
  }
  return lines;
}

// Letters, not bytes: "µs" takes two columns.
std::size_t lettersIn(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

// The columns as wide as they need to be; numbers to the right.
void printTable(const BenchTable& table) {
  const std::vector<Line> lines = linesOf(table);
  std::vector<std::size_t> widths(table.columns.size());
  for (const Line& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], lettersIn(line[i]));
  for (const Line& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string gap(widths[i] - lettersIn(line[i]), ' ');
      text += (i == 0 ? line[i] + gap : "  " + gap + line[i]);
    }
    printText(text + "\n");
  }
}

}  // namespace

void printResults(const BenchResults& results) {
  for (std::size_t i = 0; i < results.tables.size(); ++i) {
    if (i > 0) print("\n");
    printTable(results.tables[i]);
  }
  for (const std::string& remark : results.remarks) print("%s\n", remark.c_str());
}

void plotResults(const BenchResults& results, const std::filesystem::path& file) {
  if (results.roofRuns.empty())
    writeChart(results.charts.front(), file);
  else
    writePicture(rooflinePicture(results.model + " · " + results.device, results.roofRuns), file);
}

}  // namespace vitrine::cli
