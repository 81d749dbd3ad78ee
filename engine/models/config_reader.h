// ConfigReader: one JSON object of a config.json, read field by field; every complaint names its field.
//
// A field that is null counts as absent, as most of Hugging Face's do; refuseNull() is for the others. Sizes
// are bounded so that no product of a few of them can overflow 64 bits. Read next: family.h.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "models/model_config.h"

namespace vitrine {

class ConfigReader {
 public:
  // The object must outlive the reader. `within` is put before a field's name: "rope_scaling."
  ConfigReader(const nlohmann::json& object, std::string_view fileName, std::string within = {});

  bool mentions(const char* field) const;                              // present, null or not
  bool has(const char* field) const;                                   // present and not null
  int size(const char* field, std::int64_t largest = kMaxSize) const;  // 1..largest, required
  int sizeOr(const char* field, int fallback, std::int64_t largest = kMaxSize) const;
  int countOr(const char* field, int fallback, std::int64_t largest = kMaxSize) const;  // 0..largest
  double number(const char* field) const;  // finite, > 0, required
  double numberOr(const char* field, double fallback) const;
  double numberOrZero(const char* field) const;  // finite, >= 0; absent: 0
  bool flag(const char* field, bool fallback) const;
  std::string text(const char* field, const char* fallback) const;
  std::vector<std::string> texts(const char* field) const;      // absent: empty
  std::vector<std::int64_t> integers(const char* field) const;  // a number or a list; absent: empty
  ConfigReader object(const char* field) const;                 // requires has()
  const nlohmann::json& raw() const { return m_object; }
  std::string where(const char* field) const;  // "config.json: rope_scaling.factor"

  // For a field whose default is taken only when it is left out: transformers gives null no meaning there.
  void refuseNull(const char* field) const;

  [[noreturn]] void corrupt(const char* field, const std::string& what) const;
  [[noreturn]] void unsupported(const char* field, const std::string& what, const std::string& hint) const;

 private:
  const nlohmann::json* find(const char* field) const;
  double finite(const char* field, const nlohmann::json& value) const;

  const nlohmann::json& m_object;
  std::string m_fileName, m_within;
};

}  // namespace vitrine
