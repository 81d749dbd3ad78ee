// The words of a comparison of two runs: figures, their values with units, and the verdict on the answers.
//
// Thread: any; pure functions. Read next: ../run_contrast.h.
#pragma once

#include <string>
#include <vector>

#include "vitrine/prose/language.h"
#include "vitrine/run_contrast.h"

namespace vitrine::prose {

std::string contrastName(ContrastFigure figure, const Language& language = english());  // "steps to the end"
// One sentence for a tip: what the figure counts.
std::string contrastHelp(ContrastFigure figure, const Language& language = english());
// With its unit: "97", "2.1 ms", "1.2 MiB", "63.0 %"; "–" for a figure that is not known.
std::string contrastValue(ContrastFigure figure, std::optional<double> value,
                          const Language& language = english());
// "0.84": other : one; empty where there is none.
std::string contrastRatio(std::optional<double> ratio, const Language& language = english());

// "All 220 tokens are the same.", "Same so far: 120 tokens.", "R2 differs from its token 14 on."
std::string answersVerdict(const SameAnswers& answers, const Language& language = english());
// "First difference: step 13"; "No step is scheduled differently." without one.
std::string firstDifferenceText(std::optional<int> step, const Language& language = english());

// "preemption: recompute → swap"; several with a comma between them, "no option differs" for none.
std::string changesText(const std::vector<OptionChange>& changes, const Language& language = english());

}  // namespace vitrine::prose
