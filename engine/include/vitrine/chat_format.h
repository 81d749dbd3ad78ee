// ChatFormat: how a conversation is written for a model.
//
// Recognised from the model's own chat_template (tokenizer_config.json or chat_template.jinja) by the marks
// only that format uses, never by the model's name; templates are not executed, but what they write around a
// message, their default system message and their spaces are read out of them. An unknown template falls back
// to the plain format and recognised() is false, so that a program can say so. Thread: immutable value. Read
// next: tokenizer.h.
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

// What a template of one kind leaves open; the defaults are the format's first public version.
struct ChatDetails {
  std::string bos = "<s>", eos = "</s>";
  std::string defaultSystem;      // ChatML: written where the conversation brings no system message
  bool hidesOldThoughts = false;  // ChatML: "<think>" blocks of earlier answers are left out
  bool alwaysThinks = false;      // ChatML: the answer begins inside a "<think>" block
  std::string dateHeader;         // Llama 3.1 and later: lines that open the system message
  std::string instructionOpen = "[INST] ", instructionClose = " [/INST]";  // Mistral
  std::string answerOpen, answerClose;  // Mistral: around an answer, before and after its eos
  bool trimsAnswer = false;             // Mistral
  bool systemWithLast = false;          // Mistral: before the last question instead of the first
};

class ChatFormat {
 public:
  ChatFormat() = default;  // plain
  explicit ChatFormat(ChatFormatKind kind) : m_kind(kind) {}

  // Reads the template beside a model. A directory without one gives the plain format, recognised() true
  // only if there was nothing to recognise. Throws EngineError: kFileUnreadable, kFileCorrupt (not JSON).
  static ChatFormat ofModel(const std::filesystem::path& modelDirectory);
  // An empty bos is one that the model does not have: nothing is written for it at the beginning.
  static ChatFormat fromTemplate(std::string_view chatTemplate, std::string_view bos = "<s>",
                                 std::string_view eos = "</s>");

  ChatFormatKind kind() const { return m_kind; }
  const char* name() const;  // "zephyr", "chatml", "llama-2", "llama-3", "mistral", "plain"
  bool recognised() const { return m_recognised; }
  bool canThink() const { return m_canThink; }    // Qwen3: the template knows enable_thinking
  bool writesBos() const { return m_writesBos; }  // the template itself begins with the bos token
  // The argument of Tokenizer::encode() for a rendered prompt: a template writes all special tokens it
  // wants, a leading bos token included; only the plain format, which no template describes, leaves it out.
  bool addsSpecialTokens() const { return m_kind == ChatFormatKind::kPlain; }

  // The prompt up to where the assistant's answer begins: what transformers' apply_chat_template gives with
  // add_generation_prompt, special tokens written out. With thinking off, Qwen3's empty think block is
  // written so that the model answers at once. Llama 3.1's "Today Date" is the template's own fixed date,
  // never the clock's: the same conversation is always the same tokens.
  std::string render(const std::vector<ChatMessage>& messages, bool thinking = false) const;

  // Strings after which the answer has ended, for models whose eos token is not enough.
  std::vector<std::string> stopStrings() const;

 private:
  ChatFormatKind m_kind = ChatFormatKind::kPlain;
  ChatDetails m_details;
  bool m_recognised = true;
  bool m_canThink = false;
  bool m_writesBos = false;
};

}  // namespace vitrine
