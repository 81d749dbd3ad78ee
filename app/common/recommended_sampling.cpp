#include "common/recommended_sampling.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "common/json_files.h"
#include "vitrine/inspect.h"
#include "vitrine/model_place.h"

namespace vitrine {
namespace {

// The options with what the keys say. A draw that is shaped, and no temperature named, has the model's own.
class Recommendation {
 public:
  void set(double SamplingOptions::*field, double value) {
    m_options.*field = value;
    m_says = true;
    m_hasTemperature = m_hasTemperature || field == &SamplingOptions::temperature;
  }
  void setTopK(int value) {
    m_options.topK = value;
    m_says = true;
  }
  std::optional<SamplingOptions> checked() {
    if (!m_says) return std::nullopt;
    if (!m_hasTemperature) m_options.temperature = 1;
    m_options.validate();
    return m_options;
  }

 private:
  SamplingOptions m_options;
  bool m_says = false, m_hasTemperature = false;
};

// Whether the user's country writes numbers with a point or a comma.
template <typename Number>
Number numberIn(std::string text) {
  std::ranges::replace(text, ',', '.');
  Number number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) throw UsageError("no number: " + text);
  return number;
}

constexpr std::pair<const char*, double SamplingOptions::*> kFolderKeys[] = {
    {"temperature", &SamplingOptions::temperature},
    {"top_p", &SamplingOptions::topP},
    {"min_p", &SamplingOptions::minP},
    {"typical_p", &SamplingOptions::typicalP},
    {"repetition_penalty", &SamplingOptions::repetitionPenalty}};
constexpr std::pair<const char*, double SamplingOptions::*> kGgufKeys[] = {
    {"general.sampling.temp", &SamplingOptions::temperature},
    {"general.sampling.top_p", &SamplingOptions::topP},
    {"general.sampling.min_p", &SamplingOptions::minP},
    {"general.sampling.penalty_repeat", &SamplingOptions::repetitionPenalty}};

std::optional<SamplingOptions> ofFolder(const std::filesystem::path& folder) {
  const Json json = parseJsonFile(folder / "generation_config.json", InputKind::kFile);
  if (!json.is_object()) return std::nullopt;
  Recommendation found;
  for (const auto& [key, field] : kFolderKeys)
    if (const auto value = json.find(key); value != json.end() && value->is_number())
      found.set(field, value->get<double>());
  if (const auto value = json.find("top_k"); value != json.end() && value->is_number_integer())
    found.setTopK(value->get<int>());
  const auto draws = json.find("do_sample");
  if (draws != json.end() && draws->is_boolean() && !draws->get<bool>())
    found.set(&SamplingOptions::temperature, 0);
  return found.checked();
}

std::optional<SamplingOptions> ofGguf(const std::filesystem::path& file) {
  Recommendation found;
  for (const auto& [name, value] : inspectKeys(file)) {
    for (const auto& [key, field] : kGgufKeys)
      if (name == key) found.set(field, numberIn<double>(value));
    if (name == "general.sampling.top_k") found.setTopK(numberIn<int>(value));
  }
  return found.checked();
}

}  // namespace

std::optional<SamplingOptions> recommendedSampling(const std::filesystem::path& model) {
  try {
    std::error_code failure;
    const std::filesystem::path place = modelPlace(model);
    return std::filesystem::is_directory(place, failure) ? ofFolder(place) : ofGguf(place);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace vitrine
