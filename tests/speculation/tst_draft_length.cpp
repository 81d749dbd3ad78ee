// The choice of a draft's length, and the report of what speculation was worth, from costs and acceptances
// given.
#include "speculation/draft_length.h"
#include "speculation/ngram_drafter.h"
#include "vitrine/speculation_report.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>

using namespace vitrine;

namespace {

constexpr int kLongest = 6;

// Steps of one sequence: drafting costs `draft` a token, verifying 100 and `row` for each row beyond the
// first; of every ten tokens at each position `accepted` are.
void live(DraftLength& lengths, int steps, int draft, int row, int accepted, int* counts) {
  for (int step = 0; step < steps; ++step) {
    const int length = lengths.choose(1);
    ++counts[length];
    DraftVerified verified{1, 5, 0, {}};
    bool open = true;
    for (int i = 0; i < length; ++i) {
      const bool stays = (step * 7 + i * 3) % 10 < accepted;
      verified.judgements.push_back({1,
                                     !open   ? DraftVerdict::kUndecided
                                     : stays ? DraftVerdict::kSame
                                             : DraftVerdict::kDiffers,
                                     0, 0, 0});
      open = open && stays;
      verified.accepted += open ? 1 : 0;
    }
    if (length > 0) lengths.observe(verified);
    const bool heldUp = step % 11 == 3;  // by another program
    lengths.observe(StepSpeculated{1, length > 0, length, verified.accepted, verified.accepted + 1, 0,
                                   std::int64_t{1000} * draft * length * (heldUp ? 20 : 1),
                                   std::int64_t{1000} * (100 + row * length)});
  }
}

Event eventOf(EventBody body) {
  Event event;
  event.body = std::move(body);
  return event;
}

}  // namespace

class TestDraftLength : public QObject {
  Q_OBJECT

 private slots:
  void theLengthThatPaysIsChosen_data() {
    QTest::addColumn<int>("draft");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("accepted");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::newRow("all accepted, cheap") << 5 << 2 << 10 << kLongest << kLongest;
    QTest::newRow("nothing accepted") << 5 << 2 << 0 << 0 << 0;
    QTest::newRow("as dear as the model") << 100 << 5 << 8 << 0 << 0;
    QTest::newRow("in between") << 25 << 5 << 8 << 1 << 4;
  }
  void theLengthThatPaysIsChosen() {
    QFETCH(int, draft);
    QFETCH(int, row);
    QFETCH(int, accepted);
    QFETCH(int, least);
    QFETCH(int, most);
    DraftLength lengths(kLongest, true);
    int counts[kLongest + 1] = {};
    live(lengths, 64, draft, row, accepted, counts);
    std::fill(std::begin(counts), std::end(counts), 0);
    live(lengths, 640, draft, row, accepted, counts);
    int within = 0;
    for (int length = least; length <= most; ++length) within += counts[length];
    QVERIFY2(within > 560, qPrintable(QString::number(within)));
    QVERIFY(counts[0] >= 10 && counts[kLongest] >= 10);  // both stay measured
  }

  void withoutAdaptingOnlyThePlainStepsDiffer() {
    DraftLength lengths(kLongest, false);
    int counts[kLongest + 1] = {};
    live(lengths, 640, 100, 50, 0, counts);
    QCOMPARE(counts[0], 10);
    QCOMPARE(counts[kLongest], 630);
  }

  // Two tokens of three judged accepted at the first position, one of two at the second; a step with a draft
  // costs twice a plain one.
  void theReportIsMeasured() {
    SpeculationReport report;
    report.add(eventOf(EngineLoaded()));
    QVERIFY(!report.speedUp() && !report.breakEvenAcceptance() && report.acceptance() == 0);
    const auto verified = [&](std::vector<DraftVerdict> verdicts, int accepted) {
      DraftVerified body{1, 3, accepted, {}};
      for (DraftVerdict verdict : verdicts) body.judgements.push_back({1, verdict, 0, 0, 0});
      report.add(eventOf(body));
      report.add(eventOf(
          StepSpeculated{1, 1, static_cast<int>(verdicts.size()), accepted, accepted + 1, 0, 80, 120}));
    };
    using enum DraftVerdict;
    verified({kSame, kWithin}, 2);
    verified({kSame, kDiffers}, 1);
    verified({kBeyond, kUndecided}, 0);
    QVERIFY(!report.relativeCost());  // nothing to compare with
    report.add(eventOf(StepSpeculated{1, 0, 0, 0, 1, 0, 0, 100}));
    report.add(eventOf(StepSpeculated{2, 0, 0, 0, 2, 0, 0, 7}));      // of another size
    report.add(eventOf(StepSpeculated{1, 0, 0, 0, 1, 9, 0, 90000}));  // with a prompt
    QCOMPARE(report.positions.size(), std::size_t{2});
    QCOMPARE(report.positions[0].judged, 3);
    QCOMPARE(report.positions[0].accepted, 2);
    QCOMPARE(report.positions[1].judged, 2);
    QCOMPARE(report.positions[1].accepted, 1);
    QCOMPARE(report.acceptance(), 0.6);
    QCOMPARE(report.meanAcceptedLength(), 1.0);
    QCOMPARE(*report.relativeCost(), 2.0);
    QCOMPARE(*report.speedUp(), 1.0);                // six tokens in 600, one in 100
    const double golden = (std::sqrt(5.0) - 1) / 2;  // a + a² = 1
    QVERIFY(std::abs(*report.breakEvenAcceptance() - golden) < 1e-9);
    QCOMPARE(report.draftNs, (std::vector<std::int64_t>{80, 80, 80}));
    QCOMPARE(report.verifyNs, (std::vector<std::int64_t>{120, 120, 120}));

    SpeculationReport plain;  // of a run beside it
    QVERIFY(!report.against(plain).relativeCost());
    plain.add(eventOf(StepSpeculated{1, 0, 0, 0, 1, 0, 0, 160}));
    QCOMPARE(*report.against(plain).relativeCost(), 1.25);
    QCOMPARE(*report.against(plain).speedUp(), 1.6);
    QCOMPARE(*report.relativeCost(), 2.0);
  }

  // The ninth step is plain, whatever pays; where drafts are dear, others draft nothing for their cost.
  void aPlainStepIsForComparisonOrForItsCost() {
    DraftLength fixed(kLongest, false), adaptive(kLongest, true);
    int counts[kLongest + 1] = {};
    for (int step = 0; step < DraftLength::period(); ++step) {
      const int length = fixed.choose(1);
      QCOMPARE(length == 0, step == 8);
      if (length == 0) QVERIFY(fixed.isForComparison());
    }
    live(adaptive, 20, 90, 2, 0, counts);
    QCOMPARE(adaptive.choose(1), 0);
    QVERIFY(!adaptive.isForComparison());
  }

  void ngramsFindTheLatestPlaceThatEndedAlike() {
    using Tokens = std::vector<TokenId>;
    QCOMPARE(NgramDrafter::findContinuation(Tokens{}, 3), std::size_t{0});
    QCOMPARE(NgramDrafter::findContinuation(Tokens{5}, 3), std::size_t{0});
    QCOMPARE(NgramDrafter::findContinuation(Tokens{1, 2, 3}, 3), std::size_t{0});
    QCOMPARE(NgramDrafter::findContinuation(Tokens{1, 2, 9, 2, 8, 1, 2}, 3),
             std::size_t{2});  // longer beats later
    QCOMPARE(NgramDrafter::findContinuation(Tokens{1, 2, 9, 2, 8, 1, 2}, 1), std::size_t{4});
    QCOMPARE(NgramDrafter::findContinuation(Tokens{4, 4}, 3), std::size_t{1});
    NgramDrafter drafter(2);
    Sequence sequence;
    sequence.tokens = {7, 1, 2, 3, 1, 2, 3};
    QCOMPARE(drafter.canPropose(sequence, 4).tokens, 4);
    std::vector<Draft> drafts = {{&sequence, 0, 5, nullptr, {}, {}, {}, {}, {}, {}}};
    drafter.propose({}, drafts);
    QCOMPARE(drafts[0].tokens, (Tokens{1, 2, 3, 1, 2}));  // beyond its own end
    sequence.tokens = {1, 2, 3};
    const DraftOffer none = drafter.canPropose(sequence, 4);
    QVERIFY(none.tokens == 0 && none.reason == NoDraftReason::kNoMatch);
  }
};

QTEST_APPLESS_MAIN(TestDraftLength)
#include "tst_draft_length.moc"
