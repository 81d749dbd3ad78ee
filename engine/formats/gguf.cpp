#include "formats/gguf.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "formats/file_cursor.h"
#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

// Far above any model's.
constexpr std::uint64_t kMostKeys = 1 << 16, kMostTensors = 1 << 17, kLongestName = 65535,
                        kLongestText = 1 << 24, kLargestAlignment = 1 << 20, kMaxRank = 4;
constexpr int kDeepestList = 3;
constexpr std::uint32_t kTypes = 13;

class Parser {
 public:
  Parser(std::size_t fileBytes, const ReadBytes& read, std::string_view fileName)
      : m_cursor(fileBytes, read, fileName) {}

  GgufHeader run() {
    readStart();
    const auto tensors = counted("tensors", kMostTensors), keys = counted("keys", kMostKeys);
    for (std::uint64_t i = 0; i < keys; ++i) readKey();
    for (std::uint64_t i = 0; i < tensors; ++i) readTensor();
    placeTensors();
    return std::move(m_header);
  }

 private:
  void readStart() {
    m_cursor.what = "the header";
    char magic[4] = {};
    if (m_cursor.left() >= sizeof magic) m_cursor.bytes(std::as_writable_bytes(std::span(magic)));
    if (std::string_view(magic, 4) != kGgufMagic)
      throw EngineError(ErrorCode::kFileCorrupt, m_cursor.file() + " does not begin with GGUF",
                        "Give a GGUF file, or a Hugging Face model directory.");
    m_header.version = m_cursor.number<std::uint32_t>();
    if (m_header.version == 2 || m_header.version == 3) return;
    const bool swapped = m_header.version != 0 && (m_header.version & 0xffff) == 0;
    throw EngineError(ErrorCode::kUnsupported,
                      m_cursor.file() + (swapped ? " is a big-endian GGUF file"
                                                 : " is GGUF version " + std::to_string(m_header.version)),
                      "Versions 2 and 3, little endian, are read; convert the model again.");
  }

  std::uint64_t counted(const char* of, std::uint64_t most) {
    const auto count = m_cursor.number<std::uint64_t>();
    if (count > most) m_cursor.fail("says that it has " + std::to_string(count) + " " + of);
    return count;
  }

  GgufType type() {
    const auto number = m_cursor.number<std::uint32_t>();
    if (number >= kTypes) m_cursor.fail("has a value of the unknown type " + std::to_string(number));
    return static_cast<GgufType>(number);
  }

  void readKey() {
    m_cursor.what = "the key after " + m_lastName;
    const std::string name = m_cursor.text(kLongestName);
    m_cursor.what = "key " + forMessage(name);
    const auto [place, isNew] = m_header.keys.try_emplace(name);
    if (!isNew) m_cursor.fail("stands there twice");
    GgufKey& key = place->second;
    key.type = type();
    key.offset = m_cursor.offset();
    key.value = key.type == GgufType::kArray ? GgufValue(list(0)) : scalar(key.type);
    key.bytes = m_cursor.offset() - key.offset;
    m_lastName = forMessage(name);
  }

  GgufValue scalar(GgufType kind) {
    if (kind == GgufType::kString) return m_cursor.text(kLongestText);
    std::byte bytes[8];
    m_cursor.bytes(std::span(bytes, ggufTypeBytes(kind)));
    if (kind == GgufType::kBool && std::to_integer<int>(bytes[0]) > 1)
      m_cursor.fail("is neither true nor false");
    return ggufNumber(kind, bytes);
  }

  // Passes over the elements.
  GgufArray list(int depth) {
    GgufArray found;
    found.type = type();
    found.count = m_cursor.number<std::uint64_t>();
    found.offset = m_cursor.offset();
    const std::size_t each = ggufTypeBytes(found.type);
    if (each > 0) {
      if (found.count > m_cursor.left() / each)
        m_cursor.fail("is a list of " + std::to_string(found.count) + " entries, more than the file holds");
      m_cursor.skip(found.count * each);
    } else {
      if (found.type == GgufType::kArray && depth == kDeepestList) m_cursor.fail("is a list too deep");
      for (std::uint64_t i = 0; i < found.count; ++i) {
        if (found.type == GgufType::kArray)
          list(depth + 1);
        else
          m_cursor.skip(m_cursor.length(kLongestText));
      }
    }
    found.bytes = m_cursor.offset() - found.offset;
    return found;
  }

  void readTensor() {
    m_cursor.what = "the tensor after " + m_lastName;
    GgufTensor tensor;
    tensor.name = m_cursor.text(kLongestName);
    m_lastName = forMessage(tensor.name);
    m_cursor.what = "tensor " + m_lastName;
    const auto rank = m_cursor.number<std::uint32_t>();
    if (rank < 1 || rank > kMaxRank) m_cursor.fail("has " + std::to_string(rank) + " dimensions");
    for (std::uint32_t i = 0; i < rank; ++i) {
      const auto extent = m_cursor.number<std::uint64_t>();
      if (extent < 1 || extent > std::uint64_t{INT64_MAX})
        m_cursor.fail("has a dimension of " + std::to_string(extent));
      tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(extent));
    }
    readTypeAndPlace(tensor);
    m_header.tensors.push_back(std::move(tensor));
  }

  void readTypeAndPlace(GgufTensor& tensor) {
    const auto id = m_cursor.number<std::uint32_t>();
    tensor.offset = m_cursor.number<std::uint64_t>();
    const auto known = blockTypeOf(id);
    if (!known)
      throw EngineError(ErrorCode::kUnsupported,
                        m_cursor.place() + " has the type " + blockTypeName(id) + ", which is not read",
                        "Read are " + knownBlockTypes() + "; take the model in one of these.");
    tensor.type = *known;
    const BlockTypeInfo& info = blockTypeInfo(*known);
    if (tensor.shape.back() % info.length != 0)
      m_cursor.fail("has rows of " + std::to_string(tensor.shape.back()) + " weights, not whole blocks of " +
                    info.name);
    std::uint64_t bytes = static_cast<std::uint64_t>(info.bytes);
    bool overflows = false;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
      const std::int64_t units =
          i + 1 == tensor.shape.size() ? tensor.shape[i] / info.length : tensor.shape[i];
      overflows |= __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(units), &bytes);
    }
    if (overflows) m_cursor.fail("has more bytes than can be counted");
    tensor.bytes = bytes;
  }

  std::uint64_t alignment() {
    const auto found = m_header.keys.find("general.alignment");
    if (found == m_header.keys.end()) return 32;
    m_cursor.what = "key general.alignment";
    const auto* value = std::get_if<std::uint64_t>(&found->second.value);
    if (value == nullptr || !std::has_single_bit(*value) || *value < 8 || *value > kLargestAlignment)
      m_cursor.fail("is no power of two from 8 on");
    return *value;
  }

  // Offsets in the file are from the start of the data; here they become those from the first byte.
  void placeTensors() {
    const std::uint64_t even = alignment();
    const std::uint64_t begin = (m_cursor.offset() + even - 1) / even * even, end = m_cursor.fileBytes();
    for (GgufTensor& tensor : m_header.tensors) {
      m_cursor.what = "tensor " + forMessage(tensor.name);
      const std::string data = "has its data at byte " + std::to_string(tensor.offset);
      if (tensor.offset % even != 0) m_cursor.fail(data + ", no multiple of " + std::to_string(even));
      if (begin > end || tensor.offset > end - begin || tensor.bytes > end - begin - tensor.offset)
        m_cursor.fail(data + " of " + std::to_string(end > begin ? end - begin : 0) + " and needs " +
                      std::to_string(tensor.bytes) + " bytes: the file is cut, or its header is wrong");
      tensor.offset += begin;
    }
    requireApart();
  }

  void requireApart() {
    std::vector<const GgufTensor*> sorted;
    for (const GgufTensor& tensor : m_header.tensors) sorted.push_back(&tensor);
    std::ranges::sort(sorted, {}, [](const GgufTensor* t) { return t->offset; });
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i - 1]->offset + sorted[i - 1]->bytes > sorted[i]->offset) {
        m_cursor.what = "tensor " + forMessage(sorted[i]->name);
        m_cursor.fail("has its data at byte " + std::to_string(sorted[i]->offset) +
                      " of the file, within tensor " + forMessage(sorted[i - 1]->name));
      }
    std::ranges::sort(sorted, {}, [](const GgufTensor* t) { return std::string_view(t->name); });
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i - 1]->name == sorted[i]->name) {
        m_cursor.what = "tensor " + forMessage(sorted[i]->name);
        m_cursor.fail("stands there twice");
      }
  }

  FileCursor m_cursor;
  GgufHeader m_header;
  std::string m_lastName = "the header";
};

template <typename T>
T loaded(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);  // the machines that this engine runs on are little endian too
  return value;
}

}  // namespace

std::size_t ggufTypeBytes(GgufType type) {
  constexpr std::size_t kBytes[kTypes] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

GgufValue ggufNumber(GgufType type, const std::byte* bytes) {
  switch (type) {
    case GgufType::kUint8:
      return std::uint64_t{loaded<std::uint8_t>(bytes)};
    case GgufType::kInt8:
      return std::int64_t{loaded<std::int8_t>(bytes)};
    case GgufType::kUint16:
      return std::uint64_t{loaded<std::uint16_t>(bytes)};
    case GgufType::kInt16:
      return std::int64_t{loaded<std::int16_t>(bytes)};
    case GgufType::kUint32:
      return std::uint64_t{loaded<std::uint32_t>(bytes)};
    case GgufType::kInt32:
      return std::int64_t{loaded<std::int32_t>(bytes)};
    case GgufType::kFloat32:
      return double{loaded<float>(bytes)};
    case GgufType::kBool:
      return std::to_integer<int>(*bytes) != 0;
    case GgufType::kUint64:
      return loaded<std::uint64_t>(bytes);
    case GgufType::kInt64:
      return loaded<std::int64_t>(bytes);
    case GgufType::kFloat64:
      return loaded<double>(bytes);
    case GgufType::kString:
    case GgufType::kArray:
      break;
  }
  return std::uint64_t{0};
}

GgufHeader parseGguf(std::size_t fileBytes, const ReadBytes& read, std::string_view fileName) {
  return Parser(fileBytes, read, fileName).run();
}

}  // namespace vitrine
