// The prefix index: a hit is exact, even when hashes collide.
#include <QTest>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "cache/prefix_index.h"

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;
constexpr PrefixLink kRoot;

using Plain = std::map<std::tuple<std::uint64_t, std::uint64_t, Tokens>, BlockId>;

std::set<BlockId> childrenOf(const PrefixIndex& index, const PrefixLink& parent) {
  std::set<BlockId> blocks;
  index.forEachChild(parent, [&](const PrefixIndex::Entry& entry) { blocks.insert(entry.link.block); });
  return blocks;
}

std::set<BlockId> childrenIn(const Plain& plain, const PrefixIndex& index, const PrefixLink& parent) {
  std::set<BlockId> blocks;
  for (const auto& [key, block] : plain)
    if (index.contains(parent) && std::get<0>(key) == parent.id) blocks.insert(block);
  return blocks;
}

std::uint64_t everythingCollides(std::uint64_t, std::span<const TokenId>) { return 42; }

}  // namespace

class TestPrefixIndex : public QObject {
  Q_OBJECT

 private slots:
  void findsAChainBlockByBlock() {
    PrefixIndex index(8, 2);
    const PrefixLink first = index.insert(kRoot, 0, Tokens{1, 2}, 5).link;
    const PrefixLink second = index.insert(first, 0, Tokens{3, 4}, 6).link;
    QCOMPARE(index.find(kRoot, 0, Tokens{1, 2})->link.block, 5);
    QCOMPARE(index.find(first, 0, Tokens{3, 4})->link.block, 6);
    QVERIFY(index.find(kRoot, 0, Tokens{3, 4}) == nullptr);  // the same tokens elsewhere are another block
    QVERIFY(index.find(second, 0, Tokens{3, 4}) == nullptr);
    QVERIFY(index.find(kRoot, 0, Tokens{1}) == nullptr);
    QVERIFY(first.hash != second.hash);
    QCOMPARE(index.ofBlock(6)->parent.id, first.id);
    QVERIFY(index.ofBlock(7) == nullptr);
  }

  void saltSeparatesEqualPrompts() {
    PrefixIndex index(8, 2);
    index.insert(kRoot, 1, Tokens{1, 2}, 0);
    QVERIFY(index.find(kRoot, 0, Tokens{1, 2}) == nullptr);
    QVERIFY(index.find(kRoot, 2, Tokens{1, 2}) == nullptr);
    index.insert(kRoot, 2, Tokens{1, 2}, 1);
    QCOMPARE(index.find(kRoot, 1, Tokens{1, 2})->link.block, 0);
    QCOMPARE(index.find(kRoot, 2, Tokens{1, 2})->link.block, 1);
    QVERIFY(index.ofBlock(0)->link.hash != index.ofBlock(1)->link.hash);
  }

  void collidingHashesNeverShareABlock() {
    PrefixIndex index(8, 2, everythingCollides);
    const PrefixLink a = index.insert(kRoot, 0, Tokens{1, 2}, 0).link;
    const PrefixLink b = index.insert(kRoot, 0, Tokens{2, 1}, 1).link;
    QCOMPARE(a.hash, b.hash);
    index.insert(a, 0, Tokens{7, 7}, 2);
    index.insert(kRoot, 9, Tokens{1, 2}, 3);
    QCOMPARE(index.find(kRoot, 0, Tokens{1, 2})->link.block, 0);
    QCOMPARE(index.find(kRoot, 0, Tokens{2, 1})->link.block, 1);
    QCOMPARE(index.find(kRoot, 9, Tokens{1, 2})->link.block, 3);
    QVERIFY(index.find(b, 0, Tokens{7, 7}) == nullptr);
    QVERIFY(index.find(kRoot, 0, Tokens{9, 9}) == nullptr);
    index.erase(0);
    QVERIFY(index.find(kRoot, 0, Tokens{1, 2}) == nullptr);
    QCOMPARE(index.find(kRoot, 0, Tokens{2, 1})->link.block, 1);
  }

  void anIdIsNeverReusedSoOrphansStayLost() {
    PrefixIndex index(8, 2);
    const PrefixLink old = index.insert(kRoot, 0, Tokens{1, 2}, 0).link;
    index.insert(old, 0, Tokens{3, 4}, 1);
    index.erase(0);
    QVERIFY(!index.contains(old));
    const PrefixLink fresh = index.insert(kRoot, 0, Tokens{1, 2}, 0).link;
    QCOMPARE(fresh.hash, old.hash);
    QVERIFY(fresh.id != old.id);
    QVERIFY(index.find(fresh, 0, Tokens{3, 4}) == nullptr);
    QVERIFY(index.contains(fresh) && index.contains(kRoot));
    QCOMPARE(index.size(), std::size_t{2});
  }

  void hashDependsOnOrderAndValue() {
    const auto hash = [](Tokens tokens) { return PrefixIndex::chainHash(0, tokens); };
    QVERIFY(hash({1, 2}) != hash({2, 1}));
    QVERIFY(hash({0, 0}) != hash({0}));
    QVERIFY(PrefixIndex::chainHash(1, Tokens{5}) != PrefixIndex::chainHash(2, Tokens{5}));
  }

  void randomOperationsAgreeWithAMap_data() {
    QTest::addColumn<bool>("collide");
    QTest::newRow("real hash") << false;
    QTest::newRow("every hash equal") << true;
  }
  void randomOperationsAgreeWithAMap() {
    QFETCH(bool, collide);
    PrefixIndex index(24, 2, collide ? everythingCollides : PrefixIndex::chainHash);
    Plain plain;
    std::vector<PrefixLink> links = {kRoot};
    std::mt19937 random(11);
    for (int i = 0; i < 3000; ++i) {
      const PrefixLink parent = links[random() % links.size()];
      const Tokens tokens = {static_cast<TokenId>(random() % 3), static_cast<TokenId>(random() % 3)};
      const std::uint64_t salt = random() % 2;
      const BlockId block = static_cast<BlockId>(random() % 24);
      const auto key = std::make_tuple(parent.id, salt, tokens);
      const auto known = plain.find(key);
      const PrefixIndex::Entry* found = index.find(parent, salt, tokens);
      QCOMPARE(found != nullptr, known != plain.end());
      if (found != nullptr) QCOMPARE(found->link.block, known->second);
      if (const PrefixIndex::Entry* entry = index.ofBlock(block)) {
        plain.erase(std::make_tuple(entry->parent.id, entry->salt,
                                    Tokens(entry->tokens.begin(), entry->tokens.end())));
        index.erase(block);
      } else if (found == nullptr) {
        links.push_back(index.insert(parent, salt, tokens, block).link);
        plain[key] = block;
      }
      QCOMPARE(index.size(), plain.size());
      QCOMPARE(childrenOf(index, parent), childrenIn(plain, index, parent));
    }
  }
};

QTEST_APPLESS_MAIN(TestPrefixIndex)
#include "tst_prefix_index.moc"
