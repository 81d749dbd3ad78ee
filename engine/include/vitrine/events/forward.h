// Events of the inside of a forward: what each kind of operation costs.
// Thread: values. Read next: ../machine_roof.h, which tells how near to the machine's limits that is.
#pragma once

#include <cstdint>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/operation.h"

namespace vitrine {

// All calls of one kind in a forward. Bytes and operations follow from the shapes (the counts are in
// backends/operation_costs.h): the bytes that must be read or written at least once, with weights as packed
// and KV as stored, and the floating-point operations, of which a multiply-add is two.
struct OperationCost {
  Operation operation = Operation::kOther;
  int calls = 0;
  std::int64_t ns = 0, bytes = 0, operations = 0;
};
VITRINE_STRUCT(OperationCost, "operation_cost", field("operation", &T::operation), field("calls", &T::calls),
               field("ns", &T::ns), field("bytes", &T::bytes), field("operations", &T::operations));

struct ForwardMeasured {                  // detail
  std::int64_t ns = 0;                    // of the step's forward: copies of blocks, drafts, verification
  std::vector<OperationCost> operations;  // of each kind with a time, in the order of Operation; sums to `ns`
};
VITRINE_DETAIL(ForwardMeasured, "forward_measured", kStep, field("ns", &T::ns),
               field("operations", &T::operations));

}  // namespace vitrine
