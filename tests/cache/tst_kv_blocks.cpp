// Pool and index together: which block is allocated, which is found again, and which is evicted first.
#include <QTest>
#include <limits>
#include <map>
#include <random>

#include "cache/blocks_in.h"
#include "cache/kv_blocks.h"
#include "support/event_log.h"

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

// Blocks of two tokens, and their tables as a sequence holds them.
struct Fixture {
  explicit Fixture(int numBlocks, bool prefixCache = true)
      : stream(log, 1), blocks(numBlocks, 2, prefixCache, stream) {}

  void registerAll(const Tokens& tokens, const BlockTable& table, PrefixLink& link, std::uint64_t salt = 0) {
    for (std::size_t i = 0; 2 * (i + 1) <= tokens.size(); ++i) {
      link = blocks.registerBlock(link, salt, std::span(tokens).subspan(2 * i, 2), table[i]);
    }
  }
  // Computes `tokens` from nothing into fresh blocks and registers the full ones.
  BlockTable compute(SequenceId id, const Tokens& tokens) {
    BlockTable table;
    while (static_cast<int>(table.size()) < blocks.blocksFor(static_cast<int>(tokens.size()))) {
      blocks.allocate(id, table);
    }
    PrefixLink link;
    registerAll(tokens, table, link);
    return table;
  }
  PrefixHits lookUp(const Tokens& tokens, std::uint64_t salt = 0) {
    PrefixHits hits;
    blocks.lookUp(tokens, salt, hits);
    return hits;
  }
  BlockTable hitBlocks(const Tokens& tokens, std::uint64_t salt = 0) { return tableOf(lookUp(tokens, salt)); }
  static BlockTable tableOf(const PrefixHits& hits) {
    BlockTable table;
    for (const PrefixLink& link : hits.links) table.push_back(link.block);
    return table;
  }

  EventLog log;
  EventStream stream;
  KvBlocks blocks;
};

}  // namespace

class TestKvBlocks : public QObject {
  Q_OBJECT

 private slots:
  void theLastTokenIsNeverAHit() {
    Fixture f(8);
    BlockTable table = f.compute(1, {1, 2, 3, 4});
    QCOMPARE(f.hitBlocks({1, 2, 3, 4}), BlockTable{table[0]});  // block-aligned and wholly cached
    QCOMPARE(f.hitBlocks({1, 2, 3, 4, 5}), table);
    QCOMPARE(f.hitBlocks({1, 2, 9, 4, 5}), BlockTable{table[0]});
    QCOMPARE(f.hitBlocks({1, 2}), BlockTable{});
    QCOMPARE(f.hitBlocks({}), BlockTable{});
    QCOMPARE(f.hitBlocks({1, 2, 3, 4, 5}, 1), BlockTable{});
  }

  void aHitOnAFreeBlockTakesItOutOfTheQueue() {
    Fixture f(4);
    BlockTable first = f.compute(1, {1, 2, 3, 4, 5});
    f.blocks.release(1, first);
    QCOMPARE(f.blocks.pool().freeCount(), 4);
    QCOMPARE(f.blocks.freeCachedCount(), 2);
    const PrefixHits hits = f.lookUp({1, 2, 3, 4, 9});
    QCOMPARE(hits.freeBlocks, 2);
    BlockTable second;
    f.blocks.takeHits(2, hits, second);
    QCOMPARE(second, (BlockTable{0, 1}));
    QCOMPARE(f.blocks.pool().freeCount(), 2);
    QCOMPARE(f.blocks.freeCachedCount(), 0);
    const auto published = f.log.of<BlockHit>();
    QCOMPARE(published.size(), std::size_t{2});
    QCOMPARE(published[1].block, 1);
    QCOMPARE(published[1].refCount, 1);
    QVERIFY(f.lookUp({1, 2, 3, 4, 9}).freeBlocks == 0);  // now shared, not free
  }

  void cachedBlocksAreEvictedLastAndAChainFromItsEnd() {
    Fixture f(5);
    BlockTable table = f.compute(1, {1, 2, 3, 4, 5});  // blocks 0 1 cached, 2 half filled
    f.blocks.release(1, table);
    QCOMPARE(f.blocks.pool().freeQueue().ids(), (std::vector<BlockId>{2, 3, 4, 1, 0}));
    BlockTable other;
    for (int i = 0; i < 4; ++i) f.blocks.allocate(2, other);
    QCOMPARE(other, (BlockTable{2, 3, 4, 1}));
    const auto evicted = f.log.of<BlockEvicted>();
    QCOMPARE(evicted.size(), std::size_t{1});
    QCOMPARE(evicted[0].block, 1);
    QCOMPARE(f.hitBlocks({1, 2, 3, 4, 5}), BlockTable{0});  // the beginning can still be found
  }

  void withoutPrefixCacheNothingIsFound() {
    Fixture f(4, false);
    BlockTable table = f.compute(1, {1, 2, 3, 4});
    QVERIFY(f.hitBlocks({1, 2, 3, 4, 5}).empty());
    f.blocks.release(1, table);
    QCOMPARE(f.blocks.pool().freeQueue().ids(), (std::vector<BlockId>{0, 1, 2, 3}));
    QVERIFY(f.log.of<BlockCached>().empty());
  }

  void equalBlocksKeepOneEntryAndTheChainGoesOnFromIt() {
    Fixture f(8);
    const BlockTable first = f.compute(1, {1, 2});
    BlockTable second = f.compute(2, {1, 2, 3, 4});  // computed in the same step: nothing to find yet
    QCOMPARE(f.log.of<BlockCached>().size(), std::size_t{2});
    QCOMPARE(f.hitBlocks({1, 2, 3, 4, 5}), (BlockTable{first[0], second[1]}));
    f.blocks.release(2, second);  // its own copy of [1 2] has no entry: to the front
    QCOMPARE(f.blocks.pool().front(), 1);
  }

  void aChainWithALostParentIsNotContinued() {
    Fixture f(3);
    BlockTable first = f.compute(1, {1, 2});
    BlockTable second;
    f.blocks.allocate(2, second);
    PrefixLink link = f.blocks.registerBlock({}, 0, Tokens{1, 2}, second[0]);  // follows block 0's entry
    f.blocks.release(1, first);
    f.blocks.allocate(2, second);
    BlockTable third;
    f.blocks.allocate(3, third);  // evicts block 0, which has no holder
    QCOMPARE(f.log.of<BlockEvicted>().size(), std::size_t{1});
    link = f.blocks.registerBlock(link, 0, Tokens{3, 4}, second[1]);
    QCOMPARE(f.blocks.index().size(), std::size_t{0});
  }

  void aForkedSiblingFollowsTheEntryOfTheBlockTheyShare() {
    Fixture f(4);
    BlockTable parent, child;
    f.blocks.allocate(1, parent);
    f.blocks.share(parent, 2, child);
    const PrefixLink link = f.blocks.registerBlock({}, 0, Tokens{1, 2}, parent[0]);
    QCOMPARE(f.blocks.registerBlock({}, 0, Tokens{1, 2}, child[0]).id, link.id);
    QCOMPARE(f.log.of<BlockCached>().size(), std::size_t{1});
    f.blocks.release(1, parent);
    QCOMPARE(f.blocks.freeCachedCount(), 0);  // the child still holds it
    f.blocks.release(2, child);
    QCOMPARE(f.blocks.freeCachedCount(), 1);
  }

  // The block that a sibling shares was registered under a parent that has been evicted since, and that
  // another sequence has computed again: one block, one entry.
  void aSiblingMeetsAnEntryUnderALostParent() {
    Fixture f(5);
    const Tokens tokens = {1, 2, 3, 4};
    BlockTable canonical = f.compute(1, {1, 2});
    const BlockTable parent = f.compute(2, tokens);  // its first block is a copy, its second one registered
    BlockTable child, filler;
    f.blocks.share(parent, 3, child);
    f.blocks.release(1, canonical);
    for (int i = 0; i < 3; ++i) f.blocks.allocate(4, filler);  // the parent entry is evicted
    f.blocks.release(4, filler);
    f.compute(5, {1, 2});  // and registered again
    PrefixLink link;
    f.registerAll(tokens, child, link);
    QCOMPARE(link.id, f.blocks.index().ofBlock(parent[1])->link.id);
    QCOMPARE(f.blocks.index().size(), std::size_t{2});
  }

  void aSharedBlockIsCopiedBeforeItIsWritten() {
    Fixture f(4);
    BlockTable parent, child;
    f.blocks.allocate(1, parent);
    f.blocks.share(parent, 2, child);
    QVERIFY(f.blocks.isShared(parent[0]));
    QVERIFY(!f.blocks.isShared(parent[0], 1));
    const KvBlocks::Copy copy = f.blocks.copyOnWrite(2, child, 0);
    QCOMPARE(copy.from, 0);
    QCOMPARE(copy.to, 1);
    QCOMPARE(child, BlockTable{1});
    QCOMPARE(parent, BlockTable{0});
    QVERIFY(!f.blocks.isShared(parent[0]));
    QCOMPARE(f.blocks.pool().refCount(0), 1);
    QCOMPARE(f.blocks.pool().refCount(1), 1);
  }

  void bytesHoldWholeBlocks() {
    QCOMPARE(blocksIn({"--memory", 299, "give more"}, 100), 2);
    QCOMPARE(blocksIn({"--memory", std::numeric_limits<std::int64_t>::max(), ""}, 1),
             std::numeric_limits<std::int64_t>::max());
    try {
      blocksIn({"--memory", 99, "give more"}, 100);
      QFAIL("no block fits");
    } catch (const EngineError& error) {
      QCOMPARE(error.what(), "--memory 99 holds no KV block: one takes 100 bytes");
      QCOMPARE(error.hint(), std::string("give more"));
    }
  }

  // What an earlier look-up found shortens the next one, and changes no result.
  void aRepeatedLookUpFindsWhatAFreshOneFinds() {
    std::mt19937 random(5);
    int shrank = 0, grew = 0;
    for (int round = 0; round < 60; ++round) {
      Fixture f(6 + static_cast<int>(random() % 12));
      Tokens waiting(12);
      for (TokenId& token : waiting) token = static_cast<TokenId>(random() % 2);
      Lives alive;
      SequenceId next = 0;
      PrefixHits kept;
      for (int i = 0; i < 150; ++i) {
        live(f, alive, next, random);
        if (random() % 3 > 0) continue;
        const int before = kept.blocks();
        f.blocks.lookUp(waiting, 0, kept);
        const PrefixHits fresh = f.lookUp(waiting);
        QCOMPARE(Fixture::tableOf(kept), Fixture::tableOf(fresh));
        QCOMPARE(kept.freeBlocks, fresh.freeBlocks);
        QCOMPARE(kept.last().id, fresh.last().id);
        shrank += kept.blocks() < before ? 1 : 0;
        grew += kept.blocks() > before ? 1 : 0;
      }
    }
    QVERIFY2(shrank > 20 && grew > 20, qPrintable(QString("%1 %2").arg(shrank).arg(grew)));
  }

  // Many sequences are made, share, fork, copy and end. The counts must equal the holders at every moment.
  void randomLivesLeaveNothingBehind() {
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
      Fixture f(6 + static_cast<int>(random() % 20), round % 4 != 0);
      std::map<SequenceId, std::pair<Tokens, BlockTable>> alive;
      SequenceId next = 0;
      for (int i = 0; i < 150; ++i) {
        live(f, alive, next, random);
        checkOwners(f, alive);
      }
      for (auto& [id, life] : alive) f.blocks.release(id, life.second);
      QCOMPARE(f.blocks.pool().freeCount(), f.blocks.pool().totalCount());
      QCOMPARE(f.blocks.freeCachedCount(), static_cast<int>(f.blocks.index().size()));
    }
  }

 private:
  using Lives = std::map<SequenceId, std::pair<Tokens, BlockTable>>;

  static void live(Fixture& f, Lives& alive, SequenceId& next, std::mt19937& random) {
    const unsigned action = random() % 4;
    if (action <= 1) {
      Tokens tokens(1 + random() % 9);
      for (TokenId& token : tokens) token = static_cast<TokenId>(random() % 2);
      const PrefixHits hits = f.lookUp(tokens);
      const int needed = f.blocks.blocksFor(static_cast<int>(tokens.size())) - hits.blocks();
      if (needed > f.blocks.pool().freeCount() - hits.freeBlocks) return;
      auto& [kept, table] = alive[++next];
      kept = tokens;
      f.blocks.takeHits(next, hits, table);
      for (int i = 0; i < needed; ++i) f.blocks.allocate(next, table);
      PrefixLink link;
      f.registerAll(tokens, table, link);
    } else if (!alive.empty()) {
      const auto chosen = std::next(alive.begin(), static_cast<long>(random() % alive.size()));
      auto& [tokens, table] = chosen->second;
      const int tail = static_cast<int>(table.size()) - 1;
      if (action == 2) {
        f.blocks.release(chosen->first, table);
        alive.erase(chosen);
      } else if (f.blocks.isShared(table.back()) && f.blocks.pool().freeCount() > 0) {
        f.blocks.copyOnWrite(chosen->first, table, tail);
      } else {
        const BlockTable& parent = table;
        auto& child = alive[++next];
        child.first = tokens;
        f.blocks.share(parent, next, child.second);
      }
    }
  }

  static void checkOwners(const Fixture& f, const Lives& alive) {
    const BlockPool& pool = f.blocks.pool();
    std::vector<int> owners(static_cast<std::size_t>(pool.totalCount()));
    for (const auto& [id, life] : alive) {
      for (BlockId block : life.second) ++owners[static_cast<std::size_t>(block)];
    }
    int free = 0, freeCached = 0;
    for (BlockId block = 0; block < pool.totalCount(); ++block) {
      QCOMPARE(pool.refCount(block), owners[static_cast<std::size_t>(block)]);
      if (pool.refCount(block) > 0) continue;
      ++free;
      if (f.blocks.index().ofBlock(block) != nullptr) ++freeCached;
    }
    QCOMPARE(pool.freeCount(), free);
    QCOMPARE(static_cast<int>(pool.freeQueue().size()), free);
    QCOMPARE(f.blocks.freeCachedCount(), freeCached);
  }
};

QTEST_APPLESS_MAIN(TestKvBlocks)
#include "tst_kv_blocks.moc"
