// Each operation: check the shapes, cut the work, share it. Grains keep a part worth a thread's waking up.
#include <algorithm>
#include <cstring>
#include <optional>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/host_memory.h"
#include "backends/cpu/packed_weight.h"
#include "backends/cpu/paged_kv.h"
#include "formats/widen.h"

namespace vitrine::cpu {
namespace {

// Items of `work` elementary operations each that make a part of about ten microseconds.
std::int64_t grainFor(std::int64_t work, std::int64_t perPart = 32768) {
  return std::max<std::int64_t>(1, perPart / std::max<std::int64_t>(work, 1));
}
constexpr std::int64_t kMultiplyAdds = 1 << 18;  // of them a core does a dozen in a nanosecond
constexpr std::int64_t kStripPanels = 4;         // panels that are worth a thread's while together

bool isRows(const TensorView& view) {
  return view.type() == DType::kF32 && view.rank() == 2 && view.stride(1) == 1;
}
bool isHeads(const TensorView& view) {
  return view.type() == DType::kF32 && view.rank() == 3 && view.stride(2) == 1;
}
bool isVector(const TensorView& view, std::int64_t n) {
  return view.type() == DType::kF32 && view.rank() == 1 && view.extent(0) == n && view.stride(0) == 1;
}
bool sameShape(const TensorView& a, const TensorView& b) {
  if (a.rank() != b.rank()) return false;
  for (int axis = 0; axis < a.rank(); ++axis)
    if (a.extent(axis) != b.extent(axis)) return false;
  return true;
}
float* row(const TensorView& view, std::int64_t i) { return view.f32() + i * view.stride(0); }
float* row(const TensorView& view, std::int64_t i, std::int64_t head) {
  return row(view, i) + head * view.stride(1);
}

// Turns `count` rows of x into tile [n, count]. Four rows at a time, so that a pass over the tile writes
// sixteen bytes of a cache line instead of four.
void packTile(const TensorView& x, std::int64_t first, std::int64_t count, float* tile) {
  const std::int64_t n = x.extent(1);
  std::int64_t r = 0;
  for (; r + 4 <= count; r += 4) {
    const float *const a = row(x, first + r), *const b = row(x, first + r + 1);
    const float *const c = row(x, first + r + 2), *const d = row(x, first + r + 3);
    float* to = tile + r;
    for (std::int64_t k = 0; k < n; ++k, to += count) to[0] = a[k], to[1] = b[k], to[2] = c[k], to[3] = d[k];
  }
  for (; r < count; ++r) {
    const float* const from = row(x, first + r);
    for (std::int64_t k = 0; k < n; ++k) tile[k * count + r] = from[k];
  }
}

}  // namespace

void CpuBackend::embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) {
  const auto tokens = static_cast<std::int64_t>(ids.size());
  VITRINE_CHECK(table.rank() == 2 && table.stride(1) == 1 && isRows(out));
  VITRINE_CHECK(out.extent(0) == tokens && out.extent(1) == table.extent(1));
  for (std::int32_t id : ids) VITRINE_CHECK(id >= 0 && id < table.extent(0));
  for (std::int64_t t = 0; t < tokens; ++t)
    widenRow(table.rows(ids[static_cast<std::size_t>(t)], 1).data(), table.type(), table.extent(1),
             row(out, t));
}

void CpuBackend::embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                           const TensorView& out) {
  const auto& packed = static_cast<const PackedWeight&>(table);
  const auto tokens = static_cast<std::int64_t>(ids.size());
  VITRINE_CHECK(isRows(out) && out.extent(0) == tokens && out.extent(1) == table.inFeatures);
  for (std::int32_t id : ids) VITRINE_CHECK(id >= 0 && id < table.outFeatures);
  m_pool.parallelFor(tokens, grainFor(8 * table.inFeatures), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t t = begin; t < end; ++t)
      packed.column(ids[static_cast<std::size_t>(t)],
                    std::span(row(out, t), static_cast<std::size_t>(table.inFeatures)));
  });
}

void CpuBackend::rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) {
  VITRINE_CHECK((isRows(x) && isRows(out)) || (isHeads(x) && isHeads(out)));
  const std::int64_t heads = x.rank() == 3 ? x.extent(1) : 1, n = x.extent(x.rank() - 1);
  VITRINE_CHECK(sameShape(x, out) && isVector(weight, n));
  const std::int64_t xHead = x.rank() == 3 ? x.stride(1) : 0, outHead = out.rank() == 3 ? out.stride(1) : 0;
  m_pool.parallelFor(x.extent(0) * heads, grainFor(n), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i)
      m_rows.rmsNorm(row(x, i / heads) + i % heads * xHead, weight.f32(), eps, n,
                     row(out, i / heads) + i % heads * outHead);
  });
}

void CpuBackend::addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight,
                            float eps, const TensorView& out) {
  VITRINE_CHECK(isRows(residual) && isRows(delta) && isRows(out));
  const std::int64_t n = residual.extent(1);
  VITRINE_CHECK(sameShape(residual, delta) && sameShape(residual, out) && isVector(weight, n));
  m_pool.parallelFor(residual.extent(0), grainFor(2 * n), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t t = begin; t < end; ++t) {
      m_rows.add(row(residual, t), row(delta, t), n);
      m_rows.rmsNorm(row(residual, t), weight.f32(), eps, n, row(out, t));
    }
  });
}

void CpuBackend::linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                        const TensorView& out) {
  const auto& packed = static_cast<const PackedWeight&>(weight);
  VITRINE_CHECK(isRows(x) && isRows(out) && x.extent(0) == out.extent(0));
  VITRINE_CHECK(x.extent(1) == weight.inFeatures && out.extent(1) == weight.outFeatures);
  VITRINE_CHECK(bias.empty() || isVector(bias, weight.outFeatures));
  // A file may keep a part of the matrix in blocks and another in floats: x is made ready once for each way.
  const float* packed32 = nullptr;
  std::optional<QuantizedRows> quantized;
  std::optional<RoundedRows> rounded;
  for (const PanelSegment& segment : packed.segments()) {
    const ProductOutput to = {segment.outFeatures, bias.empty() ? nullptr : bias.f32() + segment.firstColumn,
                              out.f32() + segment.firstColumn, out.stride(0)};
    if (segment.compute == Compute::kInt8) {
      // The segments of a matrix are blocks or none of them is: a file has no int8 of our own.
      const bool inBlocks = std::holds_alternative<BlockType>(segment.format);
      if (!quantized) quantized = quantizeRows(x, inBlocks ? kBlockGroup : kProductGroup);
      multiplyInInt8(segment, to, *quantized, weight.inFeatures);
    } else if (segment.compute == Compute::kBf16) {
      if (!rounded) rounded = roundRows(x);
      const Bf16Task task = {to, *rounded, static_cast<const std::uint16_t*>(segment.panels.get()),
                             pairedInputs(weight.inFeatures)};
      share(m_bf16.multiply, task, task.inputs, segment.panelCount(), x.extent(0), m_bf16.rowsAtOnce);
    } else {
      if (packed32 == nullptr) packed32 = x.extent(0) == 1 ? x.f32() : packRows(x);
      multiply(segment, {to, packed32, segment.panels.get(), segment.scales.get(), weight.inFeatures},
               x.extent(0));
    }
  }
}

void CpuBackend::multiply(const PanelSegment& segment, const LinearTask& task, std::int64_t rows) {
  const auto* const type = std::get_if<BlockType>(&segment.format);
  const LinearKernels::Function kernel =
      type ? m_blocks.of[static_cast<int>(*type)]
           : m_linear.of[static_cast<int>(std::get<WeightFormat>(segment.format))];
  share(kernel, task, task.inFeatures, segment.panelCount(), rows, kLinearRows);
}

void CpuBackend::multiplyInInt8(const PanelSegment& segment, const ProductOutput& to, const QuantizedRows& x,
                                std::int64_t inFeatures) {
  const auto* const panels = static_cast<const std::uint8_t*>(segment.panels.get());
  const std::int64_t inputs = x.groups * kProductGroup, count = segment.panelCount();
  if (const auto* const type = std::get_if<BlockType>(&segment.format)) {
    VITRINE_CHECK(x.ofScale == kBlockGroup);
    const auto* const records = static_cast<const std::uint8_t*>(segment.scales.get());
    const Int8BlockTask task = {to, x, partRows(x, *type), *type, panels, records, inFeatures};
    return share(m_int8.blocks, task, inputs, count, x.rows, kLinearRows);
  }
  VITRINE_CHECK(x.ofScale == kProductGroup);
  const Int8Task task = {to, x, panels, static_cast<const std::uint16_t*>(segment.scales.get())};
  const bool isInt8 = std::get<WeightFormat>(segment.format) == WeightFormat::kInt8;
  share(isInt8 ? m_int8.int8 : m_int8.int4, task, inputs, count, x.rows, m_int8.rowsAtOnce);
}

template <class Kernel, class Task>
void CpuBackend::share(Kernel kernel, const Task& task, std::int64_t inFeatures, std::int64_t panels,
                       std::int64_t rows, std::int64_t rowsAtOnce) {
  const std::int64_t blocks = (rows + rowsAtOnce - 1) / rowsAtOnce;
  const std::int64_t strips = (panels + kStripPanels - 1) / kStripPanels;
  const std::int64_t perStrip = inFeatures * kPanelColumns * kStripPanels * std::min(rows, rowsAtOnce);
  const std::int64_t grain = grainFor(perStrip, kMultiplyAdds);
  // A strip of panels stays in the cache while every block of rows passes over it.
  m_pool.parallelFor(strips * blocks, grain, [&](std::int64_t begin, std::int64_t end, int) {
    if (blocks == 1) return kernel(task, begin * kStripPanels, std::min(end * kStripPanels, panels), 0, rows);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t panel = i / blocks * kStripPanels, first = i % blocks * rowsAtOnce;
      kernel(task, panel, std::min(panel + kStripPanels, panels), first, std::min(first + rowsAtOnce, rows));
    }
  });
}

// x [rows, n] as the product reads it: tiles of tileRows rows, in each of them input after input.
const float* CpuBackend::packRows(const TensorView& x) {
  const std::int64_t rows = x.extent(0), n = x.extent(1), high = m_linear.tileRows;
  if (static_cast<std::int64_t>(m_packedRows.size()) < rows * n)
    m_packedRows.resize(static_cast<std::size_t>(rows * n));
  float* const packed = m_packedRows.data();
  m_pool.parallelFor(
      (rows + high - 1) / high, grainFor(high * n), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t first = begin * high; first < std::min(end * high, rows); first += high)
          packTile(x, first, std::min(high, rows - first), packed + first * n);
      });
  return packed;
}

// x [rows, n] as products in int8 read it.
QuantizedRows CpuBackend::quantizeRows(const TensorView& x, std::int64_t ofScale) {
  const std::int64_t rows = x.extent(0), n = x.extent(1);
  QuantizedRows to{.rows = rows, .stride = rowStride(rows), .groups = productGroups(n), .ofScale = ofScale};
  const auto values = static_cast<std::size_t>(to.valueCount()),
             scales = static_cast<std::size_t>(to.scaleCount());
  if (m_quantizedValues.size() < values) m_quantizedValues.resize(values);
  if (m_quantizedScales.size() < scales) {
    m_quantizedScales.resize(scales);
    m_quantizedSums.resize(scales);
  }
  to.values = m_quantizedValues.data();
  to.scales = m_quantizedScales.data();
  to.sums = m_quantizedSums.data();
  m_pool.parallelFor(rows, grainFor(n), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) m_int8.quantize(row(x, i), n, to, i);
  });
  return to;
}

// As products of blocks of that type in int8 read them.
const Int8BlockTask::RowPart* CpuBackend::partRows(const QuantizedRows& x, BlockType type) {
  const auto count =
      static_cast<std::size_t>(x.groups * x.stride * (kProductGroup / blockTypeInfo(type).group));
  if (m_rowParts.size() < count) m_rowParts.resize(count);
  m_pool.parallelFor(x.rows, grainFor(x.groups * kProductGroup),
                     [&](std::int64_t begin, std::int64_t end, int) {
                       for (std::int64_t i = begin; i < end; ++i)
                         m_int8.partRow(x, i, type, m_rowParts.data());
                     });
  return m_rowParts.data();
}

// x [rows, n] as products in bf16 read it.
RoundedRows CpuBackend::roundRows(const TensorView& x) {
  const std::int64_t rows = x.extent(0), n = x.extent(1);
  RoundedRows to{.rows = rows, .stride = rowStride(rows), .blocks = (n + kRoundedBlock - 1) / kRoundedBlock};
  const auto numbers = static_cast<std::size_t>(to.valueCount());
  if (m_roundedValues.size() < numbers) m_roundedValues.resize(numbers);
  to.values = m_roundedValues.data();
  m_pool.parallelFor(rows, grainFor(n), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) m_bf16.round(row(x, i), n, to, i);
  });
  return to;
}

void CpuBackend::rotary(const TensorView& x, const TensorView& cos, const TensorView& sin) {
  VITRINE_CHECK(isHeads(x) && isRows(cos) && isRows(sin) && x.extent(2) % 2 == 0);
  const std::int64_t half = x.extent(2) / 2, heads = x.extent(1);
  VITRINE_CHECK(sameShape(cos, sin) && cos.extent(0) == x.extent(0) && cos.extent(1) == half);
  m_pool.parallelFor(x.extent(0), grainFor(2 * half * heads), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t t = begin; t < end; ++t)
      for (std::int64_t head = 0; head < heads; ++head)
        m_rows.rotary(row(x, t, head), row(cos, t), row(sin, t), half);
  });
}

void CpuBackend::storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) {
  const auto& kv = static_cast<const PagedKv&>(cache);
  const KvCacheShape& s = kv.shape;
  const auto tokens = static_cast<std::int64_t>(m_batch.slots.size());
  VITRINE_CHECK(isHeads(k) && isHeads(v) && sameShape(k, v) && layer >= 0 && layer < s.layers);
  VITRINE_CHECK(k.extent(0) == tokens && k.extent(1) == s.kvHeads && k.extent(2) == s.headDim);
  for (std::int32_t slot : m_batch.slots)
    VITRINE_CHECK(slot >= 0 && slot < std::int64_t{s.numBlocks} * s.blockSize);
  const std::int64_t grain = grainFor(std::int64_t{2} * s.kvHeads * s.headDim);
  m_pool.parallelFor(tokens, grain, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t t = begin; t < end; ++t) {
      const std::int32_t slot = m_batch.slots[static_cast<std::size_t>(t)];
      for (int head = 0; head < s.kvHeads; ++head)
        kv.store(slot, layer, head, row(k, t, head), row(v, t, head));
    }
  });
}

void CpuBackend::gate(const TensorView& gateUp, const TensorView& out) {
  VITRINE_CHECK(isRows(gateUp) && isRows(out) && gateUp.extent(0) == out.extent(0));
  const std::int64_t n = out.extent(1);
  VITRINE_CHECK(gateUp.extent(1) == 2 * n);
  m_pool.parallelFor(out.extent(0), grainFor(4 * n), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t t = begin; t < end; ++t)
      m_rows.gate(row(gateUp, t), row(gateUp, t) + n, n, row(out, t));
  });
}

void CpuBackend::gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) {
  VITRINE_CHECK(isRows(x) && isRows(out) && x.extent(1) == out.extent(1));
  VITRINE_CHECK(out.extent(0) == static_cast<std::int64_t>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    VITRINE_CHECK(rows[i] >= 0 && rows[i] < x.extent(0));
    std::copy_n(row(x, rows[i]), x.extent(1), row(out, static_cast<std::int64_t>(i)));
  }
}

}  // namespace vitrine::cpu
