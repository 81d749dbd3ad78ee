#include "widgets/models/draft_text.h"

#include <algorithm>

namespace vitrine {

DraftTexts::DraftTexts(const Session& session, EventBatch events) : m_session(session) {
  for (const Event& event : events)
    if (const auto* detail = bodyOf<TokenCandidates>(event); detail && !detail->stages.empty())
      m_candidates.emplace(std::pair(detail->sequence, detail->position), detail);
}

QString DraftTexts::textAsCandidate(SequenceId sequence, int position, TokenId token) const {
  const auto [first, last] = m_candidates.equal_range({sequence, position});
  for (auto place = first; place != last; ++place) {
    const TokenCandidates& detail = *place->second;
    const std::vector<Candidate>& top = detail.stages.front().top;
    for (std::size_t i = 0; i < std::min(top.size(), detail.pieces.size()); ++i)
      if (top[i].token == token) return QString::fromStdString(detail.pieces[i]);
  }
  return {};
}

QString DraftTexts::textOf(SequenceId sequence, int position, TokenId token) const {
  if (const QString text = textAsCandidate(sequence, position, token); !text.isEmpty()) return text;
  const auto found = m_session.state().sequences.find(sequence);
  if (found != m_session.state().sequences.end()) {
    const std::vector<TokenId>& tokens = found->second.tokens;
    for (auto at = static_cast<int>(tokens.size()) - 1; at >= 0; --at) {
      if (tokens[static_cast<std::size_t>(at)] != token) continue;
      const QString text = m_session.recordedText(sequence, at);
      if (!text.isEmpty()) return text;
    }
  }
  return QStringLiteral("#%1").arg(token);
}

}  // namespace vitrine
