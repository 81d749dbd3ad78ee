#include "text/jinja/from_json.h"

#include <limits>

#include "text/jinja/number_text.h"
#include "text/utf8.h"
#include "vitrine/error.h"

namespace vitrine::jinja {
namespace {

constexpr int kDeepestJson = 100;

// As JsonBounds::keepsDigits kept it. Python has whole numbers of any size, and rounds others.
Value numberOf(std::string text) {
  const bool isWhole = text.find_first_of(".eE") == std::string::npos;
  return isWhole ? Value::wide(std::move(text)) : Value::real(realIn(text).value_or(0));
}

Value valueOf(const nlohmann::ordered_json& json, const Mark& mark, int levels) {
  if (levels == 0)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "The input has more than " + std::to_string(kDeepestJson) + " levels.");
  switch (json.type()) {
    case nlohmann::ordered_json::value_t::boolean:
      return Value::boolean(json.get<bool>());
    case nlohmann::ordered_json::value_t::number_integer:
      return Value::integer(json.get<std::int64_t>());
    case nlohmann::ordered_json::value_t::number_unsigned:
      if (json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return Value::wide(std::to_string(json.get<std::uint64_t>()));
      return Value::integer(json.get<std::int64_t>());
    case nlohmann::ordered_json::value_t::number_float:
      return Value::real(json.get<double>());
    case nlohmann::ordered_json::value_t::string:
      return Value::string(MarkedText(utf8::repaired(json.get_ref<const std::string&>()), mark));
    case nlohmann::ordered_json::value_t::array: {
      Values items;
      items.reserve(json.size());
      for (const auto& item : json) items.push_back(valueOf(item, mark, levels - 1));
      return Value::list(std::move(items), mark);
    }
    case nlohmann::ordered_json::value_t::object: {
      Mapping mapping(mark);
      for (const auto& [key, value] : json.items())
        mapping.set(Value::string(MarkedText(utf8::repaired(key), mark)), valueOf(value, mark, levels - 1));
      return Value::mapping(std::move(mapping));
    }
    case nlohmann::ordered_json::value_t::binary:
      return numberOf({json.get_binary().begin(), json.get_binary().end()});
    default:
      return Value::none();
  }
}

}  // namespace

Value fromJson(const nlohmann::ordered_json& json, const Mark& mark) {
  return valueOf(json, mark, kDeepestJson);
}

}  // namespace vitrine::jinja
