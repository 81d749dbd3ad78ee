// The texts of drafted tokens. Events name a draft by its number alone; its text is known when the token was
// accepted, was a candidate at that position, or stands elsewhere in the sequence. Thread: the window's.
#pragma once

#include "widgets/models/session.h"

namespace vitrine {

// `events`: of the draft's step. "#id" for a token whose text is not known.
QString draftText(const Session& session, EventBatch events, SequenceId sequence, int position,
                  TokenId token);

}  // namespace vitrine
