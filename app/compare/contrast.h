// Contrast: what differs between two runs of the same requests, under different options or by another engine.
//
// Pure functions of two tallies, which may both be of runs under way. Thread: that of the tallies. Read next:
// run_tally.h, variation.h, vitrine/run_contrast.h.
#pragma once

#include <optional>
#include <vector>

#include "compare/run_tally.h"
#include "vitrine/run_contrast.h"

namespace vitrine::compare {

// In the order of ContrastFigure. A figure that is zero or not known on both sides is left out.
std::vector<ContrastRow> contrastOf(const RunTally& one, const RunTally& other);
// Nothing: not known, or not yet.
std::optional<double> figureOf(const RunTally& tally, ContrastFigure figure);
// Which of two values is the better one. Measured ones differ by a twentieth at least.
ContrastSide betterOf(ContrastFigure figure, std::optional<double> one, std::optional<double> other);

// An answer that was cancelled, failed or is still written is compared as far as it goes. A request that one
// of the runs lacks is not compared, and leaves the answers incomplete: it may be yet to come.
SameAnswers sameAnswers(const RunTally& one, const RunTally& other);

// The first step, finished in both runs, in which a student sees something else; when both have ended, also
// the first one behind the end of the shorter run. Nothing as long as there is none.
std::optional<int> firstDifference(const RunTally& one, const RunTally& other);

// Whether both runs were asked for the same: names, prompts, sampling and the engine's seed. Of runs under
// way, for the requests that both have.
bool haveSameRequests(const RunTally& one, const RunTally& other);

}  // namespace vitrine::compare
