// The runs over which `vitrine --bench-window` measures, as scenarios. Thread: any. Read next:
// bench_window.h.
#pragma once

#include <QByteArray>

namespace vitrine {

// Sixteen requests at any time, in a pool of so many blocks, until `steps` steps are done; for a tiny random
// model.
QByteArray poolRun(int blocks, int steps);
// 64 requests that draft and a beam search of width 16 at any time, for the built-in model, for a minute or
// more.
inline constexpr int kCrowdBlocks = 8192;
QByteArray crowdRun();
// One request whose prompt has as many tokens as the built-in model's context, but for its answer.
inline constexpr int kLongBlocks = 128, kLongPrompt = 1016;
QByteArray longRun();

}  // namespace vitrine
