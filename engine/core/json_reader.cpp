#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

// after nlohmann's, whose types the functions are made for
#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

using Json = nlohmann::ordered_json;

// Of a number without its exponent: without zeros at either end.
std::size_t significantDigits(std::string_view number) {
  std::string digits;
  for (const char c : number)
    if (c >= '0' && c <= '9') digits += c;
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? 0 : digits.find_last_not_of('0') - first + 1;
}

void write(const Json& tree, std::string& text) {
  if (tree.is_binary()) {
    text.append(tree.get_binary().begin(), tree.get_binary().end());
  } else if (tree.is_object()) {
    text += '{';
    for (const auto& [key, value] : tree.items()) {
      if (text.back() != '{') text += ',';
      write(key, text);
      text += ':';
      write(value, text);
    }
    text += '}';
  } else if (tree.is_array()) {
    text += '[';
    for (const Json& value : tree) {
      if (text.back() != '[') text += ',';
      write(value, text);
    }
    text += ']';
  } else {
    text += tree.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

}  // namespace

bool holdsDigits(double value, std::string_view number) {
  const std::size_t exponent = number.find_first_of("eE");
  if (exponent == std::string_view::npos && number.find('.') == std::string_view::npos) return false;
  const std::size_t digits = significantDigits(number.substr(0, exponent));
  return digits == 0 || (digits <= std::numeric_limits<double>::digits10 && std::isnormal(value));
}

std::string writtenJson(const Json& tree) {
  std::string text;
  write(tree, text);
  return text;
}

template std::string parseJson(std::string_view, const JsonBounds&, nlohmann::json&);
template std::string parseJson(std::string_view, const JsonBounds&, nlohmann::ordered_json&);

}  // namespace vitrine
