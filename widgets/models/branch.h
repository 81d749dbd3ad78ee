// Branch: another token at a position of an answer, as a request of its own: its prompt is the answer's
// tokens before the position and the other token, so the prefix cache shares their blocks; sampling options,
// seed, stop strings and what is left of the maximum length stay. It draws with the random numbers of the
// first answer. Penalties that look at the output alone see what the branch writes. Thread: the window's.
// Read next: session.h.
#pragma once

#include <QString>

#include "vitrine/request.h"

namespace vitrine {

class Session;

struct Branch {
  Request request;
  QString refusal;  // why there is none; empty: the request may be submitted
};

// In the state shown. `text`: the token's, for the name: "A′ · branch of A at token 17: “␣sunny”".
Branch branchAt(const Session& session, SequenceId sequence, int position, TokenId token,
                const QString& text);

}  // namespace vitrine
