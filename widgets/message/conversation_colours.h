// The grounds that a conversation has under its text, beside the plain one, and the inks that are read on
// them: at least 4.5 : 1 (WCAG 2.2, 1.4.3). Thread: the window's.
#pragma once

#include <QColor>
#include <utility>
#include <vector>

namespace vitrine {

class Theme;

struct ConversationColours {
  QColor hit, hitInk;          // what is sought
  QColor present, presentInk;  // the present one of the hits
  QColor mark, markInk;        // the words of the token that is looked at
  QColor question, authorInk;  // under a question; the name over it

  static ConversationColours of(const Theme& theme);
  std::vector<std::pair<QColor, QColor>> pairs() const;  // ink, ground
};

}  // namespace vitrine
