// bench_markdown [MEGABYTES]: what an update of a rendered message costs, layout included, in milliseconds of
// this thread's processor time: answers of 100,000 characters, one without maths and one with much of it,
// that stream in parts of 40 bytes and come at once, then texts made to explode, of one megabyte each unless
// told otherwise (0: without them), in parts of 4 KiB and at once. Run with QT_QPA_PLATFORM=offscreen. Not a
// test: it compares no times.
#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QTextDocument>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "markdown/texts.h"
#include "widgets/markdown/markdown_text.h"
#include "widgets/markdown/maths_object.h"

namespace {

using namespace vitrine;

double nowMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Costs {
  std::vector<double> updates, layouts;

  static double part(std::vector<double> times, std::size_t percent) {
    std::ranges::sort(times);
    return times.empty() ? 0 : times[std::min(times.size() - 1, times.size() * percent / 100)];
  }
  void print(const char* name, const char* way) const {
    double sum = 0;
    std::vector<double> both;
    for (std::size_t i = 0; i < updates.size(); ++i)
      both.push_back(updates[i] + layouts[i]), sum += both.back();
    std::printf("%-34s %-8s %6zu updates  p50 %7.3f  p95 %7.3f  max %7.2f (layout %6.2f)  sum %9.1f ms\n",
                name, way, updates.size(), part(both, 50), part(both, 95), part(both, 100),
                part(layouts, 100), sum);
    std::fflush(stdout);
  }
};

// Parts of `part` bytes; each is updated until nothing is left, as frames would.
Costs measure(const std::string& source, std::size_t part) {
  QTextDocument document;
  document.setTextWidth(760);
  MathsObject::install(document);
  MarkdownText text(&document);
  text.setLook(MarkdownLook::of(Theme(QApplication::palette())));
  Costs costs;
  for (std::size_t at = 0; at < source.size(); at += part) {
    text.append(std::string_view(source).substr(at, part));
    text.setEnded(at + part >= source.size());
    for (bool more = true; more;) {
      const double begin = nowMs();
      more = text.update();
      const double updated = nowMs();
      document.documentLayout()->documentSize();
      costs.updates.push_back(updated - begin);
      costs.layouts.push_back(nowMs() - updated);
    }
  }
  return costs;
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 1;
  const std::string answer = test::longAnswer();
  measure(answer, answer.size());  // the languages' files are read
  for (const auto& [name, text] : {std::pair("an answer without maths", answer),
                                   std::pair("an answer with much maths", test::mathsAnswer())}) {
    measure(text, 40).print(name, "streamed");
    measure(text, text.size()).print(name, "at once");
  }
  if (megabytes <= 0) return 0;
  for (const auto& [name, text] : test::hostileTexts(static_cast<std::size_t>(megabytes * 1e6))) {
    measure(text, 4096).print(name, "streamed");
    measure(text, text.size()).print(name, "at once");
  }
  const std::string line = test::repeated("word ", static_cast<std::size_t>(megabytes * 1e7));
  measure(line, line.size()).print("a line ten times as long", "at once");
}
