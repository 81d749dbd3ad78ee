#include "vitrine/prose/difference_words.h"

#include "prose/difference_values.h"

namespace vitrine::prose {
namespace {

struct DifferenceWords : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

  DifferenceWords(const MachineState& one, const MachineState& other, const Names& names,
                  const Language& language)
      : Speaker(names, language), before(one, true, names, language), after(other, false, names, language) {}

  DifferenceRow row(const MachineChange& change) const {
    return {{}, subjectOf(change.field), nameOf(change.field), before.valueOf(change), after.valueOf(change)};
  }
  DifferenceRow row(const RequestChange& change) const {
    return {{.request = change.request},
            requestName(change.request),
            nameOf(change.field),
            before.valueOf(change),
            after.valueOf(change)};
  }
  DifferenceRow row(const SequenceChange& change) const {
    DifferenceRow row{{.request = requestOf(change.sequence), .sequence = change.sequence},
                      sequence(change.sequence),
                      nameOf(change.field),
                      before.valueOf(change),
                      after.valueOf(change)};
    // A beam goes on with the tokens of another one.
    const SequenceState& was = valueIn(before.state.sequences, change.sequence);
    if (change.field == SequenceField::kTokens && change.kept < static_cast<int>(was.tokens.size()))
      row.after = tr("%1, others from position %2 on").arg(row.after, change.kept);
    return row;
  }
  DifferenceRow row(const BlockRangeChange& change) const {
    DifferenceRow row;
    for (BlockId block = change.first; block <= change.last; ++block) row.target.blocks.push_back(block);
    row.subject = change.first == change.last ? tr("Block %1").arg(change.first)
                                              : tr("Blocks %1-%2").arg(change.first, change.last);
    row.what = tr("used by");
    row.before = before.useOf(change.before);
    row.after = after.useOf(change.after);
    if (change.rewritten) row.after = tr("%1, with other tokens").arg(row.after);
    return row;
  }

  RequestId requestOf(SequenceId id) const {
    const SequenceState& now = valueIn(after.state.sequences, id);
    return now.id != 0 ? now.request : valueIn(before.state.sequences, id).request;
  }

 private:
  String subjectOf(MachineField field) const {
    return field == MachineField::kRunning || field == MachineField::kWaiting ? tr("Scheduler")
                                                                              : tr("KV memory");
  }

  String nameOf(MachineField field) const {
    switch (field) {
      case MachineField::kFreeQueue:
        return tr("free queue");
      case MachineField::kCachedBlocks:
        return tr("cached blocks");
      case MachineField::kSharedBlocks:
        return tr("shared blocks");
      case MachineField::kRunning:
        return tr("running");
      case MachineField::kWaiting:
        return tr("waiting");
      case MachineField::kSwapSlots:
        return tr("swap slots");
    }
    return {};
  }

  String nameOf(RequestField field) const {
    switch (field) {
      case RequestField::kPresence:
        return tr("request");
      case RequestField::kFinished:
        return tr("finished");
      case RequestField::kCancelled:
        return tr("cancelled");
      case RequestField::kFirstToken:
        return tr("first token");
      case RequestField::kBeams:
        return tr("beams");
      case RequestField::kHypotheses:
        return tr("complete answers");
    }
    return {};
  }

  String nameOf(SequenceField field) const {
    switch (field) {
      case SequenceField::kStatus:
        return tr("status");
      case SequenceField::kTokens:
        return tr("tokens");
      case SequenceField::kText:
        return tr("text");
      case SequenceField::kComputed:
        return tr("computed tokens");
      case SequenceField::kCached:
        return tr("tokens from the prefix cache");
      case SequenceField::kBlockTable:
        return tr("block table");
      case SequenceField::kSwapped:
        return tr("swapped out");
      case SequenceField::kEvicted:
        return tr("evicted from the context");
      case SequenceField::kPreemptions:
        return tr("preemptions");
      case SequenceField::kRank:
        return tr("rank");
      case SequenceField::kWait:
        return tr("waits");
      case SequenceField::kPrefixMiss:
        return tr("prefix miss");
      case SequenceField::kScore:
        return tr("score");
    }
    return {};
  }

  ValueWords before, after;
};

}  // namespace

std::vector<DifferenceRow> differenceRows(const StateDifference& difference, const MachineState& before,
                                          const MachineState& after, const Names& names,
                                          const Language& language) {
  const DifferenceWords words(before, after, names, language);
  std::vector<DifferenceRow> rows;
  for (const MachineChange& change : difference.machine) rows.push_back(words.row(change));
  std::map<RequestId, std::vector<DifferenceRow>> ofRequests;
  for (const RequestChange& change : difference.requests)
    ofRequests[change.request].push_back(words.row(change));
  for (const SequenceChange& change : difference.sequences)
    ofRequests[words.requestOf(change.sequence)].push_back(words.row(change));
  for (auto& [request, own] : ofRequests) std::ranges::move(own, std::back_inserter(rows));
  for (const BlockRangeChange& change : difference.blocks) rows.push_back(words.row(change));
  return rows;
}

}  // namespace vitrine::prose
