// Events of the inside of a forward: what each kind of operation costs, and how a GPU is handed them.
// Thread: values. Read next: ../machine_roof.h, which tells how near to the machine's limits that is.
#pragma once

#include <cstdint>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/names.h"
#include "vitrine/operation.h"

namespace vitrine {

// All calls of one kind in a forward. Bytes and operations follow from the shapes (the counts are in
// backends/operation_costs.h): the bytes that must be read or written at least once, with weights as packed
// and KV as stored, and the arithmetic operations, of which a multiply-add is two.
struct OperationCost {
  Operation operation = Operation::kOther;
  int calls = 0;
  std::int64_t ns = 0, bytes = 0, operations = 0;
  // Of `operations`, those that a processor did in int8 and in bf16 (options.h, Compute). All others are in
  // float32; on a GPU in the type of its activations.
  std::int64_t int8Operations = 0, bf16Operations = 0;
};
VITRINE_STRUCT(OperationCost, "operation_cost", field("operation", &T::operation), field("calls", &T::calls),
               field("ns", &T::ns), field("bytes", &T::bytes), field("operations", &T::operations),
               field("int8_operations", &T::int8Operations), field("bf16_operations", &T::bf16Operations));

struct ForwardMeasured {                  // detail
  std::int64_t ns = 0;                    // of the step's forward: copies of blocks, drafts, verification
  std::vector<OperationCost> operations;  // of each kind with a time, in the order of Operation; sums to `ns`
};
VITRINE_DETAIL(ForwardMeasured, "forward_measured", kStep, field("ns", &T::ns),
               field("operations", &T::operations));

// A step in which every sequence has one token may compute more rows than it has tokens: a graph is recorded
// for some numbers of sequences only, and the rows behind the tokens are computed in vain. Without this event
// there are as many rows as tokens.
struct BatchPadded {
  int tokens = 0, rows = 0;
};
VITRINE_REPORT(BatchPadded, "batch_padded", kStep, field("tokens", &T::tokens), field("rows", &T::rows));

// The forward of this step began while the step before it was still drawn from, with the rows that could be
// foreseen (options.h, Overlap). Wasted are those of sequences that ended since; all of them where something
// else came in between, and then this step's forward was computed anew, if there was one. Without this event
// the forward began with its phase.
struct ForwardAhead {
  int rows = 0, wasted = 0;
};
VITRINE_REPORT(ForwardAhead, "forward_ahead", kStep, field("rows", &T::rows), field("wasted", &T::wasted));

// The ways of handing a GPU the layers of a step (options.h, Decoding).
enum class LaunchWay : std::uint8_t { kEager, kGraph, kPersistent };
VITRINE_NAMES(LaunchWay, "eager", "graph", "persistent");

// An operation on the GPU's own clock, in ns since the layers began. What is computed as one has the name of
// its largest part: kRotary with norms of heads and the cache, kAttention with all of these where no kRotary
// stands before it, kOutput and kDown with the addition behind them, kGateUp with the gate.
struct LaunchSpan {
  Operation operation = Operation::kOther;
  int layer = 0;
  std::int64_t beginNs = 0, endNs = 0;
};
VITRINE_STRUCT(LaunchSpan, "launch_span", field("operation", &T::operation), field("layer", &T::layer),
               field("begin_ns", &T::beginNs), field("end_ns", &T::endNs));

// All layers of a step in one way. The spans are those of the first layers, measured in a pass of their own:
// a mark between two kernels keeps the second from beginning early.
struct LaunchTimes {
  LaunchWay way = LaunchWay::kEager;
  int launches = 0;     // that the host asked for
  std::int64_t ns = 0;  // of all layers, without marks
  std::vector<LaunchSpan> spans;
};
VITRINE_STRUCT(LaunchTimes, "launch_times", field("way", &T::way), field("launches", &T::launches),
               field("ns", &T::ns), field("spans", &T::spans));

// What a step's layers take in each way that fits it, and the way that the step takes where nothing is
// measured.
struct LaunchesMeasured {  // detail
  LaunchWay way = LaunchWay::kEager;
  int sequences = 0, rows = 0, layers = 0;  // rows: with padding
  std::vector<LaunchTimes> ways;
};
VITRINE_DETAIL(LaunchesMeasured, "launches_measured", kStep, field("way", &T::way),
               field("sequences", &T::sequences), field("rows", &T::rows), field("layers", &T::layers),
               field("ways", &T::ways));

}  // namespace vitrine
