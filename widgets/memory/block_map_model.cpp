#include "widgets/memory/block_map_model.h"

#include <algorithm>

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

int BlockMapModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows().size());
}

}  // namespace vitrine

#include "moc_block_map_model.cpp"
