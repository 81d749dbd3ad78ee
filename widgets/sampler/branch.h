// Branch: another token at a position of an answer, as a request of its own: the same prompt, and an answer
// that begins with the tokens before the position and the other token. Sampling options, seed, stop strings
// and the maximum length stay, so it goes on as the first answer would have gone on. The prefix cache shares
// the blocks. A branch of a beam goes on greedily. Thread: the window's. Read next: session.h.
#pragma once

#include <QString>
#include <optional>

#include "vitrine/request.h"

namespace vitrine {

class Session;

struct Branch {
  Request request;
  QString refusal;  // why there is none; empty: the request may be submitted
};

// In the state shown. `text`: the token's, for the name: "A′ · branch of A at token 17: “␣sunny”".
// trial: options that are previewed there; none: those in force.
Branch branchAt(const Session& session, SequenceId sequence, int position, TokenId token, const QString& text,
                const std::optional<SamplingOptions>& trial = std::nullopt);

}  // namespace vitrine
