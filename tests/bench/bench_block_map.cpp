// bench_block_map [BLOCKS]: what a step and a frame of the block map cost, in milliseconds of this thread's
// processor time: the median, the 95th percentile and the most. 16,384 blocks without an argument. Run with
// QT_QPA_PLATFORM=offscreen. Not a test: it compares no times.
#include <QApplication>
#include <QScrollBar>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

#include "support/word_machine.h"
#include "widgets/memory/block_map_view.h"

namespace {

using namespace vitrine;

// Of the thread alone: other programs that keep the processors busy do not count.
double nowMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double msOf(const std::function<void()>& work) {
  const double begin = nowMs();
  work();
  return nowMs() - begin;
}

class TimedModel : public BlockMapModel {
 public:
  using BlockMapModel::BlockMapModel;
  double lastMs() const { return m_ms; }

 protected:
  void refresh() override {
    m_ms = msOf([this] { BlockMapModel::refresh(); });
  }

 private:
  double m_ms = 0;
};

void print(const char* what, std::vector<double> times) {
  std::ranges::sort(times);
  if (times.empty()) return;
  std::printf("%-46s median %7.3f  p95 %7.3f  most %7.3f ms\n", what, times[times.size() / 2],
              times[times.size() * 95 / 100], times.back());
}

struct Run {
  test::WordMachine machine;
  Session session;
  TimedModel blocks{&session};
  BlockMapView view{&blocks};

  static SchedulerOptions pool(int numBlocks) {
    SchedulerOptions options;
    options.numBlocks = numBlocks;
    options.maxSequences = 64;
    options.tokenBudget = 8192;
    return options;
  }
  // 64 sequences, some with common beginnings; all of them decode.
  explicit Run(int numBlocks) : machine(pool(numBlocks)) {
    for (int i = 0; i < 64; ++i) machine.submit("request", numBlocks / 4, 2000, i);
    for (int i = 0; i < 80; ++i) machine.step();
    session.append(machine.take());
  }
  void measure(const char* name, QSize size, bool fit) {
    view.resize(size);
    view.show();
    if (fit) view.fit();
    QApplication::processEvents();
    std::vector<double> anew, quiet, models, frames, scrolls, jumps;
    for (int i = 0; i < 12; ++i) {
      view.resize(size + QSize(0, i % 2));
      anew.push_back(msOf([&] { view.viewport()->repaint(); }));
    }
    for (int i = 0; i < 200; ++i) {
      quiet.push_back(msOf([&] { view.viewport()->repaint(); }));
      if (!machine.step()) break;
      session.append(machine.take());
      models.push_back(blocks.lastMs());
      frames.push_back(msOf([&] { view.viewport()->repaint(); }));
    }
    for (int i = 0; i < 60 && view.verticalScrollBar()->maximum() > 0; ++i) {
      view.verticalScrollBar()->setValue(i * 40);
      scrolls.push_back(msOf([&] { view.viewport()->repaint(); }));
    }
    for (int i = 0; i < 20; ++i) {
      session.goToStep(session.lastStep() - 2 - i * 3);
      jumps.push_back(blocks.lastMs());
      jumps.back() += msOf([&] { view.viewport()->repaint(); });
    }
    session.goLive();
    std::printf("%s, %d of %d blocks in use, cells of %d pixels\n", name, blocks.counts().used,
                blocks.rowCount(), view.cellRect(0).height());
    print("  a step: the model", models);
    print("  a step: the frame after it", frames);
    print("  a frame on which nothing changed", quiet);
    print("  scrolled by 40 pixels", scrolls);
    print("  a jump to another step: model and frame", jumps);
    print("  all painted anew", anew);
  }
};

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  Run run(argc > 1 ? std::max(64, std::atoi(argv[1])) : 16384);
  run.measure("900 x 500", {900, 500}, false);
  run.measure("900 x 500, the whole pool in sight", {900, 500}, true);
  run.measure("1800 x 900, the whole pool in sight", {1800, 900}, true);
}
