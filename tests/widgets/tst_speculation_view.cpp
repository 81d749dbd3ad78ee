// Whether speculation pays, said of runs with made-up times: the words, the draft's fates, and the charts.
#include <QSignalSpy>
#include <QTest>

#include "support/word_machine.h"
#include "vitrine/speculation_report.h"
#include "widgets/speculation/speculation_model.h"
#include "widgets/speculation/speculation_view.h"
#include "widgets/support/animation_clock.h"
#include "widgets/support/table_export.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

using enum DraftVerdict;

// A run that drafts: its scheduler is real, drafts and times are said.
class DraftingRun {
 public:
  DraftingRun() : m_machine(16, 8) {
    m_machine.submit("one", 12, 40);
    m_machine.step();
    for (Event& event : m_machine.take()) {
      if (auto* loaded = std::get_if<Boxed<EngineLoaded>>(&event.body)) {
        EngineLoaded changed = **loaded;
        changed.options.speculation.drafter = DraftMethod::kEarlyExit;
        changed.options.speculation.exitLayer = 4;
        event.body = changed;
      }
      events.push_back(event);
    }
  }

  void drafted(int accepted, std::vector<DraftJudgement> judgements, std::int64_t ns) {
    const int length = static_cast<int>(judgements.size());
    step(accepted, std::move(judgements),
         StepSpeculated{1, 1, length, accepted, 1 + accepted, 0, ns / 2, ns / 2});
  }
  void plain(std::int64_t ns) { step(0, {}, StepSpeculated{1, 0, 0, 0, 1, 0, 0, ns}); }

  SpeculationReport report() const {
    SpeculationReport report;
    for (const Event& event : events) report.add(event);
    return report;
  }

  std::vector<Event> events;

 private:
  void step(int accepted, std::vector<DraftJudgement> judgements, const StepSpeculated& timed) {
    m_machine.beginStep();
    const int end = static_cast<int>(m_machine.state().sequences.at(1).tokens.size());
    if (!judgements.empty())
      m_machine.say(DraftVerified{1, end, accepted, std::move(judgements)}, Phase::kSample);
    m_machine.say(timed);
    m_machine.endStep();
    for (Event& event : m_machine.take()) events.push_back(std::move(event));
  }

  WordMachine m_machine;
};

// Two of three judged tokens accepted; a drafted step takes three plain ones.
DraftingRun losing() {
  DraftingRun run;
  run.drafted(1, {{9, kSame}, {6, kDiffers}, {3, kUndecided}}, 300);
  run.drafted(0, {{9, kDiffers}, {6, kUndecided}, {3, kUndecided}}, 300);
  run.plain(100);
  return run;
}

DraftingRun paying() {
  DraftingRun run;
  for (int i = 0; i < 3; ++i) run.drafted(3, {{9, kSame}, {6, kSame}, {3, kSame}, {2, kDiffers}}, 200);
  run.plain(100);
  return run;
}

struct Bench {
  Session session;
  SpeculationModel model{&session};
  SpeculationView view{&model};

  explicit Bench(const std::vector<Event>& events, QSize size = {760, 1000}) {
    view.resize(size);
    view.show();
    session.selectSequence(1);
    session.append(events);
    QTest::qWait(10);
    session.spotlight()->clear();
  }
  const SpeculationView::Item* item(SpeculationView::Part part, int index) const {
    for (const SpeculationView::Item& one : view.items())
      if (one.part == part && one.index == index) return &one;
    return nullptr;
  }
};

}  // namespace

class TestSpeculationView : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    AnimationClock::setReducedMotion(true);
    installTranslations(*QCoreApplication::instance(), QLocale::c());
  }

  void itSaysWhetherItPays() {
    Session session;
    SpeculationModel model(&session);
    QVERIFY(model.verdict() == SpeculationVerdict::kOff);
    DraftingRun run;
    run.drafted(3, {{9, kSame}, {6, kSame}, {3, kSame}}, 200);
    session.append(run.events);
    QVERIFY(model.verdict() == SpeculationVerdict::kNotMeasured);
    QVERIFY(model.verdictText().contains(QStringLiteral("no plain step with as many sequences")));
    QCOMPARE(model.summary(), QStringLiteral("own first 4 layers · K 4"));
    session.append(paying().events);
    QVERIFY(model.verdict() == SpeculationVerdict::kPays);
    QCOMPARE(model.verdictText(), QStringLiteral("Speculation pays here: 2.0 times as fast."));
    QCOMPARE(model.costText(),
             QStringLiteral("A drafted step costs 2.0 plain steps and keeps 4.0 tokens: 2.0×."));
    QCOMPARE(model.measuredText(),
             QStringLiteral(
                 "Medians of 3 drafted steps and 1 plain step that only decode, with as many sequences."));
    session.append(losing().events);
    QVERIFY(model.verdict() == SpeculationVerdict::kDoesNotPay);
    QCOMPARE(model.verdictText(), QStringLiteral("Speculation does not pay here: 0.5 times as fast."));
    DraftingRun dear;
    dear.drafted(1, {{9, kSame}}, 900);
    dear.plain(100);
    session.append(dear.events);
    QVERIFY(model.verdict() == SpeculationVerdict::kCannotPay);
    QCOMPARE(model.breakEvenText(), QStringLiteral("break-even above 100\u00a0%"));
  }

  // The figures are those of a report of the same events, at each step.
  void theFiguresAreTheEngines() {
    const DraftingRun run = losing();
    Session session;
    SpeculationModel model(&session);
    session.append(run.events);
    for (int step = 0; step <= session.lastStep(); ++step) {
      session.goToStep(step);
      SpeculationReport report;
      for (const Event& event : run.events)
        if (event.step <= step) report.add(event);
      QCOMPARE(model.figures().drafts, report.drafts);
      QVERIFY(model.figures().positions == report.positions);
      QVERIFY(model.figures().acceptance() == report.acceptance());
      QVERIFY(model.figures().speedUp() == report.speedUp());
      QVERIFY(model.figures().breakEvenAcceptance() == report.breakEvenAcceptance());
    }
    session.goLive();
    QVERIFY(model.figures().speedUp().has_value());
    const QString csv = toCsv(model);
    QVERIFY2(csv.contains(QStringLiteral("acceptance at position 1,0.5,2")), qPrintable(csv));
  }

  void theNewestDraftIsShown() {
    Bench b(losing().events);
    QVERIFY(b.session.isLive());
    const ShownDraft& draft = b.model.draft();
    QCOMPARE(draft.step, 3);  // the last step had none
    QCOMPARE(b.model.draftTitle(), QStringLiteral("Newest draft of A, step 3"));
    std::vector<TokenFate> fates;
    for (const DraftToken& token : draft.tokens) fates.push_back(token.fate);
    using enum TokenFate;
    QVERIFY(fates == (std::vector{kRejected, kUnjudged, kUnjudged, kModel}));
    QCOMPARE(draft.tokens.back().position, draft.tokens.front().position);
    b.session.goToStep(2);
    QCOMPARE(b.model.draft().step, 2);
    QVERIFY(b.model.draft().tokens.front().fate == kAccepted);
    QVERIFY(b.model.describeToken(0).contains(tokenFateText(kAccepted)));
    b.session.goToStep(1);
    QCOMPARE(b.model.draft().step, 0);
  }

  // Nothing was rejected, and yet not every token was looked at.
  void theEndOfTheAnswerEndsTheDraft() {
    DraftingRun run;
    run.drafted(1, {{9, kSame}, {6, kUndecided}}, 200);
    Bench b(run.events);
    QVERIFY(b.model.describeToken(1).contains(QStringLiteral("the answer ended before it")));
    QVERIFY(b.model.describeToken(0).contains(tokenFateText(TokenFate::kAccepted)));
  }

  void aDraftInFlightHasNoFate() {
    Session session;
    SpeculationModel model(&session);
    WordMachine machine(16, 8);
    machine.submit("one", 12, 8);
    machine.step();
    session.append(machine.take());
    session.selectSequence(1);
    machine.beginStep();
    std::vector<Event> begun = machine.take();
    for (Event& one : begun)
      if (auto* work = std::get_if<SequenceScheduled>(&one.body)) work->tokens += 2, work->draftTokens = 2;
    Event proposed = begun.back();
    proposed.body = DraftProposed{1, DraftMethod::kNgram, 13, {4, 9}};
    begun.push_back(proposed);
    session.append(begun);
    QVERIFY(model.draft().pending);
    QCOMPARE(int(model.draft().tokens.size()), 2);
    QCOMPARE(model.draftTitle(), QStringLiteral("Draft of A in this step, not verified yet"));
    QVERIFY(model.describeToken(1).contains(QStringLiteral("not verified yet")));
  }

  void theBreakEvenStandsAtItsHeight() {
    Bench b(losing().events);
    const auto* first = b.item(SpeculationView::Part::kPosition, 0);
    QVERIFY(first != nullptr);
    const double needed = *b.model.figures().breakEvenAcceptance();
    QVERIFY(needed > 0.5 && needed < 1);
    const QImage image = b.view.viewport()->grab().toImage();
    const QColor colour = mix(Theme::of(&b.view).base(), Theme::of(&b.view).accent(), 0.6);
    const double scale = image.devicePixelRatio();
    const int x = qRound(first->area.center().x() * scale);
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y) pixels += image.pixelColor(x, y).rgb() == colour.rgb() ? 1 : 0;
    QVERIFY(pixels > 20);
    // The bar of one half tells the scale: the line is as far above its foot as the acceptance says.
    const double whole = pixels / scale / 0.5;
    int foot = image.height() - 1;
    while (foot > 0 && image.pixelColor(x, foot).rgb() != colour.rgb()) --foot;
    QVERIFY2(qAbs(foot / scale - b.view.breakEvenY() - needed * whole) < 4,
             qPrintable(QStringLiteral("%1 %2").arg(b.view.breakEvenY()).arg(whole)));
  }

  void keysAndMouseReachEachPart() {
    Bench b(losing().events);
    QTest::keyClick(&b.view, Qt::Key_Home);
    QCOMPARE(b.view.accessibleDescription(), b.model.describeToken(0));
    const prose::Target target = b.session.spotlight()->target();
    QCOMPARE(target.sequence, 1);
    QCOMPARE(target.position, b.model.draft().tokens[0].position);
    QTest::keyClick(&b.view, Qt::Key_End);
    QCOMPARE(b.view.accessibleDescription(), b.model.describeStep(1));
    QSignalSpy steps(&b.view, &SpeculationView::stepRequested);
    QTest::keyClick(&b.view, Qt::Key_Return);
    QCOMPARE(steps.value(0).value(0).toInt(), 3);
    const auto* bar = b.item(SpeculationView::Part::kPosition, 1);
    QTest::mouseClick(b.view.viewport(), Qt::LeftButton, {}, bar->area.center().toPoint());
    QCOMPARE(b.view.accessibleDescription(), b.model.describePosition(1));
    QCOMPARE(steps.size(), 1);
    QTest::mouseClick(b.view.viewport(), Qt::LeftButton, {},
                      b.item(SpeculationView::Part::kStep, 0)->area.center().toPoint());
    QCOMPARE(steps.value(1).value(0).toInt(), 2);
  }

  void everythingFits_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("wide") << QSize(900, 420);
    QTest::newRow("narrow") << QSize(300, 300);
  }
  void everythingFits() {
    QFETCH(QSize, size);
    Bench b(paying().events, size);
    for (const SpeculationView::Item& item : b.view.items()) {
      QVERIFY(item.area.left() >= 0 && item.area.right() <= b.view.viewport()->width());
      for (const SpeculationView::Item& other : b.view.items())
        QVERIFY(&item == &other ||
                !item.area.adjusted(1, 1, -1, -1).intersects(other.area.adjusted(1, 1, -1, -1)));
    }
  }
};

QTEST_MAIN(TestSpeculationView)
#include "tst_speculation_view.moc"
