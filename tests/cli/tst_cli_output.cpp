// What the program writes arrives whole, or the program says that it did not: on standard output and in
// files.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

// The program as a shell starts it: `script` says "$@" where the program and its arguments stand.
CliResult inShell(const QString& script, const QStringList& arguments, const QByteArray& input = {}) {
  QProcess process;
  process.start(
      "bash",
      QStringList{"-c", script, "bash", QStringLiteral(VITRINE_BINARY_DIR "/bin/vitrine-cli")} + arguments);
  process.write(input);
  process.closeWriteChannel();
  const bool ended = process.waitForFinished(50000);
  CliResult result;
  if (ended && process.exitStatus() == QProcess::NormalExit) result.status = process.exitCode();
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  return result;
}

// Files of more than 4 KiB become errors.
constexpr const char* kSmallDisk = "ulimit -f 4; exec \"$@\"";

}  // namespace

class TestCliOutput : public QObject {
  Q_OBJECT

 private slots:
  // A model that can read and write, a run for every command, and a trace.
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    m_model = m_folder.filePath("model");
    QVERIFY(QDir().mkpath(m_model));
    const QString tokenizer = QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/tokenizers/pre-whitespace/");
    for (const char* file : {"config.json", "model.safetensors"})
      QVERIFY(QFile::copy(goldenModel("llama") + "/" + file, m_model + "/" + file));
    for (const char* file : {"tokenizer.json", "tokenizer_config.json"})
      QVERIFY(QFile::copy(tokenizer + file, m_model + "/" + file));
    m_requests = writeTo(m_folder.filePath("r.jsonl"),
                         "{\"token_ids\":[1,2],\"max_tokens\":100,\"ignore_eos\":true,\"logprobs\":3}\n");
    m_scenario = writeTo(m_folder.filePath("s.json"),
                         "{\"requests\":[{\"token_ids\":[1,2],\"max_tokens\":60,\"ignore_eos\":true}]}");
    m_trace = m_folder.filePath("t.vitrine");
    const CliResult made =
        runCli({"trace", "record", "--scenario", m_scenario, "--out", m_trace, "--model", m_model});
    QVERIFY2(made.status == 0, made.err);
  }

  void lostOutputExitsWithOne_data() {
    QTest::addColumn<QStringList>("arguments");
    const QStringList model = {"--model", m_model};
    const QStringList answer =
        QStringList{"generate", "--prompt", "ab", "--max-tokens", "100", "--ignore-eos"} + model;
    const auto add = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
    add("generate", answer);
    add("generate, large", answer + QStringList{"--json", "--logprobs", "5"});
    add("run", QStringList{"run", "--requests", m_requests} + model);
    add("run, large", QStringList{"run", "--requests", m_requests, "--json"} + model);
    add("logits", QStringList{"logits", "--token-ids", "1,2"} + model);
    add("logits, large",
        QStringList{"logits", "--token-ids", "1,2,3,4,5,6,7,8", "--layers", "--json"} + model);
    add("distribution, large", QStringList{"distribution", "--token-ids", "1,2", "--json"} + model);
    add("tokenize, large", QStringList{"tokenize", "--text", QString(5000, 'a'), "--json"} + model);
    add("detokenize", QStringList{"detokenize", "--token-ids", "1,2,3"} + model);
    add("chat", QStringList{"chat", "--max-tokens", "3", "--ignore-eos"} + model);
    add("trace verify", {"trace", "verify", m_trace});
    add("trace show, large", {"trace", "show", m_trace});
    add("bench", QStringList{"bench", "latency", "--batch", "1", "--prompt-tokens", "4", "--max-tokens", "2",
                             "--repeat", "1", "--json"} +
                     model);
    add("help", {"--help"});
    add("help, large", {"--help-all"});
  }
  void lostOutputExitsWithOne() {
    QFETCH(QStringList, arguments);
    for (const auto& [script, reason] : {std::pair("exec \"$@\" >/dev/full", "No space left on device"),
                                         std::pair("exec \"$@\" >&-", "Bad file descriptor")}) {
      const CliResult result = inShell(script, arguments, "ab\n");
      QCOMPARE(result.status, 1);
      QVERIFY2(result.err.contains(QByteArray("cannot write to standard output: ") + reason), result.err);
    }
    const QString file = m_folder.filePath("full");
    const CliResult cut = inShell("ulimit -f 4; \"$@\" > " + file, arguments, "ab\n");
    const bool large = QByteArray(QTest::currentDataTag()).endsWith("large");
    QCOMPARE(cut.status, large ? 1 : 0);
    QCOMPARE(cut.err.contains("File too large"), large);
  }

  // The rest of a long answer is not computed when its reader has gone.
  void streamingEndsWithItsReader() {
    const CliResult result = inShell(
        "exec \"$@\" >/dev/full", {"generate", "--prompt", "ab", "--max-tokens", "100000000", "--ignore-eos",
                                   "--eviction", "sinks", "--window-tokens", "32", "--model", m_model});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.err.contains("No space left on device"), result.err);
  }

  void aReaderThatGoesAwayEndsItQuietly() {
    const QStringList large = {
        "logits", "--token-ids", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24",
        "--json", "--model",     m_model};
    const CliResult result = inShell("\"$@\" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}", large);
    QCOMPARE(result.status, 128 + 13);  // by SIGPIPE, as other programs
    QCOMPARE(result.err, QByteArray());
    const CliResult ignoring =
        inShell("trap '' PIPE; \"$@\" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}", large);
    QCOMPARE(ignoring.status, 1);
    QCOMPARE(ignoring.err, QByteArray());
  }

  // Without a guard the first file that is opened would become descriptor 1, and be written over.
  void aClosedOutputIsNotTheNextFile() {
    const QString trace = m_folder.filePath("closed.vitrine");
    const CliResult result = inShell(
        "exec \"$@\" >&-", {"trace", "record", "--scenario", m_scenario, "--out", trace, "--model", m_model});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.err.contains("standard output"), result.err);
    const CliResult verified = runCli({"trace", "verify", trace});
    QVERIFY2(verified.status == 0, verified.err);
  }

  void aFileIsThereWholeOrNotAtAll_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("file");
    const QStringList bench = {"bench",   "latency",      "--batch", "1,2,3,4,5,6", "--prompt-tokens",
                               "4",       "--max-tokens", "2",       "--repeat",    "1",
                               "--model", m_model,        "--plot"};
    QTest::newRow("svg") << (bench + QStringList{"picture.svg"}) << "picture.svg";
    QTest::newRow("png") << (bench + QStringList{"picture.png"}) << "picture.png";
    QTest::newRow("trace") << QStringList{"trace",   "record", "--scenario", m_scenario,
                                          "--model", m_model,  "--out",      "t.vitrine"}
                           << "t.vitrine";
  }
  void aFileIsThereWholeOrNotAtAll() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, file);
    QTemporaryDir folder;
    const QString path = folder.filePath(file);
    arguments.last() = path;
    const CliResult first = inShell(kSmallDisk, arguments);
    QCOMPARE(first.status, 1);
    QVERIFY2(first.err.contains("File too large") && first.err.contains(file.toUtf8()), first.err);
    QVERIFY(QDir(folder.path()).isEmpty());

    const QByteArray before = "what was there";
    QVERIFY(!writeTo(path, before).isEmpty());
    QCOMPARE(inShell(kSmallDisk, arguments).status, 1);
    QFile kept(path);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), before);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);

    QCOMPARE(runCli(arguments).status, 0);
    QVERIFY(QFile(path).size() > 4096);
  }

  void aRandomModelIsWholeOrNoModel() {
    QTemporaryDir folder;
    const CliResult result =
        inShell(kSmallDisk, {"make-random-model", "--like", "tiny", "--out", folder.filePath("model")});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.err.contains("model.safetensors"), result.err);
    QVERIFY(QDir(folder.filePath("model")).isEmpty());
  }

  void aPictureThatCannotBeIsRefusedBeforeMeasuring() {
    for (const char* place : {"/nowhere/picture.svg", "/dev/null/picture.png"}) {
      const CliResult result = runCli({"bench", "latency", "--model", m_model, "--plot", place, "--json"});
      QCOMPARE(result.status, 1);
      QCOMPARE(result.json()["error"][u"code"].toString(), QString("io"));
      QVERIFY2(!result.err.contains("latency 1 of"), result.err);
    }
  }

 private:
  QTemporaryDir m_folder;
  QString m_model, m_requests, m_scenario, m_trace;
};

QTEST_GUILESS_MAIN(TestCliOutput)
#include "tst_cli_output.moc"
