#include "widgets/memory/swap_shelves.h"

#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

void put(std::array<SwapShelf, kSwapTierCount>& shelves, const SequenceState& sequence,
         const Session& session) {
  const MachineState& state = session.state();
  for (const SwappedBlock& block : sequence.swapped) {
    const int filled =
        std::clamp(sequence.computedTokens - block.index * state.blockSize, 0, state.blockSize);
    shelves[static_cast<std::size_t>(block.tier)].blocks.push_back(
        {block.slot, sequence.id, sequence.request, block.index, filled,
         session.names().letter(sequence.id, state)});
  }
}

std::optional<BlockMove> moveOf(const Event& event) {
  BlockMove move;
  move.number = event.number;
  const auto fill = [&](SwapMove kind, const auto& e) {
    move.move = kind;
    move.sequence = e.sequence;
    move.index = e.index;
  };
  const auto between = [&](SwapMove kind, const auto& e) {
    fill(kind, e);
    move.block = e.block;
    move.tier = e.tier;
    move.slot = e.slot;
  };
  if (const auto* out = bodyOf<BlockSwappedOut>(event)) {
    between(SwapMove::kOut, *out);
  } else if (const auto* in = bodyOf<BlockSwappedIn>(event)) {
    between(SwapMove::kIn, *in);
  } else if (const auto* demoted = bodyOf<BlockDemoted>(event)) {
    fill(SwapMove::kDemote, *demoted);
    move.tier = SwapTier::kDisk;
    move.slot = demoted->diskSlot;
    move.hostSlot = demoted->hostSlot;
  } else {
    return {};
  }
  return move;
}

}  // namespace

std::array<SwapShelf, kSwapTierCount> swapShelves(const Session& session) {
  const MachineState& state = session.state();
  std::array<SwapShelf, kSwapTierCount> shelves;
  bool any = false;
  for (std::size_t tier = 0; tier < shelves.size(); ++tier) {
    shelves[tier].tier = static_cast<SwapTier>(tier);
    shelves[tier].capacity = state.swapBlocks[tier];
    any = any || state.swapBlocks[tier] > 0;
  }
  if (!any) return shelves;
  for (const auto* list : {&state.waiting, &state.running})
    for (const SequenceId id : *list)
      if (const auto found = state.sequences.find(id); found != state.sequences.end())
        put(shelves, found->second, session);
  for (SwapShelf& shelf : shelves) std::ranges::sort(shelf.blocks, {}, &ShelfBlock::slot);
  return shelves;
}

std::vector<BlockMove> blockMoves(const Session& session) {
  std::vector<BlockMove> moves;
  for (const Event& event : session.stepEvents()) {
    std::optional<BlockMove> move = moveOf(event);
    if (!move) continue;
    move->request = session.names().requestOf(move->sequence, session.state());
    move->letter = session.names().letter(move->sequence, session.state());
    moves.push_back(std::move(*move));
  }
  return moves;
}

std::optional<StepSwapped> stepSwapped(const Session& session) {
  std::optional<StepSwapped> last;
  for (const Event& event : session.stepEvents())
    if (const auto* swapped = bodyOf<StepSwapped>(event)) last = *swapped;
  return last;
}

QString swapTierName(SwapTier tier) {
  return tier == SwapTier::kHost ? Wording::tr("host") : Wording::tr("disk");
}

QString describe(const ShelfBlock& block, SwapTier tier) {
  return Wording::tr("Block %1 of %2, swapped out to %3 slot %4")
             .arg(block.index)
             .arg(block.letter, swapTierName(tier))
             .arg(block.slot) +
         u'\n' + Wording::tr("%n token(s) in it", nullptr, block.filled);
}

QString describe(const StepSwapped& swapped) {
  QStringList parts;
  if (swapped.outBlocks > 0) parts << Wording::tr("%n block(s) out", nullptr, swapped.outBlocks);
  if (swapped.demotedBlocks > 0)
    parts << Wording::tr("%n block(s) on to the disk", nullptr, swapped.demotedBlocks);
  if (swapped.inBlocks > 0) parts << Wording::tr("%n block(s) back in", nullptr, swapped.inBlocks);
  parts << formatBytes(swapped.outBytes + swapped.demotedBytes + swapped.inBytes)
        << formatDuration(swapped.ns);
  return parts.join(QStringLiteral(", "));
}

}  // namespace vitrine
