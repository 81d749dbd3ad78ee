// A chat as a run that can be opened and stepped through: the answers of the shown branch are computed again,
// one after another, and all that the machine does is written to a trace.
//
// A history keeps texts and tokens, not what the machine did. The same model, options, seed and sampling give
// the same tokens, so the run can be made again; the report says whether it was the same. An engine of its
// own computes it, so that the machine of the window goes on. Thread: any. Read next: answer_turn.h,
// vitrine/trace.h.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "desk/answer_turn.h"
#include "vitrine/event.h"
#include "vitrine/options.h"

namespace vitrine {

struct ChatRun {
  std::filesystem::path model;
  EngineOptions options;
  std::vector<AnswerTurn> answers;  // in the order of the chat, one at least
};

// The answers that have tokens and have not failed, of a chat that was read with them. The other messages are
// in their prompts. `engine` and `options`: the machine that is to compute them. Throws EngineError:
// kInvalidArgument where no answer has tokens, kUnavailable where another model gave one of them.
ChatRun chatRun(const ChatRecord& chat, const EngineLoaded& engine, const EngineOptions& options);

struct ChatRunReport {
  // The first answer that has other tokens than in the chat, and the first such token, from 1; 0: none.
  int differsIn = 0, differsAt = 0;

  bool operator==(const ChatRunReport&) const = default;
};

// Called with the fraction done, 0..1, and the answer that is computed, from 1; 0: the model is loaded.
// Returning false cancels.
using ChatRunProgress = std::function<bool(double fraction, int answer)>;

// Loads the model and writes the trace. The step in which an answer begins is a bookmark. The file is written
// whole or not at all. Throws EngineError as Engine::load() and Engine::submit(), kIo, kCancelled, and what
// made a step fail.
ChatRunReport recordChatRun(const ChatRun& run, const std::filesystem::path& file,
                            const ChatRunProgress& progress);

}  // namespace vitrine
