#include "vitrine/chat_format.h"

#include <algorithm>
#include <utility>

#include "text/chat_stops.h"
#include "text/dialogue_json.h"
#include "text/jinja/template_error.h"
#include "text/template_habits.h"

namespace vitrine {
namespace {

// Roles in words, as a story would have them, for models that were trained on no form of chat.
constexpr const char* kPlainTemplate =
    "{%- for message in messages %}"
    "{%- if message.role == 'system' %}{{- message.content + '\\n\\n' }}"
    "{%- else %}{{- message.role | capitalize + ': ' + message.content + '\\n' }}{% endif %}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- 'Assistant:' }}{% endif %}";

const PromptTemplate& plainTemplate() {
  static const PromptTemplate plain(kPlainTemplate);
  return plain;
}

const std::shared_ptr<const TemplateHabits>& plainHabits() {
  static const auto habits = std::make_shared<const TemplateHabits>(plainTemplate());
  return habits;
}

std::vector<ChatMessage> withSystemInQuestion(std::vector<ChatMessage> messages) {
  if (messages.empty() || messages.front().role != ChatRole::kSystem) return messages;
  const auto question = std::ranges::find(messages, ChatRole::kUser, &ChatMessage::role);
  if (question == messages.end()) return messages;
  question->text = messages.front().text + "\n\n" + question->text;
  messages.erase(messages.begin());
  return messages;
}

std::vector<ChatMessage> withJoinedTurns(const std::vector<ChatMessage>& messages) {
  std::vector<ChatMessage> joined;
  for (const ChatMessage& message : messages) {
    if (joined.empty() || joined.back().role != message.role || message.role == ChatRole::kTool) {
      joined.push_back(message);
      continue;
    }
    ChatMessage& last = joined.back();
    last.text += (last.text.empty() || message.text.empty() ? "" : "\n\n") + message.text;
    last.calls.insert(last.calls.end(), message.calls.begin(), message.calls.end());
  }
  return joined;
}

std::string inWords(const std::vector<ChatMend>& mends) {
  std::string words;
  for (const ChatMend mend : mends)
    words += mend == ChatMend::kSystemInQuestion ? " Put the system text before the first question."
                                                 : " Join the messages in a row that have one role.";
  return words;
}

Dialogue mended(Dialogue dialogue) {
  for (const ChatMend mend : dialogue.mends)
    dialogue.messages = mend == ChatMend::kSystemInQuestion
                            ? withSystemInQuestion(std::move(dialogue.messages))
                            : withJoinedTurns(dialogue.messages);
  return dialogue;
}

}  // namespace

ChatRefusal::ChatRefusal(const EngineError& words, std::vector<ChatMend> mends)
    : EngineError(words.code(), words.what(), words.hint() + inWords(mends)), m_mends(std::move(mends)) {}

ChatFormat::ChatFormat() : m_template(plainTemplate()), m_habits(plainHabits()) {}
ChatFormat::ChatFormat(PromptTemplate chatTemplate)
    : m_template(std::move(chatTemplate)),
      m_habits(std::make_shared<const TemplateHabits>(m_template)),
      m_isPlain(false) {}

// A template that is none leaves a model of use: it still completes text.
template <typename Model>
ChatFormat ChatFormat::read(const Model& model) {
  ChatFormat plain;
  try {
    auto found = PromptTemplate::ofModel(model);
    if (found) return ChatFormat(*std::move(found));
  } catch (const jinja::TemplateError& error) {
    plain.m_problem = error.what();
  }
  return plain;
}

ChatFormat ChatFormat::ofModel(const std::filesystem::path& model) { return read(model); }
ChatFormat ChatFormat::ofModel(const GgufFile& file) { return read(file); }
ChatFormat ChatFormat::ofModel(const std::filesystem::path& model, const std::string& chatTemplate) {
  return ChatFormat(PromptTemplate::ofModel(model, chatTemplate));
}

Conversation ChatFormat::conversationAsIs(const Dialogue& dialogue) const {
  return conversationOf(dialogue, m_template.text(), m_habits->callForm(!dialogue.tools.empty()));
}

PromptText ChatFormat::renderAsIs(const Dialogue& dialogue) const {
  return m_template.render(conversationAsIs(dialogue));
}

Conversation ChatFormat::conversation(const Dialogue& dialogue) const {
  try {
    if (!dialogue.mends.empty()) renderAsIs(dialogue);
  } catch (const TemplateRefusal&) {
    return conversationAsIs(mended(dialogue));
  }
  return conversationAsIs(dialogue);
}

// Each alone, or else both together.
std::vector<ChatMend> ChatFormat::helping(const Dialogue& dialogue) const {
  const auto helps = [&](std::vector<ChatMend> mends) {
    Dialogue other = dialogue;
    other.mends = std::move(mends);
    try {
      renderAsIs(mended(other));
      return true;
    } catch (const EngineError&) {
      return false;
    }
  };
  std::vector<ChatMend> found;
  for (const ChatMend mend : {ChatMend::kSystemInQuestion, ChatMend::kJoinedTurns})
    if (helps({mend})) found.push_back(mend);
  const std::vector<ChatMend> both = {ChatMend::kSystemInQuestion, ChatMend::kJoinedTurns};
  return found.empty() && helps(both) ? both : found;
}

PromptText ChatFormat::render(const Dialogue& dialogue) const {
  try {
    return renderAsIs(dialogue);
  } catch (const TemplateRefusal& refusal) {
    if (dialogue.mends.empty()) throw ChatRefusal(refusal, helping(dialogue));
  }
  try {
    return renderAsIs(mended(dialogue));
  } catch (const TemplateRefusal& refusal) {
    throw ChatRefusal(refusal, helping(dialogue));
  }
}

bool ChatFormat::canThink() const {
  Dialogue dialogue{{{ChatRole::kUser, "Hi"}}};
  try {
    const std::string without = renderAsIs(dialogue).text;
    dialogue.thinking = true;
    return renderAsIs(dialogue).text != without;
  } catch (const EngineError&) {
    return false;
  }
}

bool ChatFormat::takesTools() const {
  const ChatMessage question{ChatRole::kUser, "Hi"}, system{ChatRole::kSystem, "Be brief."};
  return takesTools({{question}, kTrialTools}) || takesTools({{system, question}, kTrialTools});
}

// Some models have a template for conversations with tools alone, which fails without them.
bool ChatFormat::takesTools(const Dialogue& dialogue) const {
  const auto textOf = [&](const Dialogue& one) -> std::optional<std::string> {
    try {
      return render(one).text;
    } catch (const EngineError&) {
      return std::nullopt;
    }
  };
  Dialogue without = dialogue;
  without.tools.clear();
  const auto text = textOf(dialogue);
  return text && text != textOf(without);
}

std::vector<std::string> ChatFormat::stopStrings(const Tokenizer& tokenizer) const {
  const std::optional<PromptText>& turns = m_habits->turns();
  if (!turns) return {};  // the end token ends an answer
  return turnMarks(*turns, m_habits->behindThought(), tokenizer);
}

}  // namespace vitrine
