#include "vitrine/chat_format.h"

#include <algorithm>
#include <optional>

#include "text/chat_recognition.h"
#include "text/chat_render.h"
#include "text/gguf_tokenizer.h"
#include "text/template_files.h"
#include "text/tokenizer_config.h"
#include "vitrine/error.h"
#include "vitrine/files.h"

namespace vitrine {
const char* ChatFormat::name() const {
  switch (m_kind) {
    case ChatFormatKind::kPlain:
      return "plain";
    case ChatFormatKind::kZephyr:
      return "zephyr";
    case ChatFormatKind::kChatMl:
      return "chatml";
    case ChatFormatKind::kLlama2:
      return "llama-2";
    case ChatFormatKind::kLlama3:
      return "llama-3";
    case ChatFormatKind::kMistral:
      return "mistral";
  }
  return "plain";
}

ChatFormat ChatFormat::fromTemplate(std::string_view chatTemplate, std::string_view bos,
                                    std::string_view eos) {
  ChatFormat format;
  const auto kind = recogniseChat(chatTemplate);
  format.m_recognised = kind.has_value();
  if (!kind) return format;
  format.m_kind = *kind;
  format.m_details = readChatDetails(*kind, chatTemplate);
  if (!bos.empty()) format.m_details.bos = bos;
  if (!eos.empty()) format.m_details.eos = eos;
  format.m_canThink =
      *kind == ChatFormatKind::kChatMl && chatTemplate.find("enable_thinking") != std::string_view::npos;
  format.m_writesBos = !bos.empty() && writesBosToken(chatTemplate);
  return format;
}

ChatFormat ChatFormat::ofModel(const std::filesystem::path& modelDirectory) {
  if (isModelFile(modelDirectory)) return readGgufChat(GgufFile(modelDirectory));
  const TokenizerConfig names = readTokenizerConfig(modelDirectory);
  const std::optional<TemplateText> found = readTemplateText(modelDirectory);
  if (!found) return ChatFormat();
  // Where no file names it, transformers' class for a lone tokenizer.model does.
  const char* unnamed = std::filesystem::exists(modelDirectory / "tokenizer.json") ? "" : "<s>";
  return fromTemplate(found->text, names.bos.value_or(unnamed), names.eos.value_or(""));
}

std::string ChatFormat::render(const std::vector<ChatMessage>& messages, bool thinking) const {
  const std::string bos = m_writesBos ? m_details.bos : "";
  switch (m_kind) {
    case ChatFormatKind::kZephyr:
      return bos + renderZephyr(messages, m_details);
    case ChatFormatKind::kChatMl:
      return bos + renderChatMl(messages, m_details, m_canThink && !thinking);
    case ChatFormatKind::kLlama2:
      return bos + renderLlama2(messages, m_details);
    case ChatFormatKind::kLlama3:
      return bos + renderLlama3(messages, m_details);
    case ChatFormatKind::kMistral:
      return bos + renderMistral(messages, m_details);
    case ChatFormatKind::kPlain:
      break;
  }
  return renderPlain(messages);
}

std::vector<std::string> ChatFormat::stopStrings() const {
  switch (m_kind) {
    case ChatFormatKind::kZephyr:
      return {m_details.eos, "<|user|>"};
    case ChatFormatKind::kChatMl:
      return {"<|im_end|>", "<|im_start|>"};
    case ChatFormatKind::kLlama3:
      return {"<|eot_id|>", "<|start_header_id|>"};
    case ChatFormatKind::kLlama2:
    case ChatFormatKind::kMistral:
      return {m_details.eos, "[INST]"};
    case ChatFormatKind::kPlain:
      break;
  }
  return {"\nUser:"};
}

}  // namespace vitrine
