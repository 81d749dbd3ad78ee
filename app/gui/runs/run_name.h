// RunName: what a run is called in the toolbar, the status line, the list of runs and its file's name. A run
// that goes on from a step of another one, or begins a scenario again, is called by what was changed:
// "Preemption by recompute, with swap". Thread: the window's. Read next: kept_runs.h.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "vitrine/engine.h"

namespace vitrine {

struct RunName {
  int number = 0;    // of this window's runs; 0: no run has begun
  QString origin{};  // "Six blocks", "lecture.vitrine": of the run that began by itself
  std::optional<EngineOptions> originOptions{};
  // It goes on from this step of that run, whose steps it shares; -1: it began by itself.
  int branchStep = -1, branchOf = 0;
  QStringList changes{};   // of the options, against the origin's: "swap", "prefix cache: off"
  bool isChanged = false;  // the options are others than those of the run that it goes on from

  // "Preemption by recompute, with swap"; "..., resumed at step 46" where nothing was changed.
  QString text() const;
  QString title() const;   // "Run 5 · Preemption by recompute, with swap"
  QString shared() const;  // "same as run 4 until step 46"; empty: it shares no step
  QString status() const;  // the text, and what it shares

  // The name of a run that begins again, from the first step, with these options.
  RunName begunAgain(const EngineOptions& options) const;
  // The name of a run that goes on from this one, with the options `to` in place of `from`.
  RunName resumedAt(int step, const EngineOptions& from, const EngineOptions& to) const;
};

// What is told of the options that differ, one text each.
QStringList changedOptionTexts(const EngineOptions& from, const EngineOptions& to);

}  // namespace vitrine
