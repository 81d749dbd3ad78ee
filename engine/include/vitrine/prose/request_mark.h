// What every view shows a request with: a letter, one of eight colours and one of five hatches.
//
// Eight and five share no factor, so forty requests in a row differ in the pair; the letter differs always.
// Thread: any. Read next: request_words.h.
#pragma once

#include <string>

#include "vitrine/ids.h"

namespace vitrine::prose {

inline constexpr int kRequestColours = 8, kRequestHatches = 5;

struct RequestMark {
  std::string letter;         // "A" ... "Z", "AA", ...; "?" for an id below 1
  int colour = 0, hatch = 0;  // which of them
};

RequestMark requestMark(RequestId request);
// "A", or "A2" for the second of several answers.
std::string sequenceLetter(RequestId request, int index, int sequences);

}  // namespace vitrine::prose
