// Killed at any moment (SIGKILL): settings and traces are whole at the next start, and what a killed
// recording left opens up to its last whole step.
#include <signal.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRandomGenerator>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "vitrine/trace.h"

using namespace vitrine;

namespace {

const QString kFolder = QStringLiteral(VITRINE_PROGRAMS);

// A program with a home of its own.
class Program {
 public:
  Program(const QString& name, const QStringList& arguments, const QString& home) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), home);
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), home);
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.start(QDir(kFolder).filePath(name), arguments);
  }
  bool started() { return m_process.waitForStarted(); }
  // Whether it still ran.
  bool killAfter(int milliseconds) {
    const bool ended = m_process.waitForFinished(milliseconds);
    if (!ended) ::kill(static_cast<pid_t>(m_process.processId()), SIGKILL);
    m_process.waitForFinished();
    return !ended;
  }
  int exitCode() {
    m_process.waitForFinished(60'000);
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
  }

 private:
  QProcess m_process;
};

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestKilled : public QObject {
  Q_OBJECT

 private:
  QRandomGenerator m_random{22};

 private slots:
  void aTraceOfThatNameStaysWhole() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("run.vitrine");
    const QStringList record = {"trace", "record", "--scenario", "six-blocks", "--out", file};
    QCOMPARE(Program("vitrine-cli", record, folder.path()).exitCode(), 0);
    const int steps = verifyTrace(file.toStdString()).steps;
    const QByteArray first = bytesOf(file);
    int killed = 0, leftovers = 0;
    for (int i = 0; i < 25; ++i) {
      Program program("vitrine-cli", record, folder.path());
      QVERIFY(program.started());
      killed += program.killAfter(m_random.bounded(5, 250)) ? 1 : 0;
      const TraceReport report = verifyTrace(file.toStdString());
      QVERIFY(report.whole && report.steps == steps);
      for (const QString& part : QDir(folder.path()).entryList({"*.part"})) {
        const QString path = folder.filePath(part);
        int last = 0;
        try {
          readTrace(path.toStdString(), [&](const Event& event) {
            if (isA<StepFinished>(event)) last = event.step;
          });
        } catch (const EngineError& error) {
          QCOMPARE(error.code(), ErrorCode::kFileCorrupt);  // cut in a line, which it names
        }
        QVERIFY(last <= steps);
        ++leftovers;
        QVERIFY(QFile::remove(path));
      }
    }
    qInfo("killed %d of 25 times, %d unfinished files read", killed, leftovers);
    QVERIFY(killed > 0);
    QVERIFY(!first.isEmpty());
  }

  void theWindowStartsAgainWithItsSettings() {
    const QTemporaryDir home;
    const QString file = home.filePath("Vitrine/Vitrine.conf");
    {
      QDir().mkpath(home.filePath("Vitrine"));
      QSettings settings(file, QSettings::IniFormat);
      settings.setValue("marker", "kept");
    }
    int killed = 0;
    for (int i = 0; i < 8; ++i) {
      Program program("vitrine", {"--perspective", i % 2 == 0 ? "chat" : "step"}, home.path());
      QVERIFY(program.started());
      killed += program.killAfter(m_random.bounded(50, 900)) ? 1 : 0;
      QSettings settings(file, QSettings::IniFormat);
      QCOMPARE(settings.value("marker").toString(), QStringLiteral("kept"));
      QCOMPARE(settings.status(), QSettings::NoError);
    }
    QCOMPARE(killed, 8);  // none had ended by itself: each start was a good one
  }
};

QTEST_GUILESS_MAIN(TestKilled)
#include "tst_killed.moc"
