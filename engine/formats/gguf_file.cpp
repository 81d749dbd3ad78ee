#include "formats/gguf_file.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "core/check.h"
#include "formats/file_cursor.h"
#include "formats/stand_in.h"
#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

constexpr std::int64_t kMostParts = 65535;
constexpr std::uint64_t kLongestEntry = 1 << 20;  // of an entry of a list

std::optional<std::int64_t> wholeNumber(const GgufValue& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value))
    return *number > std::uint64_t{INT64_MAX} ? INT64_MAX : static_cast<std::int64_t>(*number);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  return {};
}

std::optional<double> anyNumber(const GgufValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto whole = wholeNumber(value)) return static_cast<double>(*whole);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return {};
}

// "model-00002-of-00005.gguf": the name of part `part` (from 1) beside the first one.
std::filesystem::path partPath(const std::filesystem::path& first, std::int64_t part, std::int64_t count) {
  const auto ending = [&](std::int64_t number) {
    char text[64];
    std::snprintf(text, sizeof text, "-%05lld-of-%05lld.gguf", static_cast<long long>(number),
                  static_cast<long long>(count));
    return std::string(text);
  };
  const std::string name = first.filename().string();
  if (!name.ends_with(ending(1)))
    throw EngineError(ErrorCode::kFileCorrupt,
                      first.string() + " is the first of " + std::to_string(count) +
                          " parts, but its name does not end with " + ending(1),
                      "Give the parts the names they were published with.");
  return first.parent_path() / (name.substr(0, name.size() - ending(1).size()) + ending(part));
}

}  // namespace

GgufFile::GgufFile(const std::filesystem::path& path)
    : m_input(openModelFile(path)),
      m_read([input = m_input.get()](std::size_t offset, std::span<std::byte> out) {
        input->read(offset, out, "its header");
      }),
      m_fileBytes(m_input->size()),
      m_name(path.string()),
      m_header(parseGguf(m_fileBytes, m_read, m_name)) {}

GgufFile::GgufFile(std::size_t fileBytes, ReadBytes read, std::string_view fileName)
    : m_read(std::move(read)),
      m_fileBytes(fileBytes),
      m_name(fileName),
      m_header(parseGguf(fileBytes, m_read, fileName)) {}

void GgufFile::fail(std::string_view key, const std::string& problem) const {
  throw EngineError(ErrorCode::kFileCorrupt, m_name + ": key " + std::string(key) + " " + problem,
                    "Compare the file with the one the model's authors published.");
}

void GgufFile::refuse(std::string_view key, const std::string& problem, const std::string& hint) const {
  throw EngineError(ErrorCode::kUnsupported, m_name + ": key " + std::string(key) + " " + problem, hint);
}

const GgufValue* GgufFile::find(std::string_view key) const {
  const auto found = m_header.keys.find(key);
  return found == m_header.keys.end() ? nullptr : &found->second.value;
}

std::string GgufFile::text(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) fail(key, "is missing");
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  fail(key, "is no text");
}

std::string GgufFile::textOr(std::string_view key, std::string_view fallback) const {
  return has(key) ? text(key) : std::string(fallback);
}

std::int64_t GgufFile::countOr(std::string_view key, std::int64_t fallback, std::int64_t largest) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return fallback;
  const auto number = wholeNumber(*value);
  if (!number) fail(key, "is no whole number");
  if (*number < 0 || *number > largest)
    fail(key, "is " + std::to_string(*number) + ", outside 0.." + std::to_string(largest));
  return *number;
}

std::int64_t GgufFile::size(std::string_view key, std::int64_t largest) const {
  if (!has(key)) fail(key, "is missing");
  const std::int64_t number = countOr(key, 0, largest);
  if (number == 0) fail(key, "is 0");
  return number;
}

std::int64_t GgufFile::sizeOr(std::string_view key, std::int64_t fallback, std::int64_t largest) const {
  return has(key) ? size(key, largest) : fallback;
}

double GgufFile::number(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) fail(key, "is missing");
  const auto number = anyNumber(*value);
  if (!number) fail(key, "is no number");
  // What is computed from it is float32.
  if (!std::isfinite(*number) || *number < 1e-30 || *number > 1e30)
    fail(key, "is " + std::to_string(*number) + ", not a number above 0 within reason");
  return *number;
}

double GgufFile::numberOr(std::string_view key, double fallback) const {
  return has(key) ? number(key) : fallback;
}

bool GgufFile::flagOr(std::string_view key, bool fallback) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return fallback;
  if (const auto* flag = std::get_if<bool>(value)) return *flag;
  fail(key, "is neither true nor false");
}

bool GgufFile::isList(std::string_view key) const {
  const GgufValue* value = find(key);
  return value != nullptr && std::holds_alternative<GgufArray>(*value);
}

const GgufArray* GgufFile::list(std::string_view key, std::size_t most) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return nullptr;
  const auto* found = std::get_if<GgufArray>(value);
  if (found == nullptr) fail(key, "is no list");
  if (found->count > most)
    fail(key, "has " + std::to_string(found->count) + " entries, more than " + std::to_string(most));
  return found;
}

std::vector<std::string> GgufFile::texts(std::string_view key, std::size_t most) const {
  const GgufArray* found = list(key, most);
  if (found == nullptr) return {};
  if (found->type != GgufType::kString) fail(key, "is no list of texts");
  FileCursor cursor(m_fileBytes, m_read, m_name, found->offset);
  cursor.what = "key " + std::string(key);
  std::vector<std::string> texts;
  texts.reserve(found->count);
  for (std::uint64_t i = 0; i < found->count; ++i) texts.push_back(cursor.text(kLongestEntry));
  return texts;
}

std::vector<double> GgufFile::numbers(std::string_view key, std::size_t most) const {
  const GgufArray* found = list(key, most);
  if (found == nullptr) return {};
  const std::size_t each = ggufTypeBytes(found->type);
  if (each == 0) fail(key, "is no list of numbers");
  std::vector<std::byte> bytes(found->bytes);
  m_read(found->offset, bytes);
  std::vector<double> numbers;
  numbers.reserve(found->count);
  for (std::size_t at = 0; at < bytes.size(); at += each)
    numbers.push_back(*anyNumber(ggufNumber(found->type, bytes.data() + at)));
  return numbers;
}

std::string GgufFile::rawValue(const GgufKey& key) const {
  std::string bytes(key.bytes, '\0');
  m_read(key.offset, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

void GgufFile::read(const GgufTensor& tensor, std::size_t first, std::span<std::byte> out) const {
  VITRINE_CHECK(first <= tensor.bytes && out.size() <= tensor.bytes - first);
  if (!m_input) return m_read(tensor.offset + first, out);
  m_input->read(tensor.offset + first, out,
                "tensor " + forMessage(tensor.name) + " (byte " + std::to_string(tensor.offset) + ")");
}

bool isModelFile(const std::filesystem::path& model) {
  std::error_code error;
  return std::filesystem::is_regular_file(model, error);
}

std::vector<std::unique_ptr<GgufFile>> openGguf(const std::filesystem::path& first) {
  std::vector<std::unique_ptr<GgufFile>> files;
  files.push_back(std::make_unique<GgufFile>(first));
  const std::int64_t count = files[0]->countOr("split.count", 1, kMostParts);
  if (count <= 1) return files;
  if (!files[0]->has("split.no")) files[0]->fail("split.no", "is missing, and split.count is above 1");
  const std::int64_t number = files[0]->countOr("split.no", 0, kMostParts);
  if (number != 0)
    throw EngineError(ErrorCode::kInvalidArgument,
                      first.string() + " is part " + std::to_string(number + 1) + " of " +
                          std::to_string(count) + " of a model",
                      "Give the first part; the others are found beside it.");
  for (std::int64_t part = 2; part <= count; ++part) {
    const std::filesystem::path path = partPath(first, part, count);
    if (!isThere(path))
      throw EngineError(ErrorCode::kFileNotFound,
                        path.string() + ", part " + std::to_string(part) + " of the model, is missing",
                        "Download all parts into one folder.");
    files.push_back(std::make_unique<GgufFile>(path));
    if (files.back()->countOr("split.no", 0, kMostParts) != part - 1 ||
        files.back()->countOr("split.count", 0, kMostParts) != count)
      files.back()->fail("split.no", "and split.count do not belong to this part of the model");
  }
  return files;
}

}  // namespace vitrine
