// run --until: the run stops after the step in which the condition is met, and says why; up to there it is
// the run without it.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

const QStringList kRun = {"run", "--scenario", "six-blocks", "--json"};

CliResult runUntil(const QStringList& conditions, QStringList arguments = kRun) {
  for (const QString& one : conditions) arguments << QStringLiteral("--until") << one;
  return runCli(arguments);
}

QJsonArray tokensOf(const QJsonObject& run, qsizetype request) {
  return run["requests"][request]["sequences"][0]["token_ids"].toArray();
}

}  // namespace

class TestCliUntil : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    const CliResult result = runCli(kRun);
    QVERIFY2(result.status == 0, result.err);
    m_whole = result.json();
    QVERIFY(!m_whole.contains("stopped"));
  }

  void itStopsThereAndSaysWhy() {
    const CliResult result = runUntil({"preemption"});
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject run = result.json(), stopped = run["stopped"].toObject();
    const int seen = m_whole["look_at"][0]["step"].toInt();  // the scenario's first preemption
    QVERIFY(seen > 0);
    QCOMPARE(stopped["step"].toInt(), seen);
    QCOMPARE(stopped["until"].toString(), QString("preemption"));
    QCOMPARE(stopped["phase"].toString(), QString("plan"));
    QCOMPARE(stopped["sentence"].toString(),
             QStringLiteral("Stopped at step %1: %2 was preempted.").arg(seen).arg(stopped["id"].toString()));
    for (qsizetype request = 0; request < 4; ++request) {
      const QJsonArray part = tokensOf(run, request), all = tokensOf(m_whole, request);
      QVERIFY(part.size() < all.size());
      for (qsizetype i = 0; i < part.size(); ++i) QCOMPARE(part[i], all[i]);
    }
  }

  void theFirstOfSeveralCounts() {
    const QJsonObject stopped = runUntil({"preemption", "step=3"}).json()["stopped"].toObject();
    QCOMPARE(stopped["step"].toInt(), 3);
    QCOMPARE(stopped["until"].toString(), QString("step=3"));
  }

  // R4 arrives after eight steps.
  void aRequestThatHasNotArrivedHasNoAnswer() {
    const QJsonArray requests = runUntil({"step=3"}).json()["requests"].toArray();
    QCOMPARE(requests.size(), 4);
    QCOMPARE(requests[3]["stopped"].toString(), QString("before it arrived"));
    QVERIFY(!requests[3].toObject().contains("sequences"));
    QCOMPARE(requests[0]["sequences"][0]["finish_reason"].toString(), QString("cancelled"));
  }

  void aTokenOfOneRequest() {
    const int token = tokensOf(m_whole, 1)[5].toInt();
    const QJsonObject run = runUntil({QStringLiteral("token=#%1@R2").arg(token)}).json();
    const QJsonArray part = tokensOf(run, 1);
    QCOMPARE(part.last().toInt(), token);
    QVERIFY(part.size() <= 6);
    QCOMPARE(run["stopped"]["id"].toString(), QString("R2"));
  }

  // Entropy is measured for the condition alone.
  void entropy() {
    const QJsonObject stopped = runUntil({"entropy=0.5"}).json()["stopped"].toObject();
    QVERIFY(stopped["step"].toInt() > 0);
    QVERIFY(stopped["sentence"].toString().contains("bits"));
  }

  void aConditionThatNothingMeetsChangesNothing() {
    const CliResult result = runUntil({"step=100000"});
    QJsonObject run = result.json();
    QVERIFY(run["stopped"].isNull());
    for (qsizetype request = 0; request < 4; ++request)
      QCOMPARE(tokensOf(run, request), tokensOf(m_whole, request));
    const CliResult words = runUntil({"step=100000"}, {"run", "--scenario", "six-blocks"});
    QVERIFY2(words.err.contains("nothing met --until step=100000"), words.err);
  }

  void peopleReadASentence() {
    const CliResult result = runUntil({"step=3"}, {"run", "--scenario", "six-blocks"});
    QVERIFY2(result.err.contains("Stopped at step 3: a breakpoint names this step."), result.err);
    QVERIFY2(result.out.contains("R4: the run stopped before it arrived"), result.out);
  }

  void aConditionThatIsNoneIsWrongUsage() {
    const CliResult result = runUntil({"preemtion"});
    QCOMPARE(result.status, 2);
    const QJsonObject json = result.json();
    const QString message = json["error"].toObject()["message"].toString();
    QVERIFY2(message.contains("--until") && message.contains("preemtion"), result.out);
    QVERIFY2(result.out.contains("copy_on_write"), result.out);  // the hint names the kinds
  }

 private:
  QJsonObject m_whole;
};

QTEST_GUILESS_MAIN(TestCliUntil)
#include "tst_cli_until.moc"
