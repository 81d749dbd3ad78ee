#include "widgets/memory/block_table_model.h"

#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {

BlockTableModel::BlockTableModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  connect(session, &Session::selectionChanged, this, [this] { update(); });
  refresh();
}

void BlockTableModel::refresh() {
  const MachineState& state = session()->state();
  const auto found = state.sequences.find(session()->selectedSequence());
  std::vector<BlockTableRow> rows;
  if (found != state.sequences.end()) {
    const SequenceState& sequence = found->second;
    const int size = state.blockSize, total = static_cast<int>(sequence.tokens.size());
    for (std::size_t i = 0; i < sequence.blockTable.size(); ++i) {
      BlockTableRow row;
      row.index = static_cast<int>(i);
      row.block = sequence.blockTable[i];
      // After a context eviction the later blocks have moved up: indices and positions differ.
      row.firstPosition = i < sequence.blockStarts.size() ? sequence.blockStarts[i] : row.index * size;
      row.tokens = std::clamp(sequence.computedTokens - sequence.evictedTokens - row.index * size, 0, size);
      const auto block = static_cast<std::size_t>(row.block);
      if (block < state.blocks.size()) {
        row.refCount = state.blocks[block].refCount;
        row.cached = state.blocks[block].cached;
        row.hash = state.blocks[block].hash;
      }
      for (int p = row.firstPosition; p < std::min(row.firstPosition + row.tokens, total); ++p) {
        row.text += visibleToken(session()->tokenText(sequence.id, p));
      }
      rows.push_back(std::move(row));
    }
  }
  setRows(std::move(rows));
}

int BlockTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant BlockTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole) return {};
  const BlockTableRow& row = at(index.row());
  switch (index.column()) {
    case kIndex:
      return row.index;
    case kBlock:
      return row.block;
    case kPositions:
      return row.tokens == 0 ? tr("empty")
                             : tr("%1 to %2").arg(row.firstPosition).arg(row.firstPosition + row.tokens - 1);
    case kReferences:
      return row.refCount;
    case kCached:
      return row.cached ? tr("yes") : tr("no");
    case kHash:
      return row.cached ? formatHash(row.hash) : QString();
    case kText:
      return row.text;
    default:
      return {};
  }
}

QVariant BlockTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  switch (section) {
    case kIndex:
      return tr("Index");
    case kBlock:
      return tr("Block");
    case kPositions:
      return tr("Tokens");
    case kReferences:
      return tr("References");
    case kCached:
      return tr("Cached");
    case kHash:
      return tr("Hash");
    case kText:
      return tr("Text");
    default:
      return {};
  }
}

}  // namespace vitrine

#include "moc_block_table_model.cpp"
