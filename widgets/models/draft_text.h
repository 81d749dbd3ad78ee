// The texts of drafted tokens. Events name a draft by its number alone; its text is known when the token was
// accepted, was a candidate at that position, or stands elsewhere in the sequence. Thread: the window's.
#pragma once

#include <map>

#include "widgets/models/session.h"

namespace vitrine {

// Of one step: its events are searched once, however many drafts it has. Session and events must outlive it.
class DraftTexts {
 public:
  DraftTexts(const Session& session, EventBatch events);

  // "#id" for a token whose text is not known.
  QString textOf(SequenceId sequence, int position, TokenId token) const;

 private:
  QString textAsCandidate(SequenceId sequence, int position, TokenId token) const;

  const Session& m_session;
  std::multimap<std::pair<SequenceId, int>, const TokenCandidates*> m_candidates;  // by place, in order
};

}  // namespace vitrine
