// BlockMapModel: one row for each KV block at the cursor: its owners, fill, references, whether the prefix
// index knows it, its position in the free queue, and what the step shown did to it; beside them what is
// swapped out. Source of the idea: PagedAttention's block tables (arXiv 2309.06180). A refresh costs what the
// new events changed. Thread: the window's. Read next: block_rows.h, block_ranges_model.h.
#pragma once

#include "widgets/memory/block_rows.h"
#include "widgets/memory/swap_shelves.h"
#include "widgets/session/prefix_chains.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class BlockMapModel : public SessionModel {
  Q_OBJECT
 public:
  enum Column { kBlock, kOwners, kFilled, kReferences, kCached, kHash, kFreePlace, kChange };

  explicit BlockMapModel(Session* session, QObject* parent = nullptr);

  const BlockRow& at(int block) const { return rows().at(static_cast<std::size_t>(block)); }
  const std::vector<BlockRow>& rows() const { return m_rows.all(); }
  // Of the last refresh, whose number is generation(). A view that has missed one reads all rows.
  const std::vector<BlockId>& changed() const { return m_rows.changed(); }
  std::int64_t generation() const { return m_generation; }
  const std::vector<BlockId>& marked() const { return m_rows.marked(); }

  int blockSize() const { return m_blockSize; }
  const BlockCounts& counts() const { return m_rows.counts(); }
  // Blocks before it in the free queue, -1 in use. The first call after a refresh walks the queue.
  int freePlace(int block) const;
  // The prefix that the block continues, itself the last; empty without such a block.
  BlockChain chainOf(int block) const;
  std::uint64_t parentOf(std::uint64_t hash) const { return m_chains.parentOf(hash); }
  const PrefixChains& chains() const { return m_chains; }  // of the whole run, also while the model rests

  const std::array<SwapShelf, kSwapTierCount>& shelves() const { return m_shelves; }
  const std::vector<BlockMove>& moves() const { return m_moves; }
  QString swapSummary() const { return m_swapSummary; }  // of the step shown; empty when nothing moved

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows().size());
  }
  QString describe(int block) const;  // a few lines for a tooltip or a screen reader

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void take(const Event& event) override;
  void restart() override;

 private:
  void tellChanges();
  QStringList describeFree(int block) const;
  QString describeChain(int block) const;

  BlockRows m_rows;
  PrefixChains m_chains;
  std::array<SwapShelf, kSwapTierCount> m_shelves;
  std::vector<BlockMove> m_moves;
  QString m_swapSummary;
  int m_blockSize = 0;
  std::int64_t m_generation = 0;
  mutable std::vector<int> m_freePlaces;
  mutable std::int64_t m_placesOf = -1;  // the generation of m_freePlaces
};

QString blockChangeName(BlockChange change);  // "allocated", translated

}  // namespace vitrine
