#include "bench_results/bench_fields.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

[[noreturn]] void refuseAt(const std::string& place, const std::string& wanted) {
  throw EngineError(ErrorCode::kFileCorrupt, "\"" + place + "\" must be " + wanted,
                    "Save the result again: vitrine-cli bench KIND --out FILE.json.");
}

}  // namespace

BenchFields::BenchFields(const Json& object, std::string place)
    : m_object(&object), m_place(std::move(place)) {
  if (!object.is_object()) refuseAt(m_place, "an object");
}

std::string BenchFields::placeOf(const char* key) const {
  return m_place.empty() ? key : m_place + "." + key;
}

void BenchFields::refuse(const char* key, const std::string& wanted) const { refuseAt(placeOf(key), wanted); }

bool BenchFields::has(const char* key) const {
  const auto found = m_object->find(key);
  return found != m_object->end() && !found->is_null();
}

const BenchFields::Json& BenchFields::at(const char* key, const char* wanted) const {
  const auto found = m_object->find(key);
  if (found == m_object->end()) refuse(key, std::string(wanted) + ", and is missing");
  return *found;
}

double BenchFields::number(const char* key) const {
  const Json& value = at(key, "a number");
  if (!value.is_number()) refuse(key, "a number");
  const auto number = value.get<double>();
  if (!std::isfinite(number) || number < 0 || number > kMostNumber)
    refuse(key, "a number from 0 to " + rounded(kMostNumber));
  return number < kLeastNumber ? 0 : number;  // no axis can be divided into parts of less
}

std::int64_t BenchFields::whole(const char* key) const {
  const double value = number(key);
  if (value != std::floor(value)) refuse(key, "a whole number");
  return static_cast<std::int64_t>(value);
}

int BenchFields::count(const char* key) const {
  const std::int64_t value = whole(key);
  if (value > std::numeric_limits<int>::max())
    refuse(key, "at most " + std::to_string(std::numeric_limits<int>::max()));
  return static_cast<int>(value);
}

bool BenchFields::flag(const char* key) const {
  const Json& value = at(key, "true or false");
  if (!value.is_boolean()) refuse(key, "true or false");
  return value.get<bool>();
}

std::string BenchFields::text(const char* key, std::size_t longest) const {
  const Json& value = at(key, "a text");
  if (!value.is_string()) refuse(key, "a text");
  return forMessage(value.get_ref<const std::string&>(), longest);
}

std::optional<double> BenchFields::measured(const char* key) const {
  const Json& value = at(key, "a number");
  // A tree that was never a text holds NaN and the infinities themselves.
  const bool isNothing = value.is_null() || (value.is_number_float() && !std::isfinite(value.get<double>()));
  return isNothing ? std::nullopt : std::optional(number(key));
}

std::optional<Summary> BenchFields::summary(const char* key) const {
  const BenchFields fields = object(key);
  const std::optional<double> median = fields.measured("median"), mean = fields.measured("mean"),
                              sd = fields.measured("sd"), min = fields.measured("min"),
                              max = fields.measured("max");
  const int count = fields.count("count");
  if (!median || !mean || !sd || !min || !max) return std::nullopt;
  return Summary{count, *mean, *sd, *median, *min, *max};
}

BenchFields BenchFields::object(const char* key) const {
  return BenchFields(at(key, "an object"), placeOf(key));
}

std::vector<BenchFields> BenchFields::list(const char* key, std::size_t least) const {
  const Json& value = at(key, "a list");
  if (!value.is_array()) refuse(key, "a list");
  if (value.size() < least) refuse(key, "a list of one entry or more");
  if (value.size() > kMostEntries)
    refuse(key, "a list of at most " + std::to_string(kMostEntries) + " entries, and has " +
                    std::to_string(value.size()));
  std::vector<BenchFields> entries;
  entries.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i)
    entries.emplace_back(value[i], placeOf(key) + "[" + std::to_string(i) + "]");
  return entries;
}

std::vector<std::string> BenchFields::sentences(const char* key) const {
  constexpr std::size_t kMostSentences = 100;
  const Json& value = at(key, "a list of texts");
  if (!value.is_array() || value.size() > kMostSentences)
    refuse(key, "a list of at most " + std::to_string(kMostSentences) + " texts");
  std::vector<std::string> sentences;
  for (const Json& entry : value) {
    if (!entry.is_string()) refuse(key, "a list of texts");
    sentences.push_back(forMessage(entry.get_ref<const std::string&>(), kSentence));
  }
  return sentences;
}

std::optional<double> BenchFields::maybeNumber(const char* key) const {
  return has(key) ? measured(key) : std::nullopt;
}

std::optional<Summary> BenchFields::maybeSummary(const char* key) const {
  return has(key) ? summary(key) : std::nullopt;
}

std::optional<BenchFields> BenchFields::maybeObject(const char* key) const {
  return has(key) ? std::optional(object(key)) : std::nullopt;
}

}  // namespace vitrine
