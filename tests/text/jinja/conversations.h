// Random conversations, as a test needs them: with and without a system message, tools and their results,
// thoughts, content in parts, empty content, roles in a wrong order, and many kinds of letters.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace vitrine::test {

class Conversations {
 public:
  using Json = nlohmann::ordered_json;

  explicit Conversations(std::uint32_t seed) : m_random(seed) {}

  // What a template is rendered with.
  Json variables() {
    Json json = {{"messages", messages()}, {"bos_token", "<s>"}, {"eos_token", "</s>"}};
    json["add_generation_prompt"] = chance(60);
    if (chance(50))
      json["tools"] = tools();
    else if (chance(40))
      json["tools"] = nullptr;
    if (chance(30)) json["enable_thinking"] = chance(50);
    if (chance(30)) json["thinking"] = chance(50);
    if (chance(25)) json["documents"] = Json::array({{{"title", text()}, {"text", text()}}});
    if (chance(15)) json["builtin_tools"] = {"code_interpreter", "get_weather"};
    if (chance(15)) json["tools_in_user_message"] = false;
    if (chance(15)) json["reasoning_effort"] = "high";
    return json;
  }

 private:
  // Numbers by hand: the distributions of the standard library differ between libraries.
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(m_random() % count); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <typename Items>
  auto any(const Items& items) {
    return items[below(static_cast<std::uint32_t>(items.size()))];
  }

  std::string text() {
    static const std::vector<std::string> kWords = {"Hello",
                                                    "  two spaces ",
                                                    "line\nbreak",
                                                    "<think>\nhm\n</think>\n\nanswer",
                                                    "ünï ß Σ",
                                                    "日本語 テキスト",
                                                    "😀🇩🇪",
                                                    "\"quoted\"",
                                                    "it's",
                                                    "",
                                                    "a <|im_end|> b",
                                                    "{{ x }} {% y %}",
                                                    "\n\nlead",
                                                    "trail\n\n",
                                                    "<tool_call>",
                                                    "tab\there",
                                                    "back\\slash",
                                                    "& < >",
                                                    "/no_think",
                                                    "/think",
                                                    "e\u0301",
                                                    "\u00a0",
                                                    "\r\n",
                                                    "%s {}",
                                                    "[INST]"};
    std::string text;
    for (std::uint32_t words = below(4); words > 0; --words) text += (text.empty() ? "" : " ") + any(kWords);
    return text;
  }

  Json parts() {
    Json list = Json::array();
    for (std::uint32_t count = 1 + below(2); count > 0; --count)
      list.push_back(chance(80) ? Json{{"type", "text"}, {"text", text()}} : Json{{"type", "image"}});
    return list;
  }

  Json content() {
    const std::uint32_t kind = below(100);
    if (kind < 88) return text();
    return kind < 95 ? parts() : Json(nullptr);
  }

  Json arguments() {
    switch (below(4)) {
      case 0:
        return {{"city", "Paris"}};
      case 1:
        return {{"city", "Zürich"},
                {"days", 3},
                {"limit", 1.5},
                {"deep", {{"list", {1, 2, nullptr, true}}, {"empty", Json::object()}}}};
      case 2:
        return {{"code", "print(\"hi\")\n"}, {"html", "<b>&</b>"}, {"flag", false}};
      default:
        return Json::object();
    }
  }

  Json tools() {
    Json list = Json::array();
    for (std::uint32_t count = 1 + below(3); count > 0; --count) {
      Json properties = Json::object();
      if (chance(70)) properties["city"] = {{"type", "string"}, {"description", text()}};
      if (chance(50)) properties["unit"] = {{"type", "string"}, {"enum", {"c", "f"}}, {"default", "c"}};
      if (chance(50)) properties["days"] = {{"type", "integer"}, {"default", 3}};
      if (chance(30)) properties["tags"] = {{"type", "array"}, {"items", {{"type", "string"}}}};
      if (chance(30)) properties["any"] = {{"type", {"number", "null"}}};
      if (chance(30))
        properties["where"] = {
            {"type", "object"}, {"properties", {{"x", {{"type", "number"}}}}}, {"required", {"x"}}};
      Json function = {{"name", any(std::vector<std::string>{"get_weather", "search"})},
                       {"description", text()}};
      if (chance(95))
        function["parameters"] = {{"type", "object"}, {"properties", properties}, {"required", {"city"}}};
      if (chance(20)) function["return"] = {{"type", "string"}};
      list.push_back({{"type", "function"}, {"function", function}});
    }
    return list;
  }

  // An assistant's call, and mostly its result.
  void addCall(Json& list) {
    Json message = {{"role", "assistant"}, {"content", chance(40) ? Json(nullptr) : Json(text())}};
    if (chance(20)) message["thinking"] = text();
    Json calls = Json::array(), results = Json::array();
    for (std::uint32_t count = chance(80) ? 1 : 2; count > 0; --count) {
      const std::string id = chance(70) ? "call" + std::to_string(10000 + m_calls++) : "short";
      const Json given = arguments();
      calls.push_back(
          {{"type", "function"},
           {"id", id},
           {"function", {{"name", "get_weather"}, {"arguments", chance(75) ? given : Json(given.dump())}}}});
      results.push_back({{"role", "tool"},
                         {"name", "get_weather"},
                         {"tool_call_id", id},
                         {"content", chance(80)   ? Json(text())
                                     : chance(50) ? Json(given.dump())
                                                  : parts()}});
    }
    message["tool_calls"] = calls;
    list.push_back(message);
    if (chance(85))
      for (const Json& result : results) list.push_back(result);
  }

  Json messages() {
    Json list = Json::array();
    if (chance(50))
      list.push_back(
          {{"role", chance(90) ? "system" : "developer"}, {"content", chance(93) ? Json(text()) : parts()}});
    for (std::uint32_t turns = below(5); turns > 0; --turns) {
      if (chance(96)) list.push_back({{"role", "user"}, {"content", content()}});
      if (chance(25)) addCall(list);
      if (chance(turns == 1 ? 50 : 95)) {
        Json message = {{"role", "assistant"}, {"content", content()}};
        if (chance(30)) message["reasoning_content"] = text();
        if (chance(10)) message["name"] = "Ada";
        list.push_back(message);
      }
    }
    return list;
  }

  std::mt19937 m_random;
  int m_calls = 0;
};

}  // namespace vitrine::test
