// ChatFormat: how a conversation is written for a model.
//
// Recognised from the model's own chat_template (tokenizer_config.json or chat_template.jinja) by the marks
// only that format uses, never by the model's name; templates are not executed. An unknown template falls
// back to the plain format and recognised() is false, so that a program can say so.
// Thread: immutable value. Read next: tokenizer.h.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

enum class ChatRole { kSystem, kUser, kAssistant };

struct ChatMessage {
  ChatRole role;
  std::string text;
};

enum class ChatFormatKind { kPlain, kZephyr, kChatMl, kLlama2, kLlama3, kMistral };

class ChatFormat {
 public:
  ChatFormat() = default;  // plain
  explicit ChatFormat(ChatFormatKind kind) : m_kind(kind) {}

  // Reads the template beside a model. A directory without one gives the plain format, recognised() true
  // only if there was nothing to recognise. Throws EngineError(kFileCorrupt) for a file that is not JSON.
  static ChatFormat ofModel(const std::filesystem::path& modelDirectory);
  static ChatFormat fromTemplate(std::string_view chatTemplate);

  ChatFormatKind kind() const { return m_kind; }
  const char* name() const;  // "zephyr", "chatml", "llama-2", "llama-3", "mistral", "plain"
  bool recognised() const { return m_recognised; }
  bool canThink() const { return m_canThink; }  // Qwen3: the template knows enable_thinking

  // The prompt up to where the assistant's answer begins. The text holds special tokens written out; a
  // leading "<s>" is not written, because encode(..., addSpecialTokens = true) puts it there. With
  // thinking off, Qwen3's empty think block is written so that the model answers at once.
  std::string render(const std::vector<ChatMessage>& messages, bool thinking = false) const;

  // Strings after which the answer has ended, for models whose eos token is not enough.
  std::vector<std::string> stopStrings() const;

 private:
  ChatFormatKind m_kind = ChatFormatKind::kPlain;
  bool m_recognised = true;
  bool m_canThink = false;
};

}  // namespace vitrine
