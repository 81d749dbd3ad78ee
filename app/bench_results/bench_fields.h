// BenchFields: one object of a result's JSON, read field by field within bounds.
//
// Whatever is missing, of another type or out of range throws EngineError(kFileCorrupt) that names the field
// by its place: "runs[2].ttft_ms.median". Numbers are finite and at most kMostNumber, those
// below kLeastNumber are 0, lists have at most
// kMostEntries, and texts are cut to a label's length. Thread: values; the JSON must outlive them.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench_results/bench_cells.h"

namespace vitrine {

class BenchFields {
 public:
  using Json = nlohmann::ordered_json;
  static constexpr double kMostNumber = 1e15, kLeastNumber = 1e-30;
  static constexpr std::size_t kMostEntries = 2000;
  static constexpr std::size_t kLabel = 80, kSentence = 1000;  // bytes

  // The place of the whole result is empty.
  explicit BenchFields(const Json& object, std::string place = {});

  bool has(const char* key) const;       // null counts as missing
  double number(const char* key) const;  // of 0 or more
  std::int64_t whole(const char* key) const;
  int count(const char* key) const;
  bool flag(const char* key) const;
  std::string text(const char* key, std::size_t longest = kLabel) const;
  // Nothing: the field is null, or a value in it: what was measured is no finite number.
  std::optional<double> measured(const char* key) const;
  std::optional<Summary> summary(const char* key) const;
  BenchFields object(const char* key) const;
  std::vector<BenchFields> list(const char* key, std::size_t least = 1) const;  // of objects
  std::vector<std::string> sentences(const char* key) const;

  // Nothing also without the field.
  std::optional<double> maybeNumber(const char* key) const;
  std::optional<Summary> maybeSummary(const char* key) const;
  std::optional<BenchFields> maybeObject(const char* key) const;

  // Throws: the field must be what the words say.
  [[noreturn]] void refuse(const char* key, const std::string& wanted) const;

 private:
  const Json& at(const char* key, const char* wanted) const;
  std::string placeOf(const char* key) const;

  const Json* m_object;
  std::string m_place;
};

}  // namespace vitrine
