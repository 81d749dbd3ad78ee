#include <nlohmann/json.hpp>

// after nlohmann's, whose types the functions are made for
#include "vitrine/json_reader.h"

namespace vitrine {

template std::string parseJson(std::string_view, const JsonBounds&, nlohmann::json&);
template std::string parseJson(std::string_view, const JsonBounds&, nlohmann::ordered_json&);

}  // namespace vitrine
