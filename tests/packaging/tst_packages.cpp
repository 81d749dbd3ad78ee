// What packaging/install does on a machine that lacks everything: apt-get and its kin are stand-ins here,
// which answer as Debian's do and write down what they are asked for.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

// Of all packages, none is installed and each is offered. apt-get fails where it is told to assume a no, as
// the real one does, and for the packages in $BROKEN.
constexpr const char* kDpkgQuery = "#!/bin/sh\nexit 1\n";
constexpr const char* kAptCache =
    "#!/bin/sh\nprintf '%s:\\n  Installed: (none)\\n  Candidate: 1.0\\n' \"$2\"\n";
constexpr const char* kSudo = "#!/bin/sh\nexec \"$@\"\n";
constexpr const char* kAptGet = R"(#!/bin/sh
echo "$*" >> "$ASKED"
case "$*" in *--assume-no*)
  echo 'Need to get 280 MB of archives.'
  echo 'Abort.'
  exit 1 ;;
esac
for broken in $BROKEN; do
  case " $* " in *" $broken "*) echo "E: Unable to fetch $broken"; exit 100 ;; esac
done
)";

struct Result {
  int status = -1;
  QString out, err, asked;
};

}  // namespace

class TestPackages : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    writeProgram("dpkg-query", kDpkgQuery);
    writeProgram("apt-cache", kAptCache);
    writeProgram("sudo", kSudo);
    writeProgram("apt-get", kAptGet);
  }

  void theFirstCommandInstallsAndSaysTheSize() {
    const Result result = install({});
    QVERIFY2(result.status == 0, qPrintable(result.out + result.err));
    QVERIFY2(result.out.contains(", 280 MB to download"), qPrintable(result.out));
    const QString last = result.asked.trimmed().section('\n', -1);
    QVERIFY2(last.contains(" build-essential ") && last.contains(" qt6-base-dev "), qPrintable(last));
    QVERIFY2(!last.contains("libtorch-dev"), "a first look needs no libtorch");
  }

  void aRequiredPackageThatCannotBeHadIsNamed() {
    const Result result = install({"libhwy-dev"});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.err.contains("the package libhwy-dev could not be installed"), qPrintable(result.err));
  }

  void anOptionalOneIsLeftOutWithAWord() {
    const Result result = install({"ccache"});
    QVERIFY2(result.status == 0, qPrintable(result.out + result.err));
    QVERIFY2(result.out.contains("going on without: ccache"), qPrintable(result.out));
  }

 private:
  void writeProgram(const QString& name, const char* text) {
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  }

  Result install(const QStringList& broken) {
    const QString asked = m_folder.filePath("asked");
    QFile::remove(asked);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", m_folder.path() + ':' + environment.value("PATH"));
    environment.insert("ASKED", asked);
    environment.insert("BROKEN", broken.join(' '));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(VITRINE_SOURCE_DIR "/packaging/install", {"build"});
    Result result;
    if (process.waitForFinished(50000) && process.exitStatus() == QProcess::NormalExit)
      result.status = process.exitCode();
    else
      process.kill();
    result.out = QString::fromUtf8(process.readAllStandardOutput());
    result.err = QString::fromUtf8(process.readAllStandardError());
    if (QFile file(asked); file.open(QIODevice::ReadOnly)) result.asked = QString::fromUtf8(file.readAll());
    return result;
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestPackages)
#include "tst_packages.moc"
