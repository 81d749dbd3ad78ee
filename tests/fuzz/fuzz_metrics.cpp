// Any bytes as a page of metrics: refused with an EngineError, or samples whose load has only figures that
// can be.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "connect/engine_load.h"
#include "vitrine/error.h"

using namespace vitrine;
using connect::EngineLoad;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const EngineLoad& load) {
  for (const auto figure :
       {&EngineLoad::running, &EngineLoad::waiting, &EngineLoad::cacheShare, &EngineLoad::blocks,
        &EngineLoad::blockTokens, &EngineLoad::cacheTokens, &EngineLoad::saidHitShare,
        &EngineLoad::saidTokensPerSecond, &EngineLoad::promptTokens, &EngineLoad::generatedTokens,
        &EngineLoad::queriedTokens, &EngineLoad::hitTokens, &EngineLoad::preemptions,
        &EngineLoad::finished}) {
    const std::optional<double>& value = load.*figure;
    require(!value || (load.kind && std::isfinite(*value) && *value >= 0));
  }
  require(load.cacheShare.value_or(0) <= 1 && load.saidHitShare.value_or(0) <= 1);
}

}  // namespace

// The first half of the bytes is a page, and all of them are the next one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  connect::LoadHistory history(2);
  double seconds = 0;
  for (const std::string_view page : {text.substr(0, size / 2), text}) {
    try {
      const EngineLoad load = connect::engineLoad(connect::readMetrics(page));
      check(load);
      history.add(++seconds, load);
    } catch (const EngineError&) {
      continue;
    }
  }
  for (const connect::LoadMoment& moment : history.moments()) {
    require(moment.rates.generatedTokensPerSecond.value_or(0) >= 0);
    require(moment.rates.promptTokensPerSecond.value_or(0) >= 0);
    const double share = moment.rates.hitShare.value_or(0);
    require(share >= 0 && share <= 1);
  }
  return 0;
}
