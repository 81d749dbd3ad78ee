#include "support/golden.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include <nlohmann/json.hpp>

namespace vitrine::test {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

using nlohmann::json;

std::vector<char> readFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw GoldenError(path.string() + ": cannot be opened");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The 8 bytes of length, then so many of JSON; what follows is data.
json readHeader(std::span<const char> bytes, std::span<const char>& data, const std::string& file) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw GoldenError(file + ": shorter than a header");
  std::memcpy(&length, bytes.data(), sizeof length);
  const auto rest = bytes.subspan(sizeof length);
  if (length > rest.size()) throw GoldenError(file + ": the header is longer than the file");
  data = rest.subspan(length);
  json header = json::parse(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length), nullptr, false);
  if (!header.is_object()) throw GoldenError(file + ": the header is not a JSON object");
  return header;
}

template <typename T>
GoldenTensor<T> readTensor(const json& entry, std::span<const char> data, const std::string& what) {
  const auto offsets = entry.at("data_offsets").get<std::vector<std::uint64_t>>();
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size()) {
    throw GoldenError(what + ": its data lies outside the file");
  }
  GoldenTensor<T> tensor;
  tensor.shape = entry.at("shape").get<std::vector<std::int64_t>>();
  const std::uint64_t limit = data.size() / sizeof(T);
  std::uint64_t elements = 1;
  for (const std::int64_t dimension : tensor.shape) {
    // A factor above the limit is refused before the product is formed, so nothing overflows.
    if (dimension < 1 || static_cast<std::uint64_t>(dimension) > limit / elements) {
      throw GoldenError(what + ": its shape does not fit the file");
    }
    elements *= static_cast<std::uint64_t>(dimension);
  }
  if (elements * sizeof(T) != offsets[1] - offsets[0]) {
    throw GoldenError(what + ": its shape and its data differ in size");
  }
  tensor.values.resize(elements);
  std::memcpy(tensor.values.data(), data.data() + offsets[0], elements * sizeof(T));
  return tensor;
}

template <typename T>
const GoldenTensor<T>& find(const std::map<std::string, GoldenTensor<T>>& tensors, const std::string& name,
                            const std::string& file) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw GoldenError(file + ": has no " + name + " of this type");
  return found->second;
}

}  // namespace

Golden Golden::load(const std::filesystem::path& path) {
  const std::vector<char> bytes = readFile(path);
  Golden golden;
  golden.m_file = path.string();
  std::span<const char> data;
  const json header = readHeader(bytes, data, golden.m_file);
  try {
    for (const auto& [name, entry] : header.items()) {
      const std::string what = golden.m_file + ": " + name;
      if (name == "__metadata__") {
        golden.m_metadata = entry.get<std::map<std::string, std::string>>();
      } else if (entry.at("dtype") == "F32") {
        golden.m_floats.emplace(name, readTensor<float>(entry, data, what));
      } else if (entry.at("dtype") == "I64") {
        golden.m_integers.emplace(name, readTensor<std::int64_t>(entry, data, what));
      } else {
        throw GoldenError(what + ": is neither F32 nor I64");
      }
    }
  } catch (const json::exception& error) {
    throw GoldenError(golden.m_file + ": " + error.what());
  }
  if (golden.m_metadata["magic"] != "vitrine-golden" || golden.m_metadata["version"] != "1") {
    throw GoldenError(golden.m_file + ": is not a golden of version 1");
  }
  return golden;
}

double Golden::tolerance() const {
  const auto found = m_metadata.find("tolerance");
  double value = 0;
  try {
    if (found != m_metadata.end()) value = std::stod(found->second);
  } catch (const std::logic_error&) {
    value = 0;
  }
  if (!(value > 0)) throw GoldenError(m_file + ": carries no tolerance");
  return value;
}

const GoldenTensor<float>& Golden::floats(const std::string& name) const {
  return find(m_floats, name, m_file);
}

const GoldenTensor<std::int64_t>& Golden::integers(const std::string& name) const {
  return find(m_integers, name, m_file);
}

}  // namespace vitrine::test
