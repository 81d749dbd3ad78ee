// What a screen reader meets of an answer: its text with the source of each formula, where Qt's own interface
// has the formula's one character. Thread: the window's.
#pragma once

namespace vitrine {

// Of all answers that a screen reader has not met yet. Once is enough.
void readAnswersWithFormulas();

}  // namespace vitrine
