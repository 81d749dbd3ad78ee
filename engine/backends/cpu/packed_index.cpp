#include "backends/cpu/packed_index.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/cpu/block_panels.h"
#include "core/checksum64.h"
#include "formats/file_cursor.h"
#include "vitrine/error.h"

namespace vitrine::cpu {
namespace {

constexpr std::uint64_t kMagic = 0x316b636150747256;  // "VrtPack1"
constexpr std::int64_t kMostFeatures = 1 << 24;       // so that no product of sizes overflows
constexpr std::uint64_t kMostIndexBytes = std::uint64_t{64} << 20, kMostText = std::uint64_t{1} << 16;
constexpr std::uint64_t kMostMatrices = 1 << 16, kMostSegments = 64;
constexpr std::uint64_t kBlocks = 256;  // from here on, formats are block types

struct Trailer {
  std::uint64_t magic, layout, indexBytes, indexSum;
};

std::uint64_t numberOf(const PanelFormat& format) {
  if (const auto* type = std::get_if<BlockType>(&format)) return kBlocks + static_cast<std::uint64_t>(*type);
  return static_cast<std::uint64_t>(std::get<WeightFormat>(format));
}

std::int64_t aligned(std::int64_t offset) {
  return (offset + kCopyAlignment - 1) / kCopyAlignment * kCopyAlignment;
}

class IndexReader {
 public:
  IndexReader(std::size_t fileBytes, const ReadBytes& read, std::string_view fileName, std::size_t offset)
      : m_cursor(fileBytes, read, fileName, offset) {
    m_cursor.what = "the index";
  }

  PackedIndex read(std::string_view key, Compute compute) {
    PackedIndex index;
    index.key = m_cursor.text(kMostText);
    if (index.key != key) m_cursor.fail("is that of other weights");
    index.matrices.resize(count(1, kMostMatrices));
    for (CopyMatrix& matrix : index.matrices) readMatrix(matrix);
    m_end = index.place(compute);
    if (m_end > static_cast<std::int64_t>(m_cursor.fileBytes()))
      m_cursor.fail("names more bytes than there are");
    for (CopyMatrix& matrix : index.matrices)
      for (CopySegment& segment : matrix.segments)
        for (CopyPart* part : {&segment.panels, &segment.scales}) {
          part->sums.resize(static_cast<std::size_t>(part->pieces()));
          for (std::uint64_t& sum : part->sums) sum = m_cursor.number<std::uint64_t>();
        }
    return index;
  }
  std::int64_t segmentsEnd() const { return m_end; }
  std::size_t end() const { return m_cursor.offset(); }

 private:
  std::uint64_t count(std::uint64_t least, std::uint64_t most) {
    const auto number = m_cursor.number<std::uint64_t>();
    if (number < least || number > most) m_cursor.fail("holds the number " + std::to_string(number));
    return number;
  }

  void readMatrix(CopyMatrix& matrix) {
    matrix.name = m_cursor.text(kMostText);
    matrix.inFeatures = static_cast<std::int64_t>(count(1, kMostFeatures));
    matrix.segments.resize(count(1, kMostSegments));
    for (CopySegment& segment : matrix.segments) {
      segment.format = readFormat(matrix.inFeatures);
      segment.outFeatures = static_cast<std::int64_t>(count(1, kMostFeatures));
      matrix.outFeatures += segment.outFeatures;
    }
  }

  PanelFormat readFormat(std::int64_t inFeatures) {
    const auto number = m_cursor.number<std::uint64_t>();
    if (number < kWeightFormats) return static_cast<WeightFormat>(number);
    const std::uint64_t block = number - kBlocks;
    if (number >= kBlocks && block < kBlockTypes) {
      const auto type = static_cast<BlockType>(block);
      if (!isFloat(type) && inFeatures % blockTypeInfo(type).length == 0) return type;
    }
    m_cursor.fail("names the format " + std::to_string(number));
  }

  FileCursor m_cursor;
  std::int64_t m_end = 0;
};

class IndexWriter {
 public:
  void number(std::uint64_t value) { m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view text) {
    number(text.size());
    m_bytes += text;
  }
  std::string finish() && {
    const Trailer trailer{kMagic, kPackedLayout, m_bytes.size(),
                          checksum64(std::as_bytes(std::span(m_bytes)), kPackedLayout)};
    m_bytes.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
    return std::move(m_bytes);
  }

 private:
  std::string m_bytes;
};

}  // namespace

std::int64_t PackedIndex::place(Compute compute) {
  std::int64_t end = 0;
  const auto put = [&](CopyPart& part, std::int64_t bytes) {
    part.offset = aligned(end);
    part.bytes = bytes;
    end = part.offset + bytes;
  };
  for (CopyMatrix& matrix : matrices)
    for (CopySegment& segment : matrix.segments) {
      const SegmentBytes bytes =
          segmentBytes(segment.format, segment.outFeatures, matrix.inFeatures, compute);
      put(segment.panels, bytes.panels);
      put(segment.scales, bytes.scales);
    }
  return end;
}

std::string PackedIndex::write() const {
  IndexWriter writer;
  writer.text(key);
  writer.number(matrices.size());
  for (const CopyMatrix& matrix : matrices) {
    writer.text(matrix.name);
    writer.number(static_cast<std::uint64_t>(matrix.inFeatures));
    writer.number(matrix.segments.size());
    for (const CopySegment& segment : matrix.segments) {
      writer.number(numberOf(segment.format));
      writer.number(static_cast<std::uint64_t>(segment.outFeatures));
    }
  }
  for (const CopyMatrix& matrix : matrices)
    for (const CopySegment& segment : matrix.segments)
      for (const CopyPart* part : {&segment.panels, &segment.scales})
        for (const std::uint64_t sum : part->sums) writer.number(sum);
  return std::move(writer).finish();
}

PackedIndex readPackedIndex(std::size_t fileBytes, const ReadBytes& read, std::string_view fileName,
                            std::string_view key, Compute compute) {
  const auto fail = [&](const char* what) {
    throw EngineError(ErrorCode::kFileCorrupt, std::string(fileName) + " " + what);
  };
  Trailer trailer{};
  if (fileBytes < sizeof trailer) fail("is no copy of packed weights");
  const std::size_t body = fileBytes - sizeof trailer;
  read(body, std::as_writable_bytes(std::span(&trailer, 1)));
  if (trailer.magic != kMagic) fail("is no copy of packed weights");
  if (trailer.layout != kPackedLayout) fail("has another layout");
  if (trailer.indexBytes > std::min<std::uint64_t>(body, kMostIndexBytes)) fail("is cut off");
  const std::size_t begin = body - trailer.indexBytes;
  std::vector<std::byte> bytes(trailer.indexBytes);
  read(begin, bytes);
  if (checksum64(bytes, kPackedLayout) != trailer.indexSum) fail("is damaged");
  const ReadBytes fromIndex = [&](std::size_t offset, std::span<std::byte> out) {
    std::memcpy(out.data(), bytes.data() + (offset - begin), out.size());
  };
  IndexReader reader(body, fromIndex, fileName, begin);
  PackedIndex index = reader.read(key, compute);
  if (reader.end() != body || reader.segmentsEnd() != static_cast<std::int64_t>(begin)) fail("is cut off");
  return index;
}

}  // namespace vitrine::cpu
