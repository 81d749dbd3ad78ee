// Requests and sequences have their names in what is printed: submitted, forked and unknown ones.
#include "event_names.h"

// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;
using namespace vitrine::cli;

namespace {

template <typename Body>
Event eventOf(Body body) {
  Event event;
  event.body = std::move(body);
  return event;
}

Event submitted(RequestId request, SequenceId first, const char* name) {
  RequestSubmitted body;
  body.request = request;
  body.firstSequence = first;
  body.asked.name = name;
  return eventOf(std::move(body));
}

Event forked(SequenceId parent, SequenceId child, RequestId request, int index) {
  return eventOf(SequenceForked{parent, child, request, index, 0});
}

}  // namespace

class TestEventNames : public QObject {
  Q_OBJECT

 private slots:
  // Ids of requests and of sequences are counted apart.
  void namesComeFromSubmissions() {
    EventNames names;
    names.note(submitted(1, 1, "a"));
    names.note(submitted(2, 5, "b"));
    QCOMPARE(names.request(1), std::string("a"));
    QCOMPARE(names.request(2), std::string("b"));
    QCOMPARE(names.sequence(1), std::string("a"));
    QCOMPARE(names.sequence(5), std::string("b"));
  }

  void forksHaveTheirNumber() {
    EventNames names;
    names.note(submitted(2, 5, "b"));
    names.note(forked(5, 6, 2, 1));
    names.note(forked(6, 9, 2, 2));  // a fork of a fork
    QCOMPARE(names.sequence(5), std::string("b"));
    QCOMPARE(names.sequence(6), std::string("b/2"));
    QCOMPARE(names.sequence(9), std::string("b/3"));
  }

  // As in a trace that begins behind a submission.
  void unknownOnesHaveTheirIds() {
    EventNames names;
    QCOMPARE(names.request(3), std::string("request 3"));
    QCOMPARE(names.sequence(4), std::string("sequence 4"));
    names.note(forked(4, 7, 3, 1));
    QCOMPARE(names.sequence(7), std::string("request 3/2"));
  }

  void sentencesSeeLaterNames() {
    EventNames names;
    const prose::Names said = names.proseNames();
    names.note(submitted(1, 2, "late"));
    QCOMPARE(said.request(1), std::string("late"));
    QCOMPARE(said.sequence(2), std::string("late"));
  }

  // A beam search names its sequences before they fork.
  void siblingsHaveNamesFromTheBeginning() {
    EventNames names;
    RequestSubmitted body;
    body.request = 1;
    body.firstSequence = 4;
    body.asked.name = "beams";
    body.asked.beamWidth = 3;
    names.note(eventOf(body));
    QCOMPARE(names.sequence(4), std::string("beams"));
    QCOMPARE(names.sequence(6), std::string("beams/3"));
    QCOMPARE(names.sequence(7), std::string("sequence 7"));
  }

  void tokensOfPromptsHaveTheirTexts() {
    EventNames names;
    RequestSubmitted body;
    body.asked.tokenIds = {7, 9};
    body.pieces = {" fox", " owl"};
    names.note(eventOf(body));
    QCOMPARE(names.proseNames().token(9, {}), std::string(" owl"));
    QCOMPARE(names.proseNames().token(8, {}), std::string());
  }
};

QTEST_APPLESS_MAIN(TestEventNames)
#include "tst_event_names.moc"
