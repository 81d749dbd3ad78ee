#include "widgets/session/draft_text.h"

namespace vitrine {

DraftTexts::DraftTexts(EventBatch events) {
  for (const Event& event : events)
    if (const auto* proposed = bodyOf<DraftProposed>(event)) m_proposed[proposed->sequence] = proposed;
}

QString DraftTexts::textOf(SequenceId sequence, int position, TokenId token) const {
  if (const auto found = m_proposed.find(sequence); found != m_proposed.end()) {
    const DraftProposed& draft = *found->second;
    const auto at = static_cast<std::size_t>(position - draft.firstPosition);
    if (at < draft.pieces.size() && draft.tokens[at] == token)
      return QString::fromStdString(draft.pieces[at]);
  }
  return QStringLiteral("#%1").arg(token);
}

}  // namespace vitrine
