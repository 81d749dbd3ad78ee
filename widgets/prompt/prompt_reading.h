// What a screen reader meets of a prompt: a list with a token an item, its text, its id and what wrote it.
// Thread: the window's. Read next: prompt_view.h.
#pragma once

namespace vitrine {

// Of all prompts that a screen reader has not met yet. Once is enough.
void readPromptsAsLists();

}  // namespace vitrine
