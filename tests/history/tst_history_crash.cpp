// Killed at 200 random moments while it streams: what was shown a quarter of a second before is in the file,
// the file is sound, and the answer is found as stopped.
//
// The time of the kill is that of the last line that the victim printed: how long a busy machine kept it from
// running before it was killed says nothing about the history.
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <memory>
#include <random>

#include "history/history_files.h"

using namespace vitrine;

namespace {

constexpr int kAtOnce = 20, kRounds = 10;
constexpr int kLongestMs = 1600;             // from the first piece to the kill
constexpr qint64 kWithinNs = 1'000'000'000;  // it is a tenth of that on a machine at rest

struct Shown {
  int number;
  qint64 ns;
};

// Whole lines only: the last one may have been cut.
std::vector<Shown> shownIn(const QByteArray& printed) {
  std::vector<Shown> shown;
  for (const QByteArray& line : printed.left(printed.lastIndexOf('\n') + 1).split('\n')) {
    const QList<QByteArray> words = line.split(' ');
    if (words.size() == 2) shown.push_back({words[0].toInt(), words[1].toLongLong()});
  }
  return shown;
}

// The pieces' numbers when `text` is a beginning of the stream; -1 when it is not.
int piecesIn(const QString& text) {
  const QStringList pieces = text.split(' ', Qt::SkipEmptyParts);
  for (int i = 0; i < pieces.size(); ++i)
    if (pieces[i] != QString::number(i)) return -1;
  return static_cast<int>(pieces.size());
}

}  // namespace

class TestHistoryCrash : public QObject {
  Q_OBJECT

  // Starts a victim, and kills it some time after its first line.
  std::unique_ptr<QProcess> begin(const QString& file, int afterMs) {
    auto victim = std::make_unique<QProcess>();
    QProcess* const process = victim.get();
    connect(process, &QProcess::readyReadStandardOutput, process, [process, afterMs] {
      if (process->property("begun").toBool()) return;
      process->setProperty("begun", true);
      QTimer::singleShot(afterMs, process, &QProcess::kill);
    });
    victim->start(HISTORY_VICTIM, {"stream", file});
    return victim;
  }

  void check(const QString& file, const std::vector<Shown>& shown, int answersBefore) {
    QVERIFY(!shown.empty());
    QCOMPARE(soundness(file), "ok");
    ChatHistory history;
    QVERIFY2(history.open(file).ok(), qPrintable(history.status().message));
    const std::vector<ChatSummary> chats = history.chats();
    QCOMPARE(chats.size(), 1U);
    const std::optional<ChatRecord> chat = history.chat(chats.front().id, ChatHistory::Tokens::kRead);
    QCOMPARE(int(chat->messages.size()), 2 * (answersBefore + 1));
    const MessageRecord& answer = chat->messages.back();
    QCOMPARE(answer.id, chat->shownLeaf);
    QCOMPARE(answer.state, MessageState::kStopped);
    QCOMPARE(history.cutAnswer(), std::pair(chat->summary.id, answer.id));
    QCOMPARE(answer.provenance, someProvenance());
    const int kept = piecesIn(answer.text);
    QCOMPARE(int(answer.tokens.size()), kept);
    for (const Shown& piece : shown)
      if (piece.ns < shown.back().ns - kWithinNs)
        QVERIFY2(piece.number < kept, qPrintable(QString("piece %1, kept %2").arg(piece.number).arg(kept)));
    m_required += shown.back().ns > kWithinNs;
    m_kept += kept > 0;
  }

  int m_required = 0, m_kept = 0;

 private slots:
  void nothingThatWasShownIsLost() {
    QTemporaryDir folder(testFolder());
    std::mt19937 random(14);
    for (int round = 0; round < kRounds; ++round) {
      std::vector<std::unique_ptr<QProcess>> victims;
      for (int i = 0; i < kAtOnce; ++i)
        victims.push_back(
            begin(folder.filePath(QString::number(i)), static_cast<int>(random() % kLongestMs)));
      for (const auto& victim : victims)
        QTRY_COMPARE_WITH_TIMEOUT(victim->state(), QProcess::NotRunning, 60000);
      for (int i = 0; i < kAtOnce; ++i) {
        QCOMPARE(victims[std::size_t(i)]->exitStatus(), QProcess::CrashExit);
        check(folder.filePath(QString::number(i)), shownIn(victims[std::size_t(i)]->readAllStandardOutput()),
              round);
        if (QTest::currentTestFailed()) return;
      }
    }
    QVERIFY2(m_required > 20 && m_kept > 100, qPrintable(QString("%1 %2").arg(m_required).arg(m_kept)));
  }
};

QTEST_GUILESS_MAIN(TestHistoryCrash)
#include "tst_history_crash.moc"
