#include "models/safetensors_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "vitrine/error.h"

namespace vitrine {
namespace {

const char* typeName(DType type) {
  switch (type) {
    case DType::kF32:
      return "F32";
    case DType::kBf16:
      return "BF16";
    case DType::kF16:
      return "F16";
    case DType::kI32:
      return "I32";
  }
  return "";
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : m_path(std::move(path)) {
  m_descriptor = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (m_descriptor < 0) fail("created");
}

OutputFile::~OutputFile() {
  if (m_descriptor < 0) return;
  ::close(m_descriptor);
  ::unlink(m_path.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(m_descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("written");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void OutputFile::finish() {
  // Some file systems tell only now that the disk is full.
  const int descriptor = std::exchange(m_descriptor, -1);
  if (::close(descriptor) == 0) return;
  const int error = errno;
  ::unlink(m_path.c_str());
  errno = error;
  fail("written");
}

void OutputFile::fail(const char* what) const {
  const int error = errno;
  throw EngineError(ErrorCode::kIo, m_path.string() + " cannot be " + what + ": " + std::strerror(error),
                    error == ENOSPC ? "Free space on the disk, or choose another folder."
                                    : "Choose a folder that can be written to.");
}

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path,
                                     const std::vector<SafetensorsSpec>& tensors)
    : m_file(path) {
  nlohmann::json header = {{"__metadata__", {{"format", "pt"}}}};
  for (const SafetensorsSpec& tensor : tensors) {
    std::uint64_t bytes = dtypeBytes(tensor.type);
    for (const std::int64_t extent : tensor.shape) bytes *= static_cast<std::uint64_t>(extent);
    header[tensor.name] = {{"dtype", typeName(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {m_needed, m_needed + bytes}}};
    m_needed += bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the data then start aligned
  std::array<std::byte, 8> length;
  for (int i = 0; i < 8; ++i) length[i] = static_cast<std::byte>(text.size() >> (8 * i) & 0xff);
  m_file.write(length);
  m_file.write(std::as_bytes(std::span(text)));
}

void SafetensorsWriter::finish() {
  VITRINE_CHECK(m_written == m_needed);
  m_file.finish();
}

}  // namespace vitrine
