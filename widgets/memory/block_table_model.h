// BlockTableModel: the block table of the selected sequence at the cursor: from position to memory, as a page
// table maps addresses (arXiv 2309.06180, section 4.1). Thread: the window's.
#pragma once

#include "widgets/session/session_model.h"

namespace vitrine {

struct BlockTableRow {
  int index = 0;
  BlockId block = 0;
  int firstPosition = 0, tokens = 0, refCount = 0;
  bool cached = false;
  std::uint64_t hash = 0;
  QString text;  // the tokens in it, readable

  bool operator==(const BlockTableRow&) const = default;
};

class BlockTableModel : public RowsModel<BlockTableRow> {
  Q_OBJECT
 public:
  enum Column { kIndex, kBlock, kPositions, kReferences, kCached, kHash, kText, kColumns };

  explicit BlockTableModel(Session* session, QObject* parent = nullptr);

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  void refresh() override;
};

}  // namespace vitrine
