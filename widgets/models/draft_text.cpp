#include "widgets/models/draft_text.h"

#include <algorithm>

namespace vitrine {
namespace {

QString textAsCandidate(EventBatch events, SequenceId sequence, int position, TokenId token) {
  for (const Event& event : events) {
    const auto* detail = bodyOf<TokenCandidates>(event);
    if (!detail || detail->sequence != sequence || detail->position != position || detail->stages.empty())
      continue;
    const std::vector<Candidate>& top = detail->stages.front().top;
    for (std::size_t i = 0; i < std::min(top.size(), detail->pieces.size()); ++i)
      if (top[i].token == token) return QString::fromStdString(detail->pieces[i]);
  }
  return {};
}

}  // namespace

QString draftText(const Session& session, EventBatch events, SequenceId sequence, int position,
                  TokenId token) {
  if (const QString text = textAsCandidate(events, sequence, position, token); !text.isEmpty()) return text;
  const auto found = session.state().sequences.find(sequence);
  if (found != session.state().sequences.end()) {
    const std::vector<TokenId>& tokens = found->second.tokens;
    for (auto at = static_cast<int>(tokens.size()) - 1; at >= 0; --at) {
      if (tokens[static_cast<std::size_t>(at)] != token) continue;
      const QString text = session.recordedText(sequence, at);
      if (!text.isEmpty()) return text;
    }
  }
  return QStringLiteral("#%1").arg(token);
}

}  // namespace vitrine
