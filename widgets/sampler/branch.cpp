#include "widgets/sampler/branch.h"

#include "widgets/session/session.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

Branch refused(const QString& why) { return {{}, why}; }

}  // namespace

Branch branchAt(const Session& session, SequenceId id, int position, TokenId token, const QString& text,
                const std::optional<SamplingOptions>& trial) {
  const MachineState& state = session.state();
  const auto found = state.sequences.find(id);
  const Request* const submitted =
      found == state.sequences.end() ? nullptr : session.sampling().submitted(found->second.request);
  if (submitted == nullptr)
    return refused(Wording::tr("This answer is no longer known, so nothing can branch from it."));
  const SequenceState& answer = found->second;
  const QString letter = session.names().letter(id, state);
  const auto kept = static_cast<std::size_t>(position);
  if (position < answer.promptTokens || kept > answer.tokens.size())
    return refused(Wording::tr("%1 has not drawn a token at position %2.").arg(letter).arg(position));
  if (kept < answer.tokens.size() && answer.tokens[kept] == token)
    return refused(
        Wording::tr("“%1” is the token that %2 has drawn. Choose another one to branch.").arg(text, letter));
  const int written = position - answer.promptTokens;
  if (written + 1 >= submitted->maxTokens)
    return refused(Wording::tr("Token %1 is the last one that %2 may write, so a branch could write none.")
                       .arg(position)
                       .arg(letter));

  Branch branch{*submitted, {}};
  Request& request = branch.request;
  request.name = Wording::tr("%1 with “%2” at %3").arg(letter, text).arg(position).toStdString();
  const auto begin = answer.tokens.begin() + answer.promptTokens;
  request.tokenIds.assign(answer.tokens.begin(), begin);
  request.outputIds.assign(begin, begin + written);
  request.outputIds.push_back(token);
  request.sequences = 1;
  request.bestOf = 0;
  request.beamWidth = 1;
  if (trial)
    request.sampling = *trial;
  else if (const auto sampling = session.sampling().at(answer.request, session.step()))
    request.sampling = *sampling;
  return branch;
}

}  // namespace vitrine
