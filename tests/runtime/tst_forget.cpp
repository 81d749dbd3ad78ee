// Engine::forget(): a finished request leaves nothing behind, and its id stays that of a finished one.
#include "support/machine_check.h"
#include "support/refusal.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {}  // namespace

class TestForget : public QObject {
  Q_OBJECT

 private slots:
  void nothingIsLeftOfARequestAndItsSequences() {
    ReplayingSink sink;
    const auto engine = tinyModel().engine(tinyOptions(), sink);
    Request several = tinyRequest({1, 2, 3, 4, 5}, 6);
    several.sequences = 3;
    const RequestId first = engine->submit(several), second = engine->submit(tinyRequest({8, 9}, 4));
    engine->run();
    engine->forget(first);
    QCOMPARE(complaintAbout(*engine, sink), std::string());
    QCOMPARE(engine->snapshot().requests.size(), std::size_t{1});
    QCOMPARE(engine->snapshot().sequences.size(), std::size_t{1});
    QCOMPARE(engine->takeResult(second).sequences[0].tokenIds.size(), std::size_t{4});
    engine->forget(second);
    QCOMPARE(complaintAbout(*engine, sink), std::string());
    QVERIFY(engine->snapshot().requests.empty() && engine->snapshot().sequences.empty());
  }

  void aForgottenIdIsThatOfAFinishedRequest() {
    ReplayingSink sink;
    const auto engine = tinyModel().engine(tinyOptions(), sink);
    const RequestId id = engine->submit(tinyRequest({1, 2, 3}, 2));
    engine->run();
    engine->forget(id);
    const MachineState after = engine->snapshot();
    QVERIFY(engine->isFinished(id));
    engine->forget(id);
    engine->cancel(id);
    engine->setSampling(id, {});
    QVERIFY(engine->snapshot() == after);
    QCOMPARE(sink.count<RequestForgotten>(), 1);
    QCOMPARE(sink.count<RequestCancelled>() + sink.count<SamplingChanged>(), 0);
    VERIFY_REFUSED(engine->takeResult(id), "invalid_argument", "forgotten");
  }

  void onlyWhatHasFinishedCanBeForgotten() {
    ReplayingSink sink;
    const auto engine = tinyModel().engine(tinyOptions(), sink);
    const RequestId id = engine->submit(tinyRequest({1, 2, 3}, 5));
    VERIFY_REFUSED(engine->forget(id), "invalid_argument", "not finished");
    engine->step();
    VERIFY_REFUSED(engine->forget(id), "invalid_argument", "not finished");
    VERIFY_REFUSED(engine->forget(id + 1), "invalid_argument", "no request");
    engine->cancel(id);
    engine->forget(id);
    QVERIFY(!engine->hasWork() && engine->snapshot().requests.empty());
    QCOMPARE(complaintAbout(*engine, sink), std::string());
  }

  void numbersAreNotGivenTwice() {
    ReplayingSink sink;
    const auto engine = tinyModel().engine(tinyOptions(), sink);
    Request several = tinyRequest({1, 2, 3}, 2);
    several.sequences = 2;
    engine->submit(several);
    engine->run();
    engine->forget(1);
    QCOMPARE(engine->submit(several), 2);
    engine->run();
    const MachineState state = engine->snapshot();
    QCOMPARE(state.requests.at(2).sequences, (std::vector<SequenceId>{3, 4}));
    QCOMPARE(complaintAbout(*engine, sink), std::string());
  }

  // The step's own lists may name it; and what is asked about it meanwhile finds it gone.
  void insideAStepItWaitsForTheEnd() {
    ReplayingSink sink;
    const auto engine = tinyModel().engine(tinyOptions(), sink);
    const RequestId done = engine->submit(tinyRequest({1, 2}, 1));
    engine->run();
    engine->submit(tinyRequest({3, 4, 5}, 1));
    int held = 0;
    engine->setGate([&](Phase) {
      engine->forget(done);
      engine->cancel(done);
      held += engine->snapshot().requests.contains(done) && sink.state == engine->snapshot() ? 1 : 0;
    });
    engine->step();
    QCOMPARE(held, kPhaseCount);
    QVERIFY(!engine->snapshot().requests.contains(done));
    QCOMPARE(sink.count<RequestForgotten>(), 1);
    QCOMPARE(complaintAbout(*engine, sink), std::string());
  }
};

QTEST_APPLESS_MAIN(TestForget)
#include "tst_forget.moc"
