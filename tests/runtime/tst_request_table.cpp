// The table of requests: ids, finding, forgetting, and what a failed submission leaves; and the changes that
// wait until a step ends.
#include "runtime/request_table.h"

#include "runtime/deferred_actions.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <new>

using namespace vitrine;

namespace {

std::unique_ptr<RequestRecord> recordFor(const RequestTable& table, int answers) {
  auto record = std::make_unique<RequestRecord>();
  record->id = table.nextRequest();
  record->firstSequence = table.nextSequence();
  record->request.sequences = answers;
  for (int index = 0; index < answers; ++index) {
    auto answer = std::make_unique<Answer>(*record, nullptr, std::vector<std::string>());
    answer->sequence.request = record->id;
    answer->sequence.index = index;
    record->answers.push_back(std::move(answer));
  }
  return record;
}

void add(RequestTable& table, int answers) {
  table.add(recordFor(table, answers), [] {});
}

template <typename Action>
bool refuses(const Action& action) {
  try {
    action();
  } catch (const EngineError& error) {
    return error.code() == ErrorCode::kInvalidArgument;
  }
  return false;
}

}  // namespace

class TestRequestTable : public QObject {
  Q_OBJECT

 private slots:
  void idsCountUpByRequestsAndAnswers() {
    RequestTable table;
    QCOMPARE(table.nextRequest(), 1);
    QCOMPARE(table.nextSequence(), 1);
    add(table, 3);
    add(table, 1);
    QCOMPARE(table.nextRequest(), 3);
    QCOMPARE(table.nextSequence(), 5);
    QCOMPARE(table.find(2)->firstSequence, 4);
  }

  void aFailedSubmissionChangesNothing() {
    RequestTable table;
    add(table, 2);
    QVERIFY_EXCEPTION_THROWN(table.add(recordFor(table, 1), [] { throw std::bad_alloc(); }), std::bad_alloc);
    QCOMPARE(table.nextRequest(), 2);
    QCOMPARE(table.nextSequence(), 3);
    QCOMPARE(table.records().size(), std::size_t{1});
    QVERIFY(refuses([&] { table.find(2); }));
  }

  void anIdNeverGivenIsRefused() {
    RequestTable table;
    add(table, 1);
    for (RequestId id : {-1, 0, 2}) {
      QVERIFY(refuses([&] { table.find(id); }));
      QVERIFY(refuses([&] { table.unfinished(id); }));
    }
  }

  void aFinishedOrForgottenRequestIsNotUnfinished() {
    RequestTable table;
    add(table, 1);
    add(table, 1);
    QVERIFY(table.unfinished(1) != nullptr);
    table.find(1)->finished = true;
    QVERIFY(table.find(1) != nullptr && table.unfinished(1) == nullptr);
    QVERIFY(table.forget(1));
    QVERIFY(!table.forget(1));
    QVERIFY(table.find(1) == nullptr && table.unfinished(1) == nullptr);
    QVERIFY(table.unfinished(2) != nullptr);
    QCOMPARE(table.nextRequest(), 3);  // ids are not used again
  }

  void aSequenceLeadsToItsAnswer() {
    RequestTable table;
    add(table, 1);
    add(table, 3);
    for (const auto& answer : table.find(2)->answers)
      QCOMPARE(&table.answerOf(answer->sequence), answer.get());
  }

  void actionsOfAStepWaitForItsEnd() {
    DeferredActions actions;
    std::string log;
    actions.run([&] { log += "a"; });
    QCOMPARE(log, std::string("a"));
    actions.beginStep();
    QVERIFY(actions.inStep());
    actions.run([&] {
      log += "b";
      actions.run([&] { log += "c"; });  // the step is over: at once
    });
    actions.run([&] { log += "d"; });
    QCOMPARE(log, std::string("a"));
    actions.endStep();
    QVERIFY(!actions.inStep());
    QCOMPARE(log, std::string("abcd"));
    actions.beginStep();
    actions.endStep();
    QCOMPARE(log, std::string("abcd"));
  }
};

QTEST_APPLESS_MAIN(TestRequestTable)
#include "tst_request_table.moc"
