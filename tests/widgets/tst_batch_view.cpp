// The batch of the step shown: its rows in words and numbers, folded chunks, and what a row lights.
#include <QSignalSpy>
#include <QTest>
#include <set>

#include "support/word_machine.h"
#include "widgets/batch/batch_model.h"
#include "widgets/batch/batch_view.h"
#include "widgets/support/animation_clock.h"
#include "widgets/support/formats.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

constexpr int kBlock = 8;

QString text(const BatchModel& model, int row, BatchModel::Column column) {
  return model.index(row, column).data().toString();
}

// The first row of a sequence; -1: none.
int rowOf(const BatchModel& model, SequenceId sequence) {
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.at(row).sequence == sequence) return row;
  return -1;
}

// One request decodes while a chunk of 20 tokens of another prompt is computed.
WordMachine mixed() {
  WordMachine machine(16, kBlock, 64);
  machine.submit("one", 10, 8);
  machine.step();
  machine.step();
  machine.submit("two", 20, 8, 7);
  machine.step();
  return machine;
}

struct Bench {
  Session session;
  BatchModel model{&session};
  BatchView view{&model};

  explicit Bench(WordMachine machine) {
    view.resize(700, 600);
    view.show();
    session.append(machine.take());
    QTest::qWait(10);
    session.spotlight()->clear();
  }
  void hover(const QPoint& point) {
    QMouseEvent move(QEvent::MouseMove, point, view.viewport()->mapToGlobal(point), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(view.viewport(), &move);
  }
  int lineOf(int row) const {
    const auto found = std::ranges::find(view.lines(), row, &BatchLine::row);
    return found == view.lines().end() ? -1 : static_cast<int>(found - view.lines().begin());
  }
};

}  // namespace

class TestBatchView : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    AnimationClock::setReducedMotion(true);
    installTranslations(*QCoreApplication::instance(), QLocale::c());
  }

  void aRowSaysWhereItsTokenGoes() {
    const WordMachine machine = mixed();
    Session session;
    BatchModel model(&session);
    session.append(machine.all());
    QCOMPARE(model.rowCount(), 21);
    QCOMPARE(model.summary(), QStringLiteral("21 rows · 1 decode, 20 prefill · one forward"));
    const MachineState state = machine.state();
    const int decode = rowOf(model, 1);
    QCOMPARE(text(model, decode, BatchModel::kSequence), QStringLiteral("A"));
    QCOMPARE(text(model, decode, BatchModel::kWork), QStringLiteral("decode"));
    QCOMPARE(text(model, decode, BatchModel::kPosition), QStringLiteral("11"));
    const BlockId block = state.sequences.at(1).blockTable[1];
    QCOMPARE(text(model, decode, BatchModel::kSlot), QString::number(block * kBlock + 3));
    QCOMPARE(text(model, decode, BatchModel::kTable),
             QStringLiteral("%1 %2").arg(state.sequences.at(1).blockTable[0]).arg(block));
    QCOMPARE(text(model, decode, BatchModel::kSees), QStringLiteral("12"));
    QCOMPARE(text(model, decode, BatchModel::kLogits), QStringLiteral("yes"));
    QCOMPARE(text(model, decode, BatchModel::kToken), visibleToken(session.tokenText(1, 11)));
    QVERIFY(model.describe(decode).contains(
        QStringLiteral("slot %1 = block %2 × 8 + 3").arg(block * kBlock + 3).arg(block)));
    const int chunk = rowOf(model, 2);
    QCOMPARE(text(model, chunk, BatchModel::kWork), QStringLiteral("prefill"));
    QCOMPARE(text(model, chunk + 18, BatchModel::kLogits), QStringLiteral("no"));
    QCOMPARE(text(model, chunk + 19, BatchModel::kLogits), QStringLiteral("yes"));
    session.goToStep(1);
    QCOMPARE(model.summary(), QStringLiteral("10 rows · 10 prefill · one forward"));
  }

  // At the end of its last step a request has freed its blocks; the forward had them.
  void blocksFreedInTheStepAreThere() {
    WordMachine machine(16, kBlock);
    machine.submit("short", 10, 2);
    machine.run();
    Session session;
    BatchModel model(&session);
    session.append(machine.all());
    QVERIFY(session.state().sequences.at(1).blockTable.empty());
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(model.at(0).cell.slot >= 0 && text(model, 0, BatchModel::kTable).contains(u' '));
  }

  void aStepInTheMiddleSaysWhatIsPlanned() {
    WordMachine machine(16, kBlock);
    machine.submit("one", 10, 2);
    machine.beginStep();
    Session session;
    BatchModel model(&session);
    std::vector<Event> events = machine.take();
    const auto allocate = std::ranges::find_if(events, [](const Event& event) {
      const auto* phase = std::get_if<PhaseStarted>(&event.body);
      return phase != nullptr && phase->phase == Phase::kAllocate;
    });
    session.append({events.begin(), allocate});
    QCOMPARE(model.summary(), QStringLiteral("10 rows · 10 prefill · planned"));
    QCOMPARE(text(model, 0, BatchModel::kSlot), QString());
    session.append({allocate, events.end()});
    QVERIFY(!text(model, 0, BatchModel::kSlot).isEmpty());
  }

  void draftsAreMarked() {
    using enum DraftVerdict;
    WordMachine machine(16, kBlock);
    machine.submit("one", 10, 6);
    machine.step();
    std::vector<Event> events = machine.take();
    machine.beginStep();
    machine.say(DraftProposed{1, DraftMethod::kEarlyExit, 11, {}}, Phase::kForward);
    machine.endStep();
    // The scripted scheduler grants no drafts, so its plan is given two of them.
    for (Event event : machine.take()) {
      if (auto* work = std::get_if<SequenceScheduled>(&event.body)) work->tokens += 2, work->draftTokens = 2;
      if (auto* draft = std::get_if<DraftProposed>(&event.body))
        draft->tokens = {4, 500}, draft->pieces = {" a"};
      const auto* phase = std::get_if<PhaseStarted>(&event.body);
      if (phase != nullptr && phase->phase == Phase::kSample) break;
      events.push_back(event);
    }
    Session session;
    BatchModel model(&session);
    session.append(events);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.summary(), QStringLiteral("3 rows · 1 decode, 2 draft · in the forward"));
    QVERIFY(!model.at(0).cell.isDraft && model.at(1).cell.isDraft && model.at(2).cell.isDraft);
    QCOMPARE(text(model, 2, BatchModel::kWork), QStringLiteral("draft"));
    QCOMPARE(text(model, 1, BatchModel::kToken), QStringLiteral("␣a"));
    QCOMPARE(text(model, 2, BatchModel::kToken), QStringLiteral("#500"));
    for (int row = 0; row < 3; ++row) QVERIFY(model.at(row).cell.wantsLogits);
    QVERIFY(model.remark().contains(QStringLiteral("2 small batches")));
  }

  void longChunksFold() {
    Bench b(mixed());
    const int chunk = rowOf(b.model, 2);
    const auto folded = [&] {
      return std::ranges::find_if(b.view.lines(), [](const BatchLine& line) { return line.folded > 0; });
    };
    QCOMPARE(int(b.view.lines().size()), 1 + 5 + 1 + 1);
    QCOMPARE(folded()->folded, 14);
    QCOMPARE(b.view.lines().back().row, chunk + 19);  // the row with the logits stays
    const int line = static_cast<int>(folded() - b.view.lines().begin());
    QTest::mouseClick(b.view.viewport(), Qt::LeftButton, {}, b.view.lineRect(line).center());
    QCOMPARE(int(b.view.lines().size()), 21);
    QTest::keyClick(&b.view, Qt::Key_Left);
    QCOMPARE(int(b.view.lines().size()), 8);
    QTest::keyClick(&b.view, Qt::Key_Home);
    for (int i = 0; i < line; ++i) QTest::keyClick(&b.view, Qt::Key_Down);
    QVERIFY(b.view.accessibleDescription().contains(QStringLiteral("14 more rows of B")));
    QTest::keyClick(&b.view, Qt::Key_Return);
    QCOMPARE(int(b.view.lines().size()), 21);
    QTest::keyClick(&b.view, Qt::Key_End);
    QCOMPARE(b.view.accessibleDescription(), b.model.describe(20));
  }

  // A step of one token a sequence, which a GPU computes with more rows than tokens.
  static WordMachine padded(int padding) {
    WordMachine machine(16, kBlock);
    machine.submit("one", 10, 6);
    machine.submit("two", 9, 6, 7);
    machine.step();
    machine.beginStep();
    machine.say(BatchPadded{2, 2 + padding}, Phase::kForward);
    machine.endStep();
    return machine;
  }

  void paddingIsBehindTheRows() {
    Bench b(padded(3));
    QCOMPARE(b.model.rowCount(), 2);
    QCOMPARE(b.model.summary(), QStringLiteral("5 rows · 2 decode, 3 padding · one forward"));
    QCOMPARE(b.view.summary(), b.model.summary());
    QVERIFY2(b.model.paddingRemark().contains(QStringLiteral(
                 "batch of 2 runs in the graph of 5: the GPU computes 3 rows of padding in vain")),
             qPrintable(b.model.paddingRemark()));
    QCOMPARE(b.view.paddingLines(), 3);
    QCOMPARE(b.view.paddingText(), QStringLiteral("padding"));
    // Hatched: more than one colour right of the words, and another one than the ground.
    const QRect line = b.view.lineRect(2);
    const QImage image = b.view.viewport()->grab(line.adjusted(200, 3, -250, -3)).toImage();
    std::set<QRgb> colours;
    for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, image.height() / 2));
    QVERIFY(colours.size() > 2);
    // It points at nothing, and a reader of the rows hears of it behind the last one.
    b.hover(line.center());
    QVERIFY(b.session.spotlight()->target().blocks.empty());
    QTest::mouseClick(b.view.viewport(), Qt::LeftButton, {}, line.center());
    QCOMPARE(b.view.currentLine(), -1);
    QTest::keyClick(&b.view, Qt::Key_End);
    QCOMPARE(b.view.currentLine(), 1);
    QVERIFY(b.view.accessibleDescription().endsWith(QLatin1String("behind it: 3 rows of padding")));
    QVERIFY(!b.model.describe(0).contains(QLatin1String("padding")));
    b.session.goToStep(1);
    QVERIFY(b.model.paddingRemark().isEmpty() && b.view.paddingLines() == 0);
    QVERIFY(!b.model.summary().contains(QLatin1String("padding")));
  }

  void muchPaddingIsOneLine() {
    Bench b(padded(11));
    QCOMPARE(b.view.paddingLines(), 1);
    QCOMPARE(b.view.paddingText(), QStringLiteral("11 rows of padding"));
  }

  void aRowPointsAtItsBlock() {
    Bench b(mixed());
    const int decode = rowOf(b.model, 1);
    b.hover(b.view.lineRect(b.lineOf(decode)).topLeft() + QPoint(60, 10));
    const prose::Target target = b.session.spotlight()->target();
    QCOMPARE(target.sequence, 1);
    QCOMPARE(target.position, 11);
    QCOMPARE(target.step, 3);
    QCOMPARE(target.blocks, std::vector<BlockId>{b.model.at(decode).cell.block});
    QSignalSpy sequences(&b.view, &BatchView::sequenceSelected), blocks(&b.view, &BatchView::blockRequested);
    QTest::mouseClick(b.view.viewport(), Qt::LeftButton, {}, b.view.lineRect(b.lineOf(decode)).center());
    QCOMPARE(sequences.value(0).value(0).toInt(), 1);
    QCOMPARE(blocks.value(0).value(0).toInt(), b.model.at(decode).cell.block);
  }

  // What another view points at is lit here: each of these changes its row's picture, and no other row's.
  void whatIsPointedAtIsLit_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("sequence") << 0;
    QTest::newRow("position") << 1;
    QTest::newRow("block") << 2;
  }
  void whatIsPointedAtIsLit() {
    QFETCH(int, kind);
    Bench b(mixed());
    const int decode = rowOf(b.model, 1), other = rowOf(b.model, 2);
    const auto picture = [&](int row) {
      const QRect area = b.view.lineRect(b.lineOf(row)).adjusted(30, 2, -2, -2);
      return b.view.viewport()->grab(area).toImage();
    };
    const QImage plain = picture(decode), plainOther = picture(other);
    prose::Target target{.request = 1, .sequence = 1};
    if (kind == 1) target.position = 11;
    if (kind == 2) target = {.blocks = {b.model.at(decode).cell.block}};
    b.session.spotlight()->point(target);
    QVERIFY(picture(decode) != plain);
    QCOMPARE(picture(other), plainOther);
    b.session.spotlight()->clear();
    QCOMPARE(picture(decode), plain);
  }

  void hiddenItRests() {
    Bench b(mixed());
    b.view.hide();
    const int paints = b.view.paintCount();
    const BatchPicture before = b.model.picture();
    b.session.goToStep(1);
    QCOMPARE(b.model.picture(), before);
    QCOMPARE(b.view.paintCount(), paints);
    b.view.show();
    QCOMPARE(b.model.rowCount(), 10);
  }
};

QTEST_MAIN(TestBatchView)
#include "tst_batch_view.moc"
