// Events of speculative decoding (arXiv 2211.17192): a drafter proposes tokens, one forward of the model
// verifies them, and the engine rolls back the rejected ones. Thread: values. Read next: beams.h.
#pragma once

#include <cstdint>
#include <vector>

#include "vitrine/ids.h"
#include "vitrine/options.h"

namespace vitrine {

struct DraftProposed {
  SequenceId sequence;
  DraftMethod drafter;
  int firstPosition;  // of tokens.front(): the first position after the sequence's own tokens
  std::vector<TokenId> tokens;
};

enum class DraftVerdict : std::uint8_t {
  kSame,       // accepted: greedy, and the model chooses this token
  kDiffers,    // rejected: greedy, and the model chooses another
  kWithin,     // accepted: the drawn uniform number is below p / q
  kBeyond,     // rejected: it is not
  kUndecided,  // not judged: the answer ended earlier, or an earlier draft was rejected
};

struct DraftJudgement {
  TokenId token;
  DraftVerdict verdict;
  double p, q, uniform;  // the model's and the drafter's probability, and the drawn number; 0 when greedy
};

struct DraftVerified {
  SequenceId sequence;
  int firstPosition, accepted;  // the first `accepted` judgements are acceptances
  std::vector<DraftJudgement> judgements;
};

struct DraftRolledBack {
  SequenceId sequence;
  int computedTokens, lostTokens;  // computed tokens that remain, and those that are thrown away
  int freedBlocks;
};

// Published in each step that decodes while a drafter is on. A step with `draftedTokens` 0 is a plain one,
// for comparison.
struct StepSpeculated {
  int sequences, draftedSequences;  // that decode; those of them with a draft
  int draftedTokens, acceptedTokens;
  int keptTokens;     // accepted, or chosen by the model, of all sequences that decode
  int prefillTokens;  // in the same forward; when there are any, its time is not that of decoding alone
  std::int64_t draftNs, verifyNs;
};

}  // namespace vitrine
