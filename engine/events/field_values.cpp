#include "events/field_values.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "events/json_value.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

JsonIn parsed(std::string_view text) { return parseLine(text, std::numeric_limits<std::size_t>::max()); }

bool holds(const JsonIn& value, const JsonIn& wanted) {
  if (value.is_number() && wanted.is_string()) {
    const auto text = wanted.get<std::string>();
    const double bound = std::strtod(text.c_str() + 1, nullptr);
    if (text.starts_with('>')) return value.get<double>() > bound;
    if (text.starts_with('<')) return value.get<double>() < bound;
  }
  return value == wanted;
}

}  // namespace

bool hasFields(const Event& event, const FieldValues& wanted) {
  if (wanted.empty()) return true;
  const JsonIn data = parsed(eventToJson(event)).at("data");
  return std::ranges::all_of(wanted, [&](const auto& one) {
    const auto found = data.find(one.first);
    return found != data.end() && holds(*found, parsed(one.second));
  });
}

FieldValues fieldValuesFrom(std::string_view object) {
  FieldValues values;
  try {
    const JsonIn json = parsed(object);
    if (!json.is_object()) corruptField("with", "is not an object");
    for (const auto& [field, value] : json.items()) values.emplace_back(field, value.dump());
  } catch (const EngineError& error) {
    throw EngineError(ErrorCode::kInvalidArgument, std::string("the fields of an event: ") + error.what(),
                      "write JSON, such as event=block_freed{\"ref_count\":0}");
  }
  return values;
}

std::string toText(const FieldValues& values) {
  std::string text;
  for (const auto& [field, value] : values)
    text += (text.empty() ? "{" : ",") + writeLine(JsonOut(field)) + ":" + value;
  return text.empty() ? text : text + "}";
}

}  // namespace vitrine
