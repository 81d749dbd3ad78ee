// The models of the KV pool against a naive reading of the machine's state: random runs of a whole engine
// with forks, beams, drafts, swaps, cancellations and evicted context, read live in batches of every size,
// and after jumps of the cursor.
#include "support/random_workload.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QAbstractItemModelTester>
#include <QTest>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "support/word_machine.h"
#include "widgets/memory/block_ranges_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/table_export.h"

using namespace vitrine;
using test::WordMachine;

namespace {

QString lettersOf(const MachineState& state, const BlockRow& row) {
  QStringList letters;
  for (const SequenceId owner : row.owners) {
    const SequenceState& sequence = state.sequences.at(owner);
    const auto answers = static_cast<int>(state.requests.at(sequence.request).sequences.size());
    letters << sequenceLetter(sequence.request, sequence.index, answers);
  }
  return letters.join(u' ');
}

// The changes of one block in the order of the events.
using Changes = std::vector<std::pair<BlockChange, std::int64_t>>;

std::map<BlockId, Changes> changesOf(EventBatch events) {
  using enum BlockChange;
  std::map<BlockId, Changes> changes;
  for (const Event& event : events) {
    const auto say = [&](BlockId block, BlockChange change) {
      changes[block].emplace_back(change, event.number);
    };
    if (const auto* e = bodyOf<BlockAllocated>(event)) say(e->block, kAllocated);
    if (const auto* e = bodyOf<BlockShared>(event)) say(e->block, kShared);
    if (const auto* e = bodyOf<BlockHit>(event)) say(e->block, kHit);
    if (const auto* e = bodyOf<BlockCopied>(event)) say(e->to, kCopied);
    if (const auto* e = bodyOf<BlockCached>(event)) say(e->block, kCached);
    if (const auto* e = bodyOf<BlockEvicted>(event)) say(e->block, kEvicted);
    if (const auto* e = bodyOf<BlockFreed>(event); e && e->refCount == 0) say(e->block, kFreed);
    if (const auto* e = bodyOf<ContextEvicted>(event); e && e->refCount == 0) say(e->block, kFreed);
  }
  return changes;
}

std::vector<BlockRow> naiveRows(const MachineState& state, EventBatch events) {
  std::vector<BlockRow> rows(state.blocks.size());
  std::map<BlockId, int> places;
  for (const BlockId block : state.freeQueue) places.emplace(block, static_cast<int>(places.size()));
  auto changes = changesOf(events);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BlockRow& row = rows[i];
    const auto block = static_cast<BlockId>(i);
    for (const auto& [id, sequence] : state.sequences)
      if (std::ranges::count(sequence.blockTable, block) > 0) {
        row.owners.push_back(id);
        row.requests.push_back(sequence.request);
      }
    row.letters = lettersOf(state, row);
    row.filled = state.blocks[i].filled;
    row.refCount = state.blocks[i].refCount;
    row.cached = state.blocks[i].cached;
    row.hash = state.blocks[i].hash;
    if (places.contains(block) && places[block] < BlockRows::kTurns) row.turn = places[block];
    for (const auto& [change, number] : changes[block]) {
      const bool saidBefore = row.change != BlockChange::kNone;
      if (change == BlockChange::kCached && saidBefore) continue;
      if (change == BlockChange::kAllocated && row.change == BlockChange::kEvicted) continue;
      row.change = change;
      row.changeNumber = number;
    }
  }
  return rows;
}

// The first block whose row is another; empty when all are equal.
QString difference(const std::vector<BlockRow>& rows, const std::vector<BlockRow>& expected) {
  if (rows.size() != expected.size()) return QStringLiteral("%1 rows").arg(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BlockRow &a = rows[i], &b = expected[i];
    if (a == b) continue;
    return QStringLiteral("block %1: %2 %3/%4 refs %5/%6 turn %7/%8 cached %9/%10")
               .arg(i)
               .arg(a.letters + u'/' + b.letters)
               .arg(a.filled)
               .arg(b.filled)
               .arg(a.refCount)
               .arg(b.refCount)
               .arg(a.turn)
               .arg(b.turn)
               .arg(a.cached)
               .arg(b.cached) +
           QStringLiteral(" change %1/%2").arg(int(a.change)).arg(int(b.change));
  }
  return {};
}

// The table twin, each range told block by block.
QString differenceOfRanges(const BlockRangesModel& ranges, const MachineState& state,
                           const std::vector<BlockRow>& expected) {
  const std::vector<BlockId> queue = state.freeQueue.ids();
  std::size_t next = 0;
  for (const BlockRange& range : ranges.rows()) {
    if (range.tier) continue;
    if (range.first != static_cast<int>(next) || range.last < range.first) return "a gap";
    for (int block = range.first; block <= range.last; ++block, ++next) {
      const BlockRow& row = expected.at(next);
      if (row.letters != range.row.letters || row.filled != range.row.filled ||
          row.refCount != range.row.refCount || row.hash != range.row.hash || row.change != range.row.change)
        return QStringLiteral("block %1").arg(block);
      if (row.refCount > 0
              ? range.freePlace != -1
              : queue.at(static_cast<std::size_t>(range.freePlace + block - range.first)) != block)
        return QStringLiteral("place of block %1").arg(block);
    }
  }
  return next == expected.size() ? QString() : QStringLiteral("%1 blocks").arg(next);
}

QString differenceOfShelves(const BlockMapModel& model, const MachineState& state) {
  for (const SwapShelf& shelf : model.shelves()) {
    std::map<int, std::pair<SequenceId, int>> expected;
    for (const auto& [id, sequence] : state.sequences)
      for (const SwappedBlock& block : sequence.swapped)
        if (block.tier == shelf.tier) expected[block.slot] = {id, block.index};
    if (expected.size() != shelf.blocks.size()) return "the number of swapped blocks";
    for (const ShelfBlock& block : shelf.blocks)
      if (expected.at(block.slot) != std::pair{block.sequence, block.index}) return "a swapped block";
  }
  return {};
}

// Follows the parents with the first block that has each hash.
QString differenceOfChains(const BlockMapModel& model, const MachineState& state,
                           const std::map<std::uint64_t, std::uint64_t>& parents) {
  for (std::size_t i = 0; i < state.blocks.size(); ++i) {
    const auto block = static_cast<BlockId>(i);
    std::vector<BlockId> expected{block};
    const std::vector<SequenceId>& owners = model.at(block).owners;
    if (!owners.empty()) {
      std::vector<SequenceId> one = owners;
      const bool selected = std::ranges::count(owners, model.session()->selectedSequence()) > 0;
      const auto& table =
          state.sequences.at(selected ? model.session()->selectedSequence() : owners.front()).blockTable;
      expected.assign(table.begin(), std::ranges::find(table, block) + 1);
    } else if (state.blocks[i].cached) {
      for (std::uint64_t hash = parents.at(state.blocks[i].hash); hash != 0; hash = parents.at(hash)) {
        const auto before = std::ranges::find_if(
            state.blocks, [&](const BlockState& one) { return one.cached && one.hash == hash; });
        if (before == state.blocks.end()) break;
        expected.insert(expected.begin(), static_cast<BlockId>(before - state.blocks.begin()));
        if (!parents.contains(hash)) break;
      }
    }
    if (model.chainOf(block).blocks != expected) return QStringLiteral("the prefix of block %1").arg(block);
  }
  return {};
}

}  // namespace

class TestBlockMap : public QObject {
  Q_OBJECT
 private slots:
  void followsEveryRun();
  void readsFewRows();
  void alikeBlocksAreOneRow();
  void swappedBlocksLieOnShelves();
  void theStepSaysWhatItMoved();
  void aPrefixIsFollowedThroughFreeBlocks();
  void describesTheFreeQueue();

 private:
  void follow(Workload& workload, std::mt19937& random);
  void compare(BlockMapModel& model);

  std::map<std::uint64_t, std::uint64_t> m_parents;  // by hash
  std::set<QString> m_seen;                          // kinds of events that the runs had
};

void TestBlockMap::compare(BlockMapModel& model) {
  const Session& session = *model.session();
  const std::vector<BlockRow> expected = naiveRows(session.state(), session.stepEvents());
  QCOMPARE(difference(model.rows(), expected), QString());
  const auto used = std::ranges::count_if(expected, [](const BlockRow& one) { return one.refCount > 0; });
  const auto free =
      std::ranges::count_if(expected, [](const BlockRow& one) { return one.cached && one.refCount == 0; });
  QCOMPARE(model.counts().used, static_cast<int>(used));
  QCOMPARE(model.counts().cachedFree, static_cast<int>(free));
  const BlockRangesModel ranges(&model);
  QCOMPARE(differenceOfRanges(ranges, session.state(), expected), QString());
  QCOMPARE(differenceOfShelves(model, session.state()), QString());
  QCOMPARE(differenceOfChains(model, session.state(), m_parents), QString());
  const bool moved =
      std::ranges::any_of(session.stepEvents(), [](const Event& event) { return isA<StepSwapped>(event); });
  QCOMPARE(model.swapSummary().isEmpty(), !moved);
}

void TestBlockMap::follow(Workload& workload, std::mt19937& random) {
  static const TinyModel model(tinyConfig(96)), other(tinyConfig(40), 6);
  EventLog log;
  std::int64_t now = 0;
  const auto engine =
      model.engine(workload.options, log, workload.draftsLikeTheModel ? &model : &other, [&] { return now; });
  Session session;
  BlockMapModel blocks(&session);
  m_parents.clear();
  const auto hear = [&] {
    for (const Event& event : log.events) {
      m_seen.insert(eventName(event));
      if (const auto* cached = bodyOf<BlockCached>(event)) m_parents[cached->hash] = cached->parentHash;
    }
    session.append(std::exchange(log.events, {}));
    compare(blocks);
  };
  engine->setGate([&](Phase) {
    if (random() % 4 == 0) hear();
  });
  for (int step = 0; step < 12 || engine->hasWork(); ++step) {
    workload.begin(*engine, step);
    now += 1'000'000;
    engine->step();
    if (random() % 3 == 0) hear();
    if (random() % 16 == 0 && session.lastStep() > 0) {
      session.goToStep(1 + static_cast<int>(random() % static_cast<unsigned>(session.lastStep())));
      compare(blocks);
      if (random() % 2 == 0) hear();  // while the past is shown
      session.goLive();
      compare(blocks);
    }
    if (QTest::currentTestFailed()) return;
  }
  hear();
}

void TestBlockMap::followsEveryRun() {
  std::mt19937 random(11);
  for (std::uint32_t seed = 1; seed <= 120; ++seed) {
    Workload workload(seed, 0);
    follow(workload, random);
    if (QTest::currentTestFailed()) QFAIL(qPrintable(QStringLiteral("workload %1").arg(seed)));
  }
  for (const char* kind :
       {"block_shared", "block_hit", "block_copied", "block_evicted", "context_evicted", "block_swapped_out",
        "block_swapped_in", "block_demoted", "draft_rolled_back", "sequence_forked", "sequence_replaced",
        "swap_failed", "sequence_preempted", "request_cancelled"})
    QVERIFY2(m_seen.contains(QLatin1String(kind)), kind);
}

// A decode step of a large pool costs a few rows, and a batch without a step none.
void TestBlockMap::readsFewRows() {
  WordMachine machine(16384, 16, 512);
  for (int i = 0; i < 8; ++i) machine.submit("request", 60, 300, i);
  machine.step();
  Session session;
  session.append(machine.take());
  BlockRows rows;
  rows.follow(session);
  QCOMPARE(rows.rowsRead(), 16384);
  int most = 0;
  for (int i = 0; i < 64; ++i) {
    machine.step();
    std::vector<Event> events = machine.take();
    for (const Event& event : events) rows.note(event);
    session.append(std::move(events));
    rows.follow(session);
    most = std::max(most, rows.rowsRead());
    QCOMPARE(difference(rows.all(), naiveRows(session.state(), session.stepEvents())), QString());
  }
  QVERIFY2(most > 0 && most < 3 * BlockRows::kTurns, qPrintable(QString::number(most)));
  const Session& same = session;
  rows.follow(same);
  QVERIFY(rows.rowsRead() < BlockRows::kTurns);
}

void TestBlockMap::alikeBlocksAreOneRow() {
  WordMachine machine(16384, 16);
  machine.submit("one", 40, 4);
  machine.step();
  Session session;
  session.append(machine.take());
  BlockMapModel blocks(&session);
  BlockRangesModel ranges(&blocks);
  QAbstractItemModelTester tester(&ranges, QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(ranges.rowCount(), 4);
  const auto text = [&](int row, int column) { return ranges.index(row, column).data().toString(); };
  QCOMPARE(text(3, BlockRangesModel::kBlocks), QStringLiteral("3 to 16383"));
  QCOMPARE(text(3, BlockRangesModel::kState), QStringLiteral("free"));
  QCOMPARE(text(3, BlockRangesModel::kFreePlace), QStringLiteral("0 to 16380"));
  QCOMPARE(text(0, BlockRangesModel::kState), QStringLiteral("in use"));
  QCOMPARE(text(0, BlockRangesModel::kOwners), QStringLiteral("A"));
  QVERIFY(text(0, BlockRangesModel::kParent).isEmpty());
  QCOMPARE(text(1, BlockRangesModel::kParent), text(0, BlockRangesModel::kHash));
  QVERIFY(!text(1, BlockRangesModel::kParent).isEmpty());
  machine.run();
  session.append(machine.take());
  QCOMPARE(text(0, BlockRangesModel::kState), QStringLiteral("free, still cached"));
}

void TestBlockMap::swappedBlocksLieOnShelves() {
  SchedulerOptions options;
  options.numBlocks = 8;
  options.blockSize = 8;
  options.prefixCache = false;
  WordMachine machine(options, 2, 8);
  machine.submit("one", 20, 30);
  machine.submit("two", 20, 30, 5);
  Session session;
  BlockMapModel blocks(&session);
  int out = 0, in = 0;
  while (machine.step()) {
    session.append(machine.take());
    QCOMPARE(differenceOfShelves(blocks, session.state()), QString());
    for (const BlockMove& move : blocks.moves()) {
      out += move.move == SwapMove::kOut ? 1 : 0;
      in += move.move == SwapMove::kIn ? 1 : 0;
      QVERIFY(!move.letter.isEmpty() && move.request > 0);
      if (move.block >= 0)
        QVERIFY(blocks.describe(move.block).contains(move.letter + QStringLiteral(" was swapped ")));
    }
  }
  QVERIFY(out >= 3 && in == out);
  QCOMPARE(blocks.shelves()[0].capacity, 2);
  QCOMPARE(blocks.shelves()[1].capacity, 8);
}

void TestBlockMap::theStepSaysWhatItMoved() {
  const StepSwapped swapped{3, 0, 1, 3 * 4096, 0, 4096, 110'000, 3, 0};
  const QString text = describe(swapped);
  QVERIFY2(text.contains(QLatin1String("3 block")) && text.contains(QLatin1String("out")) &&
               text.contains(QLatin1String("back in")) && text.contains(QLatin1String("16.0 KiB")) &&
               !text.contains(QLatin1String("disk")),
           qPrintable(text));
  QVERIFY(describe(ShelfBlock{4, 1, 1, 2, 8, "A"}, SwapTier::kDisk).contains(QLatin1String("disk slot 4")));
}

void TestBlockMap::aPrefixIsFollowedThroughFreeBlocks() {
  WordMachine machine(8, 8);
  machine.submit("one", 30, 1);
  machine.run();
  Session session;
  BlockMapModel blocks(&session);
  session.append(machine.take());
  const BlockChain chain = blocks.chainOf(2);
  QVERIFY(blocks.at(2).refCount == 0 && blocks.at(2).cached);
  QCOMPARE(chain.blocks, (std::vector<BlockId>{0, 1, 2}));
  QVERIFY(chain.whole);
  QVERIFY(blocks.describe(2).contains(QStringLiteral("prefix: blocks 0 → 1 → 2")));
  QCOMPARE(blocks.chainOf(6).blocks, std::vector<BlockId>{6});
  QVERIFY(blocks.chainOf(-1).blocks.empty() && blocks.chainOf(8).blocks.empty());
  // Blocks are freed from the end of a table, so the last one is evicted first: the rest stays whole.
  machine.submit("two", 46, 1, 7);
  machine.run();
  session.append(machine.take());
  const MachineState& state = session.state();
  for (int block = 0; block < 8; ++block) {
    const BlockChain now = blocks.chainOf(block);
    QVERIFY(now.blocks.back() == block);
    QVERIFY(now.whole || state.blocks[static_cast<std::size_t>(block)].cached);
  }
}

void TestBlockMap::describesTheFreeQueue() {
  WordMachine machine(200, 8);
  machine.submit("one", 12, 4);
  machine.step();
  Session session;
  BlockMapModel blocks(&session);
  session.append(machine.take());
  QCOMPARE(blocks.freePlace(0), -1);
  QCOMPARE(blocks.freePlace(2), 0);
  QCOMPARE(blocks.freePlace(199), 197);
  QCOMPARE(blocks.at(2).turn, 0);
  QCOMPARE(blocks.at(100).turn, 98);
  QCOMPARE(blocks.at(101).turn, -1);
  QVERIFY(blocks.describe(2).contains(QLatin1String("next to be allocated")));
  QVERIFY(blocks.describe(199).contains(QLatin1String("197 block")));
}

QTEST_MAIN(TestBlockMap)
#include "tst_block_map.moc"
