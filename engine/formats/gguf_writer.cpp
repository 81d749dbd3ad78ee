#include "formats/gguf_writer.h"

#include "core/check.h"

namespace vitrine {
namespace {

constexpr std::uint64_t kAlignment = 32;  // what a reader assumes without general.alignment

template <typename T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void putText(std::string& out, std::string_view text) {
  put(out, std::uint64_t{text.size()});
  out += text;
}
std::uint64_t rounded(std::uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
std::string filling(std::uint64_t bytes) { return std::string(rounded(bytes) - bytes, '\0'); }

}  // namespace

void GgufWriter::key(std::string_view name, GgufType type) {
  putText(m_keys, name);
  put(m_keys, static_cast<std::uint32_t>(type));
  ++m_keyCount;
}

void GgufWriter::list(std::string_view name, GgufType type, std::size_t count) {
  key(name, GgufType::kArray);
  put(m_keys, static_cast<std::uint32_t>(type));
  put(m_keys, std::uint64_t{count});
}

void GgufWriter::text(std::string_view name, std::string_view value) {
  key(name, GgufType::kString);
  putText(m_keys, value);
}
void GgufWriter::number(std::string_view name, std::uint32_t value) {
  key(name, GgufType::kUint32);
  put(m_keys, value);
}
void GgufWriter::real(std::string_view name, float value) {
  key(name, GgufType::kFloat32);
  put(m_keys, value);
}
void GgufWriter::flag(std::string_view name, bool value) {
  key(name, GgufType::kBool);
  put(m_keys, value);
}
void GgufWriter::texts(std::string_view name, std::span<const std::string> values) {
  list(name, GgufType::kString, values.size());
  for (const std::string& value : values) putText(m_keys, value);
}
void GgufWriter::numbers(std::string_view name, std::span<const std::int32_t> values) {
  list(name, GgufType::kInt32, values.size());
  for (const std::int32_t value : values) put(m_keys, value);
}
void GgufWriter::reals(std::string_view name, std::span<const float> values) {
  list(name, GgufType::kFloat32, values.size());
  for (const float value : values) put(m_keys, value);
}
void GgufWriter::flags(std::string_view name, const std::vector<bool>& values) {
  list(name, GgufType::kBool, values.size());
  for (const bool value : values) put(m_keys, value);
}

void GgufWriter::bytes(std::string_view name, std::string_view values) {
  list(name, GgufType::kUint8, values.size());
  m_keys += values;
}

void GgufWriter::raw(std::string_view name, GgufType type, std::string_view value) {
  key(name, type);
  m_keys += value;
}

void GgufWriter::tensor(std::string_view name, BlockType type, const std::vector<std::int64_t>& shape) {
  putText(m_infos, name);
  put(m_infos, static_cast<std::uint32_t>(shape.size()));
  std::int64_t rows = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    put(m_infos, static_cast<std::uint64_t>(shape[i]));
    if (i + 1 < shape.size()) rows *= shape[i];
  }
  put(m_infos, blockTypeInfo(type).id);
  put(m_infos, m_offset);
  m_sizes.push_back(static_cast<std::uint64_t>(rows * rowBytes(type, shape.back())));
  m_offset += rounded(m_sizes.back());
}

void GgufWriter::begin() {
  std::string header(kGgufMagic);
  put(header, std::uint32_t{3});
  put(header, std::uint64_t{m_sizes.size()});
  put(header, m_keyCount);
  header += m_keys + m_infos;
  header += filling(header.size());
  m_file.write(header);
}

void GgufWriter::write(std::span<const std::byte> bytes) {
  VITRINE_CHECK(m_tensor < m_sizes.size() && bytes.size() <= m_sizes[m_tensor] - m_written);
  m_file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  m_written += bytes.size();
  if (m_written < m_sizes[m_tensor]) return;
  m_file.write(filling(m_written));
  m_written = 0;
  ++m_tensor;
}

void GgufWriter::finish() {
  VITRINE_CHECK(m_tensor == m_sizes.size());
  m_file.finish();
}

}  // namespace vitrine
