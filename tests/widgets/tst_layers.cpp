// What each layer would have said, and attention: the questions that the models ask, the cells and maps they
// make of a report; where the time of a forward goes; and their views by keys, mouse and pixels.
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>

#include "support/word_machine.h"
#include "widgets/layers/attention_model.h"
#include "widgets/layers/attention_view.h"
#include "widgets/layers/exits_model.h"
#include "widgets/layers/exits_view.h"
#include "widgets/layers/operations_model.h"
#include "widgets/layers/roofline_view.h"
#include "widgets/support/formats.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

constexpr int kLayers = 3;

// A report whose numbers say where they stand.
std::shared_ptr<InsideReport> reportFor(const InsideQuestion& question) {
  auto report = std::make_shared<InsideReport>();
  const int tokens = question.place.tokens;
  report->norms.resize(kLayers + 1);
  for (int layer = 0; layer <= kLayers; ++layer)
    for (int t = 0; t < tokens; ++t)
      report->norms[static_cast<std::size_t>(layer)].push_back(static_cast<float>(10 * layer + t));
  if (question.options.exitTop > 0) {
    report->exits.resize(kLayers + 1);
    for (int exit = 0; exit <= kLayers; ++exit)
      for (int t = question.options.exitsFrom; t < tokens; ++t)
        report->exits[static_cast<std::size_t>(exit)].push_back(
            {{exit < 2 ? 7 : 8, std::log(0.2 * (exit + 1))}, {9, std::log(0.1)}});
    report->pieces = {{7, " seven"}, {8, " eight"}, {9, " nine"}};
  }
  if (question.options.layer >= 0)
    for (int row = question.options.attentionFrom; row < tokens; ++row)
      for (int column = 0; column < tokens; ++column)
        report->attention.push_back(column > row  ? 0
                                    : column == 0 ? 0.5f + 0.5f / static_cast<float>(row + 1)
                                                  : 0.5f / static_cast<float>(row + 1));
  return report;
}

struct Story {
  Session session;
  WordMachine machine{32, 8};
  ExitsModel exits{&session};
  AttentionModel attention{&session};

  explicit Story(int steps = 4) {
    machine.submit("one", 12, 40);
    for (int i = 0; i < steps; ++i) machine.step();
    session.append(machine.take());
  }
  void answer() {
    if (const auto asked = exits.question()) exits.setReport(*asked, reportFor(*asked));
    if (const auto asked = attention.question()) attention.setReport(*asked, reportFor(*asked));
  }
  SequenceId sequence() const { return session.selectedSequence(); }
};

// A step of 1 ms: half of it reads weights, a quarter computes on few bytes, and the rest copies.
struct Measured {
  Story story;
  OperationsModel model{&story.session};

  // Of the quarter's operations, those that are in int8.
  explicit Measured(std::int64_t int8Operations = 0) {
    story.machine.beginStep();
    story.machine.say(ForwardMeasured{1'000'000,
                                      {{Operation::kQkv, 12, 500'000, 4'000'000, 2'000'000},
                                       {Operation::kGateUp, 12, 250'000, 100'000, 20'000'000, int8Operations},
                                       {Operation::kOther, 1, 250'000, 1'000, 0}}},
                      Phase::kForward);
    story.machine.endStep();
    story.session.append(story.machine.take());
  }
  static MachineRoof roof() { return {"AVX-512", 2, 100, {{1 << 30, 10}}}; }
  void measure(const MachineRoof& roof) {
    story.machine.say(RoofMeasured{roof});
    story.session.append(story.machine.take());
  }
};

}  // namespace

class TestLayers : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { installTranslations(*QCoreApplication::instance(), QLocale(QLocale::English)); }

  // The forward of the step: what it computed, not the token that it chose.
  void asksForTheTokensThatAreComputed() {
    Story story;
    const SequenceState& state = story.session.state().sequences.at(story.sequence());
    QCOMPARE(static_cast<int>(state.tokens.size()), 16);
    QCOMPARE(state.computedTokens, 15);
    const auto asked = story.exits.question();
    QVERIFY(asked);
    QCOMPARE(asked->place.tokens, 15);
    QCOMPARE(asked->place.step, 4);
    QCOMPARE(story.exits.tokensOfPlace(),
             std::vector<TokenId>(state.tokens.begin(), state.tokens.begin() + 15));
    QCOMPARE(asked->options.exitTop, ExitsModel::kTop);
    QCOMPARE(asked->options.exitsFrom, 0);
    story.answer();
    QVERIFY(!story.exits.question() && !story.attention.question());
  }

  // Of logits that are no numbers no token is the best.
  void aForwardThatFailedIsShown() {
    Story story;
    const InsideQuestion asked = *story.exits.question();
    auto report = std::make_shared<InsideReport>(*reportFor(asked));
    for (auto& guesses : report->exits.back()) guesses.clear();
    report->norms.back().assign(report->norms.back().size(), std::numeric_limits<float>::quiet_NaN());
    story.exits.setReport(asked, report);
    const ExitCell failed = story.exits.cell(0, 0), before = story.exits.cell(1, 0);
    QCOMPARE(failed.text, "not a number");
    QVERIFY(failed.percent().isEmpty() && !failed.agrees && !before.agrees);
    QVERIFY(before.probability > 0);
    QCOMPARE(story.exits.index(0, 1).data().toString(), "not a number");
    QVERIFY(story.exits.describe(0, 0).contains("the model says"));
    ExitsView view(&story.exits);
    view.resize(600, 300);
    QVERIFY(!view.grab().isNull());
  }

  void asksAgainWhenTheCursorMoves() {
    Story story;
    story.answer();
    QSignalSpy wanted(&story.exits, &InsideModel::wanted);
    story.session.goToStep(2);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(story.exits.question()->place.step, 2);
    QCOMPARE(story.exits.question()->place.tokens, 13);
    QCOMPARE(story.exits.reported().step, 4);  // in sight until the answer comes
    story.answer();
    QCOMPARE(story.exits.reported().step, 2);
    story.session.goLive();
    QCOMPARE(story.exits.question()->place.step, 4);
  }

  void aHiddenViewAsksForNothing() {
    Story story;
    ExitsView view(&story.exits);
    QSignalSpy wanted(&story.exits, &InsideModel::wanted);
    story.machine.step();
    story.session.append(story.machine.take());
    QCOMPARE(wanted.count(), 0);
    view.show();
    QVERIFY(wanted.count() > 0);
  }

  void aWaitingSequenceIsOpenedWithItsPrompt() {
    Story story(0);
    QCOMPARE(story.exits.question()->place.tokens, 12);
  }

  void aLongTextHasItsNewestTokens() {
    Story story(30);
    const auto asked = story.exits.question();
    QCOMPARE(asked->place.tokens, 41);
    QCOMPARE(asked->options.exitsFrom, 41 - ExitsModel::kPositions);
    story.answer();
    QCOMPARE(story.exits.tokens(), ExitsModel::kPositions);
    QCOMPARE(story.exits.positionOf(0), 9);
    QCOMPARE(story.exits.positionOf(story.exits.tokens() - 1), 40);
  }

  void cellsSayWhatTheReportSays() {
    Story story;
    story.answer();
    QCOMPARE(story.exits.rowCount(), kLayers + 1);
    QCOMPARE(story.exits.columnCount(), 16);
    QCOMPARE(story.exits.exitOf(0), kLayers);
    const ExitCell model = story.exits.cell(0, 14), second = story.exits.cell(1, 14),
                   first = story.exits.cell(3, 14);
    QCOMPARE(model.text, QStringLiteral("␣eight"));
    QVERIFY(std::abs(model.probability - 0.8) < 1e-9 && model.agrees);
    QCOMPARE(model.norm, 44.0f);
    QVERIFY(second.agrees && second.norm == 34.0f);
    QCOMPARE(first.text, QStringLiteral("␣seven"));
    QVERIFY(!first.agrees);
    QCOMPARE(story.exits.largestNorm(14), 44.0f);
    QCOMPARE(story.exits.sampledAt(14), story.exits.tokenText(15));
    QVERIFY(!story.exits.tokenText(15).isEmpty());
    const QString words = story.exits.describe(3, 14);
    QVERIFY2(words.contains(QLatin1String("embeddings alone")) &&
                 words.contains(QStringLiteral("␣seven 20.0")) &&
                 words.contains(QStringLiteral("␣nine 10.0")) && words.contains(story.exits.sampledAt(14)),
             qPrintable(words));
    QCOMPARE(story.exits.data(story.exits.index(0, 0)).toString(), QStringLiteral("3 model"));
    QVERIFY(story.exits.data(story.exits.index(0, 15)).toString().startsWith(QStringLiteral("␣eight 80.0")));
    QVERIFY(story.exits.summary().contains(QLatin1String("15 tokens of step 4, computed again")));
  }

  void differencesStandInTheTips() {
    Story story;
    story.answer();
    story.exits.setDifferences({1e-7, 2e-7, 3e-7, 4.5e-6});
    QVERIFY(story.exits.describe(0, 0).contains(QLatin1String("4.5e-06")));
    story.exits.setDifferences({1, 2});  // of another model
    QVERIFY(story.exits.differences().empty());
    story.exits.setDifferences({1, 2, 3, 4});
    story.session.goToStep(2);
    story.answer();
    QVERIFY(story.exits.differences().empty());  // they were the other tokens'
  }

  void attentionAsksForWhatIsChosen() {
    Story story;
    QCOMPARE(story.attention.question()->options.layer, 0);
    QCOMPARE(story.attention.question()->options.head, -1);
    story.answer();
    QSignalSpy wanted(&story.attention, &InsideModel::wanted);
    story.attention.choose(0, -1);
    QCOMPARE(wanted.count(), 0);  // that is shown
    story.attention.choose(0, 99);
    QVERIFY(!story.attention.question());  // the model has no such head: the mean, as before
    QCOMPARE(story.attention.positionOf(0), 0);
    QCOMPARE(story.attention.rowCount(), 15);
    QCOMPARE(story.attention.columnCount(), 16);
    QCOMPARE(story.attention.mostSeen(14, 3), (std::vector<int>{0, 1, 2}));
    QVERIFY(story.attention.describe(14, 0).contains(QLatin1String("53.3")));
    QVERIFY(story.attention.describe(3, 14).contains(QLatin1String("sees nothing")));
    QVERIFY(story.attention.describe(14, -1).contains(QLatin1String("looks most at")));
    QVERIFY(!story.attention.data(story.attention.index(3, 15)).isValid());
    QCOMPARE(story.attention.data(story.attention.index(0, 1), Qt::EditRole).toDouble(), 1.0);
  }

  void aRefusalIsSaidAndNotAskedAgain() {
    Story story;
    const auto asked = story.exits.question();
    story.exits.setReport(*asked, nullptr);
    QVERIFY(!story.exits.question());
    QVERIFY(story.exits.emptyText().startsWith(QLatin1String("Not recorded")));
    QCOMPARE(story.exits.rowCount(), 0);
    story.session.goToStep(2);
    QVERIFY(story.exits.question());
  }

  void aNewRunDropsTheReport() {
    Story story;
    story.answer();
    WordMachine other(32, 8);
    std::vector<Event> events = other.take();
    for (Event& event : events) event.run = 9;
    story.session.append(std::move(events));
    QVERIFY(story.exits.report() == nullptr && story.exits.rowCount() == 0);
    QVERIFY(!story.exits.question());
    QVERIFY(!story.exits.emptyText().isEmpty());
  }

  void theGridIsWalkedByKeysAndMouse() {
    Story story(30);
    ExitsView view(&story.exits);
    view.resize(420, 160);
    view.show();
    story.answer();
    QCOMPARE(view.currentColumn(), story.exits.tokens() - 1);
    QCOMPARE(view.horizontalScrollBar()->value(), view.horizontalScrollBar()->maximum());
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Left);
    QCOMPARE(view.currentRow(), 1);
    QCOMPARE(view.currentColumn(), story.exits.tokens() - 2);
    QVERIFY(view.accessibleDescription().contains(QLatin1String("after layer 2")));
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.horizontalScrollBar()->value(), 0);
    const QRect cell = view.cellArea(2, 1);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      cell.center() - QPoint(0, view.verticalScrollBar()->value()));
    QCOMPARE(view.currentRow(), 2);
    QCOMPARE(view.currentColumn(), 1);
  }

  // Names and tokens stay in sight while the grid scrolls, and stand at its edges in a picture.
  void headingsStayInSight() {
    Story story(30);
    ExitsView view(&story.exits);
    view.resize(420, 120);
    view.show();
    story.answer();
    view.horizontalScrollBar()->setValue(0);
    const QImage before = view.viewport()->grab().toImage();
    view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->maximum() / 2);
    const QImage after = view.viewport()->grab().toImage();
    const QRect names(0, 30, 60, 60);
    QCOMPARE(after.copy(names), before.copy(names));
    QVERIFY(after != before);
    const Picture picture = view.picture();
    QVERIFY(picture.size.width() > 2 * view.width());
    const QImage whole = toImage(picture, 1);
    QCOMPARE(whole.convertToFormat(before.format()).copy(names), before.copy(names));
  }

  // The darker, the larger the share; nothing above the diagonal.
  void theMapIsDarkestWhereAttentionIs() {
    Story story(8);
    AttentionView view(&story.attention);
    view.resize(700, 700);
    view.show();
    story.answer();
    QCOMPARE(view.currentRow(), story.attention.rowCount() - 1);
    const QImage image = view.viewport()->grab().toImage();
    const QPoint offset(view.horizontalScrollBar()->value(), view.verticalScrollBar()->value());
    const auto lightness = [&](int row, int column) {
      return image.pixelColor(view.cellArea(row, column).center() - offset).lightness();
    };
    const int row = story.attention.rowCount() - 3;
    QVERIFY(lightness(row, 0) < lightness(row, 1));
    QVERIFY(lightness(row, 1) < lightness(row, row + 2));
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.currentRow(), story.attention.rowCount() - 2);
    QCOMPARE(view.currentColumn(), 0);
    QVERIFY(view.accessibleDescription().contains(QLatin1String("looks at")));
  }

  // The costs are those of the step shown; a step without them says so.
  void operationsAreTheStepsOwn() {
    Measured m;
    QCOMPARE(m.model.rowCount(), 3);
    QCOMPARE(m.model.name(0), QStringLiteral("q k v"));
    QCOMPARE(m.model.at(0).share, 0.5);
    QCOMPARE(m.model.longest(), 0);
    QVERIFY2(m.model.summary().contains(QLatin1String("q k v 50.0")), qPrintable(m.model.summary()));
    QVERIFY(m.model.describe(0).contains(QLatin1String("12 calls")));
    QCOMPARE(m.model.data(m.model.index(0, OperationsModel::kGflops), Qt::EditRole).toDouble(), 4.0);
    QCOMPARE(m.model.data(m.model.index(0, OperationsModel::kGbps), Qt::EditRole).toDouble(), 8.0);
    QCOMPARE(m.model.data(m.model.index(0, OperationsModel::kIntensity), Qt::EditRole).toDouble(), 0.5);
    QVERIFY(!m.model.data(m.model.index(0, OperationsModel::kLimit), Qt::EditRole).isValid());
    m.story.machine.step();
    m.story.session.append(m.story.machine.take());
    QCOMPARE(m.model.rowCount(), 0);
    QVERIFY(m.model.emptyText().startsWith(QLatin1String("Not measured")));
    m.story.session.goToStep(5);
    QCOMPARE(m.model.rowCount(), 3);
  }

  // An operation stands under the limit of its bytes or of its arithmetic, whichever takes longer.
  void operationsStandUnderTheRoof() {
    Measured m;
    QVERIFY(m.model.wantsRoof());
    RooflineView view(&m.model);
    view.resize(900, 300);
    view.show();
    QVERIFY(view.placeOf(0).isNull());
    m.measure(Measured::roof());
    QVERIFY(!m.model.wantsRoof());
    QVERIFY(!m.model.at(0).place.isComputeBound);
    QVERIFY(std::abs(m.model.at(0).place.limit - 8.0 / 10) < 1e-9);
    QVERIFY(m.model.at(1).place.isComputeBound);
    QVERIFY(std::abs(m.model.at(1).place.limit - 80.0 / 100) < 1e-9);
    // The limit says what it was measured with: the bytes that the step reads, and where as many lie.
    QVERIFY(m.model.describe(0).contains(
        QLatin1String("Limited by memory: 80.0 % of 10.0 GB/s at 3.9 MiB (memory)")));
    QCOMPARE(m.model.streamWords(), QStringLiteral("10.0 GB/s at 3.9 MiB (memory)"));
    QCOMPARE(m.model.at(2).place.limit, 0.0);  // the rest is the host's time, too
    QVERIFY(m.model.describe(1).contains(QLatin1String("Limited by arithmetic: 80.0")));
    // To the right more arithmetic for a byte, up more of it in a second; a longer time is a larger circle.
    QVERIFY(view.placeOf(1).x() > view.placeOf(0).x() && view.placeOf(1).y() < view.placeOf(0).y());
    QVERIFY(view.radiusOf(0) > view.radiusOf(1));
    QCOMPARE(view.currentRow(), 0);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.currentRow(), 1);
    QVERIFY(view.accessibleDescription().startsWith(QLatin1String("gate-up")));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.placeOf(0).toPoint());
    QCOMPARE(view.currentRow(), 0);
    const QImage image = view.viewport()->grab().toImage();
    QVERIFY(image.pixelColor(view.placeOf(1).toPoint()) != image.pixelColor(QPoint(890, 200)));
    // Another run: the limits are gone with it.
    m.story.session.clear();
    QVERIFY(m.model.roof() == nullptr && m.model.streamWords().isEmpty());
  }

  // Products in int8 end at a line of their own, everything else at that of float32, and each says so.
  void productsHaveARoofOfTheirOwn() {
    Measured m(20'000'000);
    m.measure(Measured::roof());
    QCOMPARE(m.model.at(1).place.limit, 0.0);
    QVERIFY2(
        m.model.describe(1).contains(QLatin1String("The limits do not have the peak of int8 arithmetic.")),
        qPrintable(m.model.describe(1)));
    QCOMPARE(m.model.peakWords(), QStringList{"100 GFLOP/s of AVX-512, 2 threads"});
    RooflineView view(&m.model);
    view.resize(900, 300);
    view.show();
    MachineRoof roof = Measured::roof();
    roof.products = {{RoofPeak::kInt8InRegisters, 400, "AVX-512 VNNI"}};
    // Limits for float32 alone are none of an engine whose products are in int8.
    std::vector<Event> events = m.story.machine.all();
    EngineLoaded loaded = *bodyOf<EngineLoaded>(events.front());
    loaded.options.compute = Compute::kInt8;
    events.front().body = Boxed<EngineLoaded>(loaded);
    m.story.session.append(events);
    QVERIFY(m.model.wantsRoof() && view.peakLine(0).isNull());
    m.measure(roof);
    QCOMPARE(m.model.peakWords(), (QStringList{"100 GFLOP/s, float32 multiply-adds (AVX-512)",
                                               "400 GFLOP/s, int8 multiply-adds (AVX-512 VNNI)"}));
    QVERIFY(m.model.at(1).place.isComputeBound);
    QVERIFY(std::abs(m.model.at(1).place.limit - 80.0 / 400) < 1e-9);
    const QString words = m.model.describe(1);
    QVERIFY2(
        words.contains(QLatin1String("20.00 million operations in int8")) &&
            words.contains(QLatin1String("Limited by int8 arithmetic: 20.0 % of its peak of 400 GFLOP/s")),
        qPrintable(words));
    QVERIFY(m.model.describe(0).contains(QLatin1String("million floating-point operations")));
    const QLineF f32 = view.peakLine(0), int8 = view.peakLine(1);
    QVERIFY(int8.y1() == int8.y2() && f32.y1() == f32.y2() && int8.y1() < f32.y1() && int8.x1() > f32.x1());
    const QImage image = view.viewport()->grab().toImage();
    const auto isDrawn = [&](const QLineF& line, int toFree) {  // the other side has the words
      const QPoint at(static_cast<int>(line.x2()) - 3, static_cast<int>(line.y2()));
      return image.pixelColor(at) != image.pixelColor(at + QPoint(0, toFree));
    };
    QVERIFY(isDrawn(f32, -4) && isDrawn(int8, 4));
  }

  // A trace from a GPU that is opened where a processor has just been measured: the GPU's limits are the
  // trace's own, and this machine's are not shown.
  void aTraceStandsUnderItsOwnRoof() {
    Measured m;
    m.measure(Measured::roof());
    QCOMPARE(m.model.roofDevice(), QStringLiteral("AVX-512, 2 threads"));
    const MachineRoof gpu{"Big GPU", 0, 250'000, {{1 << 30, 3000}}, 0, 0, RoofPeak::kBf16Products};
    const auto open = [&](const std::vector<MachineRoof>& recorded) {
      Measured trace;
      for (const MachineRoof& roof : recorded) trace.story.machine.say(RoofMeasured{roof});
      m.story.session.append(trace.story.machine.all());
    };
    open({gpu});
    RooflineView view(&m.model);
    view.resize(900, 300);
    view.show();
    QCOMPARE(m.model.rowCount(), 3);
    QCOMPARE(m.model.roofDevice(), QStringLiteral("Big GPU"));
    QVERIFY(std::abs(m.model.at(0).place.limit - 8.0 / 3000) < 1e-9);
    QVERIFY2(
        m.model.describe(0).endsWith(QLatin1String("The limits are those of Big GPU, which computed this.")),
        qPrintable(m.model.describe(0)));
    QVERIFY(!m.model.wantsRoof() && m.model.roofNote().isEmpty() && !view.placeOf(0).isNull());
    // The step stands under them wherever in the run they were measured.
    m.story.session.goToStep(4);
    m.story.session.goToStep(5);
    QVERIFY(m.model.roof() != nullptr && m.model.roof()->isOfGpu());
    // An older trace has no limits, and says so; nor has one whose limits no machine has.
    for (const std::vector<MachineRoof>& recorded :
         {std::vector<MachineRoof>{}, {MachineRoof()}, {{"AVX-512", 2, -1, {{1 << 30, 10}}}}}) {
      open(recorded);
      QCOMPARE(m.model.rowCount(), 3);
      QVERIFY(m.model.roof() == nullptr && m.model.wantsRoof() && m.model.at(0).place.limit == 0);
      QVERIFY2(m.model.roofNote().contains(QLatin1String("trace record --operations")) &&
                   m.model.roofNote().contains(windowText(m.story.session.engine()->device)),
               qPrintable(m.model.roofNote()));
      QVERIFY(m.model.describe(0).contains(m.model.roofNote()) && view.placeOf(0).isNull());
    }
  }

  // The past of a run and what goes on from it on another device: each under its own limits.
  void aBranchOnAnotherDeviceHasItsOwnRoof() {
    Measured m;
    const MachineRoof gpu{"Big GPU", 0, 250'000, {{1 << 30, 3000}}, 0, 0, RoofPeak::kBf16Products};
    std::vector<Event> events = m.story.machine.all();
    EngineLoaded loaded = *bodyOf<EngineLoaded>(events.front());
    loaded.device = "AVX-512, 2 threads";
    loaded.threads = 2;
    loaded.branchOfRun = 1;
    loaded.branchStep = 4;
    events.front().body = Boxed<EngineLoaded>(loaded);
    Event measured = events.front();
    measured.body = Boxed<RoofMeasured>(RoofMeasured{gpu});
    events.insert(events.begin() + 1, measured);
    m.story.session.append(events);
    QCOMPARE(m.story.session.step(), 5);
    QVERIFY(m.model.wantsRoof());
    m.measure(Measured::roof());
    QCOMPARE(m.model.roofDevice(), QStringLiteral("AVX-512, 2 threads"));
    m.story.session.goToStep(4);
    QCOMPARE(m.model.roofDevice(), QStringLiteral("Big GPU"));
  }

  // A context of a thousand tokens is a pixel a token, and is painted from one picture.
  void aLargeMapScrolls() {
    Session session;
    WordMachine machine(512, 8, 2048);
    machine.submit("long", 1100, 4);
    machine.step();
    session.append(machine.take());
    AttentionModel model(&session);
    AttentionView view(&model);
    view.resize(500, 300);
    view.show();
    const auto asked = model.question();
    QVERIFY(asked);
    QCOMPARE(asked->options.attentionFrom, 1100 - AttentionModel::kMostRows);
    model.setReport(*asked, reportFor(*asked));
    QCOMPARE(model.rowCount(), AttentionModel::kMostRows);
    QCOMPARE(view.cellArea(0, 0).width(), 1);
    QVERIFY(view.horizontalScrollBar()->maximum() > 0 && view.verticalScrollBar()->maximum() > 0);
    QVERIFY(!view.viewport()->grab().isNull());
  }
};

QTEST_MAIN(TestLayers)
#include "tst_layers.moc"
