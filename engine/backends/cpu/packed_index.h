// PackedIndex: what a file of packed weights holds. PackedCopies writes and reads such files.
//
// The file: the bytes of all segments, in the order of the index; the index; a trailer of 32 bytes. A segment
// is its panels and then its scales, each from a multiple of 4 KiB on, and has no place or size in the index:
// both follow from its format and shape, so nothing contradicts them. The index, in 64 bits each: the key, a
// text; the number of matrices, and of each its name, its inputs, its number of segments, and of each segment
// format and outputs; then a checksum for each *piece* of 256 KiB of panels and of scales. A text is its
// length and its bytes. The trailer: a magic, the layout's number, the bytes of the index, their checksum.
// Numbers are of this machine's byte order, which the magic shows. Why the index stands last: its checksums
// are known then, and the file is written in one go.
//
// The layout's number: a change of how weights are packed, or of this file, must raise it, so that no copy
// of the old layout is read (tests/backends/tst_packed_copies compares a digest of each format).
//
// Bytes from outside: readPackedIndex() trusts nothing it reads. Thread: any. Read next: packed_copies.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cpu/packed_weight.h"
#include "formats/read_bytes.h"

namespace vitrine::cpu {

inline constexpr std::uint64_t kPackedLayout = 1;
inline constexpr std::int64_t kCopyAlignment = 4096, kCopyPiece = std::int64_t{256} << 10;

// A part of a segment in the file: its panels or its scales.
struct CopyPart {
  std::int64_t offset = 0, bytes = 0;
  std::vector<std::uint64_t> sums;  // of its pieces

  std::int64_t pieces() const { return (bytes + kCopyPiece - 1) / kCopyPiece; }
  std::int64_t pieceBytes(std::int64_t piece) const {
    return std::min(kCopyPiece, bytes - piece * kCopyPiece);
  }
};

struct CopySegment {
  PanelFormat format = WeightFormat::kF32;
  std::int64_t outFeatures = 0;
  CopyPart panels, scales;
};

struct CopyMatrix {
  std::string name;
  std::int64_t inFeatures = 0, outFeatures = 0;  // the latter of all segments
  std::vector<CopySegment> segments;
};

struct PackedIndex {
  std::string key;
  std::vector<CopyMatrix> matrices;

  // Gives every part its offset and bytes, for products in `compute`; returns the end of the last one.
  std::int64_t place(Compute compute);
  std::string write() const;  // and the trailer
};

// Throws EngineError(kFileCorrupt), and what `read` throws. A key other than `key` is an error as well: the
// copy is of something else.
PackedIndex readPackedIndex(std::size_t fileBytes, const ReadBytes& read, std::string_view fileName,
                            std::string_view key, Compute compute);

}  // namespace vitrine::cpu
