// ChatFormat: how a conversation is written for a model.
//
// A model's own chat template is run (PromptTemplate), so the prompt is the text that the model was trained
// on. A model without one gets a plain form, which is a template of this program's. A template that cannot be
// read or run leaves the plain form as well, and problem() says why, so that a program can say so. Thread:
// immutable value. Read next: prompt_template.h.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vitrine/error.h"
#include "vitrine/names.h"
#include "vitrine/prompt_template.h"
#include "vitrine/tokenizer.h"
#include "vitrine/tool_call.h"

namespace vitrine {

class TemplateHabits;

enum class ChatRole { kSystem, kUser, kAssistant, kTool };

struct ChatMessage {
  ChatRole role;
  std::string text;                  // of an answer: what it says beside its calls; of a tool: its result
  std::string thinking = {};         // of an answer: what the model thought before it
  std::vector<ToolCall> calls = {};  // of an answer: the tools that it calls, in this order
  // Of a result: the name of its tool. It answers the first call of that name before it that has no result
  // yet.
  std::string tool = {};
};

// How a conversation may be told otherwise where the template refuses it as it is.
enum class ChatMend {
  kSystemInQuestion,  // the system text stands before the first question, in one message with it
  // Messages in a row of one role are one message, an empty line between them. Results stay apart.
  kJoinedTurns,
};
VITRINE_NAMES(ChatMend, "system_in_question", "joined_turns");

struct Dialogue {
  std::vector<ChatMessage> messages = {};  // oldest first
  std::string tools = {};                  // a JSON array, as ToolSet reads it; empty: none
  bool thinking = false;                   // for templates that ask: whether the model thinks first
  std::string reasoningEffort = {};  // for templates that ask: "low", "high"; empty: as they do by themselves
  std::vector<ChatMend> mends = {};  // what may be done where the template refuses
  // Special tokens that stand in messages count as such. Otherwise they are text: what a person types cannot
  // end a message and begin another one.
  bool typedMarks = false;
  TemplateDate date = TemplateDate::today();  // for templates that write it
};

// The template refuses a conversation: no system message, roles that do not alternate. The message is in the
// template's own words. `mends` are those with which it takes the conversation; none: nothing known helps.
class ChatRefusal : public EngineError {
 public:
  ChatRefusal(const EngineError& words, std::vector<ChatMend> mends);

  const std::vector<ChatMend>& mends() const { return m_mends; }

 private:
  std::vector<ChatMend> m_mends;
};

class ChatFormat {
 public:
  ChatFormat();  // plain
  explicit ChatFormat(PromptTemplate chatTemplate);

  // The template in a model's folder or GGUF file. Throws EngineError: kFileUnreadable, kFileCorrupt (not
  // JSON, a field of another kind).
  static ChatFormat ofModel(const std::filesystem::path& model);
  static ChatFormat ofModel(const GgufFile& file);
  // Another template with that model's names. Throws EngineError(kFileCorrupt), with line and column, for a
  // text that is no template: an explicit template is never passed over.
  static ChatFormat ofModel(const std::filesystem::path& model, const std::string& chatTemplate);

  const char* name() const { return m_isPlain ? "plain" : "template"; }
  const std::string& problem() const { return m_problem; }  // why the model's own template is not followed
  // The argument of Tokenizer::encode() for a rendered prompt: a template writes all special tokens it wants,
  // a leading bos token included; the plain form leaves it to the tokenizer.
  bool addsSpecialTokens() const { return m_isPlain; }
  // Whether the template has a switch for thinking, as Qwen3's has.
  bool canThink() const;
  // Whether the template writes a conversation's tools into the prompt. One that does not leaves the model
  // without them, and a program says so.
  bool takesTools() const;
  // The same of this dialogue with its tools: some templates write them only where there is a system text.
  bool takesTools(const Dialogue& dialogue) const;

  // The prompt up to where the answer begins: what transformers' apply_chat_template gives with
  // add_generation_prompt and enable_thinking, special tokens written out. Throws ChatRefusal; EngineError
  // (kInvalidArgument) for text that is not UTF-8, for tools or arguments that are no such JSON, and naming
  // line and column for what the template cannot do with this conversation.
  PromptText render(const Dialogue& dialogue) const;

  const PromptTemplate& chatTemplate() const { return m_template; }  // of the plain form, too
  // What render() gives the template: with the mends where it refuses the dialogue without them.
  Conversation conversation(const Dialogue& dialogue) const;

  // Strings after which an answer has ended, for models whose end token is not enough: the special token that
  // the template writes behind an answer, and what opens the next message.
  std::vector<std::string> stopStrings(const Tokenizer& tokenizer) const;

 private:
  template <typename Model>
  static ChatFormat read(const Model& model);
  Conversation conversationAsIs(const Dialogue& dialogue) const;
  PromptText renderAsIs(const Dialogue& dialogue) const;
  std::vector<ChatMend> helping(const Dialogue& dialogue) const;

  PromptTemplate m_template;
  std::shared_ptr<const TemplateHabits> m_habits;
  bool m_isPlain = true;
  std::string m_problem;
};

}  // namespace vitrine
