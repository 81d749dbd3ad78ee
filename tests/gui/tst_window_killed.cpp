// The window killed (SIGKILL) at random moments while answers stream: what was in sight a second before is in
// the history's file, which is sound. VITRINE_KILLS says how often; a few times when nothing is said.
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "history/history_files.h"

using namespace vitrine;

namespace {

constexpr int kUsualKills = 6;
constexpr int kLeastMs = 400, kMostMs = 3000;  // from the first line to the kill
constexpr qint64 kWithinNs = 1'000'000'000;    // it is a tenth of that on a machine at rest

struct Seen {
  qint64 letters, ns;
};

// Whole lines only: the last one may have been cut.
std::vector<Seen> seenIn(const QByteArray& printed) {
  std::vector<Seen> seen;
  for (const QByteArray& line : printed.left(printed.lastIndexOf('\n') + 1).split('\n')) {
    const QList<QByteArray> words = line.split(' ');
    if (words.size() == 2) seen.push_back({words[0].toLongLong(), words[1].toLongLong()});
  }
  return seen;
}

qint64 lettersIn(const QString& file) {
  ChatHistory history;
  if (!history.open(file).ok()) return -1;
  qint64 letters = 0;
  for (const ChatSummary& chat : history.chats()) {
    const std::optional<ChatRecord> record = history.chat(chat.id);
    for (const MessageRecord& message : record->messages) letters += message.text.size();
  }
  return letters;
}

}  // namespace

class TestWindowKilled : public QObject {
  Q_OBJECT

 private slots:
  void nothingThatWasSeenIsLost() {
    const int kills = qEnvironmentVariableIntValue("VITRINE_KILLS");
    std::mt19937 random(21);
    int streaming = 0;
    for (int i = 0; i < std::max(kills, kUsualKills); ++i) {
      const QTemporaryDir folder(testFolder());
      const QString file = folder.filePath(QStringLiteral("chats.db"));
      QProcess window;
      window.start(QStringLiteral(WINDOW_VICTIM), {file});
      QVERIFY(window.waitForStarted());
      QByteArray printed;
      const auto read = [&] { printed += window.readAllStandardOutput(); };
      QTRY_VERIFY_WITH_TIMEOUT((read(), !printed.isEmpty()), 60000);
      QTest::qWait(kLeastMs + static_cast<int>(random() % (kMostMs - kLeastMs)));
      window.kill();
      QVERIFY(window.waitForFinished(60000));
      read();
      QCOMPARE(window.exitStatus(), QProcess::CrashExit);
      const std::vector<Seen> seen = seenIn(printed);
      QVERIFY(!seen.empty());
      QCOMPARE(soundness(file), "ok");
      const qint64 kept = lettersIn(file);
      for (const Seen& one : seen)
        if (one.ns < seen.back().ns - kWithinNs)
          QVERIFY2(one.letters <= kept,
                   qPrintable(QStringLiteral("%1 seen, %2 kept").arg(one.letters).arg(kept)));
      streaming += seen.back().ns > kWithinNs && kept > 0 ? 1 : 0;
    }
    qInfo("%d times an answer had streamed for more than a second", streaming);
    QVERIFY(streaming > 0);
  }
};

QTEST_GUILESS_MAIN(TestWindowKilled)
#include "tst_window_killed.moc"
