#include "models/safetensors.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "models/json_file.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

using json = nlohmann::json;

// The format's own limit is 100 MB; known models need less than a hundredth of this one.
constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{32} << 20;
constexpr std::size_t kMaxRank = 16;

struct TypeBytes {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr std::array<TypeBytes, 15> kTypes = {{{"F32", 4},
                                               {"BF16", 2},
                                               {"F16", 2},
                                               {"F64", 8},
                                               {"I64", 8},
                                               {"I32", 4},
                                               {"I16", 2},
                                               {"I8", 1},
                                               {"U64", 8},
                                               {"U32", 4},
                                               {"U16", 2},
                                               {"U8", 1},
                                               {"BOOL", 1},
                                               {"F8_E4M3", 1},
                                               {"F8_E5M2", 1}}};

class HeaderReader {
 public:
  HeaderReader(std::string_view fileName, std::uint64_t dataStart, std::uint64_t dataBytes)
      : m_fileName(fileName), m_dataStart(dataStart), m_dataBytes(dataBytes) {}

  SafetensorsEntry entry(const std::string& name, const json& value) const {
    if (!value.is_object()) corrupt(name, "is no object");
    SafetensorsEntry entry;
    entry.name = name;
    entry.type = text(name, value);
    entry.shape = shape(name, value);
    const auto [begin, end] = range(name, value);
    entry.offset = m_dataStart + begin;
    entry.bytes = end - begin;
    const std::uint64_t needed = bytesOf(name, entry.type, entry.shape);
    if (needed != entry.bytes)
      corrupt(name, "of type " + entry.type + " and shape " + shapeText(entry.shape) + " needs " +
                        std::to_string(needed) + " bytes, but its data_offsets span " +
                        std::to_string(entry.bytes));
    return entry;
  }

  // Every byte of the data belongs to exactly one tensor; anything else means a writer or a copy went wrong.
  void requireTiling(const std::vector<SafetensorsEntry>& entries) const {
    const std::uint64_t end = m_dataStart + m_dataBytes;
    std::uint64_t reached = m_dataStart;
    const SafetensorsEntry* before = nullptr;
    for (const SafetensorsEntry& entry : entries) {
      if (entry.offset < reached) corrupt(entry.name, "overlaps with tensor " + forMessage(before->name));
      if (entry.offset > reached)
        corrupt(entry.name, "leaves a gap of " + std::to_string(entry.offset - reached) + " bytes before it");
      reached += entry.bytes;
      before = &entry;
    }
    if (reached != end)
      throw EngineError(
          ErrorCode::kFileCorrupt,
          m_fileName + ": " + std::to_string(end - reached) + " bytes after the last tensor belong to none",
          "Download the file again.");
  }

 private:
  [[noreturn]] void corrupt(const std::string& name, const std::string& what) const {
    throw EngineError(ErrorCode::kFileCorrupt, m_fileName + ": tensor " + forMessage(name) + " " + what,
                      "Download the file again.");
  }

  std::string text(const std::string& name, const json& value) const {
    const auto type = value.find("dtype");
    if (type == value.end() || !type->is_string()) corrupt(name, "has no dtype");
    return type->get<std::string>();
  }

  std::vector<std::int64_t> shape(const std::string& name, const json& value) const {
    const auto extents = value.find("shape");
    if (extents == value.end() || !extents->is_array()) corrupt(name, "has no shape");
    if (extents->size() > kMaxRank) corrupt(name, "has " + std::to_string(extents->size()) + " dimensions");
    std::vector<std::int64_t> result;
    for (const json& extent : *extents)
      result.push_back(static_cast<std::int64_t>(natural(name, "shape", extent)));
    return result;
  }

  std::pair<std::uint64_t, std::uint64_t> range(const std::string& name, const json& value) const {
    const auto offsets = value.find("data_offsets");
    if (offsets == value.end() || !offsets->is_array() || offsets->size() != 2)
      corrupt(name, "has no data_offsets [begin, end]");
    const std::uint64_t begin = natural(name, "data_offsets", (*offsets)[0]);
    const std::uint64_t end = natural(name, "data_offsets", (*offsets)[1]);
    if (begin > end) corrupt(name, "ends before it begins");
    if (end > m_dataBytes)
      corrupt(name, "ends at byte " + std::to_string(end) + " of " + std::to_string(m_dataBytes) +
                        ": the file is truncated or its header wrong");
    return {begin, end};
  }

  std::uint64_t natural(const std::string& name, const char* what, const json& value) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::uint64_t{INT64_MAX})
      corrupt(name, std::string("has the ") + what + " value " + forMessage(value.dump()));
    return value.get<std::uint64_t>();
  }

  std::uint64_t bytesOf(const std::string& name, const std::string& type,
                        const std::vector<std::int64_t>& extents) const {
    const auto known = std::ranges::find(kTypes, std::string_view(type), &TypeBytes::name);
    if (known == kTypes.end())
      throw EngineError(ErrorCode::kUnsupported,
                        m_fileName + ": tensor " + forMessage(name) + " has the type " + forMessage(type) +
                            ", which is not known",
                        "Use the model's float32, bf16 or f16 files.");
    std::uint64_t bytes = known->bytes;
    if (std::ranges::count(extents, 0) > 0) return 0;
    for (const std::int64_t extent : extents)
      if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes))
        corrupt(name, "has the shape " + shapeText(extents) + ", more bytes than can be counted");
    return bytes;
  }

  std::string m_fileName;
  std::uint64_t m_dataStart, m_dataBytes;
};

std::uint64_t readHeaderLength(std::size_t fileBytes, const ReadBytes& read, std::string_view fileName) {
  const auto fail = [&](const std::string& what) {
    throw EngineError(ErrorCode::kFileCorrupt, std::string(fileName) + ": " + what,
                      "Download the file again.");
  };
  if (fileBytes < 8) fail(std::to_string(fileBytes) + " bytes are too few for a safetensors file");
  std::array<std::byte, 8> bytes;
  read(0, bytes);
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  if (length > fileBytes - 8)
    fail("the header is said to have " + std::to_string(length) + " bytes, but only " +
         std::to_string(fileBytes - 8) + " follow");
  if (length > kMaxHeaderBytes) fail("a header of " + std::to_string(length) + " bytes is too long");
  return length;
}

}  // namespace

std::vector<SafetensorsEntry> parseSafetensors(std::size_t fileBytes, const ReadBytes& read,
                                               std::string_view fileName) {
  std::string text(static_cast<std::size_t>(readHeaderLength(fileBytes, read, fileName)), '\0');
  read(8, std::as_writable_bytes(std::span(text)));
  const json header = parseJsonObject(text, std::string(fileName) + " (header)");

  const std::size_t dataStart = 8 + text.size();
  const HeaderReader reader(fileName, dataStart, fileBytes - dataStart);
  std::vector<SafetensorsEntry> entries;
  for (const auto& [name, value] : header.items())
    if (name != "__metadata__") entries.push_back(reader.entry(name, value));
  std::ranges::sort(entries, {}, [](const SafetensorsEntry& e) { return std::tuple(e.offset, e.bytes); });
  reader.requireTiling(entries);
  return entries;
}

std::string shapeText(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

}  // namespace vitrine
