#include "backends/cpu/packed_weight.h"

#include <algorithm>
#include <array>
#include <utility>

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
Compute computeOf(const PanelFormat& panels, Compute compute) {
  if (std::holds_alternative<BlockType>(panels))
    return compute == Compute::kInt8 ? Compute::kInt8 : Compute::kF32;
  const auto format = std::get<WeightFormat>(panels);
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

// Rows of matrices one above another, a panel's at a time: they are read just before they are packed, into
// memory that the cache holds. A file's bytes pass through it once, on all threads, instead of lying in
// memory as a whole.
class PanelRows {
 public:
  explicit PanelRows(std::span<const WeightRows> parts) : m_parts(parts) {
    for (const WeightRows& part : parts) m_mostBytes = std::max(m_mostBytes, part.rowBytes());
  }

  struct Row {
    const std::byte* bytes;
    BlockType type;
  };
  // The rows of a panel's columns, at most 32. `room` holds them, and is kept from one panel to the next.
  std::span<const Row> read(std::int64_t panel, std::vector<std::byte>& room,
                            std::span<Row, kPanelColumns> rows) const {
    room.resize(static_cast<std::size_t>(kPanelColumns * m_mostBytes));
    std::int64_t first = panel * kPanelColumns, count = 0;
    for (const WeightRows& part : m_parts) {
      const std::int64_t here = std::clamp<std::int64_t>(part.outFeatures - first, 0, kPanelColumns - count),
                         each = part.rowBytes();
      std::byte* const to = room.data() + count * m_mostBytes;
      if (here > 0) part.read(first, {to, static_cast<std::size_t>(here * each)});
      for (std::int64_t i = 0; i < here; ++i)
        rows[static_cast<std::size_t>(count + i)] = {to + i * each, part.type};
      count += here;
      first = std::max<std::int64_t>(first + here - part.outFeatures, 0);
    }
    return rows.first(static_cast<std::size_t>(count));
  }

 private:
  const std::span<const WeightRows> m_parts;
  std::int64_t m_mostBytes = 0;
};

// Packs floats into one segment. Bytes of fresh memory are written and never read: the system would give it a
// page of zeros to read, and another when it is written.
class FloatPacker {
 public:
  FloatPacker(std::span<const WeightRows> parts, const PanelSegment& segment)
      : m_rows(parts),
        m_format(std::get<WeightFormat>(segment.format)),
        m_compute(segment.compute),
        m_group(groupOf(segment.compute)),
        m_inFeatures(parts[0].inFeatures),
        m_panels(static_cast<std::byte*>(segment.panels.get())),
        m_scales(static_cast<std::uint16_t*>(segment.scales.get())) {}

  void packPanel(std::int64_t panel, std::vector<std::byte>& room) const;

 private:
  // A group of inputs of all columns, and in whole numbers with their scales; columns without a row are zero.
  struct Group {
    float wide[kPanelColumns][kMostGroup] = {};
    std::int8_t values[kPanelColumns][kMostGroup] = {};
    std::uint16_t scales[kPanelColumns] = {};
  };
  void store(const Group& group, std::int64_t panel, std::int64_t input, std::int64_t count) const;
  // Calls convert(column, input of the group) for each number of type T in the order of the panel.
  template <class T, class Convert>
  void storeInputs(std::int64_t panel, std::int64_t input, std::int64_t count, const Convert& convert) const;
  void storeHalves(const Group& group, std::int64_t panel, std::int64_t input, std::int64_t count) const;
  void storePairs(const Group& group, std::int64_t panel, std::int64_t input, std::int64_t count) const;
  void storeQuads(const Group& group, std::int64_t panel, std::int64_t input) const;

  const PanelRows m_rows;
  const WeightFormat m_format;
  const Compute m_compute;
  const std::int64_t m_group;  // inputs that share a scale
  const std::int64_t m_inFeatures;
  std::byte* const m_panels;
  std::uint16_t* const m_scales;
};

void FloatPacker::packPanel(std::int64_t panel, std::vector<std::byte>& room) const {
  PanelRows::Row places[kPanelColumns];
  const auto rows = m_rows.read(panel, room, places);
  Group group;
  for (std::int64_t input = 0; input < m_inFeatures; input += m_group) {
    const std::int64_t count = std::min(m_group, m_inFeatures - input);
    for (std::size_t column = 0; column < rows.size(); ++column) {
      const auto [bytes, type] = rows[column];
      float* const wide = group.wide[column];
      widenRow(bytes + input * rowBytes(type, 1), dtypeOf(type), count, wide);
      if (!isScaled(m_format)) continue;
      std::fill_n(group.values[column] + count, kMostGroup - count, std::int8_t{0});
      group.scales[column] = quantizeGroup({wide, static_cast<std::size_t>(count)},
                                           static_cast<int>(bitsOf(m_format)), group.values[column]);
    }
    store(group, panel, input, count);
  }
}

void FloatPacker::store(const Group& group, std::int64_t panel, std::int64_t input,
                        std::int64_t count) const {
  if (isScaled(m_format))
    std::copy_n(group.scales, kPanelColumns,
                m_scales + (panel * groupsOf(m_inFeatures, m_group) + input / m_group) * kPanelColumns);
  if (m_compute == Compute::kInt8) return storeQuads(group, panel, input);
  if (m_compute == Compute::kBf16) return storePairs(group, panel, input, count);
  switch (m_format) {
    case WeightFormat::kF32:
      return storeInputs<float>(panel, input, count,
                                [&](std::size_t column, std::size_t i) { return group.wide[column][i]; });
    case WeightFormat::kBf16:
      return storeInputs<std::uint16_t>(panel, input, count, [&](std::size_t column, std::size_t i) {
        return floatToBf16(group.wide[column][i]);
      });
    case WeightFormat::kF16:
      return storeInputs<std::uint16_t>(panel, input, count, [&](std::size_t column, std::size_t i) {
        return floatToHalf(group.wide[column][i]);
      });
    case WeightFormat::kInt8:
      return storeInputs<std::int8_t>(
          panel, input, count, [&](std::size_t column, std::size_t i) { return group.values[column][i]; });
    case WeightFormat::kInt4:
      return storeHalves(group, panel, input, count);
  }
}

template <class T, class Convert>
void FloatPacker::storeInputs(std::int64_t panel, std::int64_t input, std::int64_t count,
                              const Convert& convert) const {
  T* to = reinterpret_cast<T*>(m_panels) + (panel * m_inFeatures + input) * kPanelColumns;
  for (std::int64_t i = 0; i < count; ++i, to += kPanelColumns)
    for (std::size_t column = 0; column < kPanelColumns; ++column)
      to[column] = convert(column, static_cast<std::size_t>(i));
}

void FloatPacker::storeHalves(const Group& group, std::int64_t panel, std::int64_t input,
                              std::int64_t count) const {
  constexpr std::size_t kBytes = kPanelColumns / 2;
  auto* to = reinterpret_cast<std::uint8_t*>(m_panels) +
             (panel * m_inFeatures + input) * static_cast<std::int64_t>(kBytes);
  for (std::int64_t i = 0; i < count; ++i, to += kBytes)
    for (std::size_t column = 0; column < kBytes; ++column)
      to[column] = static_cast<std::uint8_t>((group.values[column][i] + 8) |
                                             (group.values[column + kBytes][i] + 8) << 4);
}

void FloatPacker::storePairs(const Group& group, std::int64_t panel, std::int64_t input,
                             std::int64_t count) const {
  static_assert(kQuantGroup % 2 == 0);
  auto* to = reinterpret_cast<std::uint16_t*>(m_panels) + pairAt(m_inFeatures, panel, 0, input);
  for (std::int64_t i = 0; i < count; i += 2, to += 2 * kPanelColumns)
    for (std::size_t column = 0; column < kPanelColumns; ++column) {
      to[2 * column] = floatToBf16(group.wide[column][i]);
      to[2 * column + 1] = i + 1 < count ? floatToBf16(group.wide[column][i + 1]) : std::uint16_t{0};
    }
}

// What lies behind the last input is the number zero, and x is zero there.
void FloatPacker::storeQuads(const Group& group, std::int64_t panel, std::int64_t input) const {
  auto* to = reinterpret_cast<std::uint8_t*>(m_panels) +
             (panel * productGroups(m_inFeatures) + input / kProductGroup) * quadGroupBytes(m_format);
  const bool isInt8 = m_format == WeightFormat::kInt8;
  for (std::int64_t quad = 0; quad < kGroupQuads; quad += isInt8 ? 1 : 2, to += kQuadRow)
    for (std::int64_t column = 0; column < kPanelColumns; ++column)
      for (std::int64_t i = 0; i < kQuad; ++i) {
        const std::int8_t* const values = group.values[column] + quad * kQuad + i;
        to[column * kQuad + i] =
            isInt8 ? static_cast<std::uint8_t>(values[0] + kInt8Zero)
                   : static_cast<std::uint8_t>((values[0] + kInt4Zero) | (values[kQuad] + kInt4Zero) << 4);
      }
}

// Packs blocks into one segment.
class BlockPacker {
 public:
  BlockPacker(std::span<const WeightRows> parts, const PanelSegment& segment)
      : m_rows(parts),
        m_type(parts[0].type),
        m_inFeatures(parts[0].inFeatures),
        m_panels(static_cast<std::uint8_t*>(segment.panels.get())),
        m_records(static_cast<std::uint8_t*>(segment.scales.get())) {}

  void packPanel(std::int64_t panel, std::vector<std::byte>& room) const {
    PanelRows::Row places[kPanelColumns];
    const auto rows = m_rows.read(panel, room, places);
    const std::byte* bytes[kPanelColumns];
    std::ranges::transform(rows, bytes, &PanelRows::Row::bytes);
    const PanelBits each = panelBits(m_type);
    packBlockPanel(m_type, std::span(bytes, rows.size()), m_inFeatures,
                   m_panels + panel * (m_inFeatures / kChunk) * each.chunkBytes(),
                   m_records + panel * (m_inFeatures / each.span) * each.record);
  }

 private:
  const PanelRows m_rows;
  const BlockType m_type;
  const std::int64_t m_inFeatures;
  std::uint8_t* const m_panels;
  std::uint8_t* const m_records;
};

// All panels, on all threads. Throws what reading rows throws.
template <class Packer>
void packPanels(const Packer& packer, std::int64_t panels, ThreadPool& pool) {
  std::vector<std::vector<std::byte>> rooms(static_cast<std::size_t>(pool.threads()));
  FirstError error;
  pool.parallelFor(panels, 1, [&](std::int64_t begin, std::int64_t end, int part) {
    for (std::int64_t panel = begin; panel < end && !error; ++panel)
      error.guard([&] { packer.packPanel(panel, rooms[static_cast<std::size_t>(part)]); });
  });
  error.rethrow();
}

// Of floats that lie in memory as long as they are read.
WeightRows rowsOf(const TensorView& view) {
  VITRINE_CHECK(view.rank() == 2 && view.stride(1) == 1 && view.type() != DType::kI32);
  const auto bytes = static_cast<std::size_t>(view.extent(1)) * dtypeBytes(view.type());
  return {blockTypeOf(view.type()), view.extent(0), view.extent(1),
          [view, bytes](std::int64_t first, std::span<std::byte> out) {
            for (std::size_t at = 0; at < out.size(); at += bytes, ++first)
              std::memcpy(out.data() + at, view.rows(first, 1).data(), bytes);
          }};
}

WeightFormat floatFormat(BlockType type) {
  return type == BlockType::kF32   ? WeightFormat::kF32
         : type == BlockType::kF16 ? WeightFormat::kF16
                                   : WeightFormat::kBf16;
}

// Of all parts, which must have these inputs.
std::int64_t columnsOf(std::span<const WeightRows> parts, std::int64_t inFeatures) {
  std::int64_t columns = 0;
  for (const WeightRows& part : parts) {
    VITRINE_CHECK(part.inFeatures == inFeatures && part.outFeatures > 0);
    columns += part.outFeatures;
  }
  return columns;
}

// The factors of a segment's sizes; no factor of its scales is zero where it has some.
struct SegmentShape {
  std::array<std::int64_t, 3> panels;
  std::array<std::int64_t, 3> scales;
};

SegmentShape shapeOf(const PanelFormat& panels, std::int64_t count, std::int64_t inputs, Compute compute) {
  if (const auto* type = std::get_if<BlockType>(&panels)) {
    const PanelBits each = panelBits(*type);
    return {{count, inputs / kChunk, each.chunkBytes()}, {count, inputs / each.span, each.record}};
  }
  const auto format = std::get<WeightFormat>(panels);
  const Compute products = computeOf(format, compute);
  const std::int64_t groups = isScaled(format) ? groupsOf(inputs, groupOf(products)) : 0;
  return {{count, paddedInputs(inputs, products), kPanelColumns * bitsOf(format) / 8},
          {count, groups, kPanelColumns * 2}};
}

std::int64_t productOf(const std::array<std::int64_t, 3>& factors) {
  return factors[0] * factors[1] * factors[2];
}

}  // namespace

SegmentBytes segmentBytes(const PanelFormat& format, std::int64_t outFeatures, std::int64_t inFeatures,
                          Compute compute) {
  const SegmentShape shape =
      shapeOf(format, (outFeatures + kPanelColumns - 1) / kPanelColumns, inFeatures, compute);
  return {productOf(shape.panels), productOf(shape.scales)};
}

PanelSegment segmentOf(const PanelFormat& format, std::int64_t outFeatures, Compute compute,
                       std::shared_ptr<void> panels, std::shared_ptr<void> scales) {
  return {format, 0, outFeatures, computeOf(format, compute), std::move(panels), std::move(scales)};
}

PanelSegment allocateSegment(const PanelFormat& format, std::int64_t outFeatures, std::int64_t inFeatures,
                             Compute compute) {
  PanelSegment segment = segmentOf(format, outFeatures, compute, nullptr, nullptr);
  const SegmentShape shape = shapeOf(format, segment.panelCount(), inFeatures, compute);
  segment.panels = allocateBytes(shape.panels, "a weight matrix");
  if (shape.scales[1] > 0) segment.scales = allocateBytes(shape.scales, "a weight matrix's scales");
  preferLargePages(segment.panels.get(), productOf(shape.panels));
  return segment;
}

PackedWeight::PackedWeight(std::span<const TensorView> parts, WeightFormat format, Compute compute,
                           ThreadPool& pool) {
  VITRINE_CHECK(!parts.empty());
  inFeatures = parts[0].extent(1);
  std::vector<WeightRows> rows;
  for (const TensorView& part : parts) rows.push_back(rowsOf(part));
  addFloats(rows, format, compute, pool);
  arithmetic = m_segments.front().compute;
}

PackedWeight::PackedWeight(std::span<const WeightRows> parts, Compute compute, ThreadPool& pool) {
  VITRINE_CHECK(!parts.empty());
  inFeatures = parts[0].inFeatures;
  while (!parts.empty()) {
    std::size_t alike = 1;
    while (alike < parts.size() && parts[alike].type == parts[0].type) ++alike;
    const auto neighbours = parts.first(alike);
    if (isFloat(parts[0].type))
      addFloats(neighbours, floatFormat(parts[0].type), compute, pool);
    else
      addBlocks(neighbours, compute, pool);
    parts = parts.subspan(alike);
  }
  arithmetic = m_segments.front().compute;
}

PackedWeight::PackedWeight(std::vector<PanelSegment> segments, std::int64_t inputs) {
  VITRINE_CHECK(!segments.empty());
  inFeatures = inputs;
  for (PanelSegment& segment : segments) addSegment(std::move(segment));
  arithmetic = m_segments.front().compute;
}

const PanelSegment& PackedWeight::addSegment(PanelSegment segment) {
  segment.firstColumn = outFeatures;
  outFeatures += segment.outFeatures;
  const SegmentBytes size = segmentBytes(segment.format, segment.outFeatures, inFeatures, segment.compute);
  bytes += size.panels + size.scales;
  return m_segments.emplace_back(std::move(segment));
}

void PackedWeight::addFloats(std::span<const WeightRows> parts, WeightFormat format, Compute compute,
                             ThreadPool& pool) {
  const PanelSegment& segment =
      addSegment(allocateSegment(format, columnsOf(parts, inFeatures), inFeatures, compute));
  packPanels(FloatPacker(parts, segment), segment.panelCount(), pool);
}

void PackedWeight::addBlocks(std::span<const WeightRows> parts, Compute compute, ThreadPool& pool) {
  const PanelSegment& segment =
      addSegment(allocateSegment(parts[0].type, columnsOf(parts, inFeatures), inFeatures, compute));
  packPanels(BlockPacker(parts, segment), segment.panelCount(), pool);
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
