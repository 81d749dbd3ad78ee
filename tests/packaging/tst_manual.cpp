// The manual pages: every option of both programs is there, no other is, and roff has nothing to complain
// about.
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

QByteArray outputOf(const QString& program, const QStringList& arguments, QByteArray* complaints = nullptr) {
  QProcess process;
  process.start(program, arguments);
  if (!process.waitForFinished(50000) || process.exitCode() != 0) return {};
  if (complaints != nullptr) *complaints = process.readAllStandardError();
  return process.readAllStandardOutput();
}

// The page as a terminal of any width shows it: no line is broken or hyphenated.
QString pageOf(const QString& name, QByteArray* complaints = nullptr) {
  return QString::fromUtf8(outputOf(GROFF,
                                    {"-man", "-ww", "-Tascii", "-P-cbou", "-rLL=2000n", "-rHY=0",
                                     QStringLiteral(VITRINE_BINARY_DIR "/packaging/") + name},
                                    complaints));
}

// Long options only: they are the names that scripts use.
QSet<QString> optionsIn(const QString& text) {
  static const QRegularExpression option(QStringLiteral("(?<![\\w-])--[a-z][a-z-]*[a-z]"));
  QSet<QString> found;
  for (auto match = option.globalMatch(text); match.hasNext();) found.insert(match.next().captured());
  return found;
}

QString cli(const QStringList& arguments) {
  return QString::fromUtf8(outputOf(QStringLiteral(VITRINE_BINARY_DIR "/bin/vitrine-cli"), arguments));
}

}  // namespace

class TestManual : public QObject {
  Q_OBJECT

 private slots:
  void roffHasNoComplaint_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"vitrine.1", "vitrine-cli.1"}) QTest::newRow(name) << name;
  }
  void roffHasNoComplaint() {
    QFETCH(QString, name);
    QByteArray complaints;
    const QString page = pageOf(name, &complaints);
    QVERIFY(page.contains("SEE ALSO"));
    QVERIFY2(complaints.isEmpty(), complaints);
    QVERIFY(page.contains("Vitrine " VITRINE_VERSION));
  }

  void theWindowsOptionsAreAllThere() {
    const QString help =
        QString::fromUtf8(outputOf(QStringLiteral(VITRINE_BINARY_DIR "/bin/vitrine"), {"--help"}));
    const QSet<QString> options = optionsIn(help);
    QVERIFY(options.contains("--perspective"));
    QCOMPARE(optionsIn(pageOf("vitrine.1")), options);
  }

  void everyCommandsOptionsAreAllThere() {
    const QString help = cli({"--help-all"});
    const QSet<QString> options = optionsIn(help), documented = optionsIn(pageOf("vitrine-cli.1"));
    QVERIFY(options.size() > 60);
    for (const QString& option : options) QVERIFY2(documented.contains(option), qPrintable(option));
  }

  void everyCommandIsThere() {
    static const QRegularExpression command(QStringLiteral("^  ([a-z][a-z-]+) "),
                                            QRegularExpression::MultilineOption);
    const QString page = pageOf("vitrine-cli.1"), help = cli({"--help"});
    int seen = 0;
    for (auto match = command.globalMatch(help.mid(help.indexOf("ubcommands:"))); match.hasNext(); ++seen) {
      const QString name = match.next().captured(1);
      QVERIFY2(page.contains("\n   " + name + "\n"), qPrintable(name));
    }
    QVERIFY(seen >= 10);
    QVERIFY(page.contains("\n   trace record\n") && page.contains("\n   bench latency\n"));
  }

  void allowedValuesAreDocumented() {
    const QString page = pageOf("vitrine-cli.1");
    QVERIFY(page.contains("--preemption recompute|swap"));
    QVERIFY(page.contains("(default: recompute)"));
  }
};

QTEST_APPLESS_MAIN(TestManual)
#include "tst_manual.moc"
