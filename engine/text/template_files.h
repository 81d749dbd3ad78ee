// The chat template beside a tokenizer, in each of the places where files keep it.
//
// Thread: pure functions. Read next: vitrine/prompt_template.h.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "formats/gguf_file.h"

namespace vitrine {

struct TemplateText {
  std::string text;
  std::string forTools = {};  // the variant called tool_use; empty: the same
  std::string place = {};     // the file's name, or the key in a GGUF file
};

// chat_template.jinja, with additional_chat_templates/tool_use.jinja; else chat_template in
// tokenizer_config.json, a text or a list of named ones; else chat_template.json, which older processors
// write. Throws what reading a file throws, and EngineError(kFileCorrupt) naming the field.
std::optional<TemplateText> readTemplateText(const std::filesystem::path& directory);

// tokenizer.chat_template, and tokenizer.chat_template.tool_use.
std::optional<TemplateText> readTemplateText(const GgufFile& file);

}  // namespace vitrine
