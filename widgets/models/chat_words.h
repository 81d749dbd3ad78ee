// What a chat's answer is made of, in words. Thread: any.
#pragma once

#include <QString>

#include "vitrine/events/requests.h"

namespace vitrine {

// An answer's text in its parts: reasoning models write <think> ... </think> before what they say.
struct AnswerWords {
  QString thinking, answer;
  bool thinks = false;  // still
};
AnswerWords answerWords(const QString& text);

// "12 tokens · 30 tok/s · first after 80 ms"
QString finishedNote(const RequestFinished& finished);

}  // namespace vitrine
