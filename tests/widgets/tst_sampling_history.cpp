// The sampling options of a request at each step.
#include "widgets/session/sampling_history.h"

#include <QTest>

using namespace vitrine;

namespace {

SamplingOptions warm(double temperature) {
  SamplingOptions sampling;
  sampling.temperature = temperature;
  return sampling;
}
Event submitted(int step, RequestId request, double temperature) {
  RequestSubmitted body;
  body.request = request;
  body.asked.sampling = warm(temperature);
  Event event;
  event.step = step;
  event.body = Boxed<RequestSubmitted>(body);
  return event;
}
Event changed(int step, RequestId request, double temperature) {
  Event event;
  event.step = step;
  event.body = SamplingChanged{request, warm(temperature)};
  return event;
}

}  // namespace

class TestSamplingHistory : public QObject {
  Q_OBJECT

 private slots:
  void eachStepHasItsValues() {
    SamplingHistory history;
    for (const Event& event : {submitted(2, 1, 0.5), submitted(3, 2, 0.9), changed(5, 1, 0.7),
                               changed(5, 1, 0.8), changed(9, 1, 1.0), Event{}})
      history.note(event);
    QVERIFY(!history.at(1, 1));
    QCOMPARE(history.at(1, 2)->temperature, 0.5);
    QCOMPARE(history.at(1, 4)->temperature, 0.5);
    QCOMPARE(history.at(1, 5)->temperature, 0.8);
    QCOMPARE(history.at(1, 8)->temperature, 0.8);
    QCOMPARE(history.at(1, 100)->temperature, 1.0);
    QCOMPARE(history.at(2, 100)->temperature, 0.9);
    QVERIFY(!history.at(3, 100));
    // A change is announced in a step and holds from the next one on.
    QVERIFY(!history.inStep(1, 1));
    QCOMPARE(history.inStep(1, 5)->temperature, 0.5);
    QCOMPARE(history.inStep(1, 6)->temperature, 0.8);
    QCOMPARE(history.inStep(1, 9)->temperature, 0.8);
    QCOMPARE(history.inStep(1, 10)->temperature, 1.0);
    history.clear();
    QVERIFY(!history.at(1, 100));
  }

  void aRequestIsKeptWithoutItsPrompt() {
    SamplingHistory history;
    Event event = submitted(1, 4, 0.5);
    RequestSubmitted body = *bodyOf<RequestSubmitted>(event);
    body.asked.tokenIds = {1, 2, 3};
    body.asked.prompt = "one two three";
    body.asked.stop = {"end"};
    body.asked.ignoreEos = true;
    body.asked.cacheSalt = 9;
    event.body = Boxed<RequestSubmitted>(body);
    history.note(event);
    const Request* const request = history.submitted(4);
    QVERIFY(request != nullptr && history.submitted(5) == nullptr);
    QVERIFY(request->tokenIds.empty() && request->prompt.empty());
    QVERIFY(request->ignoreEos && request->stop == body.asked.stop && request->cacheSalt == 9);
  }
};

QTEST_GUILESS_MAIN(TestSamplingHistory)
#include "tst_sampling_history.moc"
