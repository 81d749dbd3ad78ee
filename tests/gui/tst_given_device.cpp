// `vitrine --device`: the program itself computes there, or says why it cannot before there is a window. The
// GPU is a module of the tests that computes on the CPU (support/pretended_gpu.cpp).
#include "gui/machine/given_device.h"

#include <QDir>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include "common/option_words.h"
#include "support/on_pretended_gpu.h"
#include "support/window_bench.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// The program in a home of its own, without a display.
class Program {
 public:
  explicit Program(const QStringList& arguments) {
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* key : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
      environment.insert(QLatin1String(key), m_home.path());
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(m_home.path());
    m_process.start(QStringLiteral(VITRINE_PROGRAMS "/vitrine"), arguments);
  }
  ~Program() {
    m_process.kill();
    m_process.waitForFinished(kPatience);
  }

  bool ends() {
    return waitUntil([&] { return m_process.state() == QProcess::NotRunning; });
  }
  bool says(const QByteArray& words) {
    return waitUntil([&] {
             m_said += m_process.readAllStandardError();
             return m_said.contains(words) || m_process.state() == QProcess::NotRunning;
           }) &&
           m_said.contains(words);
  }
  bool failed() const { return m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 1; }
  const QByteArray& said() const { return m_said; }
  bool wrote(const QString& name) const { return QDir(m_home.path()).exists(name); }

 private:
  QTemporaryDir m_home;
  QProcess m_process;
  QByteArray m_said;
};

}  // namespace

class TestGivenDevice : public QObject {
  Q_OBJECT

 private slots:
  void itIsTheCommandLinesOption() {
    const QCommandLineOption option = deviceOption();
    QCOMPARE(option.names(), QStringList("device"));
    QVERIFY2(option.description().contains("where to compute") && option.description().contains("cpu, cuda"),
             qPrintable(option.description()));
    QCOMPARE(givenDevice("cpu"), Device::kCpu);
  }

  void whatCannotComputeIsRefused_data() {
    QTest::addColumn<QString>("word");
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<QByteArrayList>("words");
    const QStringList tour{"--tour", "pictures"};
    QTest::newRow("unknown") << "abacus" << tour << QByteArrayList{"\"abacus\"", "cpu, cuda"};
    QTest::newRow("nothing") << "" << QStringList() << QByteArrayList{"\"\"", "cpu, cuda"};
    QTest::newRow("long") << QString(20'000, 'x') << QStringList() << QByteArrayList{"xxx", "cpu, cuda"};
    QTest::newRow("tour") << "cuda" << tour << QByteArrayList{"libvitrine_cuda.so", "--device cpu"};
    QTest::newRow("window") << "cuda" << QStringList()
                            << QByteArrayList{"libvitrine_cuda.so", "--device cpu"};
    QTest::newRow("bench") << "cuda" << QStringList{"--bench-window"} << QByteArrayList{"libvitrine_cuda.so"};
  }
  void whatCannotComputeIsRefused() {
    QFETCH(QString, word);
    QFETCH(QStringList, more);
    QFETCH(QByteArrayList, words);
    const WithoutGpu nothing;
    Program program(QStringList{"--device", word} + more);
    for (const QByteArray& part : words) QVERIFY2(program.says(part), program.said());
    QVERIFY(program.ends() && program.failed());
    QVERIFY2(program.said().size() < 600, program.said());
    QVERIFY(!program.wrote("pictures"));
  }

  void theTourComputesThere() {
    const OnPretendedGpu pretended;
    Program program({"--tour", "pictures", "--device", "cuda"});
    QVERIFY2(program.says("the tour computes on GPU: Pretended GPU\n"), program.said());
  }
};

QTEST_MAIN(TestGivenDevice)
#include "tst_given_device.moc"
