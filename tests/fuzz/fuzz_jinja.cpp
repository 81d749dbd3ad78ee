// Any bytes as a chat template, with a conversation: refused, or rendered within its bounds into pieces that
// cover the text, the same each time, and the same text whether the input is marked or not. Behind the first
// zero byte stand the contents of the messages, with zeros between.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/jinja/template.h"
#include "text/utf8.h"

namespace {

using namespace vitrine;
using namespace vitrine::jinja;

constexpr Origin kInput = 7;

void require(bool holds) {
  if (!holds) std::abort();
}

Variables variablesOf(std::string_view contents, const Mark& mark) {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  for (int index = 0; index < 8 && (index < 3 || !contents.empty()); ++index) {
    const std::size_t end = std::min(contents.find('\0'), contents.size());
    const char* roles[] = {"system", "user", "assistant", "tool"};
    messages.push_back({{"role", roles[index % 4]}, {"content", utf8::repaired(contents.substr(0, end))}});
    contents.remove_prefix(std::min(end + 1, contents.size()));
  }
  messages[1]["content"] = {{{"type", "text"}, {"text", messages[1]["content"]}}, {{"type", "image"}}};
  messages[2]["tool_calls"] = {
      {{"id", "a"}, {"function", {{"name", "f"}, {"arguments", {{"x", {1, 2.5, nullptr}}}}}}}};
  const nlohmann::ordered_json tools = {
      {{"type", "function"},
       {"function", {{"name", "f"}, {"parameters", {{"properties", {{"x", {{"type", "array"}}}}}}}}}}};
  return {{"messages", fromJson(messages, mark)},
          {"tools", fromJson(tools, mark)},
          {"bos_token", Value::string("<s>")},
          {"n", Value::integer(3)},
          {"add_generation_prompt", Value::boolean(true)}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string_view contents = bytes.substr(std::min(end + 1, bytes.size()));
  RenderOptions options;
  options.limits.steps = 100'000;  // so that each run takes a moment
  options.limits.textBytes = std::size_t{1} << 20;
  try {
    const Template text = Template::parse(bytes.substr(0, end));
    const Rendered rendered = text.render(variablesOf(contents, Mark::ofInput(kInput)), options);
    require(utf8::isValid(rendered.text));
    std::size_t covered = 0;
    for (const Piece& piece : rendered.pieces) {
      require(piece.bytes > 0 && piece.line > 0 && piece.column > 0);
      require(piece.fromInput ? piece.origin == kInput : piece.origin == kNoOrigin);
      require(piece.owner == kNoOrigin || piece.owner == kInput);
      covered += piece.bytes;
    }
    require(covered == rendered.text.size());
    const Rendered again = text.render(variablesOf(contents, Mark::ofInput(kInput)), options);
    require(again.text == rendered.text && again.pieces == rendered.pieces);
    // Marks cost steps, so what renders with them renders without.
    const Rendered unmarked = text.render(variablesOf(contents, {}), options);
    require(unmarked.text == rendered.text);
    for (const Piece& piece : unmarked.pieces) require(!piece.fromInput && piece.owner == kNoOrigin);
  } catch (const TemplateError& error) {
    require(error.line() > 0 && error.column() > 0);
  }
  return 0;
}
