// Why a prompt is computed again: random pairs of prompts against a naive comparison, evictions and salts.
#include "cache/prefix_miss.h"

#include <QTest>
#include <algorithm>
#include <random>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;
using Cause = PrefixMiss::Cause;
constexpr int kSize = 4;

// Registers the full blocks of a prompt, as a sequence that computed it, in blocks from `next` on.
std::vector<BlockId> cache(PrefixIndex& index, const Tokens& tokens, std::uint64_t salt, BlockId& next) {
  std::vector<BlockId> blocks;
  PrefixLink link;
  for (std::size_t i = 0; (i + 1) * kSize <= tokens.size(); ++i) {
    const std::span<const TokenId> block = std::span(tokens).subspan(i * kSize, kSize);
    const PrefixIndex::Entry* entry = index.find(link, salt, block);
    if (entry == nullptr) entry = &index.insert(link, salt, block, next++);
    link = entry->link;
    blocks.push_back(link.block);
  }
  return blocks;
}

void evict(PrefixIndex& index, EvictionMemory& evictions, BlockId block, int step) {
  const PrefixIndex::Entry& entry = *index.ofBlock(block);
  evictions.add({entry.link.hash, entry.salt, step, 6});
  index.erase(block);
}

// What explainMiss() says after a look-up of the prompt.
PrefixMiss missOf(const Tokens& prompt, std::uint64_t salt, const PrefixIndex& index,
                  const EvictionMemory& evictions) {
  std::vector<PrefixLink> hits;
  for (std::size_t i = 0; (i + 1) * kSize < prompt.size(); ++i) {
    const PrefixLink last = hits.empty() ? PrefixLink{} : hits.back();
    const auto* entry = index.find(last, salt, std::span(prompt).subspan(i * kSize, kSize));
    if (entry == nullptr) break;
    hits.push_back(entry->link);
  }
  return explainMiss(prompt, salt, hits, index, evictions);
}

// The same from the two prompts alone, of which `cached` was computed before, and its blocks from `kept` on
// have been evicted.
PrefixMiss naive(const Tokens& cached, const Tokens& prompt, int kept, int evictedStep) {
  const int length = static_cast<int>(prompt.size());
  const int full = static_cast<int>(cached.size()) / kSize;
  int common = 0;
  while (common < std::min(length, full * kSize) &&
         cached[static_cast<std::size_t>(common)] == prompt[static_cast<std::size_t>(common)])
    ++common;
  const int findable = (length - 1) / kSize;
  const int matched = std::min({common / kSize, findable, kept});
  PrefixMiss miss;
  miss.matchedTokens = matched * kSize;
  miss.recomputedTokens = length - miss.matchedTokens;
  if (matched == findable) return miss;
  miss.cause = Cause::kUnknown;
  if (common / kSize > matched) {
    miss.cause = Cause::kEvicted;
    miss.evictedStep = evictedStep;
  } else if (matched < full && matched < kept && common > 0) {
    miss.cause = Cause::kDiffers;
    miss.differsAt = common;
    miss.ours = prompt[static_cast<std::size_t>(common)];
    miss.theirs = cached[static_cast<std::size_t>(common)];
    miss.block = matched;
  }
  return miss;
}

void compare(const PrefixMiss& miss, const PrefixMiss& expected) {
  QCOMPARE(static_cast<int>(miss.cause), static_cast<int>(expected.cause));
  QCOMPARE(miss.matchedTokens, expected.matchedTokens);
  QCOMPARE(miss.recomputedTokens, expected.recomputedTokens);
  QCOMPARE(miss.differsAt, expected.differsAt);
  QCOMPARE(miss.ours, expected.ours);
  QCOMPARE(miss.theirs, expected.theirs);
  QCOMPARE(miss.block, expected.block);
  QCOMPARE(miss.evictedStep, expected.evictedStep);
}

}  // namespace

class TestPrefixMiss : public QObject {
  Q_OBJECT

 private slots:
  void randomPairsAgreeWithANaiveComparison() {
    std::mt19937 random(4);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    int causes[4] = {};
    for (int pair = 0; pair < 500; ++pair) {
      Tokens cached(static_cast<std::size_t>(1 + below(40)));
      for (TokenId& token : cached) token = below(3);
      Tokens prompt = cached;
      prompt.resize(static_cast<std::size_t>(1 + below(40)), 7);
      if (below(4) > 0) prompt[static_cast<std::size_t>(below(static_cast<int>(prompt.size())))] = 8;
      PrefixIndex index(16, kSize);
      EvictionMemory evictions;
      BlockId next = 0;
      const std::vector<BlockId> blocks = cache(index, cached, 0, next);
      const int full = static_cast<int>(blocks.size());
      const int kept = below(3) == 0 ? below(full + 1) : full;
      for (int i = full; i-- > kept;)
        evict(index, evictions, blocks[static_cast<std::size_t>(i)], 100 + pair);
      const PrefixMiss miss = missOf(prompt, 0, index, evictions);
      compare(miss, naive(cached, prompt, kept, 100 + pair));
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("pair %1").arg(pair)));
      ++causes[static_cast<int>(miss.cause)];
      // Under another salt nothing is known of these blocks.
      const PrefixMiss salted = missOf(prompt, 5, index, evictions);
      QVERIFY(salted.matchedTokens == 0 && salted.block == -1 && salted.evictedStep == -1);
      QVERIFY(salted.cause == (prompt.size() > kSize ? Cause::kUnknown : Cause::kNone));
    }
    for (const int count : causes) QVERIFY2(count > 20, qPrintable(QString::number(count)));
  }

  void theClosestBlockIsCompared() {
    PrefixIndex index(16, kSize);
    BlockId next = 0;
    cache(index, {1, 2, 3, 4, 5, 0, 0, 0}, 0, next);
    cache(index, {1, 2, 3, 4, 5, 6, 9, 9}, 0, next);
    cache(index, {1, 2, 3, 4, 0, 6, 7, 8}, 0, next);
    const PrefixMiss miss = missOf(Tokens{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, index, {});
    QVERIFY(miss.cause == Cause::kDiffers && miss.matchedTokens == 4 && miss.recomputedTokens == 5);
    QVERIFY(miss.differsAt == 6 && miss.ours == 7 && miss.theirs == 9 && miss.block == 2);
  }

  void promptsWithoutACommonTokenAreNotCompared() {
    PrefixIndex index(16, kSize);
    BlockId next = 0;
    cache(index, {1, 2, 3, 4}, 0, next);
    QVERIFY(missOf(Tokens{2, 2, 3, 4, 5}, 0, index, {}).cause == Cause::kUnknown);
    QVERIFY(missOf(Tokens{1, 3, 3, 4, 5}, 0, index, {}).cause == Cause::kDiffers);
  }

  void onlyTheLastEvictionsAreKnown() {
    EvictionMemory evictions;
    const int count = 3 * static_cast<int>(EvictionMemory::kCapacity) / 2;
    for (int i = 0; i < count; ++i) evictions.add({static_cast<std::uint64_t>(i), 1, i, 2});
    const int oldest = count - static_cast<int>(EvictionMemory::kCapacity);
    for (int i = 0; i < count; ++i) {
      const auto evicted = evictions.find(static_cast<std::uint64_t>(i), 1);
      QCOMPARE(evicted.has_value(), i >= oldest);
      if (evicted) QCOMPARE(evicted->step, i);
    }
    evictions.add({7777, 1, 9000, 2});
    evictions.add({7777, 1, 9001, 3});
    QCOMPARE(evictions.find(7777, 1)->step, 9001);  // the newest
    QVERIFY(!evictions.find(7777, 2));
  }
};

QTEST_APPLESS_MAIN(TestPrefixMiss)
#include "tst_prefix_miss.moc"
