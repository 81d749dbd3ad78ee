// The block map: what a cell shows, what a frame costs, the swap shelves, and real keys and mouse. With
// VITRINE_PICTURES set to a folder some pictures are kept there, to be looked at.
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QPainter>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>

#include "support/word_machine.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/memory/block_painter.h"
#include "widgets/memory/swap_shelf_rows.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

using namespace vitrine;
using test::WordMachine;

namespace {

struct Shown {
  Session session;
  BlockMapModel blocks{&session};
  BlockMapView view{&blocks};

  explicit Shown(QSize size) {
    view.resize(size);
    view.show();
  }
  void hear(WordMachine& machine) { session.append(machine.take()); }
  bool hasFocusAndOneRequest() {
    WordMachine machine(24, 8);
    machine.submit("one", 30, 8);
    machine.step();
    if (!QTest::qWaitForWindowActive(&view)) return false;
    view.setFocus();
    hear(machine);
    return true;
  }
  QImage image() { return view.viewport()->grab().toImage(); }
  QPoint inPort(const QPoint& content) const {
    return content - QPoint(view.horizontalScrollBar()->value(), view.verticalScrollBar()->value());
  }
  // What another view of the same rows paints from nothing.
  QImage paintedAnew(bool fit = false) {
    BlockMapView other(&blocks);
    other.resize(view.size());
    other.show();
    if (fit) other.fit();
    other.verticalScrollBar()->setValue(view.verticalScrollBar()->value());
    return other.viewport()->grab().toImage();
  }
};

void keep(const char* name, const QImage& image) {
  const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
  if (!folder.isEmpty() && QDir().mkpath(folder)) image.save(folder + "/block-map-" + name + ".png");
}

void moveMouse(BlockMapView& view, const QPoint& port) {
  QMouseEvent move(QEvent::MouseMove, port, view.viewport()->mapToGlobal(port), Qt::NoButton, Qt::NoButton,
                   {});
  QApplication::sendEvent(view.viewport(), &move);
}

void turnWheel(BlockMapView& view, const QPointF& at, int angle) {
  QWheelEvent wheel(at, view.viewport()->mapToGlobal(at.toPoint()), {}, {0, angle}, Qt::NoButton,
                    Qt::ControlModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(view.viewport(), &wheel);
}

// The share of pixels in a part of a cell that are nearer to `colour` than to any other one of the eight.
bool isMostly(const QImage& image, const QRect& area, const Theme& theme, int colourIndex) {
  const auto distance = [](const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
  };
  int hits = 0, all = 0;
  const double ratio = image.devicePixelRatio();
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x) {
      const QColor pixel = image.pixelColor(int(x * ratio), int(y * ratio));
      int nearest = 0;
      for (int i = 1; i < kRequestColours; ++i)
        if (distance(pixel, theme.request(i)) < distance(pixel, theme.request(nearest))) nearest = i;
      hits += nearest == colourIndex ? 1 : 0;
      ++all;
    }
  return hits * 10 > all * 7;
}

WordMachine swappingMachine(int host, int disk) {
  SchedulerOptions options;
  options.numBlocks = 8;
  options.blockSize = 8;
  options.prefixCache = false;
  WordMachine machine(options, host, disk);
  machine.submit("one", 20, 30);
  machine.submit("two", 20, 30, 5);
  return machine;
}

// Steps until the step shown has moved a block.
bool stepToMove(WordMachine& machine, Shown& shown, SwapMove move) {
  while (machine.step()) {
    shown.hear(machine);
    if (std::ranges::any_of(shown.blocks.moves(), [&](const BlockMove& one) { return one.move == move; }))
      return true;
  }
  return false;
}

}  // namespace

class TestBlockMapView : public QObject {
  Q_OBJECT
 private slots:
  void init() { AnimationClock::setReducedMotion(true); }
  void fewBlocksGetLargeCells();
  void aSmallPoolIsNeverScrolled();
  void theLegendHasTheMarksInSight();
  void theSummaryIsInTheHeaderAlone();
  void ownersAreStripes();
  void freeAndCachedLooksDifferent();
  void aQuietFramePaintsNoCell();
  void aStepPaintsWhatItChanged_data();
  void aStepPaintsWhatItChanged();
  void scrollingPaintsWhatComesIntoSight();
  void zoomKeepsTheBlockUnderTheMouse();
  void keysZoomAndFit();
  void hoverLightsThePrefix();
  void theKeyboardGivesAScreenReaderEachBlock();
  void theKeyboardLightsAndDescribesThePrefix();
  void swappedBlocksStandOnTheShelf();
  void theWordsOfAMoveAreWhole();
  void swappedBlocksTravel();
  void reducedMotionShowsOnlyWhereBlocksWent();
  void shelvesStayInSight();
  void theTableTwinTellsRanges();
  void thePictureHasTheWholePool();
};

void TestBlockMapView::fewBlocksGetLargeCells() {
  int height = 1000;
  for (const int blocks : {6, 24, 64, 200}) {
    WordMachine machine(blocks, 16);
    Shown shown({700, 260});
    shown.hear(machine);
    const QRect cell = shown.view.cellRect(0);
    QVERIFY(cell.height() <= height && cell.height() >= 16);
    height = cell.height();
    const QRect last = shown.view.cellRect(shown.view.columns() - 1);
    // The cells fill the width, but for what columns of whole pixels leave.
    QVERIFY(last.right() < 700 && last.right() > 700 - 20 - 2 * shown.view.columns());
    QCOMPARE(shown.view.verticalScrollBar()->maximum(), 0);
    if (blocks == 6) QVERIFY(cell.width() > 100 && cell.height() >= 50);
  }
}

void TestBlockMapView::aSmallPoolIsNeverScrolled() {
  for (const int blocks : {64, 255, 256}) {
    WordMachine machine(blocks, 16);
    Shown shown({420, 150});
    shown.hear(machine);
    QCOMPARE(shown.view.verticalScrollBar()->maximum() == 0, blocks < 256);
    QVERIFY(shown.view.comfortableHeight() > shown.view.height());
  }
}

void TestBlockMapView::theLegendHasTheMarksInSight() {
  WordMachine machine(16, 8);
  Shown shown({700, 200});
  shown.hear(machine);
  QCOMPARE(shown.view.legend().words(), (QStringList{"blocks fill here", "turn in the free queue"}));
  machine.submit("one", 12, 4);
  machine.step();
  shown.hear(machine);
  QVERIFY(shown.view.legend().words().contains("changed in this step"));
  QVERIFY(!shown.view.legend().words().contains("shared"));
  QVERIFY(!shown.view.legend().words().contains("blocks fill here"));
  const BlockMarks all{false, true, true, true, true, true};
  const BlockLegend whole(shown.view.font(), 10'000, all);
  const BlockLegend brief(shown.view.font(), whole.width() - 1, all);
  const BlockLegend cut(shown.view.font(), brief.width() - 1, all);
  QVERIFY(whole.words().contains("free, still cached") && whole.words().size() == 5);
  QVERIFY(brief.words().contains("free, cached") && brief.words().size() == 5);
  QCOMPARE(cut.words(), brief.words().first(4));
  QVERIFY(BlockLegend(shown.view.font(), 20, all).words().isEmpty());
}

void TestBlockMapView::theSummaryIsInTheHeaderAlone() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 4);
  machine.step();
  Shown shown({400, 300});
  shown.hear(machine);
  QVERIFY(shown.view.summary().contains(QLatin1String("2 of 16 blocks in use")));
  const QImage image = shown.image();
  const int top = static_cast<int>((shown.view.cellRect(0).top() - 4) * image.devicePixelRatio());
  QVERIFY(top > 2);
  for (int y = 2; y < top; ++y)
    for (int x = 2; x < image.width() - 2; ++x) QCOMPARE(image.pixel(x, y), image.pixel(2, 2));
}

void TestBlockMapView::ownersAreStripes() {
  WordMachine machine(6, 8);
  machine.submit("one", 20, 8);
  machine.step();
  machine.submit("same beginning", 20, 8);
  machine.step();
  Shown shown({700, 260});
  shown.hear(machine);
  shown.session.selectSequence(99);
  QCOMPARE(shown.blocks.at(0).letters, QStringLiteral("A B"));
  const QImage image = shown.image();
  keep("stripes", image);
  const Theme theme = Theme::of(&shown.view);
  const QRect cell = shown.view.cellRect(0);
  const int quarter = cell.width() / 4, low = cell.height() / 5;
  const QRect left(cell.left() + 4, cell.bottom() - low, quarter, low - 4);
  QVERIFY(isMostly(image, left, theme, 0));
  QVERIFY(isMostly(image, left.translated(cell.width() / 2, 0), theme, 1));
  // A block of one owner has its colour on both sides.
  const int own = shown.session.state().sequences.at(2).blockTable.back();
  const QRect whole = shown.view.cellRect(own);
  QCOMPARE(shown.blocks.at(own).letters, QStringLiteral("B"));
  QVERIFY(isMostly(image, {whole.left() + 4, whole.bottom() - low, quarter, low - 4}, theme, 1));
  // The count is in the upper right corner: a block with one reference looks different there.
  BlockRow once = shown.blocks.at(0), twice = once;
  once.refCount = 1;
  const auto corner = [&](const BlockRow& row) {
    QImage picture(120, 60, QImage::Format_RGB32);
    picture.fill(theme.base());
    QPainter painter(&picture);
    BlockPainter(painter, theme, shown.view.font(), 8).paint(QRectF(5, 5, 110, 50), row);
    painter.end();
    return picture.copy(60, 5, 55, 18);
  };
  QVERIFY(corner(once) != corner(twice));
}

void TestBlockMapView::freeAndCachedLooksDifferent() {
  WordMachine machine(6, 8);
  machine.submit("one", 20, 1);
  machine.run();
  Shown shown({700, 260});
  shown.hear(machine);
  QVERIFY(shown.blocks.at(0).cached && shown.blocks.at(0).refCount == 0);
  QVERIFY(!shown.blocks.at(5).cached);
  const QImage image = shown.image();
  const auto part = [&](int block) {  // without letters and corners
    const QRect cell = shown.view.cellRect(block);
    const double ratio = image.devicePixelRatio();
    return image.copy(int((cell.left() + 14) * ratio), int((cell.top() + 2) * ratio), int(16 * ratio),
                      int((cell.height() - 4) * ratio));
  };
  QVERIFY(part(0) != part(5));
}

void TestBlockMapView::aQuietFramePaintsNoCell() {
  WordMachine machine(400, 8);
  machine.submit("one", 20, 8);
  machine.step();
  Shown shown({600, 500});
  shown.hear(machine);
  const QImage first = shown.image();
  QVERIFY(shown.view.cellsPainted() > 0);
  const QImage second = shown.image();
  QCOMPARE(shown.view.cellsPainted(), 0);
  QCOMPARE(second, first);
  shown.session.selectSequence(99);  // is painted above the cells
  QVERIFY(shown.image() != first);
  QCOMPARE(shown.view.cellsPainted(), 0);
}

void TestBlockMapView::aStepPaintsWhatItChanged_data() {
  QTest::addColumn<int>("blocks");
  QTest::addColumn<bool>("fit");
  QTest::newRow("a few") << 40 << false;
  QTest::newRow("hundreds") << 700 << false;
  QTest::newRow("16,384") << 16384 << false;
  QTest::newRow("16,384 in sight") << 16384 << true;
}

// And what it leaves alone looks as if all had been painted.
void TestBlockMapView::aStepPaintsWhatItChanged() {
  QFETCH(int, blocks);
  QFETCH(bool, fit);
  WordMachine machine(blocks, 8, 128);
  machine.submit("one", 60, 40);
  machine.submit("again", 50, 30);
  machine.submit("other", 70, 30, 7, 2);
  machine.step();
  Shown shown({640, 420});
  shown.hear(machine);
  if (fit) {
    shown.view.fit();
    QCOMPARE(shown.view.verticalScrollBar()->maximum(), 0);
  }
  shown.image();
  QVERIFY(!fit || shown.view.cellsPainted() == blocks);
  for (int i = 0; i < 12 && machine.step(); ++i) {
    shown.hear(machine);
    const QImage now = shown.image();
    QVERIFY(shown.view.cellsPainted() > 0);
    QVERIFY(shown.view.cellsPainted() <= static_cast<int>(shown.blocks.changed().size()));
    QVERIFY2(static_cast<int>(shown.blocks.changed().size()) < 3 * BlockRows::kTurns,
             qPrintable(QString::number(shown.blocks.changed().size())));
    QVERIFY(now == shown.paintedAnew(fit));
    if (i == 11) keep(QTest::currentDataTag(), now);
  }
  // Hidden meanwhile, it has missed steps.
  shown.view.hide();
  for (int i = 0; i < 3 && machine.step(); ++i) shown.hear(machine);
  shown.view.show();
  QVERIFY(shown.image() == shown.paintedAnew(fit));
  shown.session.goToStep(2);
  QVERIFY(shown.image() == shown.paintedAnew(fit));
}

void TestBlockMapView::scrollingPaintsWhatComesIntoSight() {
  WordMachine machine(6000, 8, 512);
  machine.submit("one", 400, 8);
  machine.step();
  Shown shown({640, 420});
  shown.hear(machine);
  QScrollBar* bar = shown.view.verticalScrollBar();
  QVERIFY(bar->maximum() > 2000);
  shown.image();
  const int all = shown.view.cellsPainted();
  for (const int to : {20, 46, 40, 0, 900, 912}) {
    const int from = bar->value();
    bar->setValue(to);
    const QImage image = shown.image();
    if (std::abs(to - from) < 60 && image.devicePixelRatio() == 1)
      QVERIFY2(shown.view.cellsPainted() < all / 2, qPrintable(QString::number(shown.view.cellsPainted())));
    QVERIFY2(image == shown.paintedAnew(), qPrintable(QString::number(to)));
  }
}

void TestBlockMapView::zoomKeepsTheBlockUnderTheMouse() {
  WordMachine machine(3000, 8);
  Shown shown({600, 400});
  shown.hear(machine);
  shown.view.verticalScrollBar()->setValue(500);
  const int usual = shown.view.cellRect(0).height();
  int under = 0;
  while (!shown.view.cellRect(under).adjusted(0, 0, 3, 3).contains(200, 650)) ++under;
  const int top = shown.inPort(shown.view.cellRect(under).topLeft()).y();
  turnWheel(shown.view, {200, 150}, 120);
  QVERIFY(shown.view.cellRect(0).height() > usual);
  QCOMPARE(shown.inPort(shown.view.cellRect(under).topLeft()).y(), top);
  for (int i = 0; i < 30; ++i) turnWheel(shown.view, {200, 150}, 120);
  const int largest = shown.view.cellRect(0).height();
  QVERIFY(largest > 100);
  for (int i = 0; i < 60; ++i) turnWheel(shown.view, {200, 150}, -120);
  QVERIFY(shown.view.cellRect(0).height() <= 4);
  QVERIFY(!shown.image().isNull());
  QWheelEvent plain({200, 150}, shown.view.viewport()->mapToGlobal(QPoint(200, 150)), {}, {0, -120},
                    Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  const int tiny = shown.view.cellRect(0).height();
  QApplication::sendEvent(shown.view.viewport(), &plain);
  QCOMPARE(shown.view.cellRect(0).height(), tiny);
}

void TestBlockMapView::keysZoomAndFit() {
  WordMachine machine(16384, 16);
  Shown shown({700, 420});
  shown.hear(machine);
  const int usual = shown.view.cellRect(0).height();
  QVERIFY(shown.view.verticalScrollBar()->maximum() > 0);
  QTest::keyClick(&shown.view, Qt::Key_Plus);
  QVERIFY(shown.view.cellRect(0).height() > usual);
  QTest::keyClick(&shown.view, Qt::Key_Minus);
  QTest::keyClick(&shown.view, Qt::Key_Minus);
  QVERIFY(shown.view.cellRect(0).height() < usual);
  QTest::keyClick(&shown.view, Qt::Key_0);
  QCOMPARE(shown.view.verticalScrollBar()->maximum(), 0);
  const QRect last = shown.view.cellRect(16383);
  QVERIFY(shown.view.viewport()->rect().contains(last));
  shown.image();
  QCOMPARE(shown.view.cellsPainted(), 16384);
  // The cursor stays where it is while the cells grow around it.
  shown.view.setCurrentBlock(9000);
  for (int i = 0; i < 8; ++i) QTest::keyClick(&shown.view, Qt::Key_Plus);
  QVERIFY(shown.view.viewport()->rect().contains(shown.inPort(shown.view.cellRect(9000).center())));
}

void TestBlockMapView::hoverLightsThePrefix() {
  WordMachine machine(24, 8);
  machine.submit("one", 30, 8);
  machine.step();
  Shown shown({500, 300});
  shown.hear(machine);
  const QImage plain = shown.image();
  moveMouse(shown.view, shown.inPort(shown.view.cellRect(2).center()));
  QCOMPARE(shown.view.litBlocks(), (std::vector<BlockId>{0, 1, 2}));
  QVERIFY(shown.image() != plain);
  QCOMPARE(shown.view.cellsPainted(), 0);
  keep("prefix", shown.image());
  moveMouse(shown.view, {2, 2});
  QVERIFY(shown.view.litBlocks().empty());
  QCOMPARE(shown.image(), plain);
  machine.run();
  shown.hear(machine);
  moveMouse(shown.view, shown.inPort(shown.view.cellRect(1).center()));
  QVERIFY(shown.blocks.at(1).refCount == 0);
  QCOMPARE(shown.view.litBlocks(), (std::vector<BlockId>{0, 1}));  // free, and still in the prefix cache
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&shown.view, &leave);
  QVERIFY(shown.view.litBlocks().empty());
}

// What a screen reader finds with the focus: for each block another item with its words. (Qt's bridge gives
// it no words with a description that has changed.)
void TestBlockMapView::theKeyboardGivesAScreenReaderEachBlock() {
  Shown shown({500, 300});
  QVERIFY(shown.hasFocusAndOneRequest());
  QAccessibleInterface* const view = QAccessible::queryAccessibleInterface(&shown.view);
  QSet<QAccessible::Id> items;
  for (int i = 0; i < 3; ++i) {
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QAccessibleInterface* const item = view->focusChild();
    QVERIFY(item != nullptr && item->isValid() && item->state().focused);
    QCOMPARE(item->text(QAccessible::Name), shown.view.accessibleDescription());
    QCOMPARE(view->child(view->indexOfChild(item)), item);
    QCOMPARE(item->parent(), view);
    items.insert(QAccessible::uniqueId(item));
    QCOMPARE(items.size(), i + 1);
  }
  shown.view.clearFocus();
  QVERIFY(view->focusChild() == nullptr);
}

void TestBlockMapView::theKeyboardLightsAndDescribesThePrefix() {
  Shown shown({500, 300});
  QVERIFY(shown.hasFocusAndOneRequest());
  QVERIFY(shown.view.accessibleDescription().contains(QLatin1String("of 24 blocks in use")));
  for (int i = 0; i < 3; ++i) QTest::keyClick(&shown.view, Qt::Key_Right);
  QCOMPARE(shown.view.currentBlock(), 2);
  QCOMPARE(shown.view.litBlocks(), (std::vector<BlockId>{0, 1, 2}));
  QVERIFY2(shown.view.accessibleDescription().contains(QStringLiteral("0 → 1 → 2")),
           qPrintable(shown.view.accessibleDescription()));
  QTest::keyClick(&shown.view, Qt::Key_End);
  QVERIFY(shown.view.accessibleDescription().contains(QLatin1String("in the free queue")));
}

void TestBlockMapView::swappedBlocksStandOnTheShelf() {
  WordMachine machine = swappingMachine(4, 6);
  Shown shown({600, 320});
  shown.hear(machine);
  QVERIFY(!shown.view.slotRect(SwapTier::kHost, 0).isEmpty());
  QVERIFY(shown.view.slotRect(SwapTier::kDisk, 0).top() > shown.view.slotRect(SwapTier::kHost, 0).bottom());
  const QImage before = shown.image();
  QVERIFY(stepToMove(machine, shown, SwapMove::kOut));
  const QImage after = shown.image();
  const std::vector<ShelfBlock>& host = shown.blocks.shelves()[0].blocks;
  QVERIFY(!host.empty());
  const QRect slot = shown.view.slotRect(SwapTier::kHost, host.front().slot);
  const double ratio = after.devicePixelRatio();
  const auto part = [&](const QImage& image) {
    return image.copy(int(slot.left() * ratio), int(slot.top() * ratio), int(slot.width() * ratio),
                      int(slot.height() * ratio));
  };
  QVERIFY(part(before) != part(after));
  QSignalSpy selected(&shown.view, &BlockMapView::sequenceSelected);
  QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, shown.inPort(slot.center()));
  QCOMPARE(selected.size(), 1);
  QCOMPARE(selected.front().front().toInt(), host.front().sequence);
  // Without tiers there are no shelves.
  WordMachine plain(8, 8);
  Shown other({600, 320});
  other.hear(plain);
  QVERIFY(other.view.slotRect(SwapTier::kHost, 0).isEmpty());
}

// Behind the shorter shelf, where they have room, and without a part that has none.
void TestBlockMapView::theWordsOfAMoveAreWhole() {
  WordMachine machine = swappingMachine(4, 400);
  Shown shown({600, 320});
  shown.hear(machine);
  QVERIFY(stepToMove(machine, shown, SwapMove::kOut));
  const QFont font = shown.view.font();
  const auto wordsOf = [&](SwapTier tier, int width) {
    const SwapShelfRows rows(shown.blocks, QFontMetrics(font), {0, 0}, width);
    QImage image(width, 100, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.setFont(font);
    const Theme theme(shown.view.palette());
    for (int x = width - 1; x > 0; --x) {
      const TextProbe probe(QPointF(x, rows.slotRect(tier, 0).center().y()));
      rows.paint(painter, BlockPainter(painter, theme, font, 4), theme);
      if (!probe.text().isEmpty()) return probe.text();
    }
    return QString();
  };
  QVERIFY2(wordsOf(SwapTier::kHost, 600).endsWith(shown.blocks.swapSummary()),
           qPrintable(wordsOf(SwapTier::kHost, 600)));
  QVERIFY(!wordsOf(SwapTier::kDisk, 600).contains(u'·'));
  const QString narrow = wordsOf(SwapTier::kHost, 200);
  QVERIFY2(narrow.endsWith("of 4") && !narrow.contains(u'…'), qPrintable(narrow));
}

void TestBlockMapView::swappedBlocksTravel() {
  AnimationClock::setReducedMotion(false);
  WordMachine machine = swappingMachine(4, 6);
  Shown shown({600, 320});
  shown.hear(machine);
  for (const SwapMove move : {SwapMove::kOut, SwapMove::kIn}) {
    QVERIFY(stepToMove(machine, shown, move));
    QVERIFY(shown.view.isAnimating());
    QTest::qWait(BlockMapView::kTravelMs / 2);
    const QImage midway = shown.image();
    keep(move == SwapMove::kOut ? "swapping-out" : "swapping-in", midway);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.view.isAnimating(), 4000);
    const QImage arrived = shown.image();
    // Between the pool and the shelf, where nothing lies at rest.
    QVERIFY(midway != arrived);
    QCOMPARE(arrived, shown.image());
  }
  // Going back shows the moves of that step again.
  shown.session.goToStep(shown.session.lastStep());
  QVERIFY(shown.view.isAnimating());
}

void TestBlockMapView::reducedMotionShowsOnlyWhereBlocksWent() {
  WordMachine machine = swappingMachine(4, 6);
  Shown shown({600, 320});
  shown.hear(machine);
  QVERIFY(stepToMove(machine, shown, SwapMove::kOut));
  QVERIFY(!shown.view.isAnimating());
  const QImage first = shown.image();
  QTest::qWait(120);
  QCOMPARE(shown.image(), first);
}

void TestBlockMapView::shelvesStayInSight() {
  SchedulerOptions options;
  options.numBlocks = 5000;
  options.blockSize = 8;
  WordMachine machine(options, 30, 4000);
  Shown shown({500, 360});
  shown.hear(machine);
  QScrollBar* bar = shown.view.verticalScrollBar();
  QVERIFY(bar->maximum() > 1000);
  for (const int to : {0, 700, bar->maximum()}) {
    bar->setValue(to);
    for (const SwapTier tier : {SwapTier::kHost, SwapTier::kDisk}) {
      const QRect slot = shown.view.slotRect(tier, 0);
      QVERIFY(shown.view.viewport()->rect().contains(QRect(shown.inPort(slot.topLeft()), slot.size())));
      QVERIFY(shown.view.slotRect(tier, 3999).right() < 500);
    }
  }
  // At the end the last block is above the shelves.
  QVERIFY(shown.view.cellRect(4999).bottom() < shown.view.slotRect(SwapTier::kHost, 0).top());
}

void TestBlockMapView::theTableTwinTellsRanges() {
  WordMachine machine = swappingMachine(4, 6);
  Shown shown({600, 320});
  QVERIFY(stepToMove(machine, shown, SwapMove::kOut));
  QTest::keyClick(&shown.view, Qt::Key_C, Qt::ControlModifier);
  const QString csv = QApplication::clipboard()->text();
  QVERIFY(csv.startsWith(QLatin1String("Block,State,Held by,Filled,References,Free queue,Hash")));
  QVERIFY2(csv.contains(QLatin1String("host slot 0,swapped out,")), qPrintable(csv));
}

void TestBlockMapView::thePictureHasTheWholePool() {
  WordMachine machine(900, 8);
  machine.submit("one", 30, 8);
  machine.step();
  Shown shown({400, 300});
  shown.hear(machine);
  shown.view.verticalScrollBar()->setValue(120);
  const Picture picture = shown.view.picture();
  QVERIFY(picture.size.height() > shown.view.cellRect(899).bottom());
  const QImage whole = toImage(picture, 1);
  const Theme theme = Theme::of(&shown.view);
  const QRect first = shown.view.cellRect(0);
  QVERIFY(isMostly(whole, {first.left() + 4, first.bottom() - 6, first.width() - 8, 4}, theme, 0));
}

QTEST_MAIN(TestBlockMapView)
#include "tst_block_map_view.moc"
