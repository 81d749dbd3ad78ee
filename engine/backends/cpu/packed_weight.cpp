#include "backends/cpu/packed_weight.h"

#include <algorithm>

#include "backends/cpu/bf16_products.h"
#include "backends/cpu/block_panels.h"
#include "backends/cpu/host_memory.h"
#include "backends/cpu/int8_products.h"
#include "core/first_error.h"
#include "formats/quantize.h"
#include "formats/small_floats.h"
#include "formats/widen.h"

namespace vitrine::cpu {
namespace {

std::int64_t bitsOf(WeightFormat format) {
  switch (format) {
    case WeightFormat::kF32:
      return 32;
    case WeightFormat::kBf16:
    case WeightFormat::kF16:
      return 16;
    case WeightFormat::kInt8:
      return 8;
    case WeightFormat::kInt4:
      return 4;
  }
  return 0;
}

bool isScaled(WeightFormat format) { return format == WeightFormat::kInt8 || format == WeightFormat::kInt4; }

// Products in `compute`, where there are such for the format.
Compute computeOf(WeightFormat format, Compute compute) {
  if (compute == Compute::kInt8 && isScaled(format)) return Compute::kInt8;
  if (compute == Compute::kBf16 && format == WeightFormat::kBf16) return Compute::kBf16;
  return Compute::kF32;
}

// Inputs that share a scale.
constexpr std::int64_t kMostGroup = std::max(kQuantGroup, kProductGroup);
constexpr std::int64_t groupOf(Compute compute) {
  return compute == Compute::kInt8 ? kProductGroup : kQuantGroup;
}
constexpr std::int64_t groupsOf(std::int64_t inputs, std::int64_t group) {
  return (inputs + group - 1) / group;
}

// Those that a panel has room for.
std::int64_t paddedInputs(std::int64_t inputs, Compute compute) {
  if (compute == Compute::kInt8) return productGroups(inputs) * kProductGroup;
  return compute == Compute::kBf16 ? pairedInputs(inputs) : inputs;
}

// Where an input of a column lies in panels of pairs, in numbers.
std::int64_t pairAt(std::int64_t inFeatures, std::int64_t panel, std::int64_t column, std::int64_t input) {
  return (panel * pairedInputs(inFeatures) + input / 2 * 2) * kPanelColumns + column * 2 + input % 2;
}

// Packs floats into one segment.
class FloatPacker {
 public:
  FloatPacker(std::span<const TensorView> parts, const PanelSegment& segment)
      : m_parts(parts),
        m_format(std::get<WeightFormat>(segment.format)),
        m_compute(segment.compute),
        m_group(groupOf(segment.compute)),
        m_inFeatures(parts[0].extent(1)),
        m_panels(segment.panels.get()),
        m_scales(static_cast<std::uint16_t*>(segment.scales.get())) {}

  void packPanel(std::int64_t panel);

 private:
  void storeGroup(std::int64_t panel, std::int64_t column, std::int64_t input,
                  std::span<const float> weights);
  void storeQuads(std::int64_t panel, std::int64_t column, std::int64_t group,
                  std::span<const std::int8_t> values);

  const std::span<const TensorView> m_parts;
  const WeightFormat m_format;
  const Compute m_compute;
  const std::int64_t m_group;  // inputs that share a scale
  const std::int64_t m_inFeatures;
  void* const m_panels;
  std::uint16_t* const m_scales;
};

void FloatPacker::packPanel(std::int64_t panel) {
  float wide[kMostGroup];
  std::int64_t partBegin = 0;  // output row at which this part begins
  for (const TensorView& part : m_parts) {
    for (std::int64_t column = 0; column < kPanelColumns; ++column) {
      const std::int64_t row = panel * kPanelColumns + column - partBegin;
      if (row < 0 || row >= part.extent(0)) continue;
      const char* source = static_cast<const char*>(part.rows(row, 1).data());
      for (std::int64_t input = 0; input < m_inFeatures; input += m_group) {
        const std::int64_t count = std::min(m_group, m_inFeatures - input);
        widenRow(source + input * static_cast<std::int64_t>(dtypeBytes(part.type())), part.type(), count,
                 wide);
        storeGroup(panel, column, input, std::span(wide, static_cast<std::size_t>(count)));
      }
    }
    partBegin += part.extent(0);
  }
}

void FloatPacker::storeGroup(std::int64_t panel, std::int64_t column, std::int64_t input,
                             std::span<const float> weights) {
  const std::int64_t row = panel * m_inFeatures + input;  // of the panels' 32 columns
  std::int8_t values[kMostGroup];
  if (isScaled(m_format)) {
    m_scales[(panel * groupsOf(m_inFeatures, m_group) + input / m_group) * kPanelColumns + column] =
        quantizeGroup(weights, static_cast<int>(bitsOf(m_format)), values);
  }
  if (m_compute == Compute::kInt8)
    return storeQuads(panel, column, input / m_group, std::span(values).first(weights.size()));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::int64_t at = (row + static_cast<std::int64_t>(i)) * kPanelColumns + column;
    switch (m_format) {
      case WeightFormat::kF32:
        static_cast<float*>(m_panels)[at] = weights[i];
        break;
      case WeightFormat::kBf16:
        static_cast<std::uint16_t*>(
            m_panels)[m_compute == Compute::kBf16
                          ? pairAt(m_inFeatures, panel, column, input + static_cast<std::int64_t>(i))
                          : at] = floatToBf16(weights[i]);
        break;
      case WeightFormat::kF16:
        static_cast<std::uint16_t*>(m_panels)[at] = floatToHalf(weights[i]);
        break;
      case WeightFormat::kInt8:
        static_cast<std::int8_t*>(m_panels)[at] = values[i];
        break;
      case WeightFormat::kInt4: {
        const std::int64_t byte = (row + static_cast<std::int64_t>(i)) * kPanelColumns / 2 + column % 16;
        const auto half = static_cast<std::uint8_t>(values[i] + 8);
        static_cast<std::uint8_t*>(m_panels)[byte] |=
            static_cast<std::uint8_t>(column < 16 ? half : half << 4);
        break;
      }
    }
  }
}

// What lies behind the last input stays the number zero of its byte, and x is zero there.
void FloatPacker::storeQuads(std::int64_t panel, std::int64_t column, std::int64_t group,
                             std::span<const std::int8_t> values) {
  const std::int64_t bytes = quadGroupBytes(m_format);
  std::uint8_t* const to = static_cast<std::uint8_t*>(m_panels) +
                           (panel * productGroups(m_inFeatures) + group) * bytes + column * kQuad;
  constexpr std::int64_t kRow = kPanelColumns * kQuad;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto quad = static_cast<std::int64_t>(i) / kQuad, place = static_cast<std::int64_t>(i) % kQuad;
    if (m_format == WeightFormat::kInt8) {
      to[quad * kRow + place] = static_cast<std::uint8_t>(values[i] + kInt8Zero);
    } else {
      const auto half = static_cast<std::uint8_t>(values[i] + kInt4Zero);
      to[quad / 2 * kRow + place] |= static_cast<std::uint8_t>(quad % 2 == 0 ? half : half << 4);
    }
  }
}

// Packs blocks into one segment. A panel's rows are read just before they are packed, into memory that the
// cache holds: the file's bytes pass through it once, on all threads, instead of lying in memory as a whole.
class BlockPacker {
 public:
  BlockPacker(std::span<const WeightRows> parts, const PanelSegment& segment)
      : m_parts(parts),
        m_type(parts[0].type),
        m_inFeatures(parts[0].inFeatures),
        m_rowBytes(parts[0].rowBytes()),
        m_panels(static_cast<std::uint8_t*>(segment.panels.get())),
        m_records(static_cast<std::uint8_t*>(segment.scales.get())) {}

  // `room` for the rows of a panel is kept from one to the next.
  void packPanel(std::int64_t panel, std::vector<std::byte>& room) const {
    room.resize(static_cast<std::size_t>(kPanelColumns * m_rowBytes));
    const std::int64_t count = read(panel * kPanelColumns, room);
    const std::byte* rows[kPanelColumns];
    for (std::int64_t i = 0; i < count; ++i) rows[i] = room.data() + i * m_rowBytes;
    const PanelBits each = panelBits(m_type);
    packBlockPanel(m_type, std::span(rows, static_cast<std::size_t>(count)), m_inFeatures,
                   m_panels + panel * (m_inFeatures / kChunk) * each.chunkBytes(),
                   m_records + panel * (m_inFeatures / each.span) * each.record);
  }

 private:
  // The rows from `first` on, whichever of the matrices one above another they are in. Returns their number.
  std::int64_t read(std::int64_t first, std::span<std::byte> room) const {
    std::int64_t count = 0;
    for (const WeightRows& part : m_parts) {
      const std::int64_t here = std::clamp<std::int64_t>(part.outFeatures - first, 0, kPanelColumns - count);
      if (here > 0)
        part.read(first, room.subspan(static_cast<std::size_t>(count * m_rowBytes),
                                      static_cast<std::size_t>(here * m_rowBytes)));
      count += here;
      first = std::max<std::int64_t>(first + here - part.outFeatures, 0);
    }
    return count;
  }

  const std::span<const WeightRows> m_parts;
  const BlockType m_type;
  const std::int64_t m_inFeatures, m_rowBytes;
  std::uint8_t* const m_panels;
  std::uint8_t* const m_records;
};

WeightFormat floatFormat(BlockType type) {
  return type == BlockType::kF32   ? WeightFormat::kF32
         : type == BlockType::kF16 ? WeightFormat::kF16
                                   : WeightFormat::kBf16;
}

}  // namespace

PackedWeight::PackedWeight(std::span<const TensorView> parts, WeightFormat format, Compute compute,
                           ThreadPool& pool) {
  VITRINE_CHECK(!parts.empty());
  inFeatures = parts[0].extent(1);
  addFloats(parts, format, compute, pool);
  arithmetic = m_segments.front().compute;
}

PackedWeight::PackedWeight(std::span<const WeightRows> parts, Compute compute, ThreadPool& pool) {
  VITRINE_CHECK(!parts.empty());
  inFeatures = parts[0].inFeatures;
  while (!parts.empty()) {
    std::size_t alike = 1;
    while (alike < parts.size() && parts[alike].type == parts[0].type) ++alike;
    const auto neighbours = parts.first(alike);
    for (const WeightRows& part : neighbours)
      VITRINE_CHECK(part.inFeatures == inFeatures && part.outFeatures > 0);
    if (isFloat(parts[0].type))
      addFloats(neighbours, compute, pool);
    else
      addBlocks(neighbours, compute, pool);
    parts = parts.subspan(alike);
  }
  arithmetic = m_segments.front().compute;
}

PanelSegment& PackedWeight::addSegment(PanelFormat format, std::int64_t columns) {
  PanelSegment segment;
  segment.format = format;
  segment.firstColumn = outFeatures;
  segment.outFeatures = columns;
  outFeatures += columns;
  return m_segments.emplace_back(std::move(segment));
}

void PackedWeight::addFloats(std::span<const TensorView> parts, WeightFormat format, Compute compute,
                             ThreadPool& pool) {
  std::int64_t columns = 0;
  for (const TensorView& part : parts) {
    VITRINE_CHECK(part.rank() == 2 && part.extent(1) == inFeatures && part.stride(1) == 1 &&
                  part.extent(0) > 0 && part.type() != DType::kI32);
    columns += part.extent(0);
  }
  PanelSegment& segment = addSegment(format, columns);
  segment.compute = computeOf(format, compute);
  const std::int64_t inputs = paddedInputs(inFeatures, segment.compute);
  const std::int64_t factors[] = {segment.panelCount(), inputs, kPanelColumns * bitsOf(format) / 8};
  segment.panels = allocateBytes(factors, "a weight matrix");
  bytes += factors[0] * factors[1] * factors[2];
  if (isScaled(format)) {
    const std::int64_t groups = groupsOf(inFeatures, groupOf(segment.compute));
    const std::int64_t scales[] = {segment.panelCount(), groups, kPanelColumns, 2};
    segment.scales = allocateBytes(scales, "a weight matrix's scales");
    bytes += scales[0] * scales[1] * scales[2] * scales[3];
  }
  preferLargePages(segment.panels.get(), factors[0] * factors[1] * factors[2]);
  FloatPacker packer(parts, segment);
  pool.parallelFor(segment.panelCount(), 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t panel = begin; panel < end; ++panel) packer.packPanel(panel);
  });
}

void PackedWeight::addFloats(std::span<const WeightRows> parts, Compute compute, ThreadPool& pool) {
  std::vector<std::vector<std::byte>> memory;
  std::vector<TensorView> views;
  for (const WeightRows& part : parts) {
    memory.emplace_back(static_cast<std::size_t>(part.outFeatures * part.rowBytes()));
    part.read(0, memory.back());
    views.emplace_back(memory.back().data(), dtypeOf(part.type),
                       std::initializer_list<std::int64_t>{part.outFeatures, part.inFeatures});
  }
  addFloats(views, floatFormat(parts[0].type), compute, pool);
}

void PackedWeight::addBlocks(std::span<const WeightRows> parts, Compute compute, ThreadPool& pool) {
  const BlockType type = parts[0].type;
  std::int64_t columns = 0;
  for (const WeightRows& part : parts) columns += part.outFeatures;
  PanelSegment& segment = addSegment(type, columns);
  if (compute == Compute::kInt8) segment.compute = compute;
  const PanelBits each = panelBits(type);
  const std::int64_t weights[] = {segment.panelCount(), inFeatures / kChunk, each.chunkBytes()};
  const std::int64_t scales[] = {segment.panelCount(), inFeatures / each.span, each.record};
  segment.panels = allocateBytes(weights, "a weight matrix");
  segment.scales = allocateBytes(scales, "a weight matrix's scales");
  bytes += weights[0] * weights[1] * weights[2] + scales[0] * scales[1] * scales[2];
  preferLargePages(segment.panels.get(), weights[0] * weights[1] * weights[2]);
  const BlockPacker packer(parts, segment);
  std::vector<std::vector<std::byte>> rooms(static_cast<std::size_t>(pool.threads()));
  FirstError error;
  pool.parallelFor(segment.panelCount(), 1, [&](std::int64_t begin, std::int64_t end, int part) {
    for (std::int64_t panel = begin; panel < end && !error; ++panel)
      error.guard([&] { packer.packPanel(panel, rooms[static_cast<std::size_t>(part)]); });
  });
  error.rethrow();
}

void PackedWeight::column(std::int64_t column, std::span<float> out) const {
  VITRINE_CHECK(column >= 0 && column < outFeatures && static_cast<std::int64_t>(out.size()) == inFeatures);
  const PanelSegment* segment = m_segments.data();
  while (column >= segment->firstColumn + segment->outFeatures) ++segment;
  const std::int64_t panel = (column - segment->firstColumn) / kPanelColumns,
                     lane = (column - segment->firstColumn) % kPanelColumns;
  if (const auto* type = std::get_if<BlockType>(&segment->format)) {
    const PanelBits each = panelBits(*type);
    return unpackBlockColumn(*type,
                             static_cast<const std::uint8_t*>(segment->panels.get()) +
                                 panel * (inFeatures / kChunk) * each.chunkBytes(),
                             static_cast<const std::uint8_t*>(segment->scales.get()) +
                                 panel * (inFeatures / each.span) * each.record,
                             lane, out);
  }
  const WeightFormat format = std::get<WeightFormat>(segment->format);
  VITRINE_CHECK(!isScaled(format));
  for (std::int64_t i = 0; i < inFeatures; ++i) {
    const std::int64_t at = segment->compute == Compute::kBf16
                                ? pairAt(inFeatures, panel, lane, i)
                                : (panel * inFeatures + i) * kPanelColumns + lane;
    const auto* halves = static_cast<const std::uint16_t*>(segment->panels.get());
    out[static_cast<std::size_t>(i)] = format == WeightFormat::kF32
                                           ? static_cast<const float*>(segment->panels.get())[at]
                                       : format == WeightFormat::kF16 ? halfToFloat(halves[at])
                                                                      : bf16ToFloat(halves[at]);
  }
}

}  // namespace vitrine::cpu
