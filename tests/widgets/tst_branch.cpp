// The request that another token of an answer becomes.
#include "widgets/sampler/branch.h"

#include <QTest>

#include "support/word_machine.h"
#include "widgets/session/session.h"

using namespace vitrine;
using test::WordMachine;

namespace {

// One request of 12 prompt tokens and 6 answered ones.
struct Bench {
  Session session;
  WordMachine machine{16, 8};
  SequenceState answer;

  Bench() {
    machine.submit("one", 12, 6);
    machine.run();
    session.append(machine.take());
    answer = session.state().sequences.at(1);
  }
  TokenId drawn(int position) const { return answer.tokens.at(static_cast<std::size_t>(position)); }
};

}  // namespace

class TestBranch : public QObject {
  Q_OBJECT

 private slots:
  void theAnswerBeginsWithTheTokensBeforeAndTheOther() {
    Bench b;
    const TokenId other = b.drawn(14) + 1;
    const Branch branch = branchAt(b.session, 1, 14, other, QStringLiteral("␣sunny"));
    QCOMPARE(branch.refusal, QString());
    const std::vector<TokenId> prompt(b.answer.tokens.begin(), b.answer.tokens.begin() + 12);
    QCOMPARE(branch.request.tokenIds, prompt);
    QVERIFY((branch.request.outputIds == std::vector<TokenId>{b.drawn(12), b.drawn(13), other}));
    QCOMPARE(branch.request.maxTokens, 6);  // of the whole answer
    QCOMPARE(QString::fromStdString(branch.request.name), QStringLiteral("A with “␣sunny” at 14"));
    branch.request.validate();
  }

  void optionsAreThoseOfTheStepShown() {
    Bench b;
    RequestSubmitted submitted;
    submitted.request = 2;
    submitted.asked.name = "two";
    submitted.asked.tokenIds = {4, 5};
    submitted.firstSequence = 2;
    submitted.asked.maxTokens = 9;
    submitted.asked.sequences = 3;
    submitted.asked.bestOf = 5;
    submitted.asked.sampling.temperature = 0.7;
    submitted.asked.sampling.seed = 42;
    submitted.asked.stop = {"end"};
    submitted.asked.ignoreEos = true;
    submitted.asked.cacheSalt = 8;
    submitted.asked.priority = 3;
    b.machine.say(submitted, Phase::kAdmit);
    b.session.append(b.machine.take());
    // Sampled, and not appended yet: the step is held before Commit.
    const Branch branch = branchAt(b.session, 2, 2, 6, QStringLiteral("x"));
    QCOMPARE(branch.refusal, QString());
    const Request& request = branch.request;
    QCOMPARE(request.sampling, submitted.asked.sampling);
    QVERIFY(request.stop == submitted.asked.stop && request.ignoreEos && request.cacheSalt == 8);
    QVERIFY(request.sequences == 1 && request.bestOf == 0 && request.beamWidth == 1);
    QVERIFY(request.priority == 3 && request.maxTokens == 9);
    QVERIFY((request.tokenIds == std::vector<TokenId>{4, 5}));
    QVERIFY((request.outputIds == std::vector<TokenId>{6}));
  }

  void refusals() {
    Bench b;
    const auto why = [&](SequenceId sequence, int position, TokenId token) {
      return branchAt(b.session, sequence, position, token, QStringLiteral("x")).refusal;
    };
    QVERIFY(why(1, 14, b.drawn(14)).contains(QLatin1String("has drawn")));
    QVERIFY(why(9, 14, 1).contains(QLatin1String("no longer known")));
    QVERIFY(why(1, 11, 1).contains(QLatin1String("position 11")));  // of the prompt
    QVERIFY(why(1, 19, 1).contains(QLatin1String("position 19")));  // behind its end
    QVERIFY(why(1, 17, b.drawn(17) + 1).contains(QLatin1String("last one")));
    QCOMPARE(why(1, 16, b.drawn(16) + 1), QString());
    // At a step before, the token is not there yet.
    b.session.goToStep(2);
    QVERIFY(!why(1, 16, b.drawn(16) + 1).isEmpty());
    QCOMPARE(why(1, 13, b.drawn(13) + 1), QString());
  }
};

QTEST_GUILESS_MAIN(TestBranch)
#include "tst_branch.moc"
