#include "widgets/prompt/prompt_colours.h"

namespace vitrine {

QColor ownerColour(PromptModel::Owner owner, const Theme& theme) {
  switch (owner) {
    case PromptModel::Owner::kSystem:
      return theme.surprise();
    case PromptModel::Owner::kUser:
      return theme.request(0);
    case PromptModel::Owner::kModel:
      return theme.request(2);
    case PromptModel::Owner::kOther:
      return theme.request(3);
    case PromptModel::Owner::kTemplate:
      return mix(theme.base(), theme.text(), 0.3);
  }
  return theme.line();
}

QColor ownerGround(PromptModel::Owner owner, const Theme& theme) {
  return mix(theme.base(), ownerColour(owner, theme), theme.isDark() ? 0.3 : 0.2);
}

QColor writtenGround(const Theme& theme) { return mix(theme.base(), theme.request(1), 0.22); }

}  // namespace vitrine
