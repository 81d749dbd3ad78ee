// The texts of drafted tokens, from the drafter's event. A trace of an older program has none: then a token
// is its number. Thread: the window's.
#pragma once

#include <QString>
#include <map>

#include "widgets/session/session.h"

namespace vitrine {

// Of one step: its events are searched once, however many drafts it has. They must outlive it.
class DraftTexts {
 public:
  explicit DraftTexts(EventBatch events);

  // "#id" for a token whose text is not known.
  QString textOf(SequenceId sequence, int position, TokenId token) const;

 private:
  std::map<SequenceId, const DraftProposed*> m_proposed;
};

}  // namespace vitrine
