// PromptReuse: how much of a finished request's prompt came from the prefix cache, and why not more.
//
// The counts and times are those of RequestFinished, the reason is the engine's own (PrefixMissed), in the
// words of vitrine/prose. It holds a few texts around the first token that differs, and not the prompt.
// Thread: the window's; values. Read next: vitrine/events/blocks.h, widgets/message/prompt_reuse_view.h.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "widgets/session/session.h"

namespace vitrine {

struct PromptReuse {
  // All that was given to read: of an answer that went on from a beginning, that beginning as well.
  int promptTokens = 0, cachedTokens = 0;
  std::int64_t prefillNs = 0;  // from the admission to the first token
  int blockSize = 0;           // tokens; 0: the machine that computed it is not known any more
  bool usesCache = true;       // the machine's option

  // Of PrefixMissed; without one, no cached block goes on like the prompt.
  std::optional<MissCause> cause = {};
  QString owner;          // the request whose blocks are compared with the prompt
  int matchedTokens = 0;  // in whole blocks
  int sharedTokens = 0;   // equal tokens from the beginning, matched ones included
  int lostBlocks = 0;     // kEvicted: blocks that would have matched
  QString why;            // the reason as a sentence
  // kDiffers, where the tokens' texts are known: those before the difference, then one of each.
  QString before, ours, theirs;

  int computedTokens() const { return promptTokens - cachedTokens; }
  int lostTokens() const { return lostBlocks * blockSize; }
  double prefillRate() const;   // computed tokens per second of this request; 0: not measured
  std::int64_t lostNs() const;  // the time of the lost tokens, at that rate

  bool operator==(const PromptReuse&) const = default;
};

// Requires a request of the session's run that has just finished.
PromptReuse promptReuseOf(const Session& session, const RequestFinished& finished);

// "Prompt: 312 tokens, 288 from the cache, 24 computed"
QString promptReuseTitle(const PromptReuse& reuse);
// What there is to say about it, a sentence a line: the reason, the tokens that differ, what it cost.
QStringList promptReuseSentences(const PromptReuse& reuse);

}  // namespace vitrine
