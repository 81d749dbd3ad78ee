#include "models/config_reader.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/json_file.h"
#include "vitrine/error.h"

namespace vitrine {

using json = nlohmann::json;

ConfigReader::ConfigReader(const json& object, std::string_view fileName, std::string within)
    : m_object(object), m_fileName(fileName), m_within(std::move(within)) {}

const json* ConfigReader::find(const char* field) const {
  const auto found = m_object.find(field);
  return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

bool ConfigReader::mentions(const char* field) const { return m_object.contains(field); }
bool ConfigReader::has(const char* field) const { return find(field) != nullptr; }

std::string ConfigReader::where(const char* field) const { return m_fileName + ": " + m_within + field; }

void ConfigReader::corrupt(const char* field, const std::string& what) const {
  throw EngineError(ErrorCode::kFileCorrupt, where(field) + " " + what,
                    "Compare the file with the one the model's authors published.");
}

void ConfigReader::unsupported(const char* field, const std::string& what, const std::string& hint) const {
  throw EngineError(ErrorCode::kUnsupported, where(field) + " " + what, hint);
}

void ConfigReader::refuseNull(const char* field) const {
  if (mentions(field) && !has(field)) corrupt(field, "is null, which has no meaning there");
}

int ConfigReader::size(const char* field, std::int64_t largest) const {
  if (!has(field)) corrupt(field, "is missing");
  const int value = countOr(field, 0, largest);
  if (value == 0) corrupt(field, "is 0");
  return value;
}

int ConfigReader::sizeOr(const char* field, int fallback, std::int64_t largest) const {
  return has(field) ? size(field, largest) : fallback;
}

int ConfigReader::countOr(const char* field, int fallback, std::int64_t largest) const {
  const json* value = find(field);
  if (value == nullptr) return fallback;
  // An integer beyond 64 bits arrives as a float, so it is named here too.
  if (!value->is_number_integer()) corrupt(field, "is " + forMessage(value->dump()) + ", not a whole number");
  const bool tooLarge =
      value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(largest);
  if (tooLarge || value->get<std::int64_t>() < 0)
    corrupt(field, "is " + value->dump() + ", outside 0.." + std::to_string(largest));
  return value->get<int>();
}

double ConfigReader::finite(const char* field, const json& value) const {
  if (!value.is_number()) corrupt(field, "is " + forMessage(value.dump()) + ", not a number");
  const double number = value.get<double>();
  // What is computed from it is float32.
  if (!std::isfinite(number) || std::abs(number) > 1e30) corrupt(field, "is beyond all reason");
  return number;
}

double ConfigReader::number(const char* field) const {
  const json* value = find(field);
  if (value == nullptr) corrupt(field, "is missing");
  const double number = finite(field, *value);
  if (number < 1e-30) corrupt(field, "is " + value->dump() + ", not above 0");
  return number;
}

double ConfigReader::numberOr(const char* field, double fallback) const {
  return has(field) ? number(field) : fallback;
}

double ConfigReader::numberOrZero(const char* field) const {
  const json* value = find(field);
  if (value == nullptr) return 0;
  const double number = finite(field, *value);
  if (number < 0) corrupt(field, "is " + value->dump() + ", below 0");
  return number;
}

bool ConfigReader::flag(const char* field, bool fallback) const {
  const json* value = find(field);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) corrupt(field, "is " + forMessage(value->dump()) + ", neither true nor false");
  return value->get<bool>();
}

std::string ConfigReader::text(const char* field, const char* fallback) const {
  const json* value = find(field);
  if (value == nullptr) return fallback;
  if (!value->is_string()) corrupt(field, "is " + forMessage(value->dump()) + ", not a text");
  return value->get<std::string>();
}

std::vector<std::string> ConfigReader::texts(const char* field) const {
  std::vector<std::string> found;
  const json* value = find(field);
  if (value == nullptr) return found;
  if (!value->is_array()) corrupt(field, "is no list");
  for (const json& entry : *value) {
    if (!entry.is_string()) corrupt(field, "holds " + forMessage(entry.dump()) + ", not a text");
    found.push_back(entry.get<std::string>());
  }
  return found;
}

std::vector<std::int64_t> ConfigReader::integers(const char* field) const {
  std::vector<std::int64_t> found;
  const json* value = find(field);
  if (value == nullptr) return found;
  const auto add = [&](const json& entry) {
    if (!entry.is_number_integer())
      corrupt(field, "holds " + forMessage(entry.dump()) + ", not a whole number");
    found.push_back(entry.get<std::int64_t>());
  };
  if (value->is_array()) {
    for (const json& entry : *value) add(entry);
  } else {
    add(*value);
  }
  return found;
}

ConfigReader ConfigReader::object(const char* field) const {
  const json* value = find(field);
  if (value == nullptr || !value->is_object()) corrupt(field, "is no object");
  return ConfigReader(*value, m_fileName, m_within + field + ".");
}

}  // namespace vitrine
