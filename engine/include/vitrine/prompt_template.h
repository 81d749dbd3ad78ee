// PromptTemplate: a model's own chat template, run. A conversation becomes the text that the model was
// trained on, to the byte as transformers' apply_chat_template writes it.
//
// Each part of that text knows whether a person or a model wrote it or the template, to which message it
// belongs, and the line of the template that wrote it: what a person writes is encoded as text, never as a
// mark (Tokenizer::encode()). Thread: immutable. Read next: tokenizer.h, engine/text/jinja/README.md.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vitrine/error.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

class GgufFile;
namespace jinja {
class Template;
}

struct TemplateDate {
  int year = 2000, month = 1, day = 1;  // month and day from 1

  static TemplateDate today();
};

// As OpenAI's API has it, in JSON.
struct Conversation {
  std::string messages;  // an array of {"role", "content", ...}
  std::string tools;     // an array of tools; empty: none
  std::string
      variables;  // an object: what else the template asks for, {"enable_thinking": false}; empty: nothing
  bool addGenerationPrompt = true;  // up to where the answer begins
  TemplateDate date;  // for templates that write it: the same conversation is always the same text
};

struct PromptPart {
  TextRange range;
  int message = -1;          // its place among the messages; -1: none of them, such as the generation prompt
  bool written = false;      // from the conversation; else the template's own text
  int line = 0, column = 0;  // of the template, from 1
};

struct PromptText {
  std::string text;
  std::vector<PromptPart> parts;   // cover the text
  std::vector<std::string> roles;  // of the messages; empty for one that is no text

  std::vector<TextRange> written() const;  // what Tokenizer::encode() takes
};

// The template takes no such conversation; the message is in its own words.
class TemplateRefusal : public EngineError {
 public:
  TemplateRefusal(const std::string& words, int line);
};

class PromptTemplate {
 public:
  using Names = std::vector<std::pair<std::string, std::string>>;  // {"bos_token", "<s>"}

  // `textForTools` is the variant that some models have for conversations with tools; empty: the same. Throws
  // EngineError(kFileCorrupt) with line and column for a text that is no template.
  explicit PromptTemplate(const std::string& text, Names names = {}, const std::string& textForTools = {});

  // The template of a model's folder or GGUF file; none without one. Throws what reading these files throws.
  static std::optional<PromptTemplate> ofModel(const std::filesystem::path& model);
  static std::optional<PromptTemplate> ofModel(const GgufFile& file);
  // Another template with this model's names; for a folder or file without any, too.
  static PromptTemplate ofModel(const std::filesystem::path& model, const std::string& text);

  const std::string& text() const { return m_text; }  // for a conversation without tools
  // The name of the model's file, or of the key in its GGUF file; empty for a text from elsewhere.
  const std::string& place() const { return m_place; }
  void setPlace(std::string place) { m_place = std::move(place); }

  // Throws TemplateRefusal; EngineError(kInvalidArgument) naming line and column for what the template cannot
  // do with this conversation, and for messages, tools or variables that are no such JSON.
  PromptText render(const Conversation& conversation) const;

 private:
  std::string m_text, m_place;
  std::shared_ptr<const jinja::Template> m_template, m_templateForTools;
  Names m_names;
};

}  // namespace vitrine
