#include "widgets/conversation/prompt_reuse.h"

#include <algorithm>

#include "vitrine/prose/event_prose.h"
#include "widgets/support/formats.h"
#include "widgets/support/window_language.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kTokensBefore = 8;

// Of the owner's answers, the one that begins most like the prompt.
struct Companion {
  SequenceId sequence = 0;
  int shared = 0;  // tokens
};

Companion companionOf(const SequenceState& asked, RequestId owner, const MachineState& state) {
  Companion best;
  const auto request = state.requests.find(owner);
  if (request == state.requests.end()) return best;
  const auto given = static_cast<std::size_t>(state.requests.at(asked.request).givenTokens);
  const std::span prompt(asked.tokens.data(), static_cast<std::size_t>(asked.promptTokens) + given);
  for (const SequenceId id : request->second.sequences) {
    const auto found = state.sequences.find(id);
    if (found == state.sequences.end()) continue;
    const auto end = std::ranges::mismatch(prompt, found->second.tokens).in1;
    const int shared = static_cast<int>(end - prompt.begin());
    if (best.sequence == 0 || shared > best.shared) best = {id, shared};
  }
  return best;
}

// The blocks behind the matched ones that the owner's tokens filled: the first is known to be evicted, and
// those behind it cannot be found without it.
int lostBlocks(const PrefixMissed& missed, const Companion& companion, int promptTokens, int blockSize) {
  if (missed.cause != MissCause::kEvicted || blockSize == 0) return 0;
  const int most = (promptTokens - 1) / blockSize - missed.matchedTokens / blockSize;
  const int shared = companion.shared / blockSize - missed.matchedTokens / blockSize;
  return std::clamp(shared, 1, std::max(most, 1));
}

void tellTexts(PromptReuse& reuse, const Session& session, const PrefixMissed& missed,
               const Companion& companion) {
  reuse.ours = session.recordedText(missed.sequence, missed.position);
  if (companion.sequence != 0) reuse.theirs = session.recordedText(companion.sequence, missed.position);
  for (int i = std::max(0, missed.position - kTokensBefore); i < missed.position; ++i)
    reuse.before += session.recordedText(missed.sequence, i);
}

void explain(PromptReuse& reuse, const Session& session, const SequenceState& asked) {
  const PrefixMissed& missed = *asked.prefixMiss;
  const MachineState& live = session.recording().live();
  const Companion companion = companionOf(asked, missed.owner, live);
  Event event;
  event.body = missed;
  prose::Names names = session.names().proseNames(live);
  names.token = [&](TokenId token, const PrefixMissed& at) {
    const bool theirs = token == at.theirs && token != at.ours;
    return session.recordedText(theirs ? companion.sequence : at.sequence, at.position).toStdString();
  };
  reuse.cause = missed.cause;
  reuse.owner =
      QString::fromStdString(names.request ? names.request(missed.owner) : std::to_string(missed.owner));
  reuse.matchedTokens = missed.matchedTokens;
  reuse.sharedTokens = missed.cause == MissCause::kDiffers ? missed.position
                                                           : std::max(companion.shared, missed.matchedTokens);
  reuse.lostBlocks = lostBlocks(missed, companion, reuse.promptTokens, reuse.blockSize);
  reuse.why = QString::fromStdString(prose::describe(event, names, windowLanguage()).sentence);
  if (missed.cause == MissCause::kDiffers) tellTexts(reuse, session, missed, companion);
}

QString quoted(const QString& text) { return Wording::tr("“%1”").arg(visibleToken(text)); }

}  // namespace

double PromptReuse::prefillRate() const {
  return prefillNs > 0 && computedTokens() > 0 ? computedTokens() * 1e9 / static_cast<double>(prefillNs) : 0;
}

std::int64_t PromptReuse::lostNs() const {
  const double rate = prefillRate();
  return rate > 0 ? static_cast<std::int64_t>(lostTokens() * 1e9 / rate) : 0;
}

PromptReuse promptReuseOf(const Session& session, const RequestFinished& finished) {
  PromptReuse reuse;
  reuse.promptTokens = finished.promptTokens;
  reuse.cachedTokens = finished.cachedTokens;
  reuse.prefillNs = std::max<std::int64_t>(finished.ttftNs - finished.queueNs, 0);
  const MachineState& live = session.recording().live();
  reuse.blockSize = live.blockSize;
  if (session.engine()) reuse.usesCache = session.engine()->options.prefixCache;
  const auto request = live.requests.find(finished.request);
  if (request == live.requests.end() || request->second.sequences.empty()) return reuse;
  reuse.promptTokens += request->second.givenTokens;
  const auto found = live.sequences.find(request->second.sequences.front());
  if (found != live.sequences.end() && found->second.prefixMiss) explain(reuse, session, found->second);
  return reuse;
}

QString promptReuseTitle(const PromptReuse& reuse) {
  return Wording::tr("Prompt: %1 tokens, %2 from the cache, %3 computed")
      .arg(formatCount(reuse.promptTokens), formatCount(reuse.cachedTokens),
           formatCount(reuse.computedTokens()));
}

QStringList promptReuseSentences(const PromptReuse& reuse) {
  QStringList lines;
  if (!reuse.why.isEmpty())
    lines << reuse.why;
  else if (!reuse.usesCache)
    lines << Wording::tr("The machine runs without the prefix cache, so it computes every prompt whole.");
  else if (reuse.blockSize > 0 && reuse.computedTokens() <= reuse.blockSize)
    lines << Wording::tr(
                 "All that can be found was found: blocks of %1 tokens, and never the last token, since "
                 "the answer begins with its result.")
                 .arg(formatCount(reuse.blockSize));
  else if (reuse.blockSize > 0)
    lines << Wording::tr("No block in the cache goes on like this prompt.");
  if (!reuse.ours.isEmpty() && !reuse.theirs.isEmpty())
    lines << Wording::tr("After %1 this prompt has %2, the cached one of %3 has %4.")
                 .arg(quoted(reuse.before), quoted(reuse.ours), reuse.owner, quoted(reuse.theirs));
  if (const double rate = reuse.prefillRate(); rate > 0)
    lines << Wording::tr("To compute %1 tokens took %2 (%3).")
                 .arg(formatCount(reuse.computedTokens()), formatDuration(reuse.prefillNs), formatRate(rate));
  if (reuse.lostBlocks > 0 && reuse.lostNs() > 0)
    lines << Wording::tr("Of that, the lost blocks (%1, with %2 tokens) cost %3.")
                 .arg(formatCount(reuse.lostBlocks), formatCount(reuse.lostTokens()),
                      formatDuration(reuse.lostNs()));
  return lines;
}

}  // namespace vitrine
