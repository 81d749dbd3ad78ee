// vitrine --bench-window: measures a real window with all its panels over a real engine: cold start, step to
// paint, the frames' work under load, scrubbing, memory. It judges nothing: times differ between machines.
//
//   cold start   from the start of the process (to 10 ms) to the first frame, and to the first one with the
//                built-in model's requests staged, when Step works
//   step         from the command to the frame that shows the step, with the built-in model
//   frames       work of the window's thread (frame_meter.h): while the built-in model runs at full speed;
//                while the events of that run come again at `eventsPerSecond`; with a pool of `blocks`, under
//                a tiny random model
//   views        the same with each view of the stage open, while the built-in model runs 64 drafting
//                requests and a beam search of width 16 at full speed
//   attention    from the command to the map of a context of a thousand tokens
//   scrub        from a jump to a random step to the frame that shows it: of a recording of `steps`, and of
//                the run with a pool of `blocks`
//   resume       from the middle of that recording, from the command to the branch with its past
//   memory       resident, after the cold start and at the end
//
// Thread: the window's. Read next: frame_meter.h.
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "vitrine/options.h"

namespace vitrine {

struct BenchWindowOptions {
  double seconds = 4;  // of each measurement under load
  int presses = 50;    // of Step
  int eventsPerSecond = 20000;
  int blocks = 16384, steps = 20000, jumps = 200;
  std::optional<Device> device;  // that everything is computed on, the built-in model and the runs
  int patienceMs = 300'000;      // for each part
  std::function<void(const QString&)> progress;  // hears what is measured next
};

struct BenchFigure {
  QString key;    // in JSON: "scrub_ms"
  QString words;  // in the table
  QString unit;
  std::vector<double> values;  // one, or many of which the percentiles are told
};

// Figures that were measured, as a table for people and as JSON. Thread: any.
class BenchReport {
 public:
  void add(BenchFigure figure) { m_figures.push_back(std::move(figure)); }
  const std::vector<BenchFigure>& figures() const { return m_figures; }

  // A line each: p50, p95, max and how many there are; of a single value only the value.
  QString table() const;
  // {"scrub_ms": {"p50", "p95", "max", "count"}, "resident_start_mib": 123.4, ...}
  QByteArray json() const;

 private:
  std::vector<BenchFigure> m_figures;
};

// Requires a QApplication without a main window, and settings of its own, since the window changes them.
// Throws EngineError when a file cannot be written or a part takes longer than the patience.
BenchReport benchWindow(const BenchWindowOptions& options = {});

}  // namespace vitrine
