// ThoughtMeter: how many tokens the thinking at the beginning of an answer took, and how long, to the token
// at which it ended.
//
// It keeps a few bytes for each sequence that thinks; of one that does not, until it has written its first
// word. Tokens of a forced beginning are counted, their time is not known. Thread: any; no state shared. Read
// next: answer_meter.h, chat_words.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "vitrine/event.h"
#include "vitrine/thought.h"

namespace vitrine {

struct ThoughtFigures {
  int tokens = 0;       // of the answer, up to the end of the thinking, marks included; 0: not known
  std::int64_t ns = 0;  // from the first token of the answer to the last of them

  bool operator==(const ThoughtFigures&) const = default;
};

class ThoughtMeter {
 public:
  void begin(const RequestSubmitted& submitted);
  void note(const TokenSampled& sampled, std::int64_t timeNs);  // in order
  void note(const Event& event);  // the same for events of all kinds, each event of the run once
  void clear() { m_thoughts.clear(); }

  ThoughtFigures figuresOf(SequenceId sequence) const;  // once the thinking has ended
  // The same of an answer that has ended: one that thinks to its end is all thinking.
  ThoughtFigures figuresOf(SequenceId sequence, const RequestFinished& finished) const;

 private:
  enum class Phase : std::uint8_t { kUndecided, kThinking, kEnded };
  struct Thought {
    Phase phase = Phase::kUndecided;
    const ThoughtMarks* marks = nullptr;  // once it thinks
    std::string unread = {};              // may be the beginning of a mark
    int tokens = 0;
    std::int64_t firstNs = -1;
    ThoughtFigures figures = {};
  };
  static bool read(Thought& thought, std::string_view text);
  static void begin(Thought& thought, const ThoughtMarks& marks, std::string unread);

  std::unordered_map<SequenceId, Thought> m_thoughts;
};

}  // namespace vitrine
