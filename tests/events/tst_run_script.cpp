// RunScript: what it takes of a run's events, and which of them its digests tell apart.
#include "events/event_digest.h"
#include "vitrine/machine_state.h"
#include "vitrine/run_script.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>

using namespace vitrine;

namespace {

class Story {
 public:
  Story() {
    EngineLoaded loaded;
    loaded.options.blockSize = 4;
    loaded.options.numBlocks = 8;
    loaded.inputsRecorded = true;
    loaded.model.vocabularySize = 50;
    say(loaded);
  }
  Story& say(EventBody body) {
    now += 10;
    if (std::holds_alternative<StepStarted>(body)) ++step;
    script.add(Event{3, number++, step, Phase::kAdmit, now, std::move(body)});
    return *this;
  }
  RunScript script;
  std::int64_t number = 0, now = 0;
  std::int32_t step = 0;
};

RequestSubmitted request(RequestId id) {
  RequestSubmitted submitted{};
  submitted.request = submitted.firstSequence = id;
  return submitted;
}

}  // namespace

class TestRunScript : public QObject {
  Q_OBJECT

 private slots:
  void inputsStandWhereTheyCame() {
    Story story;
    story.say(request(1)).say(StepStarted{}).say(request(2)).say(PhaseStarted{Phase::kAdmit}).say(request(3));
    story.say(PhaseStarted{Phase::kPlan}).say(TokenSampled{1, 9, 3, -1, -0.5, ""}).say(StepFinished{});
    story.say(RequestCancelled{2}).say(StepStarted{}).say(StepFinished{});
    QCOMPARE(story.script.lastStep(), 2);
    const RunScript::Step &first = story.script.step(1), &second = story.script.step(2);
    QCOMPARE(first.inputs.size(), std::size_t{3});
    QCOMPARE(first.inputs[0].gate, 0);
    QCOMPARE(first.inputs[1].gate, 1);
    QCOMPARE(first.inputs[2].gate, 2);
    QCOMPARE(first.inputs[2].timeNs, 60);
    QCOMPARE(first.clockNs, 30);
    QCOMPARE(first.phaseNs[1], 70);
    QCOMPARE(first.tokens.size(), std::size_t{1});
    QCOMPARE(first.tokens[0].token, 9);
    QVERIFY(first.finished && !first.failed && !first.evicted);
    QCOMPARE(second.inputs.size(), std::size_t{1});
    QCOMPARE(second.inputs[0].gate, 0);
  }

  void movesThatFailedAreCounted() {
    Story story;
    SwapFailed refused;
    refused.sequence = 7;
    story.say(StepStarted{}).say(BlockSwappedOut{}).say(BlockDemoted{}).say(Boxed<SwapFailed>(refused));
    story.say(StepFinished{});
    const auto& failed = story.script.step(1).failedMoves;
    QCOMPARE(failed.size(), std::size_t{1});
    QCOMPARE(failed[0].first, 2);
    QCOMPARE((*failed[0].second).sequence, 7);
  }

  void aRunKnowsWhenItsContextsWereWhole() {
    Story story;
    const auto step = [&](EventBody body) {
      story.say(StepStarted{}).say(std::move(body)).say(StepFinished{});
    };
    step(ContextEvicted{1, 5});
    step(StepPlanned{});
    step(SequenceFinished{5});
    QVERIFY(story.script.step(1).evicted && story.script.step(2).evicted && !story.script.step(3).evicted);
  }

  void digestsTellDecisionsApartAndNoTimes() {
    const auto digest = [](EventBody body) { return digestOf(body).value_or(0); };
    // An entropy is measured for those that ask, and decides nothing.
    TokenSampled plain, measured;
    plain.token = measured.token = 7;
    measured.entropy = 2.5f;
    QCOMPARE(digest(plain), digest(measured));
    measured.token = 8;
    QVERIFY(digest(plain) != digest(measured));
    QVERIFY(digest(BlockAllocated{1, 2, 3}) == digest(BlockAllocated{1, 2, 3}));
    QVERIFY(digest(BlockAllocated{1, 2, 3}) != digest(BlockAllocated{1, 3, 2}));
    QVERIFY(digest(BlockCached{1, 2, 3}) != digest(BlockCached{1, 2, 4}));
    QVERIFY(digest(TokenSampled{1, 2, 3, -1, 0.5, "a"}) != digest(TokenSampled{1, 2, 3, -1, 0.25, "a"}));
    QVERIFY(digest(TokenSampled{1, 2, 3, -1, 0.5, "a"}) != digest(TokenSampled{1, 2, 3, -1, 0.5, "b"}));
    QVERIFY(digest(DraftProposed{1, DraftMethod::kNgram, 2, {3, 4}}) !=
            digest(DraftProposed{1, DraftMethod::kNgram, 2, {3}}));
    QVERIFY(digest(DraftProposed{1, DraftMethod::kNgram, 2, {3}, {"a"}}) ==
            digest(DraftProposed{1, DraftMethod::kNgram, 2, {3}}));  // an older trace has no texts
    for (const EventBody& body :
         {EventBody(StepStarted{}), EventBody(StepFinished{}), EventBody(StepSwapped{}),
          EventBody(LayerTap{}), EventBody(ForwardMeasured{}), EventBody(BatchPadded{}),
          EventBody(ForwardAhead{}), EventBody(LaunchesMeasured{}), EventBody(RoofMeasured{}),
          EventBody(RequestFinished{}), EventBody(request(1)),
          EventBody(DraftSkipped{1, NoDraftReason::kBlocks, 1, 0})})
      QVERIFY(!digestOf(body).has_value());
  }

  void theOrderOfEventsCounts() {
    const auto of = [](EventBody a, EventBody b) {
      Story story;
      story.say(StepStarted{}).say(std::move(a)).say(std::move(b)).say(StepFinished{});
      return story.script.step(1).digest;
    };
    const BlockAllocated one{1, 1, 0}, two{2, 2, 0};
    QVERIFY(of(one, two) != of(two, one));
    QVERIFY(of(one, two) == of(one, two));
  }

  void whatNoModelSaysIsRefused() {
    BeamStep step;
    step.candidates.emplace_back().token = 50;
    for (const EventBody& body :
         {EventBody(TokenSampled{1, 50, 3, -1, -1, ""}), EventBody(TokenSampled{1, -1, 3, -1, -1, ""}),
          EventBody(TokenSampled{1, 1, 3, -1, std::nan(""), ""}),
          EventBody(DraftProposed{1, DraftMethod::kNgram, 2, {3, 99}}), EventBody(Boxed<BeamStep>(step))})
      QVERIFY_EXCEPTION_THROWN(Story().say(body), EngineError);
  }

  void theOptionsAreThoseOfTheRun() {
    EngineLoaded loaded;
    loaded.inputsRecorded = true;
    loaded.options.blockSize = 8;
    loaded.options.numBlocks = 20;
    loaded.options.policy = Policy::kShortest;
    loaded.options.preemption = Preemption::kSwap;
    loaded.bytesPerBlock = 100;
    loaded.diskSwapBlocks = 3;
    loaded.options.speculation.drafter = DraftMethod::kNgram;
    RunScript script;
    script.add(Event{1, 0, 0, Phase::kAdmit, 0, Boxed<EngineLoaded>(loaded)});
    const EngineOptions options = script.options();
    QCOMPARE(options.blockSize, 8);
    QCOMPARE(options.numBlocks, 20);
    QVERIFY(options.policy == Policy::kShortest && options.preemption == Preemption::kSwap);
    QCOMPARE(options.diskSwapBytes, std::int64_t{300});
    QVERIFY(options.speculation.drafter == DraftMethod::kNgram);
  }
};

QTEST_APPLESS_MAIN(TestRunScript)
#include "tst_run_script.moc"
