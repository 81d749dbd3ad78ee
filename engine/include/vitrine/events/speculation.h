// Events of speculative decoding (arXiv 2211.17192): a drafter proposes tokens, one forward of the model
// verifies them, and the engine rolls back the rejected ones. Thread: values. Read next: beams.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/ids.h"
#include "vitrine/options.h"

namespace vitrine {

struct DraftProposed {
  SequenceId sequence = 0;
  DraftMethod drafter = DraftMethod::kNone;
  int firstPosition = 0;  // of tokens.front(): the first position after the sequence's own tokens
  std::vector<TokenId> tokens;
  std::vector<std::string> pieces = {};  // the text of each token; empty without a tokenizer
};
VITRINE_DECISION(DraftProposed, "draft_proposed", kToken, field("sequence", &T::sequence),
                 field("drafter", &T::drafter), field("first_position", &T::firstPosition),
                 field("tokens", &T::tokens), field("pieces", &T::pieces));

// Why a sequence that decodes gets no draft. The two numbers of DraftSkipped are named with each reason.
enum class NoDraftReason : std::uint8_t {
  kBeams,       // it is a beam of a search; no numbers
  kAnswerEnd,   // tokens of the answer that a draft needs, its own and one behind it / that it may have
  kContextEnd,  // the same of the model's context
  kComparison,  // no sequence drafts in one step in so many: the plain step is what others are compared with
  kCost,        // SpeculationOptions::adaptive: no length of a draft pays by what steps have cost; no numbers
  kNoMatch,     // DraftMethod::kNgram: its last token is nowhere before in its text; no numbers
  kDraftContext,  // DraftMethod::kModel: positions that it needs / of the draft model's context
  kDraftBlocks,   // DraftMethod::kModel: blocks that it needs / that are free in the draft model's KV cache
  kBlocks,        // blocks that it needs / that the plan leaves free
  kTokenBudget,   // tokens that it needs / that the plan leaves of the step's budget
};
VITRINE_NAMES(NoDraftReason, "beams", "answer_end", "context_end", "comparison", "cost", "no_match",
              "draft_context", "draft_blocks", "blocks", "token_budget");

// In Plan, for each sequence that decodes without a draft while a drafter is on. It follows from the plan,
// the options and StepSpeculated, so a resumed run is not compared by it.
struct DraftSkipped {
  SequenceId sequence = 0;
  NoDraftReason reason = NoDraftReason::kBeams;
  int needed = 0, available = 0;
};
VITRINE_REPORT(DraftSkipped, "draft_skipped", kToken, field("sequence", &T::sequence),
               field("reason", &T::reason), field("needed", &T::needed), field("available", &T::available));

enum class DraftVerdict : std::uint8_t {
  kSame,       // accepted: the model chooses this token, or draws it with the drafter's random number
  kDiffers,    // rejected: the model chooses or draws another
  kWithin,     // accepted: DraftAcceptance::kRejection, and the drawn uniform number is below p / q
  kBeyond,     // rejected: it is not
  kUndecided,  // not judged: the answer ended earlier, or an earlier draft was rejected
};
VITRINE_NAMES(DraftVerdict, "same", "differs", "within", "beyond", "undecided");

struct DraftJudgement {
  TokenId token = 0;
  DraftVerdict verdict = DraftVerdict::kSame;
  // The model's and the drafter's probability of `token`, and the drawn number; 0 when greedy. q is above 0
  // when the token was drawn, and 1 for a drafter that is certain.
  double p = 0, q = 0, uniform = 0;
  TokenId chosen = -1;  // the answer's token at this position; -1: not judged, or an older trace
};
VITRINE_STRUCT(DraftJudgement, "draft_judgement", field("token", &T::token), field("verdict", &T::verdict),
               field("p", &T::p), field("q", &T::q), field("uniform", &T::uniform),
               field("chosen", &T::chosen));

struct DraftVerified {
  SequenceId sequence = 0;
  int firstPosition = 0, accepted = 0;  // the first `accepted` judgements are acceptances
  std::vector<DraftJudgement> judgements;
};
VITRINE_DECISION(DraftVerified, "draft_verified", kToken, field("sequence", &T::sequence),
                 field("first_position", &T::firstPosition), field("accepted", &T::accepted),
                 field("judgements", &T::judgements));

struct DraftRolledBack {
  SequenceId sequence = 0;
  int computedTokens = 0, lostTokens = 0;  // computed tokens that remain, and those that are thrown away
  int freedBlocks = 0;
};
VITRINE_DECISION(DraftRolledBack, "draft_rolled_back", kSequence, field("sequence", &T::sequence),
                 field("computed_tokens", &T::computedTokens), field("lost_tokens", &T::lostTokens),
                 field("freed_blocks", &T::freedBlocks));

// Published in each step that decodes while a drafter is on. A step with `draftedTokens` 0 is a plain one,
// for comparison.
struct StepSpeculated {
  int sequences = 0, draftedSequences = 0;  // that decode; those of them with a draft
  int draftedTokens = 0, acceptedTokens = 0;
  int keptTokens = 0;     // accepted, or chosen by the model, of all sequences that decode
  int prefillTokens = 0;  // in the same forward; when there are any, its time is not that of decoding alone
  std::int64_t draftNs = 0, verifyNs = 0;
};
VITRINE_REPORT(StepSpeculated, "step_speculated", kStep, field("sequences", &T::sequences),
               field("drafted_sequences", &T::draftedSequences), field("drafted_tokens", &T::draftedTokens),
               field("accepted_tokens", &T::acceptedTokens), field("kept_tokens", &T::keptTokens),
               field("prefill_tokens", &T::prefillTokens), field("draft_ns", &T::draftNs),
               field("verify_ns", &T::verifyNs));

}  // namespace vitrine
