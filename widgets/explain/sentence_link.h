// SentenceLink: words of a sentence that speak of something, as the window follows them: letters in place of
// bytes, and targets as the session's step has them. Thread: the window's. Read next: vitrine/prose/link.h.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "vitrine/prose/link.h"

namespace vitrine {

class Session;

struct SentenceLink {
  int begin = 0, length = 0;  // letters of the sentence
  prose::Target target;       // a sequence with its request, a position with the step shown

  bool operator==(const SentenceLink&) const = default;
};

std::vector<SentenceLink> sentenceLinks(std::string_view sentence, std::span<const prose::Link> links,
                                        const Session& session);

}  // namespace vitrine
