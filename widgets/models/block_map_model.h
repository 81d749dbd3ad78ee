// BlockMapModel: one row for each KV block at the cursor: its owners, fill, references, whether the prefix
// index knows it, its position in the free queue, and what the step shown did to it. Source of the idea:
// PagedAttention's block tables (arXiv 2309.06180). Thread: the window's.
#pragma once

#include "widgets/models/session_model.h"
#include "widgets/support/theme.h"

namespace vitrine {

struct BlockRow {
  std::vector<SequenceId> owners;  // sequences whose table holds it, oldest first
  RequestId request = 0;           // of the first owner; 0 when free
  QString letters;                 // "A", "A B", empty when free
  int filled = 0, refCount = 0;
  bool cached = false;
  std::uint64_t hash = 0;
  int freePlace = -1;                       // 0: allocated next; -1: in use
  BlockChange change = BlockChange::kNone;  // the last one in the step shown
  std::int64_t changeNumber = -1;           // its event, so that a view can recognise a new change

  bool operator==(const BlockRow&) const = default;
};

class BlockMapModel : public RowsModel<BlockRow> {
  Q_OBJECT
 public:
  enum Column { kBlock, kOwners, kFilled, kReferences, kCached, kHash, kFreePlace, kChange, kColumns };

  explicit BlockMapModel(Session* session, QObject* parent = nullptr);

  int blockSize() const { return m_blockSize; }
  int usedBlocks() const { return m_used; }
  int cachedFreeBlocks() const { return m_cachedFree; }

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  QString describe(int block) const;  // a few lines for a tooltip or a screen reader

 protected:
  void refresh() override;

 private:
  int m_blockSize = 0, m_used = 0, m_cachedFree = 0;
};

QString blockChangeName(BlockChange change);  // "allocated", translated

}  // namespace vitrine
