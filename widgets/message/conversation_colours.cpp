#include "widgets/message/conversation_colours.h"

#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr double kReadable = 4.5;

// As near to the colour that is wished for as can be read.
QColor inkOn(const QColor& ground, const QColor& wish, const QColor& text) {
  for (double share = 0; share < 1; share += 0.1)
    if (const QColor ink = mix(wish, text, share); contrastRatio(ink, ground) >= kReadable) return ink;
  return contrastRatio(text, ground) >= kReadable ? text : Theme::inkOn(ground);
}

}  // namespace

ConversationColours ConversationColours::of(const Theme& theme) {
  ConversationColours colours;
  colours.hit = mix(theme.base(), theme.accent(), theme.isDark() ? 0.5 : 0.35);
  colours.hitInk = inkOn(colours.hit, theme.text(), theme.text());
  colours.present = theme.accent();
  colours.presentInk = Theme::inkOn(colours.present);
  colours.mark = mix(theme.base(), theme.accent(), 0.35);
  colours.markInk = inkOn(colours.mark, theme.text(), theme.text());
  colours.question = mix(theme.base(), theme.accent(), theme.isDark() ? 0.2 : 0.1);
  colours.authorInk = inkOn(colours.question, theme.dimText(), theme.text());
  return colours;
}

std::vector<std::pair<QColor, QColor>> ConversationColours::pairs() const {
  return {{hitInk, hit}, {presentInk, present}, {markInk, mark}, {authorInk, question}};
}

}  // namespace vitrine
