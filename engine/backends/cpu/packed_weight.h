// PackedWeight: a weight matrix [out, in] as panels of 32 output columns, [ceil(out / 32)][in][32].
//
// A step k of the product then reads 32 neighbouring weights: one cache line or two, whole vectors, no
// gather. int8 keeps 32 bytes there; int4 16, column c's value + 8 in the lower half of byte c for c < 16 and
// in the upper half of byte c - 16 otherwise. For products in int8 they lie in quads instead
// (int8_products.h), and the inputs are filled up to whole groups. Their scales stand apart, so that a panel
// is one even stream. Blocks of a GGUF file keep their bits (block_panels.h). The last panel is filled up
// with zero columns, which are never read. Matrices one above another are one segment as long as their
// formats agree: a file may keep a layer's v in another type than its q and k. Read next: linear_kernels.cpp.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "backends/backend.h"
#include "backends/cpu/kernels.h"
#include "core/thread_pool.h"

namespace vitrine::cpu {

using PanelFormat = std::variant<WeightFormat, BlockType>;  // a block type is none of the floats

// Neighbouring rows of the matrix in one format.
struct PanelSegment {
  PanelFormat format = WeightFormat::kF32;
  std::int64_t firstColumn = 0, outFeatures = 0;
  Compute compute = Compute::kF32;       // of its products
  std::shared_ptr<void> panels, scales;  // scales null for floats

  std::int64_t panelCount() const { return (outFeatures + kPanelColumns - 1) / kPanelColumns; }
};

// Of a segment in memory, for products in `compute`, where there are such for the format.
struct SegmentBytes {
  std::int64_t panels = 0, scales = 0;
};
SegmentBytes segmentBytes(const PanelFormat& format, std::int64_t outFeatures, std::int64_t inFeatures,
                          Compute compute);

// A segment with those panels and scales.
PanelSegment segmentOf(const PanelFormat& format, std::int64_t outFeatures, Compute compute,
                       std::shared_ptr<void> panels, std::shared_ptr<void> scales);

// A segment with memory for its panels and scales, which are yet to be filled. Throws
// EngineError(kOutOfMemory).
PanelSegment allocateSegment(const PanelFormat& format, std::int64_t outFeatures, std::int64_t inFeatures,
                             Compute compute);

class PackedWeight final : public LinearWeight {
 public:
  PackedWeight(std::span<const TensorView> parts, WeightFormat format, Compute compute, ThreadPool& pool);
  // Throws what reading them throws.
  PackedWeight(std::span<const WeightRows> parts, Compute compute, ThreadPool& pool);

  // Of segments that were packed before, in the order of their columns.
  PackedWeight(std::vector<PanelSegment> segments, std::int64_t inFeatures);

  std::span<const PanelSegment> segments() const { return m_segments; }

  // The float32 weights [inFeatures] of an output. Not for int8 and int4, which round.
  void column(std::int64_t column, std::span<float> out) const;

 private:
  void addFloats(std::span<const WeightRows> parts, WeightFormat format, Compute compute, ThreadPool& pool);
  void addBlocks(std::span<const WeightRows> parts, Compute compute, ThreadPool& pool);
  const PanelSegment& addSegment(PanelSegment segment);

  std::vector<PanelSegment> m_segments;
};

}  // namespace vitrine::cpu
