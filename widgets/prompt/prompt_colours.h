// The grounds under the words of a prompt, by whose they are, and under what a line of the template wrote.
// Words on them are read in the theme's text colour: at least 4.5 : 1. Thread: the window's.
#pragma once

#include "widgets/prompt/prompt_model.h"
#include "widgets/support/theme.h"

namespace vitrine {

QColor ownerColour(PromptModel::Owner owner, const Theme& theme);  // of a bar
QColor ownerGround(PromptModel::Owner owner, const Theme& theme);
QColor writtenGround(const Theme& theme);  // behind what the chosen line wrote

}  // namespace vitrine
