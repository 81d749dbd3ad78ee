// Any bytes as the index of a copy of packed weights, its checksum right, behind segments of a size that the
// first four bytes name: refused with an EngineError, or all segments lie within the file.
#include <cstdlib>
#include <cstring>

#include "backends/cpu/packed_index.h"
#include "core/checksum64.h"
#include "vitrine/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine;
  using namespace vitrine::cpu;
  std::uint32_t segmentBytes = 0;
  if (size < sizeof segmentBytes) return 0;
  std::memcpy(&segmentBytes, data, sizeof segmentBytes);
  const auto index = std::as_bytes(std::span(data, size)).subspan(sizeof segmentBytes);
  const std::string empty = PackedIndex().write();  // for its trailer
  const std::uint64_t indexBytes = index.size(), sum = checksum64(index, kPackedLayout);
  std::vector<std::byte> tail(index.begin(), index.end());
  const auto add = [&](const void* from, std::size_t count) {
    tail.insert(tail.end(), static_cast<const std::byte*>(from), static_cast<const std::byte*>(from) + count);
  };
  add(empty.data() + empty.size() - 32, 16);
  add(&indexBytes, sizeof indexBytes);
  add(&sum, sizeof sum);
  const std::size_t fileBytes = segmentBytes + tail.size();
  const ReadBytes read = [&](std::size_t offset, std::span<std::byte> out) {
    if (offset < segmentBytes || offset - segmentBytes > tail.size() ||
        out.size() > tail.size() - (offset - segmentBytes))
      std::abort();
    if (!out.empty()) std::memcpy(out.data(), tail.data() + (offset - segmentBytes), out.size());
  };
  for (const Compute compute : {Compute::kF32, Compute::kBf16, Compute::kInt8}) {
    try {
      const PackedIndex found = readPackedIndex(fileBytes, read, "fuzz", "k", compute);
      for (const CopyMatrix& matrix : found.matrices)
        for (const CopySegment& segment : matrix.segments)
          for (const CopyPart* part : {&segment.panels, &segment.scales})
            if (part->offset < 0 || part->bytes < 0 ||
                part->offset + part->bytes > std::int64_t{segmentBytes} ||
                static_cast<std::int64_t>(part->sums.size()) != part->pieces())
              std::abort();
    } catch (const EngineError&) {
    }
  }
  return 0;
}
