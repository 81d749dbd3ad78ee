// The products of a GGUF file's blocks in int8, for any instructions; the sets' files include it.
//
// The planes of a panel (block_panels.h) are opened to a byte for each weight, and what follows is the
// product of quads as for int8 weights, with a scale for each part of 16 or 32 inputs, and perhaps an offset.
// A tile opens a vector in registers just before it multiplies it with all its rows. Where tiles are low, for
// want of registers, many rows share bytes that are opened once for all of a task, into memory that the
// first-level cache holds. Read next: int8_set-inl.h.
#pragma once

#include "backends/cpu/int8-inl.h"

namespace vitrine::cpu {
namespace {

constexpr bool namesLevels(BlockType type) {
  return type == BlockType::kIq4Nl || type == BlockType::kIq4Xs || type == BlockType::kMxfp4;
}
// Whether values fill a byte with a sign; others are bits above zero.
constexpr bool fillsBytes(BlockType type) { return type == BlockType::kQ80 || namesLevels(type); }

// What types have in common: the bits of their planes, the inputs of a part, whether bits are the weight's
// value but for a zero, whether they name one of 16 levels, and whether parts have offsets.
template <BlockType Type>
struct Form {
  static constexpr PanelBits kBits = panelBits(Type);
  static constexpr bool kIsLevel = namesLevels(Type),
                        kIsK45 = Type == BlockType::kQ4K || Type == BlockType::kQ5K,
                        kHasOffset = Type == BlockType::kQ41 || Type == BlockType::kQ51 ||
                                     Type == BlockType::kQ2K || kIsK45,
                        kHasSignedScales =
                            Type == BlockType::kQ3K || Type == BlockType::kQ6K || Type == BlockType::kIq4Xs;
  static constexpr int kPart =
      Type == BlockType::kQ2K || Type == BlockType::kQ3K || Type == BlockType::kQ6K ? 16 : 32;
};

// Whether a value goes into the product with its sign, or with 128 added to it: as the instructions take it.
template <class Simd, BlockType Type>
constexpr bool kAddsHalf = fillsBytes(Type) && !Simd::kTakesSigns;

// What a type's bytes are more than its values.
template <class Simd>
std::int32_t zeroOf(BlockType type) {
  return fillsBytes(type) ? (Simd::kTakesSigns ? 0 : 128) : -valueOf(type, 0);
}

// The bytes that levels are looked up in; for other types none.
template <class Simd, BlockType Type>
struct LevelBytes {
  alignas(16) std::uint8_t bytes[16];
  LevelBytes() {
    if constexpr (Form<Type>::kIsLevel)
      for (int i = 0; i < 16; ++i)
        bytes[i] = static_cast<std::uint8_t>(blockLevels(Type)[i] ^ (kAddsHalf<Simd, Type> ? 0x80 : 0));
  }
};

// The bytes of a quad of a chunk, from column Simd::kLanes v on.
template <class Simd, BlockType Type>
[[gnu::always_inline]] inline void openQuad(const std::uint8_t* chunk, int quad, int v,
                                            const LevelBytes<Simd, Type>& levels, typename Simd::Quads& out) {
  constexpr PanelBits kBits = panelBits(Type);
  constexpr int kOfLower = 8 / kBits.lower, kOfUpper = kBits.upper > 0 ? 8 / kBits.upper : 1;
  const std::uint8_t* const at = chunk + v * Simd::kLanes * kQuad;
  out = Simd::load(at + quad / kOfLower * kQuadRow);
  if constexpr (kBits.lower < 8) out = Simd::bits(out, quad % kOfLower * kBits.lower, (1 << kBits.lower) - 1);
  if constexpr (kBits.upper > 0) {
    const auto upper = Simd::bits(Simd::load(at + kBits.lowerBytes() + quad / kOfUpper * kQuadRow),
                                  quad % kOfUpper * kBits.upper, (1 << kBits.upper) - 1);
    out = Simd::join(out, upper, kBits.lower);
  }
  if constexpr (Form<Type>::kIsLevel)
    out = Simd::lookUp(levels.bytes, out);
  else if constexpr (kAddsHalf<Simd, Type>)
    out = Simd::turnSigns(out);
}

// Scales or offsets of 32 columns.
using PanelFloats = float[kPanelColumns];

// Of the parts of some inputs, from part `first` of the record on.
template <class Simd, BlockType Type>
inline void openRecord(const std::uint8_t* record, std::int64_t first, std::int64_t parts,
                       PanelFloats* scales, PanelFloats* offsets) {
  using Its = Form<Type>;
  PanelFloats scale, minimum;
  if constexpr (Type == BlockType::kMxfp4)
    Simd::widenUppers(record, scale);
  else
    Simd::widenHalves(record, scale);
  if constexpr (Its::kHasOffset) Simd::widenHalves(record + kHalfRow, minimum);
  constexpr std::int64_t kStride = (Its::kIsK45 ? 2 : 1) * kPanelColumns;
  const std::uint8_t* small = record + (Its::kHasOffset ? 2 : 1) * kHalfRow + first * kStride;
  for (std::int64_t part = 0; part < parts; ++part, small += kStride)
    for (std::int64_t c = 0; c < kPanelColumns; ++c) {
      if constexpr (Its::kHasSignedScales)
        scales[part][c] = scale[c] * static_cast<float>(static_cast<std::int8_t>(small[c]));
      else if constexpr (Its::kIsK45)
        scales[part][c] = scale[c] * static_cast<float>(small[c]);
      else if constexpr (Type == BlockType::kQ2K)
        scales[part][c] = scale[c] * static_cast<float>(small[c] & 15);
      else
        scales[part][c] = scale[c];
      if constexpr (Its::kIsK45)
        offsets[part][c] = -(minimum[c] * static_cast<float>(small[kPanelColumns + c]));
      else if constexpr (Type == BlockType::kQ2K)
        offsets[part][c] = -(minimum[c] * static_cast<float>(small[c] >> 4));
      else if constexpr (Its::kHasOffset)
        offsets[part][c] = minimum[c];
    }
}

// Where chunks of a panel lie, and the record of their first input.
inline const std::uint8_t* chunkAt(const Int8BlockTask& task, std::int64_t panel, std::int64_t chunk) {
  return task.panels + (panel * (task.inputs / kChunk) + chunk) * panelBits(task.type).chunkBytes();
}
template <class Simd, BlockType Type>
inline void openScales(const Int8BlockTask& task, std::int64_t panel, std::int64_t chunk, std::int64_t chunks,
                       PanelFloats* scales, PanelFloats* offsets) {
  constexpr PanelBits kBits = panelBits(Type);
  constexpr int kPart = Form<Type>::kPart;
  const std::int64_t first = chunk * kChunk, inputs = chunks * kChunk, step = lesserOf(kBits.span, inputs);
  const std::uint8_t* const records = task.records + panel * (task.inputs / kBits.span) * kBits.record;
  for (std::int64_t at = 0; at < inputs; at += step)
    openRecord<Simd, Type>(records + (first + at) / kBits.span * kBits.record,
                           (first + at) % kBits.span / kPart, step / kPart, scales + at / kPart,
                           offsets + at / kPart);
}

constexpr std::int64_t kChunksOfGroup = kProductGroup / kChunk;

// Scales and offsets of a group of P panels.
template <int P, int Part>
struct GroupScales {
  alignas(64) PanelFloats scales[P][kProductGroup / Part], offsets[P][kProductGroup / Part];
};

// A group of P panels whose planes are opened as they are multiplied.
template <class Simd, BlockType Type, int P>
struct PlanesStrip : GroupScales<P, Form<Type>::kPart> {
  const std::uint8_t* chunks[P];
  [[no_unique_address]] LevelBytes<Simd, Type> levels;

  PlanesStrip(const Int8BlockTask& task, std::int64_t panel, std::int64_t chunk, std::int64_t count) {
    for (int p = 0; p < P; ++p) {
      chunks[p] = chunkAt(task, panel + p, chunk);
      openScales<Simd, Type>(task, panel + p, chunk, count, this->scales[p], this->offsets[p]);
    }
  }
  // For so many rows.
  template <int Rows>
  [[gnu::always_inline]] void load(int p, std::int64_t chunk, int quad, int v,
                                   typename Simd::Quads& out) const {
    constexpr PanelBits kBits = panelBits(Type);
    const std::uint8_t* const at = chunks[p] + chunk * kBits.chunkBytes();
    openQuad<Simd, Type>(at, quad, v, levels, out);
    constexpr int kBytes = static_cast<int>(kBits.chunkBytes() / (kChunk / kQuad));  // of a quad
    if (v == 0) fetchAhead<kBits.lower, Rows>(at + quad * kBytes);
    if (v == 0 && kBytes > 64) fetchAhead<kBits.lower, Rows>(at + quad * kBytes + 64);
  }
};

using ChunkOpener = void (*)(const Int8BlockTask&, std::int64_t panel, std::int64_t chunk,
                             std::int64_t chunks, std::uint8_t* quads, PanelFloats* scales,
                             PanelFloats* offsets);
template <class Simd, BlockType Type>
void openChunks(const Int8BlockTask& task, std::int64_t panel, std::int64_t chunk, std::int64_t chunks,
                std::uint8_t* quads, PanelFloats* scales, PanelFloats* offsets) {
  const LevelBytes<Simd, Type> levels;
  const std::uint8_t* from = chunkAt(task, panel, chunk);
  for (std::int64_t i = 0; i < chunks; ++i, from += panelBits(Type).chunkBytes())
#pragma GCC unroll 8
    for (int quad = 0; quad < kChunk / kQuad; ++quad, quads += kQuadRow)
#pragma GCC unroll 8
      for (int v = 0; v < kVectorsOfPanel<Simd>; ++v) {
        typename Simd::Quads opened;
        openQuad<Simd, Type>(from, quad, v, levels, opened);
        Simd::store(opened, quads + v * Simd::kLanes * kQuad);
        if (v == 0) __builtin_prefetch(from + kFetchAhead + quad * 64);
      }
  openScales<Simd, Type>(task, panel, chunk, chunks, scales, offsets);
}

// A product with the way to open its type's panels.
struct OpenedTask : Int8BlockTask {
  ChunkOpener open;
};

// The same as bytes in memory.
template <class Simd, int Part, int P>
struct BytesStrip : GroupScales<P, Part> {
  alignas(64) std::uint8_t quads[P][kProductGroup * kPanelColumns];

  BytesStrip(const OpenedTask& task, std::int64_t panel, std::int64_t chunk, std::int64_t count) {
    for (int p = 0; p < P; ++p)
      task.open(task, panel + p, chunk, count, quads[p], this->scales[p], this->offsets[p]);
  }
  template <int>
  void load(int p, std::int64_t chunk, int quad, int v, typename Simd::Quads& out) const {
    out = Simd::load(quads[p] + (chunk * (kChunk / kQuad) + quad) * kQuadRow + v * Simd::kLanes * kQuad);
  }
};

// sums [R][P * 32] += the chunks, all of one group, of R rows times the strip
template <class Simd, int Part, bool HasOffset, int R, int P, class Strip>
inline void addChunks(const Int8BlockTask& task, const Strip& strip, std::int64_t row, std::int64_t chunk,
                      std::int64_t chunks, float* sums) {
  constexpr int kVectors = kVectorsOfPanel<Simd>, kAll = P * kVectors, kQuads = Part / kQuad;
  constexpr std::int64_t kParts = kProductGroup / Part;
  const std::int64_t group = chunk / kChunksOfGroup;
  const std::int64_t at = group * task.x.stride + row;
  const std::int8_t* const x = task.x.values + at * kProductGroup;
  const Int8BlockTask::RowPart* ofRow = task.parts + at * kParts;
  for (std::int64_t i = 0; i < chunks; ++i)
#pragma GCC unroll 2
    for (int within = 0; within < kChunk / Part; ++within, ++ofRow) {
      __atomic_signal_fence(__ATOMIC_SEQ_CST);  // see addGroups()
      typename Simd::Ints acc[R][kAll];
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        const auto start = Simd::ints(HasOffset ? 0 : ofRow[r * kParts].start);
#pragma GCC unroll 32
        for (int v = 0; v < kAll; ++v) acc[r][v] = start;
      }
      const std::int64_t part = i * (kChunk / Part) + within;
      const std::int8_t* const values = x + part * Part;
#pragma GCC unroll 8
      for (int quad = 0; quad < kQuads; ++quad) {
        typename Simd::Quads weights[kAll];
#pragma GCC unroll 32
        for (int v = 0; v < kAll; ++v)
          strip.template load<R>(v / kVectors, i, within * kQuads + quad, v % kVectors, weights[v]);
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          const auto one = Simd::broadcast(values + r * kProductGroup + quad * kQuad);
#pragma GCC unroll 32
          for (int v = 0; v < kAll; ++v) acc[r][v] = Simd::dot(acc[r][v], weights[v], one);
        }
      }
#pragma GCC unroll 32
      for (int v = 0; v < kAll; ++v) {
        const int p = v / kVectors, column = v % kVectors * Simd::kLanes;
        const auto scale = Simd::loadFloats(strip.scales[p][part] + column);
        typename Simd::Floats offset;
        if constexpr (HasOffset) offset = Simd::loadFloats(strip.offsets[p][part] + column);
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          float* const sum = sums + (r * kAll + v) * Simd::kLanes;
          const Int8BlockTask::RowPart& of = ofRow[r * kParts];
          if constexpr (HasOffset)
            Simd::addScaled(sum, acc[r][v], scale, of.scale, offset, of.offset);
          else
            Simd::addScaled(sum, acc[r][v], scale, of.scale);
        }
      }
    }
}

template <class Simd, int Part, bool HasOffset, class TaskOfTile>
struct BlockTile {
  using Task = TaskOfTile;
  static constexpr int kVectors = kVectorsOfPanel<Simd>, kSums = Simd::kSums, kMostPanels = 2;
  static constexpr std::int64_t kDeep = kChunksOfGroup, kOnce = kChunksOfGroup;
  static std::int64_t depth(const Task& task) { return task.inputs / kChunk; }
  template <int R, int P, class S>
  static void add(const Task& task, const S& strip, std::int64_t row, std::int64_t chunk, std::int64_t chunks,
                  float* sums) {
    addChunks<Simd, Part, HasOffset, R, P>(task, strip, row, chunk, chunks, sums);
  }
};
// One panel wide, so that as many rows as possible share what is opened.
template <class Simd, BlockType Type>
struct PlanesTile : BlockTile<Simd, Form<Type>::kPart, Form<Type>::kHasOffset, Int8BlockTask> {
  static constexpr int kManyPanels = 1;
  template <int P, std::int64_t Steps>
  using Strip = PlanesStrip<Simd, Type, P>;
};
template <class Simd, int Part, bool HasOffset>
struct BytesTile : BlockTile<Simd, Part, HasOffset, OpenedTask> {
  static constexpr int kManyPanels = Simd::kManyPanels;
  template <int P, std::int64_t Steps>
  using Strip = BytesStrip<Simd, Part, P>;
};

// A tile of so many rows opens planes anew, since that waits for nothing (README.md).
constexpr int kHighTile = 8;

template <class Simd, BlockType Type>
void multiplyType(const Int8BlockTask& task, std::int64_t panelBegin, std::int64_t panelEnd,
                  std::int64_t rowBegin, std::int64_t rowEnd) {
  using Planes = PlanesTile<Simd, Type>;
  using Bytes = BytesTile<Simd, Form<Type>::kPart, Form<Type>::kHasOffset>;
  constexpr int kHeight = kTileRows<Planes>;
  const std::int64_t rows = rowEnd - rowBegin;
  if constexpr (kHeight >= kHighTile)
    multiplyPanels<Planes>(task, panelBegin, panelEnd, rowBegin, rowEnd);
  else if (rows <= kHeight)
    multiplyFew<Planes, kHeight>(task, panelBegin, panelEnd, rowBegin, rows);
  else
    multiplyMany<Bytes>({task, openChunks<Simd, Type>}, panelBegin, panelEnd, rowBegin, rows);
}

template <class Simd>
void multiplyBlocks(const Int8BlockTask& task, std::int64_t panelBegin, std::int64_t panelEnd,
                    std::int64_t rowBegin, std::int64_t rowEnd) {
  using Function = decltype(Int8Kernels::blocks);
  static constexpr Function kOf[kBlockTypes] = {nullptr,
                                                nullptr,
                                                nullptr,
                                                multiplyType<Simd, BlockType::kQ80>,
                                                multiplyType<Simd, BlockType::kQ40>,
                                                multiplyType<Simd, BlockType::kQ41>,
                                                multiplyType<Simd, BlockType::kQ50>,
                                                multiplyType<Simd, BlockType::kQ51>,
                                                multiplyType<Simd, BlockType::kQ2K>,
                                                multiplyType<Simd, BlockType::kQ3K>,
                                                multiplyType<Simd, BlockType::kQ4K>,
                                                multiplyType<Simd, BlockType::kQ5K>,
                                                multiplyType<Simd, BlockType::kQ6K>,
                                                multiplyType<Simd, BlockType::kIq4Nl>,
                                                multiplyType<Simd, BlockType::kIq4Xs>,
                                                multiplyType<Simd, BlockType::kMxfp4>};
  kOf[static_cast<int>(task.type)](task, panelBegin, panelEnd, rowBegin, rowEnd);
}

template <class Simd, int Part>
inline void partRowOf(const QuantizedRows& x, std::int64_t row, BlockType type,
                      Int8BlockTask::RowPart* parts) {
  constexpr std::int64_t kParts = kProductGroup / Part, kScales = kProductGroup / kBlockGroup;
  const bool hasOffset = blockTypeInfo(type).hasOffset;
  const std::int32_t zero = zeroOf<Simd>(type);
  for (std::int64_t group = 0; group < x.groups; ++group) {
    const std::int64_t at = group * x.stride + row;
    for (std::int64_t i = 0; i < kParts; ++i) {
      const std::int64_t ofScale = at * kScales + i * Part / kBlockGroup;
      Int8BlockTask::RowPart& part = parts[at * kParts + i];
      part.scale = x.scales[ofScale];
      std::int32_t sum = 0;
      if constexpr (Part == kBlockGroup) {
        sum = x.sums[ofScale];
      } else {
        const std::int8_t* const values = x.values + at * kProductGroup + i * Part;
        for (std::int64_t k = 0; k < Part; ++k) sum += values[k];
      }
      if (hasOffset)
        part.offset = part.scale * static_cast<float>(sum);
      else
        part.start = -zero * sum;
    }
  }
}
template <class Simd>
void partRow(const QuantizedRows& x, std::int64_t row, BlockType type, Int8BlockTask::RowPart* parts) {
  blockTypeInfo(type).group == 16 ? partRowOf<Simd, 16>(x, row, type, parts)
                                  : partRowOf<Simd, 32>(x, row, type, parts);
}

}  // namespace
}  // namespace vitrine::cpu
