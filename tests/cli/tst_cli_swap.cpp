// `run` with both kinds of preemption on one load: the same answers, and what each of them cost. Killed in
// the middle, the program leaves no file behind.
#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

QString load(const QTemporaryDir& folder, int maxTokens) {
  QByteArray lines;
  for (int r = 0; r < 6; ++r) {
    QByteArray ids;
    for (int i = 0; i < 6 + 3 * r; ++i)
      ids += (i > 0 ? "," : "") + QByteArray::number(3 + (7 * r + 2 * i) % 40);
    lines += "{\"token_ids\":[" + ids +
             "],\"ignore_eos\":true,\"max_tokens\":" + QByteArray::number(maxTokens) +
             ",\"logprobs\":1,\"temperature\":" + (r % 2 == 0 ? "0" : "1") +
             ",\"seed\":" + QByteArray::number(r) + "}\n";
  }
  return writeTo(folder.filePath("load.jsonl"), lines);
}

QStringList arguments(const QString& requests, const char* options) {
  return QStringList{
             "run",          "--requests", requests,       "--json", "--model",          goldenModel("llama"),
             "--num-blocks", "12",         "--block-size", "4",      "--no-prefix-cache"} +
         QString(options).split(' ', Qt::SkipEmptyParts);
}

QJsonArray sequencesOf(const QJsonObject& json) {
  QJsonArray all;
  for (const QJsonValue& request : json["requests"].toArray()) all.append(request["sequences"]);
  return all;
}

}  // namespace

class TestCliSwap : public QObject {
  Q_OBJECT

 private slots:
  void bothKindsOfPreemptionCanBeCompared() {
    QTemporaryDir folder, swaps;
    const QString requests = load(folder, 20);
    const QByteArray disk =
        "--preemption swap --host-swap 5000 --disk-swap 1000000 --swap-folder " + swaps.path().toLocal8Bit();
    const CliResult recompute = runCli(arguments(requests, "--preemption recompute"));
    const CliResult host = runCli(arguments(requests, "--preemption swap"));
    const CliResult both = runCli(arguments(requests, disk));
    const CliResult broken = runCli(
        arguments(requests, "--preemption swap --host-swap 0 --disk-swap 1000000 --swap-folder /dev/null/x"));
    for (const CliResult* sound : {&recompute, &host, &both}) QVERIFY2(sound->err.isEmpty(), sound->err);
    // Said when the model is loaded, before anything is computed, and as the last line.
    const QByteArrayList said = broken.err.trimmed().split('\n');
    QVERIFY2(said.size() >= 3, broken.err);
    QVERIFY2(said.first().contains("warning") && said.first().contains("/dev/null/x"), broken.err);
    QVERIFY2(said.last().contains("times swapping failed") && said.last().contains("/dev/null/x"),
             broken.err);
    for (const CliResult* result : {&recompute, &host, &both, &broken}) {
      QVERIFY2(result->status == 0, result->err);
      QCOMPARE(sequencesOf(result->json()), sequencesOf(recompute.json()));
    }
    const QJsonObject computed = recompute.json()["stats"].toObject(),
                      moved = host.json()["stats"].toObject();
    QVERIFY(computed["preemptions"].toInt() > 0 && computed["recomputed_tokens"].toInt() > 0);
    QCOMPARE(computed["swap_outs"].toInt() + computed["swapped_out_bytes"].toInt(), 0);
    QVERIFY(moved["swap_outs"].toInt() > 0 && moved["swap_ins"].toInt() > 0);
    QVERIFY(moved["swapped_out_bytes"].toInt() > 0 && moved["swap_ms"].toDouble() > 0);
    QCOMPARE(moved["recomputed_tokens"].toInt(), 0);
    QCOMPARE(moved["swapped_in_bytes"], moved["swapped_out_bytes"]);
    QCOMPARE(moved["swap_demoted_bytes"].toInt(), 0);
    QVERIFY(both.json()["stats"][u"swap_demoted_bytes"].toInt() > 0);
    QVERIFY(QDir(swaps.path()).isEmpty());
    QVERIFY(broken.json()["stats"][u"swap_failures"].toInt() > 0);
    QVERIFY(broken.json()["stats"][u"recomputed_tokens"].toInt() > 0);
  }

  void killedItLeavesNoFile() {
    QTemporaryDir folder, swaps;
    const QByteArray options =
        "--preemption swap --host-swap 5000 --disk-swap 10000000 --swap-folder " + swaps.path().toLocal8Bit();
    const QStringList whole = arguments(load(folder, 20), options);
    const QJsonArray expected = sequencesOf(runCli(whole).json());
    QCOMPARE(expected.size(), 6);
    std::mt19937 random(3);
    for (int kill = 0; kill < 6; ++kill) {
      QProcess process;
      process.start(QStringLiteral(VITRINE_BINARY_DIR "/bin/vitrine-cli"), whole);
      QVERIFY(process.waitForStarted());
      QTest::qSleep(static_cast<int>(random() % 40));
      process.kill();
      QVERIFY(process.waitForFinished(20000));
      const CliResult next = runCli(whole);
      QVERIFY2(next.status == 0, next.err);
      QCOMPARE(sequencesOf(next.json()), expected);
      QVERIFY(QDir(swaps.path()).isEmpty());
    }
  }
};

QTEST_GUILESS_MAIN(TestCliSwap)
#include "tst_cli_swap.moc"
