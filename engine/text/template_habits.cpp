#include "text/template_habits.h"

#include "text/chat_stops.h"

namespace vitrine {
namespace {

std::optional<PromptText> turnsOf(const PromptTemplate& chatTemplate) {
  const Dialogue turns{{{ChatRole::kUser, "q"}, {ChatRole::kAssistant, "a"}, {ChatRole::kUser, "q"}}};
  try {
    return chatTemplate.render(conversationOf(turns, chatTemplate.text(), {}));
  } catch (const EngineError&) {
    return std::nullopt;
  }
}

}  // namespace

TemplateHabits::TemplateHabits(const PromptTemplate& chatTemplate)
    : m_withTools(callFormOf(chatTemplate, kTrialTools)),
      m_withoutTools(callFormOf(chatTemplate, {})),
      m_turns(turnsOf(chatTemplate)),
      m_behindThought(textBehindThought(chatTemplate)) {}

}  // namespace vitrine
