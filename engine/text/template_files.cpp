#include "text/template_files.h"

#include "text/json_field.h"
#include "text/tokenizer_config.h"
#include "vitrine/files.h"

namespace vitrine {
namespace {

constexpr const char* kField = "chat_template";
constexpr const char* kForTools = "tool_use";
constexpr const char* kGgufTemplate = "tokenizer.chat_template";

// A text, or a list of named ones: then "default", or for lack of it the first.
std::optional<TemplateText> templateIn(const JsonField& document) {
  const auto field = document.mustBeObject().get(kField);
  if (!field) return std::nullopt;
  if (field->isString()) return TemplateText{field->string(), ""};
  std::optional<TemplateText> found;
  std::string forTools;
  bool isDefault = false;
  for (std::size_t i = 0; i < field->mustBeArray().size(); ++i) {
    const JsonField entry = (*field)[i];
    const std::string name = entry.at("name").string(), text = entry.at("template").string();
    if (name == kForTools) forTools = text;
    if (!found || (name == "default" && !isDefault)) found = TemplateText{text, ""};
    isDefault |= name == "default";
  }
  if (found) found->forTools = forTools;
  return found;
}

std::optional<TemplateText> templateIn(const std::filesystem::path& file) {
  if (!isThere(file)) return std::nullopt;
  const nlohmann::json document = parseJson(readTextFile(file), file.string());
  auto found = templateIn(JsonField(document, file.string(), ""));
  if (found) found->place = file.filename().string();
  return found;
}

}  // namespace

std::optional<TemplateText> readTemplateText(const std::filesystem::path& directory) {
  const std::filesystem::path text = directory / "chat_template.jinja",
                              forTools = directory / "additional_chat_templates" / "tool_use.jinja";
  if (isThere(text))
    return TemplateText{readTextFile(text), isThere(forTools) ? readTextFile(forTools) : "",
                        text.filename().string()};
  if (auto found = templateIn(directory / "tokenizer_config.json")) return found;
  return templateIn(directory / "chat_template.json");
}

std::optional<TemplateText> readTemplateText(const GgufFile& file) {
  if (!file.has(kGgufTemplate)) return std::nullopt;
  return TemplateText{file.text(kGgufTemplate), file.textOr(std::string(kGgufTemplate) + "." + kForTools, ""),
                      kGgufTemplate};
}

}  // namespace vitrine
