// BlockRangesModel: the table twin of the block map: a row for each block, or for a range of blocks that are
// all alike, then one for each block that is swapped out. A pool of 16,384 blocks, most of them never used,
// is a table of a few dozen rows. Thread: the window's. Read next: block_map_model.h.
#pragma once

#include "widgets/memory/block_map_model.h"

namespace vitrine {

struct BlockRange {
  int first = 0, last = 0;                 // blocks, or twice the slot of a tier
  std::optional<SwapTier> tier{};          // of a block that is swapped out
  BlockRow row;                            // of the first one; `turn` is not used
  int freePlace = -1, lastFreePlace = -1;  // of the first and the last one; -1 in use
  std::uint64_t parent = 0;                // hash of the chain before it; 0: none, or unknown

  bool operator==(const BlockRange&) const = default;
};

class BlockRangesModel : public RowsModel<BlockRange> {
  Q_OBJECT
 public:
  enum Column { kBlocks, kState, kOwners, kFilled, kReferences, kFreePlace, kHash, kParent, kChange };

  // `blocks` must outlive it.
  explicit BlockRangesModel(const BlockMapModel* blocks, QObject* parent = nullptr);

 protected:
  const TableColumns& columns() const override;
  void refresh() override;

 private:
  void addBlocks(std::vector<BlockRange>& ranges) const;
  void addShelves(std::vector<BlockRange>& ranges) const;

  const BlockMapModel* m_blocks;
};

}  // namespace vitrine
