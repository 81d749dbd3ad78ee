// The values of one of two states that are compared, in words. Internal to difference_words.cpp. Thread: any.
#pragma once

#include <algorithm>
#include <map>

#include "prose/speaker.h"
#include "vitrine/prose/words.h"
#include "vitrine/state_difference.h"

namespace vitrine::prose {

// Of a list or text, what the other state does not begin with, too: at most so much.
inline constexpr std::size_t kNamesListed = 6;
inline constexpr std::size_t kTextShown = 48, kTextBefore = 12;  // bytes, about; of what is the same

template <typename Id, typename Value>
const Value& valueIn(const std::map<Id, Value>& values, Id id) {
  static const Value none;
  const auto found = values.find(id);
  return found == values.end() ? none : found->second;
}

struct ValueWords : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

  ValueWords(const MachineState& of, bool isBefore, const Names& names, const Language& language)
      : Speaker(names, language), state(of), m_isBefore(isBefore) {}

  String number(std::int64_t value) const { return m_language.number(value); }

  String valueOf(const MachineChange& change) const {
    switch (change.field) {
      case MachineField::kFreeQueue:
        return tableBehind(state.freeQueue.ids(), change.kept);
      case MachineField::kCachedBlocks:
        return number(std::ranges::count_if(state.blocks, &BlockState::cached));
      case MachineField::kSharedBlocks:
        return number(
            std::ranges::count_if(state.blocks, [](const BlockState& block) { return block.refCount > 1; }));
      case MachineField::kRunning:
        return namesBehind(state.running, change.kept);
      case MachineField::kWaiting:
        return namesBehind(state.waiting, change.kept);
      case MachineField::kSwapSlots:
        return tr("%1 on the host, %2 on disk").arg(state.swapBlocks[0], state.swapBlocks[1]);
    }
    return {};
  }

  String valueOf(const RequestChange& change) const {
    const RequestState& request = valueIn(state.requests, change.request);
    switch (change.field) {
      case RequestField::kPresence:
        return request.id == 0 ? missing() : tr("submitted");
      case RequestField::kFinished:
        return request.finished ? tr("yes") : tr("no");
      case RequestField::kCancelled:
        return request.cancelled ? tr("yes") : tr("no");
      case RequestField::kFirstToken:
        return request.firstTokenNs < 0 ? std::string(tr("none yet"))
                                        : tr("after %1").arg(duration(request.ttftNs(), m_language));
      case RequestField::kBeams:
        return listBehind(request.beams, change.kept, tr("%n beam(s)", nullptr, countOf(request.beams)),
                          [this](const BeamState& beam) {
                            return sequence(beam.sequence) + " " + decimal(beam.cumulative, 3);
                          });
      case RequestField::kHypotheses:
        return listBehind(request.hypotheses, change.kept,
                          tr("%n answer(s)", nullptr, countOf(request.hypotheses)),
                          [this](const HypothesisState& one) { return decimal(one.score, 3); });
    }
    return {};
  }

  String valueOf(const SequenceChange& change) const {
    const SequenceState& one = valueIn(state.sequences, change.sequence);
    switch (change.field) {
      case SequenceField::kStatus:
        return one.id == 0 ? missing() : statusOf(one);
      case SequenceField::kTokens:
        return number(countOf(one.tokens));
      case SequenceField::kText:
        return textBehind(one.text, static_cast<std::size_t>(change.kept));
      case SequenceField::kComputed:
        return number(one.computedTokens);
      case SequenceField::kCached:
        return number(one.cachedTokens);
      case SequenceField::kBlockTable:
        return tableBehind(one.blockTable, change.kept);
      case SequenceField::kSwapped:
        return one.swapped.empty() ? tr("none") : tiersOf(one.swapped);
      case SequenceField::kEvicted:
        return tokens(one.evictedTokens);
      case SequenceField::kPreemptions:
        return number(one.preemptions);
      case SequenceField::kRank:
        return number(one.rank);
      case SequenceField::kWait:
        return one.wait ? waitOf(one) : std::string(tr("does not wait"));
      case SequenceField::kPrefixMiss:
        return one.prefixMiss ? tr("computes %n token(s) again", nullptr, one.prefixMiss->recomputedTokens)
                              : tr("none");
      case SequenceField::kScore:
        return decimal(one.score, 3);
    }
    return {};
  }

  // "free, its content cached", "A, 12 of 16 tokens", "A and 2 others, 16 tokens, cached".
  String useOf(const BlockUse& use) const {
    const std::string content = use.filled == state.blockSize
                                    ? tokens(use.filled)
                                    : std::string(tr("%1 of %2 tokens").arg(use.filled, state.blockSize));
    if (use.holders == 0) return use.cached ? tr("free, its content cached") : tr("free");
    std::string holder = use.holder == 0 ? std::string(tr("no sequence")) : sequence(use.holder);
    if (use.holders > 1) holder = tr("%1 and %n other(s)", nullptr, use.holders - 1).arg(holder);
    return use.cached ? tr("%1, %2, cached").arg(holder, content) : tr("%1, %2").arg(holder, content);
  }

  const MachineState& state;

 private:
  template <typename List>
  static int countOf(const List& list) {
    return static_cast<int>(list.size());
  }

  // "5 blocks: … 7, 9": the elements from the first one that differs on.
  template <typename List, typename Words>
  String listBehind(const List& list, int kept, const std::string& count, const Words& wordsOf) const {
    if (list.empty()) return tr("none");
    const auto from = static_cast<std::size_t>(kept), to = std::min(list.size(), from + kNamesListed);
    if (from >= list.size()) return count;
    std::string text;
    for (std::size_t i = from; i < to; ++i) text += (i > from ? ", " : "") + wordsOf(list[i]);
    if (from > 0) text = "… " + text;
    if (to < list.size()) text += ", …";
    return tr("%1: %2").arg(count, text);
  }
  String namesBehind(const std::vector<SequenceId>& list, int kept) const {
    return listBehind(list, list.size() <= kNamesListed ? 0 : kept, sequences(countOf(list)),
                      [this](SequenceId id) { return sequence(id); });
  }
  String tableBehind(const std::vector<BlockId>& table, int kept) const {
    return listBehind(table, kept, blocks(countOf(table)), [this](BlockId id) { return block(id); });
  }
  String tiersOf(const std::vector<SwappedBlock>& swapped) const {
    const auto onDisk = std::ranges::count(swapped, SwapTier::kDisk, &SwappedBlock::tier);
    const std::string all = blocks(countOf(swapped));
    return onDisk == 0 ? all : std::string(tr("%1, of them %2 on disk").arg(all, onDisk));
  }

  String missing() const { return m_isBefore ? tr("not there yet") : tr("forgotten"); }

  String statusOf(const SequenceState& one) const {
    switch (one.status) {
      case SequenceStatus::kWaiting:
        return tr("waiting");
      case SequenceStatus::kRunning:
        return tr("running");
      case SequenceStatus::kPreempted:
        return tr("preempted");
      case SequenceStatus::kSwapped:
        return tr("swapped out");
      case SequenceStatus::kFinished:
        return tr("finished: %1").arg(finishReason(one.finishReason, m_language));
    }
    return {};
  }

  String waitOf(const SequenceState& one) const {
    SequenceWaiting waiting;
    waiting.reason = one.wait->reason;
    waiting.needed = one.wait->needed, waiting.available = one.wait->available;
    return tr("%1, since step %2").arg(waitReason(waiting, m_language), one.wait->step);
  }

  // From a little before the first difference on; never the half of a character.
  String textBehind(const std::string& text, std::size_t kept) const {
    if (text.empty()) return tr("none");
    const auto isInside = [&text](std::size_t at) {
      return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
    };
    std::size_t begin = kept - std::min(kept, kTextBefore), end = std::min(text.size(), kept + kTextShown);
    while (isInside(begin)) ++begin;
    while (isInside(end)) ++end;
    const std::string shown = visibleText(std::string_view(text).substr(begin, end - begin));
    return (begin > 0 ? "…" : "") + shown + (end < text.size() ? "…" : "");
  }

  const bool m_isBefore;  // the earlier of the two states
};

}  // namespace vitrine::prose
