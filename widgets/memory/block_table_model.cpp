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

const TableColumns& BlockTableModel::columns() const {
  using Row = BlockTableRow;
  static const ColumnsOf<BlockTableModel> kColumns = {
      {QT_TR_NOOP("Index"), &Row::index},
      {QT_TR_NOOP("Block"), &Row::block},
      {QT_TR_NOOP("Tokens"),
       [](const Row& row) {
         return row.tokens == 0
                    ? tr("empty")
                    : tr("%1 to %2").arg(row.firstPosition).arg(row.firstPosition + row.tokens - 1);
       }},
      {QT_TR_NOOP("References"), &Row::refCount},
      {QT_TR_NOOP("Cached"), [](const Row& row) { return row.cached ? tr("yes") : tr("no"); }},
      {QT_TR_NOOP("Hash"), [](const Row& row) { return cellIf(row.cached, formatHash(row.hash)); }},
      {QT_TR_NOOP("Text"), &Row::text},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_block_table_model.cpp"
