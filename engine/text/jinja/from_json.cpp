#include "text/jinja/from_json.h"

#include <limits>

#include "text/utf8.h"
#include "vitrine/error.h"

namespace vitrine::jinja {
namespace {

constexpr int kDeepestJson = 100;

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
        throw EngineError(ErrorCode::kInvalidArgument, "A number of the input does not fit into 64 bits.");
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
    default:
      return Value::none();
  }
}

}  // namespace

Value fromJson(const nlohmann::ordered_json& json, const Mark& mark) {
  return valueOf(json, mark, kDeepestJson);
}

}  // namespace vitrine::jinja
