// InsideOrder, KnownInside: the window asks for a forward to be opened, or to be compared with libtorch's.
// Thread: values; `cancelled` may be set on any thread. Read next: inside_looker.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "vitrine/inside.h"

namespace vitrine {

struct InsideOrder {
  std::int64_t ticket = 0;
  std::vector<TokenId> tokens;
  InsideOptions options;
  bool compares = false;  // the answer has the layers' differences from libtorch's instead
  std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
};

struct KnownInside {
  std::int64_t ticket = 0;
  std::shared_ptr<const InsideReport> report;  // null: there is no engine, or failed() has said why
  std::vector<double> differences;             // of a comparison, layer by layer
};

}  // namespace vitrine
