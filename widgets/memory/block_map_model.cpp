#include "widgets/memory/block_map_model.h"

#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {

BlockMapModel::BlockMapModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  takeWhatIsThere();
  refresh();
}

void BlockMapModel::take(const Event& event) {
  m_rows.note(event);
  m_chains.note(event);
}

void BlockMapModel::restart() {
  m_rows.restart();
  m_chains.clear();
}

void BlockMapModel::refresh() {
  const MachineState& state = session()->state();
  const bool otherPool = state.blocks.size() != rows().size();
  if (otherPool) beginResetModel();
  m_blockSize = state.blockSize;
  m_rows.follow(*session());
  m_shelves = swapShelves(*session());
  m_moves = blockMoves(*session());
  const auto swapped = stepSwapped(*session());
  m_swapSummary = swapped ? vitrine::describe(*swapped) : QString();
  ++m_generation;
  if (otherPool)
    endResetModel();
  else
    tellChanges();
}

// One range for all of them, and the free queue's column, in which every position may be another.
void BlockMapModel::tellChanges() {
  if (changed().empty()) return;
  const auto [first, last] = std::ranges::minmax(changed());
  emit dataChanged(index(first, 0), index(last, columnCount() - 1));
  emit dataChanged(index(0, kFreePlace), index(rowCount() - 1, kFreePlace));
}

int BlockMapModel::freePlace(int block) const {
  if (block < 0 || block >= rowCount()) return -1;
  if (m_placesOf != m_generation) {
    m_freePlaces.assign(rows().size(), -1);
    int place = 0;
    for (const BlockId free : session()->state().freeQueue)
      if (static_cast<std::size_t>(free) < m_freePlaces.size())
        m_freePlaces[static_cast<std::size_t>(free)] = place++;
    m_placesOf = m_generation;
  }
  return m_freePlaces[static_cast<std::size_t>(block)];
}

BlockChain BlockMapModel::chainOf(int block) const {
  const MachineState& state = session()->state();
  if (block < 0 || block >= rowCount() || static_cast<std::size_t>(block) >= state.blocks.size()) return {};
  const BlockRow& row = at(block);
  const bool selected = std::ranges::find(row.owners, session()->selectedSequence()) != row.owners.end();
  const SequenceId owner = selected             ? session()->selectedSequence()
                           : row.owners.empty() ? 0
                                                : row.owners.front();
  return m_chains.chainOf(block, owner, state);
}

// The texts of BlockMapModel: of a block, for tooltips, tables and screen readers.

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
  if (session()->state().isFromOutside())
    return {at(block).cached ? tr("Block %1: told of by the server; its number is a place here").arg(block)
                             : tr("Place %1: its block was evicted").arg(block)};
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

const TableColumns& BlockMapModel::columns() const {
  using Row = BlockRow;
  static const ColumnsOf<BlockMapModel> kColumns = {
      {QT_TR_NOOP("Block"), [](const BlockMapModel&, int block) { return block; }},
      {QT_TR_NOOP("Held by"), &Row::letters},
      {QT_TR_NOOP("Filled"), &Row::filled},
      {QT_TR_NOOP("References"), &Row::refCount},
      {QT_TR_NOOP("Cached"), [](const Row& row) { return row.cached ? tr("yes") : tr("no"); }},
      {QT_TR_NOOP("Hash"), [](const Row& row) { return cellIf(row.cached, formatHash(row.hash)); }},
      {QT_TR_NOOP("Free queue"),
       [](const BlockMapModel& model, int block) {
         return cellIf(model.at(block).refCount == 0, model.freePlace(block));
       }},
      {QT_TR_NOOP("In this step"), [](const Row& row) { return blockChangeName(row.change); }},
  };
  return kColumns;
}

QVariant BlockMapModel::otherData(const QModelIndex& index, int role) const {
  return role == Qt::ToolTipRole ? describe(index.row()) : QVariant();
}

}  // namespace vitrine

#include "moc_block_map_model.cpp"
