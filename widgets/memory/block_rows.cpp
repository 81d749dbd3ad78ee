#include "widgets/memory/block_rows.h"

#include <algorithm>
#include <utility>

#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

struct Change {
  BlockId block = -1;
  BlockChange kind = BlockChange::kNone;
};

Change changeOf(const EventBody& body) {
  if (const auto* e = bodyOf<BlockAllocated>(body)) return {e->block, BlockChange::kAllocated};
  if (const auto* e = bodyOf<BlockShared>(body)) return {e->block, BlockChange::kShared};
  if (const auto* e = bodyOf<BlockHit>(body)) return {e->block, BlockChange::kHit};
  if (const auto* e = bodyOf<BlockCopied>(body)) return {e->to, BlockChange::kCopied};
  if (const auto* e = bodyOf<BlockCached>(body)) return {e->block, BlockChange::kCached};
  if (const auto* e = bodyOf<BlockEvicted>(body)) return {e->block, BlockChange::kEvicted};
  if (const auto* e = bodyOf<BlockFreed>(body); e && e->refCount == 0) return {e->block, BlockChange::kFreed};
  if (const auto* e = bodyOf<ContextEvicted>(body); e && e->refCount == 0)
    return {e->block, BlockChange::kFreed};
  return {};
}

// A block that is evicted and allocated in one step says "evicted": its colour shows the allocation. One that
// is allocated and filled in one step says "allocated": its outline shows that it is in the index.
bool outweighs(BlockChange next, BlockChange present) {
  if (present == BlockChange::kEvicted && next == BlockChange::kAllocated) return false;
  return next != BlockChange::kCached || present == BlockChange::kNone;
}

void join(BlockRow& row, SequenceId sequence) {
  const auto at = std::ranges::lower_bound(row.owners, sequence);
  if (at == row.owners.end() || *at != sequence) row.owners.insert(at, sequence);
}

// The blocks of the queue's front, at most `most`.
std::vector<BlockId> frontOf(const BlockQueue& queue, int most) {
  std::vector<BlockId> front;
  for (auto it = queue.begin(); it != queue.end() && static_cast<int>(front.size()) < most; ++it)
    front.push_back(*it);
  return front;
}

}  // namespace

void BlockRows::restart() {
  dropNotes();
  m_computed.clear();
  m_all = true;
}

void BlockRows::dropNotes() {
  m_owners.clear();
  m_touched.clear();
  m_forked.clear();
  std::erase_if(m_computed, [](const Computed& one) { return one.over; });
}

void BlockRows::take(const BlockCopied& e) {
  m_owners.push_back({e.from, e.sequence, false});
  m_owners.push_back({e.to, e.sequence, true});
}

void BlockRows::take(const StepFinished&) {
  for (Computed& one : m_computed) one.over = true;
}

void BlockRows::note(const Event& event) {
  std::visit([this](const auto& body) { take(unboxed(body)); }, event.body);
  // Nothing has followed for long: reading everything is cheaper then.
  const std::size_t noted = m_owners.size() + m_touched.size() + m_computed.size() + m_forked.size();
  if (noted <= 4096 + 2 * m_rows.size()) return;
  dropNotes();
  m_all = true;
}

void BlockRows::follow(const Session& session) {
  const bool few = session.isLive() && m_wasLive && !m_all && m_rows.size() == session.state().blocks.size();
  m_changed.clear();
  m_rowsRead = 0;
  if (few)
    update(session);
  else
    rebuild(session);
  m_wasLive = session.isLive();
  m_all = false;
  dropNotes();
}

void BlockRows::touch(BlockId block) {
  const auto at = static_cast<std::size_t>(block);
  if (block < 0 || at >= m_rows.size() || m_isChanged[at]) return;
  m_isChanged[at] = 1;
  m_changed.push_back(block);
  countIn(m_rows[at], -1);
}

void BlockRows::touchTable(const MachineState& state, SequenceId sequence, int firstPosition) {
  const auto found = state.sequences.find(sequence);
  if (found == state.sequences.end()) return;
  const std::vector<BlockId>& table = found->second.blockTable;
  // After a context eviction the later blocks have moved up in the table.
  const int first = found->second.evictedTokens > 0 ? 0 : firstPosition / std::max(1, state.blockSize);
  for (std::size_t i = static_cast<std::size_t>(first); i < table.size(); ++i) touch(table[i]);
}

void BlockRows::touchWhatWasNoted(const MachineState& state) {
  for (const OwnerChange& change : m_owners) {
    if (change.block < 0 || static_cast<std::size_t>(change.block) >= m_rows.size()) continue;
    touch(change.block);
    BlockRow& one = row(change.block);
    if (change.joins)
      join(one, change.sequence);
    else
      std::erase(one.owners, change.sequence);
  }
  for (const BlockId block : m_touched) touch(block);
  for (const Computed& one : m_computed) touchTable(state, one.sequence, one.firstPosition);
  // The first fork of a request changes its parent's letter: "A" becomes "A1".
  for (const SequenceId parent : m_forked) touchTable(state, parent, 0);
}

void BlockRows::update(const Session& session) {
  m_isChanged.resize(m_rows.size(), 0);
  touchWhatWasNoted(session.state());
  mark(session.stepEvents());
  giveTurns(session.state().freeQueue);
  for (const BlockId block : m_changed) {
    read(session.state(), block);
    m_isChanged[static_cast<std::size_t>(block)] = 0;
  }
}

void BlockRows::rebuild(const Session& session) {
  const MachineState& state = session.state();
  const std::vector<BlockRow> before = std::exchange(m_rows, std::vector<BlockRow>(state.blocks.size()));
  m_isChanged.assign(m_rows.size(), 1);  // whatever marks and turns touch is read below anyway
  m_counts = {};
  m_marked.clear();
  m_turns.clear();
  for (const auto& [id, sequence] : state.sequences)
    for (const BlockId block : sequence.blockTable)
      if (block >= 0 && static_cast<std::size_t>(block) < m_rows.size()) row(block).owners.push_back(id);
  mark(session.stepEvents());
  giveTurns(state.freeQueue);
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    read(state, static_cast<BlockId>(i));
    if (i >= before.size() || before.size() != m_rows.size() || before[i] != m_rows[i])
      m_changed.push_back(static_cast<BlockId>(i));
  }
  m_isChanged.assign(m_rows.size(), 0);
}

// All but owners, change and turn, which the callers have set.
void BlockRows::read(const MachineState& state, BlockId block) {
  BlockRow& one = row(block);
  const BlockState& from = state.blocks[static_cast<std::size_t>(block)];
  ++m_rowsRead;
  one.filled = from.filled;
  one.refCount = from.refCount;
  one.cached = from.cached;
  one.hash = from.hash;
  one.requests.clear();
  one.letters.clear();
  for (const SequenceId owner : one.owners) {
    const auto sequence = state.sequences.find(owner);
    if (sequence == state.sequences.end()) continue;
    const RequestId request = sequence->second.request;
    const auto asked = state.requests.find(request);
    const int answers = asked == state.requests.end() ? 1 : static_cast<int>(asked->second.sequences.size());
    if (!one.letters.isEmpty()) one.letters += u' ';
    one.letters += sequenceLetter(request, sequence->second.index, answers);
    one.requests.push_back(request);
  }
  countIn(one, 1);
}

void BlockRows::countIn(const BlockRow& one, int sign) {
  if (one.refCount > 0) m_counts.used += sign;
  if (one.refCount > 1) m_counts.shared += sign;
  if (one.cached) (one.refCount > 0 ? m_counts.cachedUsed : m_counts.cachedFree) += sign;
}

void BlockRows::mark(EventBatch events) {
  for (const BlockId block : std::exchange(m_marked, {})) {
    touch(block);
    row(block).change = BlockChange::kNone;
    row(block).changeNumber = -1;
  }
  for (const Event& event : events) {
    const Change change = changeOf(event.body);
    if (change.block < 0 || static_cast<std::size_t>(change.block) >= m_rows.size()) continue;
    BlockRow& one = row(change.block);
    if (!outweighs(change.kind, one.change)) continue;
    touch(change.block);
    if (one.change == BlockChange::kNone) m_marked.push_back(change.block);
    one.change = change.kind;
    one.changeNumber = event.number;
  }
}

void BlockRows::giveTurns(const BlockQueue& queue) {
  const std::vector<BlockId> before = std::exchange(m_turns, frontOf(queue, kTurns));
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (i < m_turns.size() && m_turns[i] == before[i]) continue;
    touch(before[i]);
    row(before[i]).turn = -1;
  }
  for (std::size_t i = 0; i < m_turns.size(); ++i) {
    BlockRow& one = row(m_turns[i]);
    if (one.turn == static_cast<int>(i)) continue;
    touch(m_turns[i]);
    one.turn = static_cast<int>(i);
  }
}

}  // namespace vitrine
