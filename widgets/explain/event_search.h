// EventSearch: what a user looks for among the events: "block:7" and "request:B" (or one of its answers,
// "request:B2") with events about that alone, "step:12", and words that the line contains. All must hold.
// Thread: the window's.
#pragma once

#include <QString>

#include "vitrine/event.h"

namespace vitrine {

class SequenceNames;
struct MachineState;

struct EventSearch {
  QString words;    // without regard to case; empty: any
  QString request;  // a letter, or the letter and number of one answer; empty: any
  BlockId block = -1;
  int step = -1;

  // What is no number behind "block:" and "step:" belongs to the words.
  static EventSearch fromText(const QString& text);
  static QString forBlock(BlockId block);
  static QString forRequest(RequestId request);

  bool isEmpty() const { return *this == EventSearch(); }
  // But for the words. The names are those of the state shown.
  bool fits(const Event& event, const MachineState& state, const SequenceNames& names) const;
  bool operator==(const EventSearch&) const = default;
};

}  // namespace vitrine
