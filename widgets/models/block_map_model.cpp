#include "widgets/models/block_map_model.h"

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

struct Change {
  BlockId block = -1;
  BlockChange kind = BlockChange::kNone;
};

Change changeOf(const EventBody& body) {
  if (const auto* e = std::get_if<BlockAllocated>(&body)) return {e->block, BlockChange::kAllocated};
  if (const auto* e = std::get_if<BlockShared>(&body)) return {e->block, BlockChange::kShared};
  if (const auto* e = std::get_if<BlockHit>(&body)) return {e->block, BlockChange::kHit};
  if (const auto* e = std::get_if<BlockCopied>(&body)) return {e->to, BlockChange::kCopied};
  if (const auto* e = std::get_if<BlockCached>(&body)) return {e->block, BlockChange::kCached};
  if (const auto* e = std::get_if<BlockEvicted>(&body)) return {e->block, BlockChange::kEvicted};
  if (const auto* e = std::get_if<BlockFreed>(&body); e && e->refCount == 0) {
    return {e->block, BlockChange::kFreed};
  }
  if (const auto* e = std::get_if<ContextEvicted>(&body); e && e->refCount == 0) {
    return {e->block, BlockChange::kFreed};
  }
  return {};
}

// A block that is evicted and allocated in one step says "evicted": its colour shows the allocation. One that
// is allocated and filled in one step says "allocated": its outline shows that it is in the index.
bool outweighs(BlockChange next, BlockChange present) {
  if (present == BlockChange::kEvicted && next == BlockChange::kAllocated) return false;
  return next != BlockChange::kCached || present == BlockChange::kNone;
}

void markChanges(std::span<const Event> events, std::vector<BlockRow>& rows) {
  for (const Event& event : events) {
    const Change change = changeOf(event.body);
    if (change.block < 0 || static_cast<std::size_t>(change.block) >= rows.size()) continue;
    BlockRow& row = rows[static_cast<std::size_t>(change.block)];
    if (!outweighs(change.kind, row.change)) continue;
    row.change = change.kind;
    row.changeNumber = event.number;
  }
}

void markOwners(const MachineState& state, std::vector<BlockRow>& rows) {
  for (const auto& [id, sequence] : state.sequences) {
    const auto request = state.requests.find(sequence.request);
    const int answers =
        request == state.requests.end() ? 1 : static_cast<int>(request->second.sequences.size());
    for (const BlockId block : sequence.blockTable) {
      if (block < 0 || static_cast<std::size_t>(block) >= rows.size()) continue;
      BlockRow& row = rows[static_cast<std::size_t>(block)];
      if (row.owners.empty())
        row.request = sequence.request;
      else
        row.letters += u' ';
      row.owners.push_back(id);
      row.letters += sequenceLetter(sequence.request, sequence.index, answers);
    }
  }
}

}  // namespace

QString blockChangeName(BlockChange change) {
  switch (change) {
    case BlockChange::kNone:
      return {};
    case BlockChange::kAllocated:
      return BlockMapModel::tr("allocated");
    case BlockChange::kHit:
      return BlockMapModel::tr("found in the prefix cache");
    case BlockChange::kShared:
      return BlockMapModel::tr("shared");
    case BlockChange::kCopied:
      return BlockMapModel::tr("copied on write");
    case BlockChange::kCached:
      return BlockMapModel::tr("registered in the prefix cache");
    case BlockChange::kEvicted:
      return BlockMapModel::tr("evicted from the prefix cache");
    case BlockChange::kFreed:
      return BlockMapModel::tr("freed");
  }
  return {};
}

BlockMapModel::BlockMapModel(Session* session, QObject* parent) : RowsModel(session, parent) { refresh(); }

void BlockMapModel::refresh() {
  const MachineState& state = session()->state();
  m_blockSize = state.blockSize;
  std::vector<BlockRow> rows(state.blocks.size());
  m_used = m_cachedFree = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BlockState& block = state.blocks[i];
    rows[i].filled = block.filled;
    rows[i].refCount = block.refCount;
    rows[i].cached = block.cached;
    rows[i].hash = block.hash;
    if (block.refCount > 0)
      ++m_used;
    else if (block.cached)
      ++m_cachedFree;
  }
  int place = 0;
  for (BlockId block : state.freeQueue) rows[static_cast<std::size_t>(block)].freePlace = place++;
  markOwners(state, rows);
  markChanges(session()->stepEvents(), rows);
  setRows(std::move(rows));
}

QString BlockMapModel::describe(int block) const {
  if (block < 0 || block >= rowCount()) return {};
  const BlockRow& row = at(block);
  QStringList lines;
  if (row.refCount > 0) {
    lines << tr("Block %1: held by %2").arg(block).arg(row.letters)
          << tr("%1 of %2 slots filled").arg(row.filled).arg(m_blockSize);
    if (row.refCount > 1) lines << tr("shared, %n references", nullptr, row.refCount);
  } else {
    lines << tr("Block %1: free").arg(block);
    if (row.freePlace >= 0) {
      lines << (row.freePlace == 0 ? tr("next to be allocated")
                                   : tr("%n block(s) before it in the free queue", nullptr, row.freePlace));
    }
  }
  if (row.cached) {
    lines << (row.refCount > 0 ? tr("in the prefix cache, hash %1")
                               : tr("still in the prefix cache, hash %1"))
                 .arg(formatHash(row.hash));
  }
  if (row.change != BlockChange::kNone) lines << tr("in this step: %1").arg(blockChangeName(row.change));
  return lines.join(u'\n');
}

int BlockMapModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant BlockMapModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::ToolTipRole) return describe(index.row());
  if (role != Qt::DisplayRole) return {};
  const BlockRow& row = at(index.row());
  switch (index.column()) {
    case kBlock:
      return index.row();
    case kOwners:
      return row.letters;
    case kFilled:
      return row.filled;
    case kReferences:
      return row.refCount;
    case kCached:
      return row.cached ? tr("yes") : tr("no");
    case kHash:
      return row.cached ? formatHash(row.hash) : QString();
    case kFreePlace:
      return row.freePlace >= 0 ? QVariant(row.freePlace) : QVariant(QString());
    case kChange:
      return blockChangeName(row.change);
    default:
      return {};
  }
}

QVariant BlockMapModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  switch (section) {
    case kBlock:
      return tr("Block");
    case kOwners:
      return tr("Held by");
    case kFilled:
      return tr("Filled");
    case kReferences:
      return tr("References");
    case kCached:
      return tr("Cached");
    case kHash:
      return tr("Hash");
    case kFreePlace:
      return tr("Free queue");
    case kChange:
      return tr("In this step");
    default:
      return {};
  }
}

}  // namespace vitrine
