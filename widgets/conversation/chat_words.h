// What a chat's answer is made of, in words. Thread: any.
#pragma once

#include <QString>

#include <string_view>

#include "vitrine/events/requests.h"
#include "widgets/conversation/answer_meter.h"

namespace vitrine {

struct AnswerParts;

// An answer's text in its parts, as they are shown: reasoning models think before what they say.
struct AnswerWords {
  QString thinking, answer;
  bool thinks = false;  // still
};
AnswerWords answerWords(const AnswerParts& parts);
// `prompt`: what the answer answers, which may end in the mark that opens a thought.
AnswerWords answerWords(std::string_view text, std::string_view prompt, bool ended);

// "Reading the prompt: 120 of 312 tokens · 96 from the cache · 850 tok/s"
QString readingNote(const AnswerFigures& figures);
// "Writing… · 24 tokens · 31 tok/s"
QString writingNote(const AnswerFigures& figures, bool thinks);
// "12 tokens · 30 tok/s · first after 80 ms"; of an answer that goes on "12 tokens more, 24 in all"
QString finishedNote(const RequestFinished& finished);

}  // namespace vitrine
