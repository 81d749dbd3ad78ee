// InsideOrder, KnownInside: the window asks for a forward to be opened, or to be compared with libtorch's.
// Thread: values; the members of InsideWatch are set and read on any thread. Read next: inside_looker.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "vitrine/inside.h"

namespace vitrine {

struct InsideWatch {
  std::atomic<bool> cancelled = false;
  std::atomic<float> fraction = 0;  // of the work that is done
};

struct InsideOrder {
  std::int64_t ticket = 0;
  std::vector<TokenId> tokens;
  InsideOptions options;
  bool compares = false;  // the answer has the layers' differences from libtorch's instead
  std::shared_ptr<InsideWatch> watch = std::make_shared<InsideWatch>();
};

struct KnownInside {
  std::int64_t ticket = 0;
  std::shared_ptr<const InsideReport> report;  // null: there is no engine, or noticed() has said why
  std::vector<double> differences;             // of a comparison, layer by layer
};

}  // namespace vitrine
