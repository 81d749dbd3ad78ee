// What a model will need of this machine, said before it is loaded: memory and speed.
//
// Both are simple sums. Memory is weights and KV cache, since all else is small beside them. A token of one
// sequence reads every weight and the whole cache of its context once, and that is what a decoding step waits
// for: so many tokens a second the memory's bandwidth allows at most (the roofline; vitrine/machine_roof.h
// measures it). Thread: any. Read next: found_model.h.
#pragma once

#include <QString>

#include "catalog/found_model.h"
#include "vitrine/options.h"

namespace vitrine {

struct MachineFigures {
  qint64 availableBytes = 0;   // of memory; 0: not known
  double memoryGbps = 0;       // 10^9 bytes a second; 0: not known
  EngineOptions options = {};  // how a model would be opened: where, and in which type
};

enum class ModelFit { kYes, kTight, kNo };

struct ModelEstimate {
  ModelFit fit = ModelFit::kNo;
  QString reason;         // of the answer, one sentence with the numbers
  int contextTokens = 0;  // the one asked for, at most the model's own
  qint64 weightBytes = 0;
  qint64 cacheBytes = 0;           // of one context
  double tokensPerSecond = 0;      // at most, at the beginning of a conversation; 0: not known
  double tokensPerSecondFull = 0;  // at most, when the context is full

  qint64 bytes() const { return weightBytes + cacheBytes; }
};

// `contextTokens` 0: the model's whole context. kNo for a model that does not open, with its reason. Tight:
// it would leave less than a sixth of the available memory to everything else.
ModelEstimate estimateModel(const FoundModel& model, int contextTokens, const MachineFigures& machine);

// MemAvailable of /proc/meminfo, in bytes: what can be had without swapping. 0: not known. The parameter is
// for tests.
qint64 availableMemory(const QString& meminfo = QStringLiteral("/proc/meminfo"));

}  // namespace vitrine
