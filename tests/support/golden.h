// Golden: an expected.safetensors of tests/golden, read for comparison. What is in it:
// tests/golden/README.md.
//
// A reader of its own, apart from the engine's: a fault in the engine's must not hide in the expectation.
// Thread: a value. Invariant: every tensor's elements are exactly its shape's product.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace vitrine::test {

// The file is missing, cut short, malformed or not a golden, or lacks what was asked for; what() names both.
struct GoldenError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
struct GoldenTensor {
  std::vector<std::int64_t> shape;
  std::vector<T> values;  // row-major
};

class Golden {
 public:
  // Checks the magic and the version.
  static Golden load(const std::filesystem::path& path);

  const std::map<std::string, std::string>& metadata() const { return m_metadata; }
  double tolerance() const;
  bool contains(const std::string& name) const {
    return m_floats.contains(name) || m_integers.contains(name);
  }
  const GoldenTensor<float>& floats(const std::string& name) const;           // F32
  const GoldenTensor<std::int64_t>& integers(const std::string& name) const;  // I64

 private:
  std::string m_file;
  std::map<std::string, std::string> m_metadata;
  std::map<std::string, GoldenTensor<float>> m_floats;
  std::map<std::string, GoldenTensor<std::int64_t>> m_integers;
};

}  // namespace vitrine::test
