// What a screen reader says of a label: its name and its words. Qt says the name instead of the words, and a
// label that is named "The search" would never tell what the search has found. Thread: the window's.
#pragma once

namespace vitrine {

// Of all labels that a screen reader has not met yet: called before they are made. Once is enough.
void speakLabelsWhole();

}  // namespace vitrine
