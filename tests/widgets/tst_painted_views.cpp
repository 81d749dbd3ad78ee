// The painted maps: real keys and mouse, exports, and rest while hidden.
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QPointer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>

#include "support/word_machine.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/requests/text_flow.h"
#include "widgets/requests/text_view.h"
#include "widgets/sampler/sampler_view.h"

using namespace vitrine;
using test::WordMachine;

namespace {

// More than one colour: something was painted.
bool isPainted(const QImage& image) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (image.pixel(x, y) != image.pixel(0, 0)) return true;
    }
  }
  return false;
}

}  // namespace

class TestPaintedViews : public QObject {
  Q_OBJECT
 private slots:
  void init() { AnimationClock::setReducedMotion(false); }
  void emptyViewsSayWhatWillCome();
  void arrowsWalkTheBlocks();
  void clickingABlockChoosesItsSequence();
  void changesFadeAndStop();
  void reducedMotionShowsTheEnd();
  void cellsShrinkUntilThePoolFits_data();
  void cellsShrinkUntilThePoolFits();
  void hiddenViewsRest();
  void picturesTakeTurnsWithCloseBatches();
  void tableTwinAndCopies();
  void theTableTwinTakesTheViewsPlace();
  void copyKeyCopiesCsv();
  void lanesAskForSteps();
  void lanesShowWhatWillCome();
  void lanesShowTheirKeyWhereThereIsRoom();
  void lanesBecomeLowBeforeTheyAreScrolled();
  void lanesKeepTheCursorInSight();
  void lanesOfFinishedRequestsGo();
  void lanesZoom();
  void lanesShowWhatIsUnderTheMouse();
  void textFlowsInLines();
  void textGoesToTheStepOfAToken();
  void eachTokenOfATextHasInk();
  void textTintsSurprise();
  void samplerWalksItsCandidates();
  void pageKeysAreLeftToTheWindow();
  void hugePoolScrolls();
};

void TestPaintedViews::emptyViewsSayWhatWillCome() {
  Session session;
  BlockMapModel blocks(&session);
  LaneModel lanes(&session);
  SamplerModel sampler(&session);
  BlockMapView blockView(&blocks);
  LanesView laneView(&lanes);
  SamplerView samplerView(&sampler);
  for (PaintedView* view : std::initializer_list<PaintedView*>{&blockView, &laneView, &samplerView}) {
    view->resize(400, 300);
    view->show();
    QVERIFY(isPainted(view->grab().toImage()));
    QVERIFY(!view->accessibleName().isEmpty());
    QTest::keyClick(view, Qt::Key_Right);
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Return);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, {200, 150});
  }
  QCOMPARE(blockView.currentBlock(), -1);
}

void TestPaintedViews::arrowsWalkTheBlocks() {
  WordMachine machine(40, 8);
  machine.submit("one", 20, 4);
  machine.step();
  Session session;
  BlockMapModel blocks(&session);
  BlockMapView view(&blocks);
  view.resize(360, 300);
  view.show();
  session.append(machine.take());
  QSignalSpy selected(&view, &BlockMapView::blockSelected);
  QTest::keyClick(&view, Qt::Key_Right);
  QCOMPARE(view.currentBlock(), 0);
  QTest::keyClick(&view, Qt::Key_Right);
  QCOMPARE(view.currentBlock(), 1);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.currentBlock(), 1 + view.columns());
  QTest::keyClick(&view, Qt::Key_Up);
  QTest::keyClick(&view, Qt::Key_Left);
  QTest::keyClick(&view, Qt::Key_Left);
  QTest::keyClick(&view, Qt::Key_Up);
  QCOMPARE(view.currentBlock(), 0);
  QVERIFY(view.accessibleDescription().contains(QLatin1String("held by A")));
  QTest::keyClick(&view, Qt::Key_End);
  QCOMPARE(view.currentBlock(), 39);
  QTest::keyClick(&view, Qt::Key_Right);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.currentBlock(), 39);
  QVERIFY(selected.size() >= 8);
}

void TestPaintedViews::clickingABlockChoosesItsSequence() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 4);
  machine.submit("two", 12, 4, 5);
  machine.step();
  Session session;
  BlockMapModel blocks(&session);
  BlockMapView view(&blocks);
  view.resize(360, 300);
  view.show();
  session.append(machine.take());
  QSignalSpy sequences(&view, &BlockMapView::sequenceSelected);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cellRect(2).center());
  QCOMPARE(view.currentBlock(), 2);
  QCOMPARE(sequences.size(), 1);
  QCOMPARE(sequences.front().front().toInt(), 2);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cellRect(15).center());
  QCOMPARE(sequences.size(), 1);  // a free block has no owner
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(2, 2));
  QCOMPARE(view.currentBlock(), 15);
}

void TestPaintedViews::changesFadeAndStop() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 40);
  Session session;
  BlockMapModel blocks(&session);
  BlockMapView view(&blocks);
  view.resize(360, 300);
  view.show();
  session.append(machine.take());
  QVERIFY(!view.isAnimating());
  machine.step();
  session.append(machine.take());
  QVERIFY(view.isAnimating());
  const QImage glowing = view.grab().toImage();
  QTRY_VERIFY_WITH_TIMEOUT(!view.isAnimating(), 3000);
  QVERIFY(glowing != view.grab().toImage());
  machine.step();  // the thirteenth token goes into a block that is there already: nothing changes hands
  session.append(machine.take());
  QVERIFY(!view.isAnimating());
}

void TestPaintedViews::reducedMotionShowsTheEnd() {
  AnimationClock::setReducedMotion(true);
  WordMachine machine(16, 8);
  machine.submit("one", 12, 40);
  machine.step();
  Session session;
  BlockMapModel blocks(&session);
  BlockMapView view(&blocks);
  view.resize(360, 300);
  view.show();
  session.append(machine.take());
  QVERIFY(!view.isAnimating());
  QVERIFY(QTest::qWaitForWindowActive(&view));  // the focus frame comes with it
  const QImage first = view.grab().toImage();
  QTest::qWait(100);
  QVERIFY(first == view.grab().toImage());
}

void TestPaintedViews::cellsShrinkUntilThePoolFits_data() {
  QTest::addColumn<int>("numBlocks");
  QTest::addColumn<bool>("fits");
  QTest::newRow("6") << 6 << true;
  QTest::newRow("96") << 96 << true;
  QTest::newRow("300") << 300 << true;
  QTest::newRow("5000") << 5000 << false;
}

void TestPaintedViews::cellsShrinkUntilThePoolFits() {
  QFETCH(int, numBlocks);
  QFETCH(bool, fits);
  WordMachine machine(numBlocks, 16);
  Session session;
  BlockMapModel blocks(&session);
  BlockMapView view(&blocks);
  view.resize(500, 460);
  view.show();
  session.append(machine.take());
  QCOMPARE(view.verticalScrollBar()->maximum() == 0, fits);
  QVERIFY(view.cellRect(0).width() >= 16);
  QVERIFY(view.cellRect(view.columns() - 1).right() < view.viewport()->width());
  QVERIFY(isPainted(view.grab().toImage()));
}

void TestPaintedViews::hiddenViewsRest() {
  WordMachine machine = test::storyMachine();
  Session session;
  BlockMapModel blocks(&session);
  LaneModel lanes(&session);
  BlockMapView view(&blocks);
  LanesView laneView(&lanes);
  view.resize(300, 300);
  session.append(machine.take());
  QTest::qWait(30);
  QCOMPARE(blocks.rowCount(), 0);  // without a visible view the model does not refresh
  QCOMPARE(lanes.rowCount(), 0);
  QCOMPARE(view.paintCount(), 0);
  view.show();
  QVERIFY(QTest::qWaitForWindowExposed(&view));
  QCOMPARE(blocks.rowCount(), 12);
  QTRY_VERIFY(view.paintCount() > 0);
  view.hide();
  const int paints = view.paintCount();
  session.goToStep(4);
  QTest::qWait(30);
  QCOMPARE(view.paintCount(), paints);
  view.show();
  QVERIFY(blocks.counts().used > 0);  // caught up with step 4
}

// A batch on the heels of another is taken in one frame and painted in the next; a single one at once.
void TestPaintedViews::picturesTakeTurnsWithCloseBatches() {
  WordMachine machine = test::storyMachine();
  std::vector<Event> events = machine.take();
  std::vector<Event> later(events.end() - 40, events.end());
  events.resize(events.size() - 40);
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.show();
  QVERIFY(QTest::qWaitForWindowExposed(&view));
  session.append(std::move(events));
  QVERIFY(!session.pictureTurn()->isAwaited());
  QTRY_VERIFY(view.paintCount() > 0);
  QTest::qWait(2 * PictureTurn::kCloseMs);

  int paints = view.paintCount();
  for (const Event& event : later) {
    session.append({event});
    if (&event != &later.front()) continue;
    QVERIFY(!session.pictureTurn()->isAwaited());
    QCoreApplication::sendPostedEvents();
    QCOMPARE(view.paintCount(), ++paints);
  }
  QVERIFY(session.pictureTurn()->isAwaited());
  QCoreApplication::sendPostedEvents();  // a frame
  QCOMPARE(view.paintCount(), paints);
  QTRY_COMPARE(view.paintCount(), paints + 1);  // one for all of them
  QVERIFY(!session.pictureTurn()->isAwaited());

  QTest::qWait(2 * PictureTurn::kCloseMs);
  paints = view.paintCount();
  session.goToStep(4);
  QCoreApplication::sendPostedEvents();
  QCOMPARE(view.paintCount(), paints + 1);
}

void TestPaintedViews::tableTwinAndCopies() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 40);
  machine.step();
  Session session;
  BlockMapModel blocks(&session);
  BlockMapView view(&blocks);
  view.resize(360, 300);
  view.show();
  session.append(machine.take());
  QVERIFY(view.csv().startsWith(QLatin1String("Block,State,Held by,Filled")));
  QVERIFY(view.csv().contains(QLatin1String("\r\n1,in use,A,4,1,")));
  QVERIFY(view.csv().contains(QLatin1String("\r\n2 to 15,free,,0,0,0 to 13,")));
  view.copyPicture();
  QVERIFY(!QApplication::clipboard()->image().isNull());
  const QByteArray svg = toSvg(view.picture());
  QVERIFY(svg.contains("<svg") && svg.size() > 2000);
  QVERIFY(isPainted(toImage(view.picture())));
  view.showTable();
  auto* table = view.findChild<DataTableView*>();
  QVERIFY(table && table->isVisible());
  QCOMPARE(table->model()->rowCount(), 3);  // the blocks never used are one row
  QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QApplication::clipboard()->text(), view.csv());
}

void TestPaintedViews::theTableTwinTakesTheViewsPlace() {
  WordMachine machine = test::storyMachine();
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(500, 260);
  view.show();
  session.append(machine.take());
  view.setFocus();
  QVERIFY(QTest::qWaitForWindowActive(&view));
  QTest::keyClick(&view, Qt::Key_T, Qt::ControlModifier);
  QPointer<DataTableView> table = view.findChild<DataTableView*>();
  QVERIFY(table && table->isVisible());
  QCOMPARE(table->geometry(), view.rect());
  QVERIFY(table->hasFocus());
  QCOMPARE(view.focusPolicy(), Qt::NoFocus);  // what is covered takes no keys
  QVERIFY(table->accessibleName().contains(view.accessibleName()));
  QVERIFY(table->verticalHeader()->isVisible());  // the lanes have names
  view.resize(600, 300);
  QCOMPARE(table->geometry(), view.rect());
  session.goToStep(3);
  QCOMPARE(table->model()->rowCount(), lanes.rowCount());
  QTest::keyClick(table, Qt::Key_T, Qt::ControlModifier);
  QTRY_VERIFY(!table);
  QVERIFY(view.hasFocus());
  QCOMPARE(view.focusPolicy(), Qt::StrongFocus);
}

void TestPaintedViews::copyKeyCopiesCsv() {
  WordMachine machine = test::storyMachine();
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.show();
  session.append(machine.take());
  QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
  QVERIFY(QApplication::clipboard()->text().startsWith(QLatin1String(",Step 1,Step 2,")));
  QVERIFY(
      QApplication::clipboard()->text().contains(QLatin1String("\r\nA ")));  // a line begins with its lane
}

void TestPaintedViews::lanesAskForSteps() {
  WordMachine machine = test::storyMachine();
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(900, 300);
  view.show();
  session.append(machine.take());
  connect(&view, &LanesView::stepRequested, &session, &Session::goToStep);
  connect(&view, &LanesView::sequenceSelected, &session, &Session::selectSequence);
  session.goToStep(5);
  QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(session.step(), 4);
  QTest::keyClick(&view, Qt::Key_Right);
  QTest::keyClick(&view, Qt::Key_Right);
  QCOMPARE(session.step(), 6);
  QTest::keyClick(&view, Qt::Key_Down);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(session.selectedSequence(), lanes.lanes()[1].sequence);
  QVERIFY(view.accessibleDescription().contains(QLatin1String("step 6")));
  const int scrolled = view.horizontalScrollBar()->value();
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cellRect(0, 4).center() - QPoint(scrolled, 0));
  QCOMPARE(session.step(), 4);
  QCOMPARE(session.selectedSequence(), 1);
}

// The line that explains the signs asks for no scroll bar.
// In grey, until the first step has come.
void TestPaintedViews::lanesShowWhatWillCome() {
  WordMachine machine(64, 8);
  machine.submit("one", 9, 4);
  machine.submit("two", 5, 4, 3);
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(700, 240);
  view.show();
  session.append(machine.take());
  const Theme theme = Theme::of(&view);
  const QRgb grey = mix(theme.base(), theme.text(), 0.2).rgb();
  const auto greys = [&] {
    const QImage picture = view.viewport()->grab().toImage();
    int found = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) found += picture.pixel(x, y) == grey ? 1 : 0;
    return found;
  };
  const int before = greys();
  QVERIFY(before > 2000);
  machine.step();
  session.append(machine.take());
  QVERIFY2(greys() < before / 5, qPrintable(QString::number(greys())));  // edges of letters
}

void TestPaintedViews::lanesShowTheirKeyWhereThereIsRoom() {
  WordMachine machine(40, 8);
  machine.submit("one", 10, 3);
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(700, 300);
  view.show();
  machine.step();
  session.append(machine.take());
  const QRect lane = view.cellRect(0, 1);
  const auto isInked = [&] {
    const QImage image = view.viewport()->grab().toImage();
    const QColor ground = view.palette().color(QPalette::Base);
    const int below = static_cast<int>((lane.bottom() + 6) * image.devicePixelRatio());
    for (int y = below; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        if (image.pixelColor(x, y) != ground) return true;
    return false;
  };
  QVERIFY(isInked());
  view.resize(700, lane.bottom() + view.fontMetrics().height());
  QVERIFY(!isInked());
  QCOMPARE(view.verticalScrollBar()->maximum(), 0);
}

void TestPaintedViews::lanesBecomeLowBeforeTheyAreScrolled() {
  WordMachine machine(60, 8);
  for (const char* name : {"one", "two", "three"}) machine.submit(name, 10, 6);
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(700, 400);
  view.show();
  machine.step();
  session.append(machine.take());
  QCOMPARE(view.lanesInSight().size(), std::size_t{3});
  const auto heightOf = [&] { return view.cellRect(0, 1).height(); };
  const auto lastIsInSight = [&] {
    return view.verticalScrollBar()->maximum() == 0 &&
           view.viewport()->rect().bottom() >= view.cellRect(2, 1).bottom();
  };
  int last = heightOf();
  bool wasLow = false, wasBare = false;
  QVERIFY(view.showsTexts() && lastIsInSight());
  const int bare = view.cellRect(0, 1).top() + 3 * laneHeightOf(LaneRoom::kBare, view.fontMetrics().height());
  for (int height = 400; height >= bare; --height) {
    view.resize(700, height);
    if (view.viewport()->height() < bare) break;
    QVERIFY2(lastIsInSight(), qPrintable(QString::number(height)));
    QVERIFY(heightOf() <= last);
    wasLow = wasLow || (heightOf() < last && view.showsTexts());
    wasBare = wasBare || !view.showsTexts();
    last = heightOf();
  }
  QVERIFY(wasLow && wasBare);
}

void TestPaintedViews::lanesKeepTheCursorInSight() {
  WordMachine machine(40, 8);
  machine.submit("long", 10, 120);
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(500, 200);
  view.show();
  while (machine.step()) session.append(machine.take());
  const auto inSight = [&](int step) {
    const QRect cell = view.cellRect(0, step).translated(-view.horizontalScrollBar()->value(), 0);
    return cell.left() >= 0 && cell.right() < view.viewport()->width();
  };
  QVERIFY(inSight(120));
  session.goToStep(3);
  QVERIFY(inSight(3));
  session.goToStep(60);
  QVERIFY(inSight(60));
  // Another size, and back: the step stays in sight, and the summary says which steps are.
  for (const int width : {12000, 300, 500}) {
    view.resize(width, 200);
    QVERIFY2(inSight(60), qPrintable(QString::number(width)));
  }
  QSignalSpy told(&view, &PaintedView::summaryChanged);
  view.horizontalScrollBar()->setValue(0);
  QCOMPARE(told.count(), 1);
  QCOMPARE(told.last().at(0).toString(), view.summary());
}

// However many requests a run has had, the lanes in sight are those of the steps in sight.
void TestPaintedViews::lanesOfFinishedRequestsGo() {
  WordMachine machine(64, 8);
  for (int i = 0; i < 150; ++i) {
    machine.submit("request", 5, 6, i % 20);
    for (int k = 0; k < 3; ++k) machine.step();
  }
  machine.run();
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(600, 300);
  view.show();
  session.append(machine.take());
  QCOMPARE(lanes.rowCount(), 150);
  for (const int step : {session.lastStep(), 200, 3}) {
    session.goToStep(step);
    const std::vector<int>& sight = view.lanesInSight();
    QVERIFY2(!sight.empty() && sight.size() < 12, qPrintable(QString::number(sight.size())));
    for (int lane = 0; lane < lanes.rowCount(); ++lane) {
      const bool atWork = lanes.cell(lane, step).kind != LaneKind::kNone;
      if (atWork) QVERIFY(std::ranges::find(sight, lane) != sight.end());
      QCOMPARE(view.cellRect(lane, step).isEmpty(), std::ranges::find(sight, lane) == sight.end());
    }
    QVERIFY(isPainted(view.grab().toImage()));
  }
  QTest::keyClick(&view, Qt::Key_0);
  QVERIFY(view.lanesInSight().size() > 12);
}

void TestPaintedViews::lanesZoom() {
  WordMachine machine(40, 8);
  machine.submit("long", 10, 120);
  machine.run();
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(600, 200);
  view.show();
  session.append(machine.take());
  session.goToStep(60);
  const int usual = view.cellWidth();
  QVERIFY(view.showsTexts());
  const auto xOf = [&](int step) {
    return view.cellRect(0, step).left() - view.horizontalScrollBar()->value();
  };
  const int before = xOf(60);
  QTest::keyClick(&view, Qt::Key_Minus);
  QVERIFY(view.cellWidth() < usual);
  QVERIFY(std::abs(xOf(60) - before) <= 2);
  QTest::keyClick(&view, Qt::Key_0);
  QVERIFY(!view.showsTexts());
  QVERIFY(view.lanesInSight().size() == 1 && view.horizontalScrollBar()->maximum() == 0);
  QVERIFY(isPainted(view.grab().toImage()));
  const auto turn = [&](const QPointF& at, int angle) {
    QWheelEvent wheel(at, view.viewport()->mapToGlobal(at.toPoint()), {}, {0, angle}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &wheel);
  };
  for (int i = 0; i < 40; ++i) turn({400, 60}, 120);
  QVERIFY(view.cellWidth() > usual);
  turn({400, 60}, -120);
  for (int i = 0; i < 80; ++i) turn({400, 60}, -120);
  QCOMPARE(view.cellWidth(), 2);
  for (int i = 0; i < 8; ++i) QTest::keyClick(&view, Qt::Key_Plus);
  QVERIFY(view.cellWidth() >= 10);
}

void TestPaintedViews::lanesShowWhatIsUnderTheMouse() {
  WordMachine machine = test::storyMachine();
  Session session;
  LaneModel lanes(&session);
  LanesView view(&lanes);
  view.resize(900, 400);
  view.show();
  session.append(machine.take());
  session.goToStep(3);
  const QPoint cell = view.cellRect(1, 2).center() - QPoint(view.horizontalScrollBar()->value(), 0);
  const QImage plain = view.grab().toImage();
  QMouseEvent move(QEvent::MouseMove, cell, view.mapToGlobal(cell), Qt::NoButton, Qt::NoButton, {});
  QApplication::sendEvent(view.viewport(), &move);
  QVERIFY(view.grab().toImage() != plain);
  QMouseEvent away(QEvent::MouseMove, QPoint(3, 3), view.mapToGlobal(QPoint(3, 3)), Qt::NoButton,
                   Qt::NoButton, {});
  QApplication::sendEvent(view.viewport(), &away);
  QCOMPARE(view.grab().toImage(), plain);
  connect(&view, &LanesView::stepRequested, &session, &Session::goToStep);
  connect(&view, &LanesView::sequenceSelected, &session, &Session::selectSequence);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, cell);
  QCOMPARE(session.step(), 2);
  QCOMPARE(session.selectedSequence(), lanes.lanes()[1].sequence);
}

void TestPaintedViews::textFlowsInLines() {
  WordMachine machine(64, 8);
  machine.submit("one", 60, 200);
  Session session;
  TextModel text(&session);
  TextView view(&text);
  view.resize(320, 200);
  view.show();
  session.selectSequence(1);
  const auto port = [&] {
    return QRect(QPoint(0, view.verticalScrollBar()->value()), view.viewport()->size());
  };
  while (machine.step()) {
    session.append(machine.take());
    QVERIFY(port().contains(view.tokenRect(text.rowCount() - 1)));  // the newest token is in sight
  }
  for (const int width : {320, 180, 700}) {
    view.resize(width, 200);
    for (int row = 1; row < text.rowCount(); ++row) {
      const QRect before = view.tokenRect(row - 1), rect = view.tokenRect(row);
      QVERIFY(rect.left() >= 0 && rect.right() < view.viewport()->width());
      const bool sameLine = rect.top() == before.top();
      QVERIFY(sameLine ? rect.left() > before.left() : rect.top() > before.top());
      if (text.at(row - 1).text.endsWith(u'\n')) QVERIFY(!sameLine);
      if (text.at(row).text == QLatin1String(",") && !text.at(row - 1).text.endsWith(u'\n'))
        QVERIFY(sameLine || row == text.promptTokens());  // it stays with its word
    }
    QVERIFY(isPainted(view.grab().toImage()));
  }
  QVERIFY(view.verticalScrollBar()->maximum() > 0);
}

// A token of blanks alone is drawn, too; a part of a character is a dot.
void TestPaintedViews::eachTokenOfATextHasInk() {
  std::vector<TextRow> rows(5);
  const QStringList texts{" the", " ", "\n", "</s>", ""};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].text = texts[static_cast<qsizetype>(i)];
  TextFlow flow;
  flow.measure(rows, QFont());
  QStringList shown;
  for (int i = 0; i < 5; ++i) shown << flow.at(i).shown;
  QCOMPARE(shown, QStringList({" the", "␣", "↵", "</s>", "·"}));
}

void TestPaintedViews::textGoesToTheStepOfAToken() {
  WordMachine machine(32, 8);
  machine.submit("one", 12, 20);
  machine.run();
  Session session;
  TextModel text(&session);
  TextView view(&text);
  view.resize(500, 400);
  view.show();
  session.append(machine.take());
  session.selectSequence(1);
  connect(&view, &TextView::stepRequested, &session, &Session::goToStep);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.tokenRect(16).center());
  QCOMPARE(view.currentToken(), 16);
  QCOMPARE(session.step(), 5);
  QVERIFY(text.at(16).now);
  QCOMPARE(text.rowCount(), 17);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.tokenRect(3).center());  // of the prompt
  QCOMPARE(session.step(), 5);
  QTest::keyClick(&view, Qt::Key_End);
  QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(view.currentToken(), 15);
  QVERIFY2(view.accessibleDescription().contains(QLatin1String("position 15")),
           qPrintable(view.accessibleDescription()));
  QTest::keyClick(&view, Qt::Key_Return);
  QCOMPARE(session.step(), 4);
  QTest::keyClick(&view, Qt::Key_Up);
  QVERIFY(view.currentToken() < 12);  // over the caption, into the prompt
  QTest::keyClick(&view, Qt::Key_Down);
  QVERIFY(view.currentToken() >= 12);
  QTest::keyClick(&view, Qt::Key_Home);
  QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(view.currentToken(), 0);
  view.copyText();
  QVERIFY(QApplication::clipboard()->text().startsWith(QLatin1String(" the")));
}

void TestPaintedViews::textTintsSurprise() {
  WordMachine machine(32, 8);
  machine.submit("one", 12, 20);
  machine.run();
  Session session;
  TextModel text(&session);
  TextView view(&text);
  view.resize(500, 400);
  view.show();
  session.append(machine.take());
  session.selectSequence(1);
  const QImage plain = view.viewport()->grab().toImage();
  QVERIFY(!view.showsSurprise());
  view.setShowsSurprise(true);
  QVERIFY(view.viewport()->grab().toImage() != plain);
  view.setShowsSurprise(false);
  QCOMPARE(view.viewport()->grab().toImage(), plain);
  QVERIFY(view.csv().startsWith(QLatin1String("Position,Token,Text,Step,Surprise in bits,Fate")));
}

void TestPaintedViews::samplerWalksItsCandidates() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 40);
  machine.step();
  Session session;
  SamplerModel sampler(&session);
  SamplerView view(&sampler);
  view.resize(700, 300);
  view.show();
  session.append(machine.take());
  QTest::keyClick(&view, Qt::Key_Down);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.currentRow(), 1);
  QVERIFY(view.accessibleDescription().contains(QLatin1String("Top-p")));
  for (int i = 0; i < 20; ++i) QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.currentRow(), 5);
  QVERIFY(isPainted(view.grab().toImage()));
}

void TestPaintedViews::pageKeysAreLeftToTheWindow() {
  WordMachine machine = test::storyMachine();
  Session session;
  session.append(machine.take());
  QWidget window;
  BlockMapModel blocks(&session);
  BlockMapView view(&blocks, &window);
  window.show();
  QKeyEvent page(QEvent::KeyPress, Qt::Key_PageDown, Qt::NoModifier);
  QApplication::sendEvent(&view, &page);
  QVERIFY(!page.isAccepted());
}

void TestPaintedViews::hugePoolScrolls() {
  WordMachine machine(20000, 16);
  machine.submit("one", 400, 4);
  for (int i = 0; i < 8; ++i) machine.step();
  Session session;
  BlockMapModel blocks(&session);
  BlockMapView view(&blocks);
  view.resize(600, 600);
  view.show();
  session.append(machine.take());
  QVERIFY(!view.grab().isNull());
  QVERIFY(view.verticalScrollBar()->maximum() > 0);
  view.setCurrentBlock(19999);
  QVERIFY(view.verticalScrollBar()->value() > 0);
  QVERIFY(!view.grab().isNull());
}

QTEST_MAIN(TestPaintedViews)
#include "tst_painted_views.moc"
