// What leaves this computer names a model without its path: traces, results, what is printed as JSON. HOME
// has a tell-tale name here, and the model lies in it.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

constexpr auto kTellTale = "tell-tale-home";

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestCliPlaces : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  QString m_home, m_model, m_draft, m_out;

  QString copyTo(const QString& name) const {
    const QString folder = m_home + "/models/" + name;
    QDir().mkpath(QFileInfo(folder).path());
    std::filesystem::copy(goldenModel("llama").toStdString(), folder.toStdString());
    return folder;
  }

 private slots:
  void initTestCase() {
    m_home = m_folder.filePath(QLatin1String(kTellTale));
    m_out = m_folder.filePath("out");
    QVERIFY(QDir().mkpath(m_home) && QDir().mkpath(m_out));
    QVERIFY(qputenv("HOME", m_home.toUtf8()));
    m_model = copyTo("small-llama");
    m_draft = copyTo("tiny-llama");
    const QString scenario = writeTo(
        m_folder.filePath("s.json"),
        R"({"title":"t","model":")" + m_model.toUtf8() + R"(","options":{"draft":"model","draft_model":")" +
            m_draft.toUtf8() + R"("},"requests":[{"id":"A","token_ids":[5,6,7],"max_tokens":6}]})");
    const CliResult recorded =
        runCli({"trace", "record", "--scenario", scenario, "--out", m_out + "/t.vitrine", "--json"});
    QVERIFY2(recorded.status == 0, recorded.err);
  }

  void aTraceNamesItsModels() {
    const QByteArray trace = bytesOf(m_out + "/t.vitrine");
    QVERIFY(trace.contains("small-llama") && trace.contains("tiny-llama"));
    QVERIFY2(!trace.contains(kTellTale), trace.left(2000));
    for (const QStringList& look : {QStringList{"verify", "--json"}, QStringList{"show"}}) {
      const CliResult result = runCli(QStringList{"trace", look.front(), m_out + "/t.vitrine"} + look.mid(1));
      QVERIFY2(result.status == 0 && !result.out.contains(kTellTale), result.out + result.err);
    }
  }

  void resultsNameTheirModel() {
    const QStringList few = {"--model", m_model, "--max-tokens", "4", "--repeat", "1", "--warm-up", "0"};
    const auto check = [&](QStringList arguments) {
      const QString file = m_out + "/" + arguments.value(1) + ".json";
      const CliResult result = runCli(arguments + few + QStringList{"--json", "--out", file});
      QVERIFY2(result.status == 0, result.err);
      QVERIFY2(result.out.contains("small-llama") && !result.out.contains(kTellTale), result.out);
      QVERIFY2(!bytesOf(file).isEmpty() && !bytesOf(file).contains(kTellTale), bytesOf(file));
    };
    check({"bench", "latency", "--prompt-tokens", "8"});
    QDir().mkpath(m_out + "/drafts");
    check({"bench", "speculative", "--prompt-tokens", "8", "--lengths", "2", "--draft", "model",
           "--draft-model", m_draft, "--traces", m_out + "/drafts"});
    const QFileInfoList traces = QDir(m_out + "/drafts").entryInfoList(QDir::Files);
    QVERIFY(!traces.isEmpty());
    for (const QFileInfo& trace : traces) {
      QVERIFY(!bytesOf(trace.filePath()).isEmpty());
      QVERIFY(!bytesOf(trace.filePath()).contains(kTellTale));
    }
  }

  // By its name, beside the trace or here; with words where it is in neither place.
  void aRunFindsItsModel() {
    const CliResult lost = runCli({"trace", "resume", m_out + "/t.vitrine", "--step", "1"});
    QCOMPARE(lost.status, 1);
    QVERIFY2(lost.err.contains("small-llama") && lost.err.contains("--model"), lost.err);
    const CliResult named = runCli({"trace", "resume", m_out + "/t.vitrine", "--step", "1", "--json",
                                    "--model", m_model, "--draft-model", m_draft});
    QVERIFY2(named.status == 0, named.err);
    const QString beside = m_home + "/models/t.vitrine", again = m_out + "/again.vitrine";
    QVERIFY(QFile::copy(m_out + "/t.vitrine", beside));
    const CliResult found = runCli({"trace", "resume", beside, "--step", "1", "--json", "--out", again});
    QVERIFY2(found.status == 0, found.err);
    QCOMPARE(found.json()["differs_at"], QJsonValue());
    QVERIFY(!bytesOf(again).isEmpty() && !bytesOf(again).contains(kTellTale));
  }

  // Traces of before have whole paths, which lead to the model where it still is.
  void aTraceWithAPathGoesOn() {
    QByteArray old = bytesOf(m_out + "/t.vitrine");
    old.replace("\"path\":\"small-llama\"", "\"path\":\"" + m_model.toUtf8() + "\"");
    old.replace("\"tiny-llama\"", "\"" + m_draft.toUtf8() + "\"");
    QVERIFY(old.contains(kTellTale));
    const QString file = writeTo(m_out + "/old.vitrine", old);
    const CliResult result = runCli({"trace", "resume", file, "--step", "1", "--json"});
    QVERIFY2(result.status == 0, result.err);
  }
};

QTEST_GUILESS_MAIN(TestCliPlaces)
#include "tst_cli_places.moc"
