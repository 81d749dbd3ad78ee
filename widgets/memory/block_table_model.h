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
  explicit BlockTableModel(Session* session, QObject* parent = nullptr);

 protected:
  const TableColumns& columns() const override;
  void refresh() override;
};

}  // namespace vitrine
