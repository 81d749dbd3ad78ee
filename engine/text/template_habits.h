// TemplateHabits: how a chat template takes calls of tools, and what it writes around an answer.
//
// A template says neither, so it renders a few short conversations on trial: once for a template, not for
// each prompt. Thread: immutable. Read next: dialogue_json.h, chat_stops.h.
#pragma once

#include <optional>
#include <string>

#include "text/dialogue_json.h"
#include "vitrine/prompt_template.h"

namespace vitrine {

// The tools of conversations on trial.
inline constexpr const char* kTrialTools =
    R"([{"type":"function","function":{"name":"get_weather","description":"The weather of a city.",)"
    R"("parameters":{"type":"object","properties":{"city":{"type":"string","description":"Its name."}},)"
    R"("required":["city"]}}}])";

class TemplateHabits {
 public:
  explicit TemplateHabits(const PromptTemplate& chatTemplate);

  // Of conversations with and without tools, for which some models have a template each.
  CallForm callForm(bool withTools) const { return withTools ? m_withTools : m_withoutTools; }
  // A question, its answer and a second question. Nothing: the template refuses them.
  const std::optional<PromptText>& turns() const { return m_turns; }
  const std::string& behindThought() const { return m_behindThought; }  // as textBehindThought() says

 private:
  CallForm m_withTools, m_withoutTools;
  std::optional<PromptText> m_turns;
  std::string m_behindThought;
};

}  // namespace vitrine
