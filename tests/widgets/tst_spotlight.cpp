// The spotlight: what the mouse or the keyboard points at in one view is lit in all others.
#include <QSignalSpy>
#include <QTest>

#include "support/word_machine.h"
#include "widgets/explain/why_list.h"
#include "widgets/explain/why_model.h"
#include "widgets/explain/why_row_layout.h"
#include "widgets/explain/why_view.h"
#include "widgets/memory/block_map_model.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/requests/lane_model.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/requests/request_list_model.h"
#include "widgets/requests/requests_view.h"
#include "widgets/requests/text_model.h"
#include "widgets/requests/text_view.h"
#include "widgets/support/animation_clock.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using prose::Target;
using test::WordMachine;

namespace {

// The views that share one session, after a step with two prompts.
struct Bench {
  Session session;
  BlockMapModel blocks{&session};
  LaneModel lanes{&session};
  RequestListModel requests{&session};
  WhyModel why{&session};
  BlockMapView blockView{&blocks};
  LanesView laneView{&lanes};
  RequestsView cards{&requests};
  WhyView whyView{&why};

  explicit Bench(int answers = 1) {
    WordMachine machine(20, 8);
    machine.submit("one", 12, 6, 0, answers);
    machine.submit("two", 5, 6, 3);
    machine.step();
    blockView.resize(340, 380);
    laneView.resize(710, 280);
    cards.resize(250, 490);
    whyView.resize(460, 700);
    for (QWidget* view : all()) view->show();
    session.append(machine.take());
    QTest::qWait(20);
    session.spotlight()->clear();  // the mouse may lie over one of them
  }
  std::vector<QWidget*> all() { return {&blockView, &laneView, &cards, &whyView}; }
  const Target& target() { return session.spotlight()->target(); }
  WhyList* list() { return whyView.list(); }
  QModelIndex sentence(int row) { return list()->indexOf(row); }

  // The first row that says so.
  int rowWith(const char* words) const {
    for (int row = 0; row < why.rowCount(); ++row)
      if (why.at(row).text.contains(QLatin1String(words))) return row;
    return -1;
  }
  int linkTo(int row, const QString& words) const {
    const auto& links = why.at(row).links;
    for (std::size_t i = 0; i < links.size(); ++i)
      if (why.at(row).text.mid(links[i].begin, links[i].length) == words) return static_cast<int>(i);
    return -1;
  }
  // A point on the link, found as the mouse finds it.
  QPoint pointOf(int row, int link) {
    const QRect area = list()->visualRect(sentence(row));
    for (int y = area.top(); y < area.bottom(); y += 6)
      for (int x = area.left(); x < area.right(); x += 4) {
        hover(list(), {x, y});
        if (list()->linkOf(row) == link) return {x, y};
      }
    return {};
  }
  static void hover(QAbstractScrollArea* view, const QPoint& point) {
    QMouseEvent move(QEvent::MouseMove, point, view->viewport()->mapToGlobal(point), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(view->viewport(), &move);
  }
  QStringList lit() {
    QStringList texts;
    for (int row = 0; row < why.rowCount(); ++row)
      if (list()->isLit(row)) texts << why.at(row).text;
    return texts;
  }
};

QImage grab(QAbstractScrollArea& view) { return view.viewport()->grab().toImage(); }

}  // namespace

class TestSpotlight : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    AnimationClock::setReducedMotion(true);
    installTranslations(*QCoreApplication::instance(), QLocale::c());
  }
  void tellsOnceOfEachMove();
  void isOnWhatTheTargetNames();
  void aLinkLightsWhatItSpeaksOf();
  void aHoveredBlockLightsItsSentences();
  void aHoveredCardLightsItsSentences();
  void aHoveredCellLightsItsSentences();
  void anotherStepsCellLightsNone();
  void aHoveredTokenLightsItsSentence();
  void theLitSentenceComesIntoSight();
  void tabGoesThroughTheLinks();
  void enterFollowsALink();
  void aClickFollowsALink();
  void aSentenceOpensLevelByLevel();
  void aSentenceIsPaintedAtEachLevel();
  void theNextStepClosesIt();
  void aNewRunPutsItOut();
};

void TestSpotlight::tellsOnceOfEachMove() {
  Spotlight spotlight;
  QSignalSpy changed(&spotlight, &Spotlight::changed);
  spotlight.clear();
  QCOMPARE(changed.size(), 0);
  spotlight.point({.sequence = 2});
  spotlight.point({.sequence = 2});
  QCOMPARE(changed.size(), 1);
  spotlight.clear();
  QCOMPARE(changed.size(), 2);
  QVERIFY(spotlight.target().isEmpty());
}

void TestSpotlight::isOnWhatTheTargetNames() {
  Spotlight light;
  const std::vector<SequenceId> owners = {2, 3}, none;
  const std::vector<RequestId> one = {1, 1}, two = {2, 2}, noRequest;
  light.point({.request = 1, .sequence = 2});
  QVERIFY(light.isOnSequence(2, 1) && !light.isOnSequence(3, 1));
  QVERIFY(light.isOnRequest(1) && !light.isOnRequest(2) && !light.isOnRequest(0));
  QVERIFY(light.isOnBlock(7, owners, one) && !light.isOnBlock(7, none, one));
  QVERIFY(!light.isOnCell(2, 4));  // all of the sequence
  light.point({.request = 1});
  QVERIFY(light.isOnSequence(2, 1) && light.isOnSequence(3, 1) && !light.isOnSequence(4, 2));
  QVERIFY(light.isOnBlock(7, owners, one) && !light.isOnBlock(7, owners, two));
  light.point({.sequence = 2, .step = 3});
  QVERIFY(light.isOnCell(2, 3) && !light.isOnCell(2, 4) && !light.isOnCell(3, 3));
  QVERIFY(!light.isOnBlock(7, owners, one));
  light.point({.sequence = 2, .blocks = {7}});
  QVERIFY(light.isOnBlock(7, none, noRequest) && !light.isOnBlock(8, owners, one));
}

void TestSpotlight::aLinkLightsWhatItSpeaksOf() {
  Bench bench;
  const QImage dark = grab(bench.blockView), card = grab(bench.cards), lane = grab(bench.laneView);
  const int row = bench.rowWith("A allocates 2 blocks");
  QVERIFY(row >= 0);
  QVERIFY(!bench.pointOf(row, bench.linkTo(row, "2 blocks")).isNull());
  QCOMPARE(bench.target().blocks, (bench.session.state().sequences.at(1).blockTable));
  QVERIFY(grab(bench.blockView) != dark);
  QVERIFY(!bench.pointOf(row, bench.linkTo(row, "A")).isNull());
  QCOMPARE(bench.target(), (Target{.request = 1, .sequence = 1}));
  QVERIFY(grab(bench.blockView) != dark && grab(bench.cards) != card && grab(bench.laneView) != lane);
  QVERIFY(!bench.pointOf(row, bench.linkTo(row, "positions 0 to 11")).isNull());
  QCOMPARE(bench.target(), (Target{.request = 1, .sequence = 1, .step = 1, .position = 0}));
  QVERIFY(grab(bench.laneView) != lane);
  QVERIFY(bench.lit().isEmpty());  // it points there itself
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(bench.list(), &leave);
  QVERIFY(bench.target().isEmpty());
  QCOMPARE(grab(bench.blockView), dark);
}

void TestSpotlight::aHoveredBlockLightsItsSentences() {
  Bench bench;
  const BlockId block = bench.session.state().sequences.at(2).blockTable.at(0);
  Bench::hover(&bench.blockView, bench.blockView.cellRect(block).center());
  QCOMPARE(bench.target(), (Target{.blocks = {block}}));
  QCOMPARE(bench.lit().size(), 1);
  QVERIFY2(bench.lit().at(0).startsWith("B allocates 1 block"), qPrintable(bench.lit().at(0)));
  Bench::hover(&bench.blockView, {1, 1});
  QVERIFY(bench.target().isEmpty() && bench.lit().isEmpty());
}

void TestSpotlight::aHoveredCardLightsItsSentences() {
  Bench bench(2);
  const auto point = [&](int row) {
    return bench.cards.visualRect(bench.cards.model()->index(row, 0)).center();
  };
  Bench::hover(&bench.cards, point(0));
  QCOMPARE(bench.target(), (Target{.request = 1}));  // its siblings are folded
  const QStringList ofA = bench.lit();
  QVERIFY(ofA.filter("A2 forks from A1").size() == 1 && ofA.filter("B ").isEmpty());
  Bench::hover(&bench.cards, point(1));
  QCOMPARE(bench.target().sequence, 3);
  QVERIFY(bench.lit().filter("B allocates").size() == 1 && bench.lit().filter("A1 ").isEmpty());
}

void TestSpotlight::aHoveredCellLightsItsSentences() {
  Bench bench;
  Bench::hover(&bench.laneView, bench.laneView.cellRect(1, 1).center());
  QCOMPARE(bench.target(), (Target{.request = 2, .sequence = 2, .step = 1}));
  QVERIFY(bench.lit().filter("B prefills").size() == 1 && bench.lit().filter("A prefills").isEmpty());
}

void TestSpotlight::anotherStepsCellLightsNone() {
  Bench bench;
  bench.session.spotlight()->point({.request = 2, .sequence = 2, .step = 9});
  QVERIFY(bench.lit().isEmpty());
}

void TestSpotlight::aHoveredTokenLightsItsSentence() {
  Bench bench;
  TextModel text(&bench.session);
  TextView view(&text);
  view.resize(500, 300);
  view.show();
  bench.session.selectSequence(1);
  const QImage dark = grab(view);
  Bench::hover(&view, view.tokenRect(12).center());  // the first of the answer
  QCOMPARE(bench.target(), (Target{.request = 1, .sequence = 1, .step = 1, .position = 12}));
  QCOMPARE(bench.lit().size(), 1);
  QVERIFY2(bench.lit().at(0).startsWith("A samples"), qPrintable(bench.lit().at(0)));
  QVERIFY(grab(view) != dark);
}

void TestSpotlight::theLitSentenceComesIntoSight() {
  Bench bench;
  bench.whyView.resize(460, 140);
  QTest::qWait(20);
  const int last = bench.why.rowCount() - 1;
  bench.list()->scrollToTop();
  const auto isInSight = [&] {
    return bench.list()->viewport()->rect().intersects(bench.list()->visualRect(bench.sentence(last)));
  };
  QVERIFY(!isInSight());
  bench.session.spotlight()->point(bench.why.about(last));
  QVERIFY(!bench.lit().isEmpty());
  int seen = 0;
  for (int row = 0; row <= last; ++row)
    seen += bench.list()->isLit(row) &&
            bench.list()->viewport()->rect().intersects(bench.list()->visualRect(bench.sentence(row)));
  QVERIFY(seen > 0);
}

void TestSpotlight::tabGoesThroughTheLinks() {
  Bench bench;
  bench.whyView.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&bench.whyView));
  bench.list()->setFocus();
  const int row = bench.rowWith("A allocates 2 blocks");
  bench.list()->setCurrentIndex(bench.sentence(row));
  QCOMPARE(bench.target().step, 1);  // the sentence itself
  QStringList seen;
  for (int i = 0; i < 3; ++i) {
    QTest::keyClick(bench.list(), Qt::Key_Tab);
    QVERIFY(bench.list()->hasFocus());
    const SentenceLink& link =
        bench.why.at(row).links.at(static_cast<std::size_t>(bench.list()->linkOf(row)));
    seen << bench.why.at(row).text.mid(link.begin, link.length);
    QCOMPARE(bench.target(), link.target);
  }
  QCOMPARE(seen, QStringList({"A", "2 blocks", "positions 0 to 11"}));
  QVERIFY(bench.list()->accessibleDescription().contains("Link 3 of 3: positions 0 to 11"));
  for (int i = 0; i < 3; ++i) QTest::keyClick(bench.list(), Qt::Key_Backtab);
  QCOMPARE(bench.list()->linkOf(row), -1);
  QVERIFY(bench.list()->hasFocus());
}

void TestSpotlight::enterFollowsALink() {
  Bench bench;
  QSignalSpy selected(&bench.whyView, &WhyView::sequenceSelected),
      block(&bench.whyView, &WhyView::blockRequested), step(&bench.whyView, &WhyView::stepRequested);
  bench.whyView.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&bench.whyView));
  bench.list()->setFocus();
  const int row = bench.rowWith("A allocates 2 blocks");
  bench.list()->setCurrentIndex(bench.sentence(row));
  QTest::keyClick(bench.list(), Qt::Key_Tab);
  QTest::keyClick(bench.list(), Qt::Key_Tab);
  selected.clear();
  QTest::keyClick(bench.list(), Qt::Key_Return);
  QCOMPARE(selected.size(), 1);
  QCOMPARE(block.size(), 1);
  QCOMPARE(block.at(0).at(0).toInt(), bench.session.state().sequences.at(1).blockTable.at(0));
  QCOMPARE(bench.list()->depthOf(row), 0);  // it was the link that was entered
  emit bench.list()->followed({.step = 1});
  QCOMPARE(step.size(), 1);
  emit bench.list()->followed({.request = 2});
  QCOMPARE(selected.last().at(0).toInt(), 2);
}

void TestSpotlight::aClickFollowsALink() {
  Bench bench;
  QSignalSpy block(&bench.whyView, &WhyView::blockRequested);
  const int row = bench.rowWith("A allocates 2 blocks");
  const QPoint point = bench.pointOf(row, bench.linkTo(row, "2 blocks"));
  QTest::mouseClick(bench.list()->viewport(), Qt::LeftButton, {}, point);
  QCOMPARE(block.size(), 1);
  QCOMPARE(bench.list()->depthOf(row), 0);
}

void TestSpotlight::aSentenceOpensLevelByLevel() {
  Bench bench;
  bench.list()->setFocus();
  const int row = bench.rowWith("A allocates 2 blocks");
  bench.list()->setCurrentIndex(bench.sentence(row));
  const auto height = [&] { return bench.list()->visualRect(bench.sentence(row)).height(); };
  const int closed = height();
  QTest::keyClick(bench.list(), Qt::Key_Right);
  const int rule = height();
  QTest::keyClick(bench.list(), Qt::Key_Right);
  const int source = height();
  QVERIFY(closed < rule && rule < source);
  QTest::keyClick(bench.list(), Qt::Key_Right);
  QCOMPARE(height(), source);
  QTest::keyClick(bench.list(), Qt::Key_Left);
  QCOMPARE(height(), rule);
  QTest::keyClick(bench.list(), Qt::Key_Return);
  QCOMPARE(height(), source);
  QTest::keyClick(bench.list(), Qt::Key_Return);
  QCOMPARE(height(), closed);
  const QPoint below = bench.list()->visualRect(bench.sentence(row)).bottomRight() - QPoint(3, 3);
  QTest::mouseClick(bench.list()->viewport(), Qt::LeftButton, {}, below);
  QCOMPARE(height(), rule);
  const int forward = bench.rowWith("One forward pass");
  QTest::mouseClick(bench.list()->viewport(), Qt::LeftButton, {},
                    bench.list()->visualRect(bench.sentence(forward)).bottomRight() - QPoint(3, 3));
  QCOMPARE(bench.list()->depthOf(forward), 0);  // it is no decision
}

void TestSpotlight::aSentenceIsPaintedAtEachLevel() {
  Bench bench;
  const int row = bench.rowWith("A allocates 2 blocks");
  std::vector<QImage> pictures;
  for (int depth = 0; depth <= 2; ++depth) {
    bench.list()->setDepth(row, depth);
    pictures.push_back(grab(*bench.list()));
  }
  QVERIFY(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
  const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
  if (folder.isEmpty()) return;
  bench.session.spotlight()->point({.request = 1, .sequence = 1});
  for (QWidget* view : bench.all())
    QVERIFY(view->grab().save(folder + "/spotlight-" + view->metaObject()->className() + ".png"));
}

void TestSpotlight::theNextStepClosesIt() {
  Bench bench;
  const int row = bench.rowWith("A allocates 2 blocks");
  bench.list()->setDepth(row, 1);
  emit bench.session.stateChanged();
  QCOMPARE(bench.list()->depthOf(row), 1);
  bench.session.goToStep(0);
  bench.session.goToStep(1);
  QCOMPARE(bench.list()->depthOf(row), 0);
}

void TestSpotlight::aNewRunPutsItOut() {
  Bench bench;
  bench.session.spotlight()->point({.sequence = 1});
  bench.session.clear();
  QVERIFY(bench.target().isEmpty());
}

QTEST_MAIN(TestSpotlight)
#include "tst_spotlight.moc"
