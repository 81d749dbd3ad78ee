// The tree of the prefix cache against a naive reading of all events: random runs of whole engines, read live
// in batches of every size and after jumps of the cursor. Then its words, and the view with real keys and
// mouse.
#include "support/random_workload.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <map>
#include <set>
#include <utility>

#include "support/word_machine.h"
#include "widgets/memory/prefix_tree_view.h"
#include "widgets/painting/lit.h"
#include "widgets/support/table_export.h"

using namespace vitrine;
using test::WordMachine;

namespace {

// The tree told by the events alone: parents and order from BlockCached, what is there from what was cached
// and evicted since, its rows by recursion.
class NaiveTree {
 public:
  NaiveTree(std::span<const Event> events, int step) {
    std::map<BlockId, std::uint64_t> there;
    std::vector<std::pair<BlockId, std::uint64_t>> gone;
    for (const Event& event : events) {
      if (const auto* added = bodyOf<BlockCached>(event)) {
        there[added->block] = added->hash;
        parents.emplace(added->hash, added->parentHash);
        if (std::ranges::count(m_order, added->hash) == 0) m_order.push_back(added->hash);
      }
      if (const auto* hit = bodyOf<BlockHit>(event)) ++hits[hit->hash];
      if (const auto* evicted = bodyOf<BlockEvicted>(event)) {
        there.erase(evicted->block);
        if (event.step == step) gone.emplace_back(evicted->block, evicted->hash);
      }
    }
    for (const auto& [block, hash] : there) {
      m_entries.push_back({block, hash, false});
      cached.insert(block);
    }
    for (const auto& [block, hash] : gone)
      if (std::ranges::count(m_entries, hash, &Entry::hash) == 0) m_entries.push_back({block, hash, true});
    std::ranges::stable_sort(m_entries, {}, [this](const Entry& one) { return placeOf(one.hash); });
    std::vector<int> roots;
    for (int i = 0; i < static_cast<int>(m_entries.size()); ++i)
      if (parentOf(i) < 0) roots.push_back(i);
    emitRows(roots, -1, 0);
  }

  std::map<std::uint64_t, std::uint64_t> parents;
  std::map<std::uint64_t, int> hits;
  std::set<BlockId> cached;
  std::vector<PrefixRow> rows;  // blocks, hash, parent, depth, evicted, before

 private:
  struct Entry {
    BlockId block;
    std::uint64_t hash;
    bool evicted;
  };

  std::ptrdiff_t placeOf(std::uint64_t hash) const {
    return std::ranges::find(m_order, hash) - m_order.begin();
  }
  int parentOf(int entry) const {
    const std::uint64_t wanted = parents.at(m_entries[static_cast<std::size_t>(entry)].hash);
    for (const bool evicted : {false, true})
      for (int i = 0; i < static_cast<int>(m_entries.size()); ++i) {
        const Entry& one = m_entries[static_cast<std::size_t>(i)];
        if (wanted != 0 && one.hash == wanted && one.evicted == evicted) return i;
      }
    return -1;
  }
  std::vector<int> childrenOf(int entry) const {
    std::vector<int> children;
    for (int i = 0; i < static_cast<int>(m_entries.size()); ++i)
      if (parentOf(i) == entry) children.push_back(i);
    return children;
  }
  void emitRows(const std::vector<int>& siblings, int parent, int depth) {
    for (int entry : siblings) {
      PrefixRow row;
      const Entry& first = m_entries[static_cast<std::size_t>(entry)];
      row.hash = first.hash;
      row.evicted = first.evicted;
      row.parent = parent;
      row.depth = depth;
      if (parent < 0 && parents.at(first.hash) != 0) row.before = PrefixBefore::kEvicted;
      row.blocks = {first.block};
      std::vector<int> children = childrenOf(entry);
      while (children.size() == 1 &&
             m_entries[static_cast<std::size_t>(children[0])].evicted == row.evicted) {
        row.blocks.push_back(m_entries[static_cast<std::size_t>(children[0])].block);
        children = childrenOf(children[0]);
      }
      rows.push_back(row);
      emitRows(children, static_cast<int>(rows.size()) - 1, depth + 1);
    }
  }

  std::vector<std::uint64_t> m_order;
  std::vector<Entry> m_entries;
};

std::vector<PrefixHolder> naiveHolders(const MachineState& state, const PrefixRow& row) {
  std::map<RequestId, std::set<BlockId>> held;
  if (row.evicted) return {};
  for (const auto& [id, sequence] : state.sequences)
    for (const BlockId block : row.blocks)
      if (std::ranges::count(sequence.blockTable, block) > 0) held[sequence.request].insert(block);
  std::vector<PrefixHolder> holders;
  for (const auto& [request, blocks] : held) holders.push_back({request, static_cast<int>(blocks.size())});
  return holders;
}

QString difference(const PrefixTreeModel& model, const NaiveTree& naive) {
  const MachineState& state = model.session()->state();
  if (model.rowCount() != static_cast<int>(naive.rows.size()))
    return QStringLiteral("%1 rows, not %2").arg(model.rowCount()).arg(naive.rows.size());
  std::set<BlockId> blocks;
  for (int i = 0; i < model.rowCount(); ++i) {
    const PrefixRow& one = model.at(i);
    const PrefixRow& other = naive.rows[static_cast<std::size_t>(i)];
    const QString name = QStringLiteral("row %1: ").arg(i);
    if (one.blocks != other.blocks || one.hash != other.hash) return name + "blocks";
    if (one.parent != other.parent || one.depth != other.depth) return name + "place";
    if (one.evicted != other.evicted || one.before != other.before) return name + "evicted";
    const auto hits = naive.hits.find(one.hash);
    if (one.hits != (hits == naive.hits.end() ? 0 : hits->second)) return name + "hits";
    if (one.holders != naiveHolders(state, one)) return name + "holders";
    if (!one.evicted) blocks.insert(one.blocks.begin(), one.blocks.end());
  }
  for (std::size_t i = 0; i < state.blocks.size(); ++i)
    if (state.blocks[i].cached != blocks.contains(static_cast<BlockId>(i))) return "the set of blocks";
  return blocks == naive.cached ? QString() : QStringLiteral("the set of blocks by events");
}

}  // namespace

class TestPrefixTree : public QObject {
  Q_OBJECT
 private slots:
  void everyTreeIsTheNaiveOne();
  void nodesSayWhatTheyAre();
  void textsAreThoseOfTheTokens();
  void aLateJoinerSaysWhatIsNotKnown();
  void arrowsWalkTheTree();
  void aNodeLightsWhatSharesIt();
  void aHugeCacheScrolls();
  void anEmptyCacheSaysWhatFillsIt();

 private:
  void compare(PrefixTreeModel& model, const std::vector<Event>& all);
  void follow(Workload& workload, std::mt19937& random);

  int m_branches = 0, m_evicted = 0, m_orphans = 0, m_shared = 0, m_hits = 0, m_compared = 0;
};

void TestPrefixTree::compare(PrefixTreeModel& model, const std::vector<Event>& all) {
  Session& session = *model.session();
  const auto end = static_cast<std::size_t>(session.shownEnd());
  QCOMPARE(difference(model, NaiveTree(std::span(all).first(end), session.step())), QString());
  for (const PrefixRow& row : model.rows()) {
    m_branches += row.parent >= 0 ? 1 : 0;
    m_evicted += row.evicted ? 1 : 0;
    m_orphans += row.before == PrefixBefore::kEvicted ? 1 : 0;
    m_shared += row.holders.size() > 1 ? 1 : 0;
    m_hits += row.hitNow ? 1 : 0;
    // A pointed node lights exactly the requests whose tables hold one of its blocks.
    if (row.evicted) continue;
    session.spotlight()->point({.blocks = row.blocks});
    for (const auto& [id, sequence] : session.state().sequences) {
      const bool holds = std::ranges::any_of(
          row.blocks, [&](BlockId block) { return std::ranges::count(sequence.blockTable, block) > 0; });
      QCOMPARE(holdsLitBlocks(session, id), holds);
    }
    session.spotlight()->clear();
  }
  ++m_compared;
}

void TestPrefixTree::follow(Workload& workload, std::mt19937& random) {
  static const TinyModel model(tinyConfig(96)), other(tinyConfig(40), 6);
  EventLog log;
  std::vector<Event> all;
  std::int64_t now = 0;
  const auto engine =
      model.engine(workload.options, log, workload.draftsLikeTheModel ? &model : &other, [&] { return now; });
  Session session;
  BlockMapModel blocks(&session);
  PrefixTreeModel tree(&blocks);
  QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::Fatal);
  const auto hear = [&] {
    all.insert(all.end(), log.events.begin(), log.events.end());
    session.append(std::exchange(log.events, {}));
    compare(tree, all);
  };
  engine->setGate([&](Phase) {
    if (random() % 6 == 0) hear();
  });
  for (int step = 0; step < 12 || engine->hasWork(); ++step) {
    workload.begin(*engine, step);
    now += 1'000'000;
    engine->step();
    if (random() % 3 == 0) hear();
    if (random() % 12 == 0 && session.lastStep() > 0) {
      session.goToStep(1 + static_cast<int>(random() % unsigned(session.lastStep())));
      compare(tree, all);
      if (random() % 2 == 0) hear();  // while the past is shown
      session.goLive();
      compare(tree, all);
    }
    if (QTest::currentTestFailed()) return;
  }
  hear();
}

void TestPrefixTree::everyTreeIsTheNaiveOne() {
  std::mt19937 random(17);
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    Workload workload(seed, 0);
    workload.options.prefixCache = true;
    follow(workload, random);
    if (QTest::currentTestFailed()) QFAIL(qPrintable(QStringLiteral("workload %1").arg(seed)));
  }
  QVERIFY2(m_branches > 100 && m_evicted > 50 && m_orphans > 0 && m_shared > 50 && m_hits > 20,
           qPrintable(QStringLiteral("%1 %2 %3 %4 %5")
                          .arg(m_branches)
                          .arg(m_evicted)
                          .arg(m_orphans)
                          .arg(m_shared)
                          .arg(m_hits)));
}

#define HAS(text, part) QVERIFY2((text).contains(QStringLiteral(part)), qPrintable(text))

namespace {

// Two requests with a common beginning of two blocks, and one alone.
struct Bench {
  WordMachine machine{32, 8};
  Session session;
  BlockMapModel blocks{&session};
  PrefixTreeModel model{&blocks};
  PrefixTreeView view{&model};

  Bench() {
    session.append(machine.take());
    view.resize(560, 260);
    view.show();
  }
  void play() {
    machine.submit("one", 20, 40);
    machine.step();
    machine.submit("the same beginning", 23, 40);
    machine.submit("another", 12, 40, 7);
    machine.step();
    session.append(machine.take());
  }
  QPoint at(int row) { return view.rowRect(row).center() - QPoint(0, view.verticalScrollBar()->value()); }
};

}  // namespace

void TestPrefixTree::nodesSayWhatTheyAre() {
  Bench bench;
  bench.play();
  const PrefixTreeModel& model = bench.model;
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.sizeText(0), QStringLiteral("2 block(s) · 16 token(s)"));
  QCOMPARE(model.holdersText(0), QStringLiteral("A, B"));
  QCOMPARE(model.changeText(0), QStringLiteral("hit now"));
  QCOMPARE(model.at(0).hits, 1);
  QCOMPARE(model.changeText(1), QStringLiteral("new"));
  QCOMPARE(model.holdersText(1), QStringLiteral("C"));
  QCOMPARE(model.summary(), QStringLiteral("3 cached block(s) · 3 in use"));
  HAS(model.describe(0), "found 1 time(s) in the cache");
  HAS(model.describe(0), "held by A, B");
  HAS(toCsv(model), "Node,Continues node,Text,Blocks,Tokens,Hits,Held by,State");
  HAS(toCsv(model), ",2,16,1,\"A, B\",hit now");
  // The answers go on differently, so the chain gets a branch.
  for (int i = 0; i < 16; ++i) bench.machine.step();
  bench.session.append(bench.machine.take());
  QVERIFY(model.rowCount() > 2 && model.at(1).parent == 0 && model.at(1).depth == 1);
  QCOMPARE(model.holdersText(1), QStringLiteral("B"));
  bench.session.goToStep(1);
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.at(0).hits, 0);
  QCOMPARE(model.holdersText(0), QStringLiteral("A"));
  bench.session.goLive();
  bench.machine.run();
  bench.session.append(bench.machine.take());
  QCOMPARE(model.changeText(0), QStringLiteral("free"));
  HAS(model.describe(0), "free, and still cached");
}

void TestPrefixTree::textsAreThoseOfTheTokens() {
  Bench bench;
  bench.play();
  for (int i = 0; i < 30; ++i) bench.machine.step();
  bench.session.append(bench.machine.take());
  const MachineState& state = bench.session.state();
  for (int row = 0; row < bench.model.rowCount(); ++row) {
    const PrefixRow& one = bench.model.at(row);
    for (const auto& [id, sequence] : state.sequences) {
      const auto held = std::ranges::find(sequence.blockTable, one.blocks.front());
      if (held == sequence.blockTable.end()) continue;
      const auto first = static_cast<int>(held - sequence.blockTable.begin()) * state.blockSize;
      QString text;
      for (int i = 0; i < state.blockSize * static_cast<int>(one.blocks.size()); ++i)
        text += bench.session.tokenText(id, first + i);
      text.replace(u'\n', QChar(0x21b5));
      QVERIFY(text.size() > 20);
      QVERIFY2(text.startsWith(bench.model.textOf(row).left(60)), qPrintable(bench.model.textOf(row)));
    }
  }
  // What a beam writes may be replaced, so only a prompt's tokens are told of it.
  PrefixChains chains;
  const auto tell = [&chains](EventBody body) {
    Event event;
    event.body = std::move(body);
    chains.note(event);
  };
  EngineLoaded loaded;
  loaded.options.blockSize = 2;
  tell(loaded);
  RequestSubmitted search{};
  search.request = 1;
  search.firstSequence = 1;
  search.asked.tokenIds = {1, 2, 3};
  search.asked.beamWidth = 2;
  tell(search);
  tell(BlockAllocated{0, 1, 0});
  tell(BlockAllocated{1, 1, 1});
  tell(BlockCached{0, 11, 0});
  tell(BlockCached{1, 12, 11});
  QCOMPARE(chains.originOf(11)->sequence, 1);
  QCOMPARE(chains.originOf(12)->sequence, 0);
  QCOMPARE(chains.originOf(12)->parent, std::uint64_t{11});
  QVERIFY(chains.originOf(13) == nullptr);
  // A fork that writes into a shared block leaves it to the other one.
  tell(BlockAllocated{4, 7, 0});
  tell(BlockShared{4, 8, 0, 2});
  tell(BlockCopied{4, 5, 8, 0});
  tell(BlockCached{4, 21, 0});
  tell(BlockCached{5, 22, 0});
  QCOMPARE(chains.originOf(21)->sequence, 7);
  QCOMPARE(chains.originOf(22)->sequence, 8);
}

void TestPrefixTree::aLateJoinerSaysWhatIsNotKnown() {
  WordMachine machine(32, 8);
  machine.submit("gone", 20, 2, 5);
  machine.run();
  machine.submit("stays", 20, 40);
  machine.step();
  Event snapshot = machine.all().back();
  snapshot.body = Snapshot{std::make_shared<MachineState>(machine.state())};
  machine.take();
  machine.step();
  std::vector<Event> late{snapshot};
  for (Event& event : machine.take()) late.push_back(std::move(event));
  Session session;
  BlockMapModel blocks(&session);
  PrefixTreeModel model(&blocks);
  session.append(late);
  int unknown = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const bool isHeld = !model.at(row).holders.empty();
    QCOMPARE(model.at(row).before == PrefixBefore::kUnknown, !isHeld);
    if (isHeld) QCOMPARE(model.at(row).blocks.size(), std::size_t{2});
    if (isHeld) continue;
    ++unknown;
    HAS(model.describe(row), "the blocks before it are not recorded");
    HAS(model.textOf(row), "before the recording began");
  }
  QVERIFY(unknown >= 2);
}

void TestPrefixTree::arrowsWalkTheTree() {
  Bench bench;
  bench.play();
  for (int i = 0; i < 16; ++i) bench.machine.step();
  bench.session.append(bench.machine.take());
  QSignalSpy asked(&bench.view, &PrefixTreeView::blockRequested);
  QTest::keyClick(&bench.view, Qt::Key_Down);
  QCOMPARE(bench.view.currentRow(), 0);
  QTest::keyClick(&bench.view, Qt::Key_Right);
  QCOMPARE(bench.view.currentRow(), 1);
  QTest::keyClick(&bench.view, Qt::Key_Right);  // it has no child
  QCOMPARE(bench.view.currentRow(), 1);
  QTest::keyClick(&bench.view, Qt::Key_Left);
  QCOMPARE(bench.view.currentRow(), 0);
  HAS(bench.view.accessibleDescription(), "held by A, B");
  QTest::keyClick(&bench.view, Qt::Key_End);
  QCOMPARE(bench.view.currentRow(), bench.model.rowCount() - 1);
  QTest::keyClick(&bench.view, Qt::Key_Down);
  QCOMPARE(bench.view.currentRow(), bench.model.rowCount() - 1);
  QTest::keyClick(&bench.view, Qt::Key_Return);
  QCOMPARE(asked.takeLast().front().toInt(), bench.model.at(bench.view.currentRow()).blocks.front());
  QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {}, bench.at(0));
  QCOMPARE(bench.view.currentRow(), 0);
  QCOMPARE(asked.takeLast().front().toInt(), bench.model.at(0).blocks.front());
  // The node stays the present one when others come before it.
  QTest::keyClick(&bench.view, Qt::Key_End);
  const std::uint64_t hash = bench.model.at(bench.view.currentRow()).hash;
  for (int i = 0; i < 12; ++i) bench.machine.step();
  bench.session.append(bench.machine.take());
  QCOMPARE(bench.model.at(bench.view.currentRow()).hash, hash);
}

void TestPrefixTree::aNodeLightsWhatSharesIt() {
  Bench bench;
  bench.play();
  const QImage plain = bench.view.viewport()->grab().toImage();
  const QPoint point = bench.at(0);
  QMouseEvent move(QEvent::MouseMove, point, bench.view.viewport()->mapToGlobal(point), Qt::NoButton,
                   Qt::NoButton, Qt::NoModifier);
  QCoreApplication::sendEvent(bench.view.viewport(), &move);
  QCOMPARE(bench.session.spotlight()->target().blocks, bench.model.at(0).blocks);
  QVERIFY(holdsLitBlocks(bench.session, 1) && holdsLitBlocks(bench.session, 2));
  QVERIFY(!holdsLitBlocks(bench.session, 3));
  QVERIFY(bench.view.viewport()->grab().toImage() != plain);
  // And the other way: a block of the memory, a request's card.
  bench.session.spotlight()->point({.blocks = {bench.model.at(1).blocks.front()}});
  QVERIFY(!bench.view.isLit(0) && bench.view.isLit(1));
  bench.session.spotlight()->point({.request = 2});
  QVERIFY(bench.view.isLit(0) && !bench.view.isLit(1));
}

void TestPrefixTree::aHugeCacheScrolls() {
  WordMachine machine(16384, 4, 4096);
  for (int i = 0; i < 60; ++i) machine.submit("request", 300, 2, i % 24);
  machine.run();
  Session session;
  BlockMapModel blocks(&session);
  PrefixTreeModel model(&blocks);
  PrefixTreeView view(&model);
  view.resize(500, 200);
  view.show();
  session.append(machine.take());
  QVERIFY(model.rowCount() >= 24 && model.cachedBlocks() > 1500);
  QVERIFY(view.verticalScrollBar()->maximum() > 0);
  QTest::keyClick(&view, Qt::Key_End);
  QVERIFY(view.verticalScrollBar()->value() > 0);
  QVERIFY(view.viewport()->rect().contains(
      view.rowRect(model.rowCount() - 1).translated(0, -view.verticalScrollBar()->value())));
  QVERIFY(!view.grab().isNull());
}

void TestPrefixTree::anEmptyCacheSaysWhatFillsIt() {
  Bench bench;
  QCOMPARE(bench.model.rowCount(), 0);
  QVERIFY(bench.view.summary().isEmpty());
  for (const Qt::Key key : {Qt::Key_Down, Qt::Key_End, Qt::Key_Return, Qt::Key_Left})
    QTest::keyClick(&bench.view, key);
  QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {}, {100, 100});
  QCOMPARE(bench.view.currentRow(), -1);
  QVERIFY(!bench.view.grab().isNull());
}

QTEST_MAIN(TestPrefixTree)
#include "tst_prefix_tree.moc"
