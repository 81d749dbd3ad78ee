// The texts of BlockMapModel: of a block, for tooltips, tables and screen readers.
#include "widgets/memory/block_map_model.h"
#include "widgets/support/formats.h"

namespace vitrine {

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

QStringList BlockMapModel::describeFree(int block) const {
  QStringList lines(tr("Block %1: free").arg(block));
  if (const int place = freePlace(block); place >= 0)
    lines << (place == 0 ? tr("next to be allocated")
                         : tr("%n block(s) before it in the free queue", nullptr, place));
  return lines;
}

QString BlockMapModel::describeChain(int block) const {
  constexpr std::size_t kTold = 6;
  const BlockChain chain = chainOf(block);
  if (chain.blocks.size() < 2) return chain.whole ? QString() : tr("the blocks before it were evicted");
  QStringList told;
  for (std::size_t i = 0; i < chain.blocks.size(); ++i) {
    const bool left = i > 0 && i + kTold - 1 < chain.blocks.size();
    if (!left) told << QString::number(chain.blocks[i]);
    if (left && i == 1) told << QStringLiteral("…");
  }
  const QString line = tr("prefix: blocks %1").arg(told.join(QStringLiteral(" → ")));
  return chain.whole ? line : line + QStringLiteral("; ") + tr("the blocks before them were evicted");
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
    lines = describeFree(block);
  }
  if (row.cached) {
    lines << (row.refCount > 0 ? tr("in the prefix cache, hash %1")
                               : tr("still in the prefix cache, hash %1"))
                 .arg(formatHash(row.hash));
  }
  if (const QString chain = describeChain(block); !chain.isEmpty()) lines << chain;
  if (row.change != BlockChange::kNone) lines << tr("in this step: %1").arg(blockChangeName(row.change));
  for (const BlockMove& move : m_moves)
    if (move.block == block)
      lines << (move.move == SwapMove::kOut ? tr("%1 was swapped out to %2 slot %3")
                                            : tr("%1 was swapped in from %2 slot %3"))
                   .arg(move.letter, swapTierName(move.tier))
                   .arg(move.slot);
  return lines.join(u'\n');
}

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
      return row.refCount == 0 ? QVariant(freePlace(index.row())) : QVariant(QString());
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
