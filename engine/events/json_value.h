// Plain values to JSON and back: numbers, strings, enums by name, lists.
//
// Reading trusts nothing: another type or a number out of range is an EngineError(kFileCorrupt) that names
// the field; a word that an enum does not have is an UnknownWord. Doubles come back to the bit: JSON has no
// words for NaN and the infinities, which stand as strings; hashes stand as hexadecimal strings, since other
// readers of JSON lose bits beyond 2^53. Thread: any. Read next: json_fields.h, which does the same for
// structs.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vitrine/error.h"
#include "vitrine/names.h"

namespace vitrine {

using JsonOut = nlohmann::ordered_json;  // keeps the order of the fields
using JsonIn = nlohmann::json;           // finds keys in logarithmic time, whatever a hostile file holds

[[noreturn]] inline void corruptField(const char* field, const char* what) {
  throw EngineError(ErrorCode::kFileCorrupt, std::string("\"") + field + "\" " + what);
}

// A word that no value of its enum has. It is no damage: a newer program may know the word.
class UnknownWord : public EngineError {
 public:
  UnknownWord(const char* field, std::string word);

  void within(const char* field) { m_path.insert(m_path.begin(), field); }
  // The names of the fields that lead to the word, the outermost first, without indices of lists.
  const std::vector<std::string>& path() const { return m_path; }
  const std::string& word() const { return m_word; }

 private:
  std::vector<std::string> m_path;
  std::string m_word;
};

std::string hexOf(std::uint64_t value);
std::uint64_t fromHex(const char* field, const JsonIn& in);

inline JsonOut toJson(bool value) { return value; }
inline JsonOut toJson(const std::string& value) { return value; }
template <std::integral T>
requires(!std::same_as<T, bool>) JsonOut toJson(T value) { return value; }
template <std::floating_point T>
JsonOut toJson(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return static_cast<double>(value);
}
template <Named T>
JsonOut toJson(T value) {
  return nameOf(value);
}
template <typename T>
JsonOut toJson(const std::optional<T>& value) {
  return value ? toJson(*value) : JsonOut(nullptr);
}
template <typename Range>
requires requires(const Range& range) {
  range.begin();
  range.size();
} &&(!std::same_as<Range, std::string>)JsonOut toJson(const Range& range) {
  JsonOut out = JsonOut::array();
  for (const auto& item : range) out.push_back(toJson(item));
  return out;
}

void fromJson(const char* field, const JsonIn& in, bool& value);
void fromJson(const char* field, const JsonIn& in, std::string& value);
void fromJson(const char* field, const JsonIn& in, double& value);
void fromJson(const char* field, const JsonIn& in, float& value);
void fromJson(const char* field, const JsonIn& in, std::int64_t& value);
void fromJson(const char* field, const JsonIn& in, std::uint64_t& value);
void fromJson(const char* field, const JsonIn& in, std::int32_t& value);
std::size_t indexOfName(const char* field, const JsonIn& in, const char* const* names, std::size_t count);
const JsonIn& arrayOf(const char* field, const JsonIn& in);
const JsonIn& memberOf(const char* field, const JsonIn& in);

// Of objects. They are calls, since each event's every field would have their code otherwise.
void addMember(JsonOut& object, const char* name, JsonOut value);
const JsonIn* findMember(const JsonIn& object, const char* name);  // null: none

template <Named T>
void fromJson(const char* field, const JsonIn& in, T& value) {
  value = static_cast<T>(indexOfName(field, in, Names<T>::list.data(), Names<T>::list.size()));
}
template <typename T>
void fromJson(const char* field, const JsonIn& in, std::vector<T>& value) {
  value.clear();
  for (const JsonIn& item : arrayOf(field, in)) fromJson(field, item, value.emplace_back());
}
template <typename T>
void fromJson(const char* field, const JsonIn& in, std::optional<T>& value) {
  value.reset();
  if (!in.is_null()) fromJson(field, in, value.emplace());
}
// As with fields: a missing item keeps its value, and one too many is passed over.
template <typename T, std::size_t N>
void fromJson(const char* field, const JsonIn& in, std::array<T, N>& value) {
  const std::size_t count = arrayOf(field, in).size();
  for (std::size_t i = 0; i < N && i < count; ++i) fromJson(field, in[i], value[i]);
}

// One line of a trace: at most kMaxLineBytes, and not nested deeper than anything this format writes.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;
// Throws EngineError(kFileCorrupt).
JsonIn parseLine(std::string_view line, std::size_t mostBytes = kMaxLineBytes);
std::string writeLine(const JsonOut& value);  // bytes that are not UTF-8 become U+FFFD

}  // namespace vitrine
