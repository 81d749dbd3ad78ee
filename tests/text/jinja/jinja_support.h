// What the tests of engine/text/jinja share: renderings as short texts.
#pragma once

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "text/jinja/template.h"

namespace vitrine::test {

inline std::string readWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// What the script in this folder says that the time is.
inline jinja::RenderOptions testOptions() {
  jinja::RenderOptions options;
  options.now = {.year = 2025, .month = 7, .day = 9, .hour = 13, .minute = 5, .second = 9};
  return options;
}

inline jinja::Variables variablesOf(const nlohmann::ordered_json& object, const jinja::Mark& mark = {}) {
  jinja::Variables variables;
  for (const auto& [name, value] : object.items()) variables.emplace_back(name, jinja::fromJson(value, mark));
  return variables;
}

// {"text": ...}, {"refused": ...} or {"error": ...}, as the script writes them.
inline nlohmann::ordered_json renderedJson(const std::string& text, const nlohmann::ordered_json& variables) {
  try {
    return {{"text", jinja::Template::parse(text).render(variablesOf(variables), testOptions()).text}};
  } catch (const jinja::TemplateError& error) {
    if (error.kind() == jinja::ErrorKind::kRefused) return {{"refused", error.problem()}};
    return {{"error", error.what()}};
  }
}

}  // namespace vitrine::test
