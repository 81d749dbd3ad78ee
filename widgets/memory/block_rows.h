// BlockRows: what each KV block holds at the session's cursor, kept up to date at the cost of what changed.
//
// While LIVE, note() collects which blocks the events touch, and follow() reads those blocks from the state
// again. After a jump of the cursor, a snapshot or a long rest, follow() reads all of them. Invariant: after
// follow() the rows are a pure function of the state and of the events of the step shown.
// Thread: the window's. Read next: block_map_model.h.
#pragma once

#include <vector>

#include "widgets/session/session.h"
#include "widgets/support/theme.h"

namespace vitrine {

struct BlockRow {
  std::vector<SequenceId> owners;   // sequences whose block table contains it, in ascending order
  std::vector<RequestId> requests;  // the owners' requests, in the same order
  QString letters;                  // "A", "A B"; empty when free
  int filled = 0, refCount = 0;     // tokens, references
  bool cached = false;              // in the prefix index
  std::uint64_t hash = 0;           // of the chain up to it, when cached
  int turn = -1;  // in the free queue, 0: allocated next; -1: in use, or kTurns blocks and more are before it
  BlockChange change = BlockChange::kNone;  // the last one in the step shown
  std::int64_t changeNumber = -1;           // number of its event; -1 without a change

  bool operator==(const BlockRow&) const = default;
};

// How many blocks of the pool are in each of these states.
struct BlockCounts {
  int used = 0, shared = 0;            // with one reference and more, with two and more
  int cachedUsed = 0, cachedFree = 0;  // in the prefix index

  bool operator==(const BlockCounts&) const = default;
};

class BlockRows {
 public:
  // Each allocation moves all turns by one, so rows have the first ones only. BlockMapModel::freePlace() has
  // them all.
  static constexpr int kTurns = 99;

  void restart();           // a new run
  void note(const Event&);  // every event, in order, each once
  void follow(const Session& session);

  const std::vector<BlockRow>& all() const { return m_rows; }
  // Blocks whose row the last follow() may have changed, each once. All of them when their number changed.
  const std::vector<BlockId>& changed() const { return m_changed; }
  const std::vector<BlockId>& marked() const { return m_marked; }  // with a change in the step shown
  const BlockCounts& counts() const { return m_counts; }
  int rowsRead() const { return m_rowsRead; }  // by the last follow(); tests check that these are few

 private:
  struct OwnerChange {
    BlockId block = -1;
    SequenceId sequence = 0;
    bool joins = false;
  };
  struct Computed {
    SequenceId sequence = 0;
    int firstPosition = 0;  // blocks from this position on have another fill
    bool over = false;      // its step has finished
  };

  template <typename Body>
  void take(const Body&) {}
  void take(const BlockAllocated& e) { m_owners.push_back({e.block, e.sequence, true}); }
  void take(const BlockShared& e) { m_owners.push_back({e.block, e.sequence, true}); }
  void take(const BlockHit& e) { m_owners.push_back({e.block, e.sequence, true}); }
  void take(const BlockFreed& e) { m_owners.push_back({e.block, e.sequence, false}); }
  void take(const ContextEvicted& e) { m_owners.push_back({e.block, e.sequence, false}); }
  void take(const BlockCopied& e);
  void take(const BlockCached& e) { m_touched.push_back(e.block); }
  void take(const BlockEvicted& e) { m_touched.push_back(e.block); }
  void take(const BlockSwappedIn& e) { m_touched.push_back(e.block); }
  void take(const SequenceScheduled& e) { m_computed.push_back({e.sequence, e.firstPosition}); }
  void take(const DraftRolledBack& e) { m_computed.push_back({e.sequence, e.computedTokens, true}); }
  void take(const StepFinished&);
  void take(const SequenceForked& e) { m_forked.push_back(e.parent); }
  void take(const Snapshot&) { m_all = true; }

  BlockRow& row(BlockId block) { return m_rows[static_cast<std::size_t>(block)]; }
  void dropNotes();
  void touch(BlockId block);
  void touchTable(const MachineState& state, SequenceId sequence, int firstPosition);
  void touchWhatWasNoted(const MachineState& state);
  void update(const Session& session);
  void rebuild(const Session& session);
  void read(const MachineState& state, BlockId block);
  void countIn(const BlockRow& one, int sign);
  void mark(EventBatch events);
  void giveTurns(const BlockQueue& queue);

  std::vector<BlockRow> m_rows;
  std::vector<BlockId> m_changed, m_marked, m_turns;
  std::vector<char> m_isChanged;  // by block, while update() runs
  BlockCounts m_counts;
  int m_rowsRead = 0;
  bool m_wasLive = false, m_all = true;
  // Noted since the last follow().
  std::vector<OwnerChange> m_owners;
  std::vector<BlockId> m_touched;
  std::vector<Computed> m_computed;  // of steps that run, and of those that have finished since
  std::vector<SequenceId> m_forked;
};

}  // namespace vitrine
