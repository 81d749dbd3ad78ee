// What a finished request's record becomes: scores, ranking, last event and result. No engine, no model.
#include "runtime/request_result.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>

using namespace vitrine;

namespace {

// A finished request with a prompt of two tokens, whose answers have these tokens and cumulative logprobs.
struct Finished {
  Finished(const std::vector<int>& tokens, const std::vector<double>& logprobs) {
    record.id = 4;
    record.firstSequence = 10;
    record.promptTokens = 2;
    record.finished = true;
    record.submittedNs = 100, record.admittedNs = 130, record.firstTokenNs = 170, record.finishedNs = 300;
    record.request.name = "r4";
    record.request.sequences = static_cast<int>(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      auto answer = std::make_unique<Answer>(record, nullptr, std::vector<std::string>());
      answer->sequence.id = record.firstSequence + static_cast<int>(i);
      answer->sequence.tokens.assign(static_cast<std::size_t>(2 + tokens[i]), static_cast<TokenId>(20 + i));
      answer->sequence.promptTokens = 2;
      answer->sequence.preemptions = 1;
      answer->sequence.finishReason = FinishReason::kLength;
      answer->result.cumulativeLogprob = logprobs[i];
      record.answers.push_back(std::move(answer));
    }
  }
  RequestRecord record;
};

}  // namespace

class TestRequestResult : public QObject {
  Q_OBJECT

 private slots:
  void aScoreIsTheLogprobByLength() {
    Finished finished({4, 0}, {-2, -3});
    QCOMPARE(scoreOf(*finished.record.answers[0]), -0.5);
    QCOMPARE(scoreOf(*finished.record.answers[1]), -3.0);  // no token counts as one
    finished.record.request.lengthPenalty = 0.5;
    QCOMPARE(scoreOf(*finished.record.answers[0]), -1.0);
  }

  void bestOfGivesTheBestFirst() {
    Finished finished({2, 2, 2, 2}, {-4, -2, -6, -2});
    finished.record.request.sequences = 2;
    finished.record.request.bestOf = 4;
    const AnswersRanked ranked = rankAnswers(finished.record);
    std::vector<SequenceId> order;
    for (const RankedAnswer& answer : ranked.answers) order.push_back(answer.sequence);
    QCOMPARE(order, (std::vector<SequenceId>{11, 13, 10, 12}));  // the earlier one first on a tie
    QVERIFY(ranked.answers[1].chosen && !ranked.answers[2].chosen);
    const RequestResult result = resultOf(finished.record);
    QCOMPARE(static_cast<int>(result.sequences.size()), 2);
    QCOMPARE(result.sequences[0].tokenIds, (std::vector<TokenId>{21, 21}));
    QCOMPARE(result.sequences[1].tokenIds, (std::vector<TokenId>{23, 23}));
    QCOMPARE(result.sequences[0].score, -1.0);
  }

  void withoutBestOfTheOrderIsThatOfTheAnswers() {
    Finished finished({1, 1}, {-4, -2});
    const RequestResult result = resultOf(finished.record);
    QCOMPARE(result.sequences[0].tokenIds, std::vector<TokenId>{20});
    QCOMPARE(result.preemptions, 2);
    QCOMPARE(result.name, std::string("r4"));
  }

  void answersThatWereNeverForkedAreEmpty() {
    Finished finished({0}, {0});
    finished.record.request.sequences = 3;
    finished.record.answers[0]->sequence.finishReason = FinishReason::kCancelled;
    const RequestResult result = resultOf(finished.record);
    QCOMPARE(static_cast<int>(result.sequences.size()), 3);
    QVERIFY(result.sequences[2].tokenIds.empty());
    QVERIFY(result.sequences[2].reason == FinishReason::kCancelled);
  }

  void timesCountFromSubmission() {
    Finished finished({3}, {-1});
    RequestFinished event = finishedEvent(finished.record, FinishReason::kLength);
    QCOMPARE(event.queueNs, std::int64_t{30});
    QCOMPARE(event.ttftNs, std::int64_t{70});
    QCOMPARE(event.totalNs, std::int64_t{200});
    QCOMPARE(event.completionTokens, 3);
    QVERIFY(event.lateNs == 0 && !event.missedDeadline);
    finished.record.admittedNs = finished.record.firstTokenNs = -1;  // never admitted
    event = finishedEvent(finished.record, FinishReason::kCancelled);
    QCOMPARE(event.queueNs, std::int64_t{200});
    QCOMPARE(event.ttftNs, std::int64_t{0});
  }

  void aCancelledRequestMissesNoDeadline() {
    Finished finished({1}, {-1});
    finished.record.request.deadlineMs = 0.0001;  // 100 ns, and 200 have passed
    RequestFinished event = finishedEvent(finished.record, FinishReason::kLength);
    QCOMPARE(event.lateNs, std::int64_t{100});
    QVERIFY(event.missedDeadline);
    event = finishedEvent(finished.record, FinishReason::kCancelled);
    QVERIFY(event.lateNs == 100 && !event.missedDeadline);
  }

  void prunedBeamsAreNoCompletion() {
    Finished finished({3, 5}, {-1, -1});
    finished.record.answers[1]->sequence.finishReason = FinishReason::kPruned;
    QCOMPARE(finishedEvent(finished.record, FinishReason::kLength).completionTokens, 3);
  }
};

QTEST_APPLESS_MAIN(TestRequestResult)
#include "tst_request_result.moc"
