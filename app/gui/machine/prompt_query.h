// PromptQuery: the window asks how the model reads a conversation. Thread: values; showPrompt() on the
// engine's. Read next: prompt_looker.h, widgets/prompt/seen_prompt.h.
#pragma once

#include <vector>

#include "common/chat_prompt.h"
#include "vitrine/engine.h"
#include "widgets/prompt/seen_prompt.h"

namespace vitrine {

struct PromptQuery {
  Dialogue dialogue = {};
  OpenedThought thought = OpenedThought::kStays;  // kEnds: the answer is to have a form
  // The chat's last prompt with its answer, as the model read and wrote them; empty: not known.
  std::vector<TokenId> before = {};
  int beforePrompt = 0;  // of them, the prompt's
};

// Nothing is computed, and nothing is cut to the context. The template's objection to the conversation is
// in the answer. Throws EngineError(kUnavailable) for a model without a tokenizer.
SeenPrompt showPrompt(const Engine& engine, const PromptQuery& query);

}  // namespace vitrine
