// The tree of a beam search against a naive reading of its events: random searches of whole engines with
// preemption, several at a time, read live in batches of every size and after jumps of the cursor. Then its
// words, and the view with real keys and mouse.
#include "support/random_workload.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "support/said_search.h"
#include "support/word_machine.h"
#include "widgets/beams/beams_view.h"
#include "widgets/support/table_export.h"

using namespace vitrine;
using test::SaidSearch;
using test::WordMachine;

namespace {

using Path = std::vector<TokenId>;

bool begins(const Path& whole, const Path& part) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// A search told by its events alone, a path for each node, everything looked for again each time.
struct NaiveTree {
  struct Node {
    Path path;
    BeamCandidate said;
    double sum = 0;  // of the logprobs along the path
  };
  std::vector<Node> nodes;
  std::vector<Node> beams;         // of the last step, best first
  std::map<int, Node> hypotheses;  // by number
  bool ended = false;

  NaiveTree(std::span<const Event> events, RequestId request, int width) {
    std::map<std::pair<int, SequenceId>, Node> kept;
    for (const Event& event : events) {
      const auto* step = bodyOf<BeamStep>(event);
      if (!step || step->request != request) continue;
      int others = 0;
      beams.clear();
      for (const int number : step->displaced) hypotheses.erase(number);
      for (const BeamCandidate& one : step->candidates) {
        Node node = step->length == 1 ? Node() : kept.at({step->length - 1, one.parent});
        node.path.push_back(one.token);
        node.sum += one.logprob;
        node.said = one;
        if (one.fate == BeamFate::kKept) beams.push_back(kept[{step->length, one.sequence}] = node);
        if (one.fate == BeamFate::kFinished) hypotheses[one.hypothesis] = node;
        if (one.fate == BeamFate::kKept || one.fate == BeamFate::kFinished || others++ < width)
          nodes.push_back(node);
      }
      ended = step->end != BeamEnd::kNone;
    }
  }

  int placeOf(const Node& node) const {
    if (node.said.fate != BeamFate::kFinished || !hypotheses.contains(node.said.hypothesis)) return 0;
    int place = 1;
    for (const auto& [number, other] : hypotheses)
      if (other.said.score > node.said.score ||
          (other.said.score == node.said.score && number < node.said.hypothesis))
        ++place;
    return place;
  }
  Path best() const {
    if (!ended) return beams.empty() ? Path() : beams.front().path;
    for (const auto& [number, node] : hypotheses)
      if (placeOf(node) == 1) return node.path;
    return {};
  }
  // The length of answers at which no beam went on from the path.
  int endOf(const Path& path) const {
    std::size_t longest = 0, last = 0;
    for (const Node& node : nodes) {
      last = std::max(last, node.path.size());
      if (node.said.fate == BeamFate::kKept && begins(node.path, path))
        longest = std::max(longest, node.path.size());
    }
    return static_cast<int>(std::min(longest + 1, last));
  }
  bool isAlive(const Path& path) const {
    const auto continues = [&](const Node& one) { return begins(one.path, path); };
    return std::ranges::any_of(beams, continues) ||
           std::ranges::any_of(hypotheses, [&](const auto& one) { return continues(one.second); });
  }
};

// The blocks of the first beam with the longest part of the path, found by the tokens that the sequences
// have.
std::vector<BlockId> naiveBlocks(const MachineState& state, RequestId request, const Path& path) {
  const auto found = state.requests.find(request);
  if (found == state.requests.end()) return {};
  std::vector<SequenceId> beams;
  for (const BeamState& beam : found->second.beams) beams.push_back(beam.sequence);
  if (beams.empty() && found->second.hypotheses.empty()) beams = {found->second.sequences.front()};
  for (std::size_t length = path.size() + 1; length-- > 0;)
    for (const SequenceId beam : beams) {
      const SequenceState& one = state.sequences.at(beam);
      const Path answer(one.tokens.begin() + one.promptTokens, one.tokens.end());
      if (!begins(answer, Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)))) continue;
      std::vector<BlockId> blocks;
      for (std::size_t i = 0; i < one.blockTable.size(); ++i)
        if (static_cast<int>(i) * state.blockSize < one.promptTokens + static_cast<int>(length))
          blocks.push_back(one.blockTable[i]);
      return blocks;
    }
  return {};
}

Path pathOf(const BeamTree& tree, int node) {
  Path path;
  for (const int at : tree.pathTo(node))
    if (at > 0) path.push_back(tree.at(at).token);
  return path;
}

// The first difference; empty when all is equal.
QString difference(const BeamTreeModel& model, const NaiveTree& naive, const Request& request) {
  const BeamTree& tree = model.tree();
  if (model.rowCount() != static_cast<int>(naive.nodes.size()) + 1)
    return QStringLiteral("%1 nodes, not %2").arg(model.rowCount()).arg(naive.nodes.size() + 1);
  const Path best = naive.best();
  for (int i = 1; i < tree.size(); ++i) {
    const BeamNode& one = tree.at(i);
    const NaiveTree::Node& other = naive.nodes[static_cast<std::size_t>(i) - 1];
    const QString name = QStringLiteral("node %1: ").arg(i);
    if (pathOf(tree, i) != other.path) return name + "path";
    if (one.fate != other.said.fate || one.sequence != other.said.sequence) return name + "fate";
    if (one.logprob != other.said.logprob || std::abs(one.cumulative - other.sum) > 1e-9) return name + "sum";
    const double score = other.sum / std::pow(static_cast<double>(other.path.size()), request.lengthPenalty);
    if (std::abs(one.score - score) > 1e-9 * std::max(1.0, std::abs(score))) return name + "score";
    if (one.place != naive.placeOf(other)) return name + "place";
    if (one.alive != naive.isAlive(other.path)) return name + "alive";
    if (!one.alive && one.fate == BeamFate::kKept && tree.endColumnOf(i) != naive.endOf(other.path))
      return name + "end";
    if (one.best != begins(best, other.path)) return name + "best";
    const auto beam = std::ranges::find_if(
        naive.beams, [&](const NaiveTree::Node& whole) { return begins(whole.path, other.path); });
    if (one.beam >= 0 ? beam == naive.beams.end() || pathOf(tree, one.beam) != beam->path
                      : beam != naive.beams.end())
      return name + "beam";
  }
  return {};
}

struct Trial {
  Workload workload;
  Session session;
  BeamTreeModel model{&session};
  EventLog log;
  std::vector<Event> all;
  std::map<RequestId, Request> searches;
  int compared = 0;

  explicit Trial(std::uint32_t seed) : workload(seed, 0) {}
};

}  // namespace

class TestBeamTree : public QObject {
  Q_OBJECT
 private slots:
  void everyTreeIsTheNaiveOne();
  void aLateJoinerSeesWhatIsRecorded();
  void wordsSayWhy();
  void theOthersAreBounded();
  void anotherRunAnotherTree();
  void linesDoNotCross();
  void arrowsWalkTheTree();
  void aClickSelectsTheSequence();
  void thePathIsLit();
  void theNewestColumnIsInSight();
  void theBestPathStaysInSightUntilScrolledAway();
  void aWideSearchPaintsWhatIsExposed();
  void withoutASearchItSaysWhatToDo();

 private:
  void compare(Trial& trial, std::mt19937& random);
  void follow(Trial& trial, std::mt19937& random);

  std::set<QString> m_seen;  // of fates and events
  int m_searches = 0, m_blocksCompared = 0;
};

void TestBeamTree::compare(Trial& trial, std::mt19937& random) {
  if (trial.searches.empty()) return;
  auto chosen = trial.searches.begin();
  std::advance(chosen, random() % trial.searches.size());
  const auto& state = trial.session.state();
  const auto found = state.requests.find(chosen->first);
  if (found == state.requests.end()) return;  // at this moment it has not been submitted
  trial.session.selectSequence(found->second.sequences.front());
  QCOMPARE(trial.model.request(), chosen->first);
  const auto end = static_cast<std::size_t>(trial.session.shownEnd());
  const NaiveTree naive(std::span(trial.all).first(end), chosen->first, chosen->second.beamWidth);
  QCOMPARE(difference(trial.model, naive, chosen->second), QString());
  ++trial.compared;
  for (const auto& node : naive.nodes) {
    m_seen.insert(QLatin1String(nameOf(node.said.fate)));
    if (node.said.fate == BeamFate::kFinished && naive.placeOf(node) == 0) m_seen.insert("displaced");
  }
  if (trial.session.isInsideStep()) return;
  for (int node = 0; node < trial.model.rowCount(); ++node) {
    const auto blocks = trial.model.blocksOf(node);
    if (!found->second.finished)
      QCOMPARE(blocks, naiveBlocks(state, chosen->first, pathOf(trial.model.tree(), node)));
    m_blocksCompared += blocks.empty() ? 0 : 1;
  }
}

void TestBeamTree::follow(Trial& trial, std::mt19937& random) {
  static const auto withEnds = [](std::vector<TokenId> ends) {
    ModelConfig config = tinyConfig(96);
    config.eosTokens = std::move(ends);
    return TinyModel(config);
  };
  static const TinyModel few = withEnds({7}), many = withEnds({3, 30, 7, 12, 45, 51, 22});
  std::int64_t now = 0;
  Workload& work = trial.workload;
  const TinyModel& model = random() % 2 == 0 ? few : many;
  const auto engine = model.engine(work.options, trial.log, &few, [&] { return now; });
  const auto hear = [&] {
    for (const Event& event : trial.log.events) m_seen.insert(eventName(event));
    trial.all.insert(trial.all.end(), trial.log.events.begin(), trial.log.events.end());
    trial.session.append(std::exchange(trial.log.events, {}));
    compare(trial, random);
  };
  engine->setGate([&](Phase) {
    if (random() % 6 == 0) hear();
  });
  for (int step = 0; step < 12 || engine->hasWork(); ++step) {
    work.begin(*engine, step);
    for (const Life& life : work.lives)
      if (life.arrival == step && life.request.beamWidth > 1) trial.searches[life.id] = life.request;
    now += 1'000'000;
    engine->step();
    if (random() % 3 == 0) hear();
    if (random() % 8 == 0 && trial.session.lastStep() > 0) {
      trial.session.goToStep(1 + static_cast<int>(random() % unsigned(trial.session.lastStep())));
      compare(trial, random);
      if (random() % 2 == 0) hear();
      trial.session.goLive();
    }
    if (QTest::currentTestFailed()) return;
  }
  hear();
}

void TestBeamTree::everyTreeIsTheNaiveOne() {
  std::mt19937 random(29);
  for (std::uint32_t seed = 1; m_searches < 200; ++seed) {
    QVERIFY2(seed < 400, "too few searches");
    Trial trial(seed);
    QAbstractItemModelTester tester(&trial.model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (Life& life : trial.workload.lives)
      if (life.request.beamWidth > 1 && random() % 3 == 0) life.request.lengthPenalty = 0.5;
    follow(trial, random);
    if (QTest::currentTestFailed()) QFAIL(qPrintable(QStringLiteral("workload %1").arg(seed)));
    if (trial.compared > 0) m_searches += static_cast<int>(trial.searches.size());
  }
  QVERIFY(m_blocksCompared > 1000);
  for (const char* kind : {"kept", "finished", "worse", "too_low", "pruned", "displaced", "sequence_replaced",
                           "sequence_preempted", "request_cancelled", "beam_chosen"})
    QVERIFY2(m_seen.contains(QLatin1String(kind)), kind);
}

namespace {

BeamCandidate candidate(SequenceId parent, const char* piece, double score, int length, BeamFate fate,
                        SequenceId sequence = 0, int hypothesis = 0) {
  BeamCandidate one;
  one.parent = parent;
  one.token = static_cast<TokenId>(10 + sequence + length);
  one.piece = piece;
  one.cumulative = score * length;
  one.logprob = score;
  one.score = score;
  one.fate = fate;
  one.sequence = sequence;
  one.hypothesis = hypothesis;
  return one;
}

// Two beams, in the second step one that ends, one that is too low and one that is pruned.
SaidSearch smallSearch() {
  using enum BeamFate;
  SaidSearch search(2);
  search.step({candidate(1, " time", -0.3, 1, kKept, 1), candidate(1, " day", -0.7, 1, kKept, 2),
               candidate(1, " hill", -2.6, 1, kPruned)});
  search.step({candidate(1, "</s>", -0.4, 2, kFinished, 0, 1), candidate(1, " there", -0.5, 2, kKept, 1),
               candidate(1, " was", -0.9, 2, kKept, 2), candidate(2, "</s>", -1.2, 2, kTooLow),
               candidate(2, " the", -2.6, 2, kPruned)});
  return search;
}

#define HAS(text, part) QVERIFY2((text).contains(QStringLiteral(part)), qPrintable(text))

}  // namespace

void TestBeamTree::wordsSayWhy() {
  Session session;
  BeamTreeModel model(&session);
  session.append(smallSearch().take());
  QCOMPARE(model.rowCount(), 9);
  QCOMPARE(model.summary(), QStringLiteral("A · width 2 · length penalty 1.0"));
  HAS(model.describe(0), "up to “␣a”");
  HAS(model.describe(1), "“␣time”, token 1 of the answer");
  HAS(model.describe(1), "logprob -0.30, sum -0.30, score -0.30");
  HAS(model.describe(1), "continues it");
  QCOMPARE(model.fateWord(1), QString());
  QCOMPARE(model.fateWord(2), QStringLiteral("dead end"));
  HAS(model.describe(2),
      "no continuation of it was kept in step 2; the best of them had score -2.60, the last kept");
  HAS(model.describe(3), "pruned: score -2.60, the last kept one has -0.70");
  QCOMPARE(model.fateWord(4), QStringLiteral("rank 1"));
  HAS(model.describe(4), "hypothesis 1, rank 1 of 1");
  QCOMPARE(model.fateWord(5), QStringLiteral("best"));
  HAS(model.describe(5), "the best beam");
  QCOMPARE(model.fateWord(7), QStringLiteral("too low"));
  HAS(model.describe(7), "at place 4, and only the first 2");
  HAS(model.describeStep(2), "5 continuation(s), 2 kept");
  HAS(model.describeStep(2), "1 hypothesis(es) so far");
  const QString csv = toCsv(model);
  HAS(csv, "Node,Length,Token,Text,Continues node,Logprob,Sum of logprobs,Score,Fate,Rank,Sequence,Step");
  HAS(csv, "\r\n4,2,12,</s>,1,-0.4000,-0.8000,-0.4000,rank 1,1,");
  session.goToStep(1);
  QCOMPARE(model.rowCount(), 4);
  QCOMPARE(model.fateWord(1), QStringLiteral("best"));
  QCOMPARE(model.fateWord(2), QString());
}

// Of a step with many complete continuations the best ones are nodes, and the others a number.
void TestBeamTree::theOthersAreBounded() {
  using enum BeamFate;
  SaidSearch search(2);
  std::vector<BeamCandidate> many{candidate(1, "a", -0.1, 1, kKept, 1), candidate(1, "b", -0.2, 1, kKept, 2)};
  for (int i = 0; i < 7; ++i) many.push_back(candidate(1, "c", -1 - i, 1, kPruned));
  search.step(many);
  Session session;
  BeamTreeModel model(&session);
  session.append(search.take());
  QCOMPARE(model.rowCount(), 1 + 2 + 2);
  QCOMPARE(model.tree().columns()[1].left, 5);
  HAS(model.describeStep(1), "9 continuation(s), 2 kept");
  HAS(model.describeStep(1), "5 worse continuation(s) not shown");
}

void TestBeamTree::aLateJoinerSeesWhatIsRecorded() {
  SaidSearch search = smallSearch();
  std::vector<Event> events = search.take();
  auto state = std::make_shared<MachineState>();
  const auto second = std::ranges::find_if(events, [](const Event& one) { return one.step == 2; });
  std::for_each(events.begin(), second, [&](const Event& one) { state->apply(one); });
  Event snapshot = *(second - 1);
  snapshot.body = Snapshot{state};
  std::vector<Event> late{snapshot};
  late.insert(late.end(), second, events.end());
  Session session;
  BeamTreeModel model(&session);
  session.append(late);
  QCOMPARE(model.summary(), QStringLiteral("A · width 2"));
  QCOMPARE(model.rowCount(), 1 + 2 + 5);  // the prompt, two beams from before, and the step
  QVERIFY(!model.tree().at(1).recorded && model.tree().at(3).recorded);
  QCOMPARE(model.textOf(1), QStringLiteral("…"));
  HAS(model.describe(1), "before the recording began");
  HAS(model.describeStep(1), "before the recording began");
  QCOMPARE(model.tree().at(3).parent, 1);
  QVERIFY(std::abs(model.tree().at(1).cumulative + 0.4) < 1e-9);
  session.goToStep(1);
  QCOMPARE(model.rowCount(), 1);
}

// The ids of the new run's requests are those of the old one's.
void TestBeamTree::anotherRunAnotherTree() {
  SaidSearch longer(3), shorter(2);
  for (int i = 0; i < 4; ++i) longer.plainStep(3);
  shorter.plainStep(2);
  Session session;
  BeamTreeModel model(&session);
  session.append(longer.take());
  QCOMPARE(model.rowCount(), 1 + 4 * 6);
  session.append(shorter.take());
  QCOMPARE(model.rowCount(), 1 + 4);
  QCOMPARE(model.tree().width(), 2);
}

void TestBeamTree::linesDoNotCross() {
  std::mt19937 random(3);
  BeamTree tree(5);
  BeamLayout layout;
  for (int length = 1; length <= 60; ++length) {
    BeamStep step;
    step.length = length;
    for (int i = 0; i < 10; ++i) {
      BeamCandidate one;
      one.parent = 1 + static_cast<SequenceId>(random() % 5);
      one.fate = i < 5 ? BeamFate::kKept : BeamFate::kPruned;
      one.sequence = i < 5 ? 1 + i : 0;
      step.candidates.push_back(one);
    }
    tree.add(step, length);
    tree.settle();
    layout.follow(tree);
  }
  BeamLayout anew;
  anew.follow(tree);
  for (int col = 1; col < layout.columns(); ++col) {
    double before = -1e9, parentBefore = -1e9;
    for (const int node : layout.column(col)) {
      const double row = layout.rowOf(node), parent = layout.rowOf(tree.at(node).parent);
      QVERIFY(row >= before + 1 - 1e-9 && parent >= parentBefore);
      QVERIFY(parent == parentBefore || row >= before + 1.2);  // families stand apart
      QVERIFY(std::abs(row) <= layout.halfRows());
      QCOMPARE(row, anew.rowOf(node));
      before = row;
      parentBefore = parent;
    }
  }
  QCOMPARE(layout.columns(), 61);
  tree.keep(20);
  tree.settle();
  layout.follow(tree);
  QCOMPARE(layout.columns(), 21);
  BeamLayout shorter;
  shorter.follow(tree);
  QCOMPARE(layout.halfRows(), shorter.halfRows());
  for (int node = 0; node < tree.size(); ++node) QCOMPARE(layout.rowOf(node), shorter.rowOf(node));
}

namespace {

struct Bench {
  Session session;
  BeamTreeModel model{&session};
  BeamsView view{&model};

  explicit Bench(SaidSearch search, QSize size = {700, 300}) {
    view.resize(size);
    view.show();
    session.append(search.take());
    view.setFocus();
  }
  QPoint at(int node) {
    return view.nodeRect(node).center() -
           QPoint(view.horizontalScrollBar()->value(), view.verticalScrollBar()->value());
  }
  void hover(const QPoint& point) {
    QMouseEvent move(QEvent::MouseMove, point, view.viewport()->mapToGlobal(point), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(view.viewport(), &move);
  }
};

}  // namespace

void TestBeamTree::arrowsWalkTheTree() {
  Bench bench(smallSearch());
  QTest::keyClick(&bench.view, Qt::Key_End);
  QCOMPARE(bench.view.currentNode(), 5);
  HAS(bench.view.accessibleDescription(), "“␣there”");
  QTest::keyClick(&bench.view, Qt::Key_Left);
  QCOMPARE(bench.view.currentNode(), 1);
  QTest::keyClick(&bench.view, Qt::Key_Down);
  QCOMPARE(bench.view.currentNode(), 2);
  QTest::keyClick(&bench.view, Qt::Key_Up);
  QTest::keyClick(&bench.view, Qt::Key_Up);
  QCOMPARE(bench.view.currentNode(), 1);
  QTest::keyClick(&bench.view, Qt::Key_Right);
  QCOMPARE(bench.view.currentNode(), 4);  // the best child
  QTest::keyClick(&bench.view, Qt::Key_Right);
  QCOMPARE(bench.view.currentNode(), 4);
  QTest::keyClick(&bench.view, Qt::Key_Home);
  QCOMPARE(bench.view.currentNode(), 0);
  QTest::keyClick(&bench.view, Qt::Key_Left);
  QCOMPARE(bench.view.currentNode(), 0);
  const BeamsView::Size before = bench.view.boxSize();
  QTest::keyClick(&bench.view, Qt::Key_Minus);
  QTest::keyClick(&bench.view, Qt::Key_Minus);
  QCOMPARE(bench.view.boxSize(), BeamsView::Size::kDots);
  QTest::keyClick(&bench.view, Qt::Key_Plus);
  QCOMPARE(bench.view.boxSize(), BeamsView::Size::kLines);
  QTest::keyClick(&bench.view, Qt::Key_0);
  QCOMPARE(bench.view.boxSize(), before);
}

void TestBeamTree::aClickSelectsTheSequence() {
  Bench bench(smallSearch());
  QSignalSpy selected(&bench.view, &BeamsView::sequenceSelected);
  QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {}, bench.at(6));  // the beam of sequence 2
  QCOMPARE(bench.view.currentNode(), 6);
  QCOMPARE(selected.takeLast().front().toInt(), 2);
  QTest::mouseClick(bench.view.viewport(), Qt::LeftButton, {}, bench.at(8));  // pruned, it continued node 2
  QCOMPARE(bench.view.currentNode(), 8);
  QCOMPARE(selected.takeLast().front().toInt(), 2);
  QTest::keyClick(&bench.view, Qt::Key_Home);
  QTest::keyClick(&bench.view, Qt::Key_Return);
  QCOMPARE(selected.takeLast().front().toInt(), 1);
}

void TestBeamTree::thePathIsLit() {
  const TinyModel& model = tinyModel();
  EventLog log;
  const auto engine = model.engine(tinyOptions(64), log);
  Request request = tinyRequest(tinyPrompt(9), 8);
  request.beamWidth = request.sequences = 3;
  engine->submit(request);
  for (int i = 0; i < 5; ++i) engine->step();
  Session session;
  BeamTreeModel beams(&session);
  BeamsView view(&beams);
  view.resize(700, 400);
  view.show();
  session.append(log.events);
  const BeamTree& tree = beams.tree();
  const QImage plain = view.viewport()->grab().toImage();
  view.setFocus();
  view.setCurrentNode(tree.best());
  const SequenceId carrier = tree.at(tree.best()).sequence;
  const auto& table = session.state().sequences.at(carrier).blockTable;
  QCOMPARE(view.litPath(), tree.pathTo(tree.best()));
  QCOMPARE(session.spotlight()->target().sequence, carrier);
  QCOMPARE(session.spotlight()->target().blocks, table);
  QVERIFY(view.viewport()->grab().toImage() != plain);
  view.setCurrentNode(0);  // the prompt's blocks alone
  QCOMPARE(session.spotlight()->target().blocks, std::vector<BlockId>(table.begin(), table.begin() + 3));
  // What another view points at is lit here.
  view.clearFocus();
  session.spotlight()->point({.sequence = carrier});
  QCOMPARE(view.litPath(), tree.pathTo(tree.best()));
  session.spotlight()->clear();
  QVERIFY(view.litPath().empty());
}

void TestBeamTree::theNewestColumnIsInSight() {
  SaidSearch search(3);
  Bench bench(SaidSearch(3), {500, 260});
  const auto inSight = [&](int node) { return bench.view.viewport()->rect().contains(bench.at(node)); };
  for (int i = 0; i < 30; ++i) {
    search.plainStep(3);
    bench.session.append(search.take());
    QVERIFY(inSight(bench.model.tree().best()));
  }
  bench.session.goToStep(4);
  QVERIFY(inSight(bench.model.tree().best()));
  bench.session.goLive();
  QVERIFY(inSight(bench.model.tree().best()));
  bench.view.horizontalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
  for (int i = 0; i < 3; ++i) {
    search.plainStep(3);
    bench.session.append(search.take());
    QCOMPARE(bench.view.horizontalScrollBar()->value(), 0);  // where the user has scrolled to
  }
  bench.session.goToStep(20);
  QVERIFY(inSight(bench.model.tree().best()));
}

void TestBeamTree::theBestPathStaysInSightUntilScrolledAway() {
  SaidSearch search(16);
  Bench bench(SaidSearch(16), {500, 260});
  QScrollBar* const down = bench.view.verticalScrollBar();
  const auto inSight = [&] {
    return bench.view.viewport()->rect().contains(bench.at(bench.model.tree().best()));
  };
  const auto stepOnce = [&] {
    search.inventedStep(16);
    bench.session.append(search.take());
  };
  for (int i = 0; i < 20; ++i) {
    stepOnce();
    QVERIFY(inSight());
    QCOMPARE(bench.view.horizontalScrollBar()->value(), bench.view.horizontalScrollBar()->maximum());
  }
  down->triggerAction(QAbstractSlider::SliderToMinimum);
  if (inSight()) down->triggerAction(QAbstractSlider::SliderToMaximum);
  QVERIFY(!inSight());
  const int there = down->value();
  for (int i = 0; i < 3; ++i) {
    stepOnce();
    QCOMPARE(down->value(), there);  // where the user has scrolled to
  }
  bench.session.goToStep(20);
  QVERIFY(inSight());
}

void TestBeamTree::aWideSearchPaintsWhatIsExposed() {
  SaidSearch search(16);
  for (int i = 0; i < 400; ++i) search.plainStep(16);
  Bench bench(std::move(search), {700, 320});
  QCOMPARE(bench.model.rowCount(), 1 + 400 * 32);
  QVERIFY(!bench.view.grab().isNull());
  QTest::keyClick(&bench.view, Qt::Key_Home);
  QVERIFY(bench.view.viewport()->rect().contains(bench.at(0)));
  for (const int key : {Qt::Key_Minus, Qt::Key_Minus}) QTest::keyClick(&bench.view, Qt::Key(key));
  QVERIFY(!bench.view.grab().isNull());
  const BeamTree& tree = bench.model.tree();
  QVERIFY(bench.view.nodeRect(tree.best()).right() <
          bench.view.horizontalScrollBar()->maximum() + bench.view.viewport()->width());
}

void TestBeamTree::withoutASearchItSaysWhatToDo() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 4);
  machine.step();
  Session session;
  BeamTreeModel model(&session);
  BeamsView view(&model);
  view.resize(500, 260);
  view.show();
  const QImage empty = view.viewport()->grab().toImage();
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 0);
  QVERIFY(view.summary().isEmpty());
  for (const Qt::Key key : {Qt::Key_Left, Qt::Key_End, Qt::Key_Return, Qt::Key_Minus, Qt::Key_0})
    QTest::keyClick(&view, key);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {200, 100});
  QCOMPARE(view.currentNode(), -1);
  QVERIFY(view.litPath().empty());
  QVERIFY(!empty.isNull() && view.contentsRect().isValid());
  view.hide();
  session.append(smallSearch().take());
  QCOMPARE(model.rowCount(), 0);  // hidden, it rests
  view.show();
  QCOMPARE(model.rowCount(), 9);
}

QTEST_MAIN(TestBeamTree)
#include "tst_beam_tree.moc"
