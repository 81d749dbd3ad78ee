// Killed in the middle of swapping, at random moments: the next start removes what was left, and its answers
// are right to the bit.
#include <cstdio>
#include <random>

#include "support/swap_load.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace vitrine;

namespace {

constexpr int kKills = 20;

QByteArray written(const Answers& answers) {
  QByteArray text;
  for (const auto& [tokens, logprob] : answers) {
    for (TokenId token : tokens) text += QByteArray::number(token) + ' ';
    char bits[40];  // QString's own printing knows no %a
    std::snprintf(bits, sizeof bits, "%a\n", logprob);
    text += bits;
  }
  return text;
}

}  // namespace

class TestSwapCrash : public QObject {
  Q_OBJECT

 private slots:
  void theNextStartIsCleanAndRight() {
    const QByteArray expected = written(undisturbed(TinyModel()));
    QTemporaryDir folder;
    std::mt19937 random(7);
    int left = 0;
    for (int kill = 0; kill < kKills; ++kill) {
      QProcess victim;
      victim.start(SWAP_VICTIM, {folder.path(), "1000000"});
      while (!victim.readAllStandardOutput().contains("swapping")) QVERIFY(victim.waitForReadyRead(20000));
      QThread::usleep(random() % 30000);
      victim.kill();
      QVERIFY(victim.waitForFinished(20000));
      QCOMPARE(victim.exitStatus(), QProcess::CrashExit);
      left += static_cast<int>(QDir(folder.path()).entryList(QDir::Files).size());

      QProcess next;
      next.start(SWAP_VICTIM, {folder.path(), "1"});
      QVERIFY(next.waitForFinished(20000));
      QCOMPARE(next.exitCode(), 0);
      QCOMPARE(next.readAllStandardOutput(), "swapping\nstale 1\n" + expected);
      QVERIFY(QDir(folder.path()).isEmpty());
    }
    QCOMPARE(left, kKills);  // each was killed while it had a file
  }
};

QTEST_GUILESS_MAIN(TestSwapCrash)
#include "tst_swap_crash.moc"
