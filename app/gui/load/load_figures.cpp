#include "gui/load/load_figures.h"

namespace vitrine {

namespace {

// Long enough that a figure does not jump from one second to the next.
constexpr double kRatesOver = 10, kHitsOver = 60;  // seconds

bool isSameStart(const connect::EngineLoad& before, const connect::EngineLoad& after) {
  return before.kind == after.kind && before.promptTokens.value_or(0) <= after.promptTokens.value_or(0) &&
         before.generatedTokens.value_or(0) <= after.generatedTokens.value_or(0);
}

// Up to the moment `last`, and back to a start of the engine at most.
connect::LoadRates ratesOver(double seconds, const connect::LoadHistory& history, std::size_t last) {
  const auto& moments = history.moments();
  std::size_t first = last;
  while (first > 0 && moments[last].seconds - moments[first - 1].seconds <= seconds &&
         isSameStart(moments[first - 1].load, moments[first].load))
    --first;
  return connect::ratesBetween(moments[first].load, moments[last].load,
                               moments[last].seconds - moments[first].seconds);
}

}  // namespace

LoadFigures loadFigures(const connect::LoadHistory& history, std::size_t moment) {
  const connect::EngineLoad& load = history.moments()[moment].load;
  const connect::LoadRates rates = ratesOver(kRatesOver, history, moment);
  LoadFigures figures{load.running, load.waiting, load.cacheShare, {}, {}, {}, load.preemptions};
  // The counters say it of the same time for every server. An older engine has its own figure alone.
  figures.hitShare = load.queriedTokens && load.hitTokens ? ratesOver(kHitsOver, history, moment).hitShare
                                                          : load.saidHitShare;
  // SGLang counts tokens when their request ends, and says itself how many it generates.
  figures.generatedPerSecond =
      load.saidTokensPerSecond ? load.saidTokensPerSecond : rates.generatedTokensPerSecond;
  figures.promptPerSecond = rates.promptTokensPerSecond;
  return figures;
}

}  // namespace vitrine
