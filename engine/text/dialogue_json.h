// A dialogue as a template takes it: OpenAI's messages, in JSON.
//
// Templates agree on no one way to take an answer that calls tools. Most want its arguments as an object,
// some as text; one reads the calls only where there is no text beside them; and some know of no calls.
// Thread: pure functions. Read next: vitrine/chat_format.h.
#pragma once

#include "vitrine/chat_format.h"
#include "vitrine/prompt_template.h"

namespace vitrine {

// Nested objects and lists in the arguments of a call, so that messages with calls stay within JsonBounds.
inline constexpr int kArgumentsDepth = 24;

struct CallForm {
  bool known =
      true;  // the template writes calls; otherwise they stand in the answer's text, in Hermes's form
  bool nullText = false;    // an answer without text has null, not ""
  bool objectGiven = true;  // the arguments are an object, not its JSON as text
  bool namingId = false;    // the id has the tool's name: Kimi K2's template writes no other
};

// The first form in which the template writes the calls of an answer. It renders the template up to five
// times: TemplateHabits keeps what is found.
CallForm callFormOf(const PromptTemplate& chatTemplate, const std::string& tools);

// `templateText`: of the template that is to render it, whose calls have this form. Throws
// EngineError(kInvalidArgument) for text that is not UTF-8, and for tools or arguments that are no such JSON.
Conversation conversationOf(const Dialogue& dialogue, const std::string& templateText, CallForm form);

}  // namespace vitrine
