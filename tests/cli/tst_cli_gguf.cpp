// convert, quantize and inspect, and a GGUF file as any command's model.
#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"
#include "support/extended_model.h"

using namespace vitrine::test;

namespace {

QString goldenFile(const char* name) {
  return QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/gguf/") + name + ".gguf";
}

QJsonObject jsonOf(const QStringList& command) {
  const CliResult result = runCli(command + QStringList{"--json"});
  return result.status == 0 ? result.json() : QJsonObject{{"failed", QString(result.err)}};
}

}  // namespace

class TestCliGguf : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

 private slots:
  void aFileIsAModel() {
    const QStringList ask = {"generate", "--token-ids",  "5,6,7",  "--max-tokens",
                             "4",        "--ignore-eos", "--model"};
    const QJsonObject answer = jsonOf(ask + QStringList{goldenFile("qwen2")});
    QCOMPARE(answer["sequences"][0][u"token_ids"].toArray().size(), 4);
    const CliResult other = runCli(ask + QStringList{QStringLiteral(VITRINE_SOURCE_DIR "/README.md")});
    QCOMPARE(other.status, 1);
    QVERIFY2(other.err.contains("does not begin with GGUF"), other.err);
  }

  void thereAndBackWithText() {
    const QString file = m_folder.filePath("m.gguf"), back = m_folder.filePath("back");
    const QString folder = QStringLiteral(VITRINE_SOURCE_DIR "/resources/model");
    const QJsonObject made = jsonOf({"convert", folder, "--out", file});
    QCOMPARE(made["out"].toString(), file);
    QVERIFY(made["tensors"].toInt() > 10);
    QVERIFY(jsonOf({"convert", file, "--out", back})["bytes"].toInt() > 0);
    const QStringList ask = {"generate", "--prompt", "What is a KV cache?", "--chat", "--max-tokens",
                             "12",       "--model"};
    const QString wanted = jsonOf(ask + QStringList{folder})["sequences"][0][u"text"].toString();
    QVERIFY(!wanted.isEmpty());
    for (const QString& model : {file, back})
      QCOMPARE(jsonOf(ask + QStringList{model})["sequences"][0][u"text"].toString(), wanted);
    const QString small = m_folder.filePath("small.gguf");
    QVERIFY(jsonOf({"quantize", folder, "--type", "q8_0", "--out", small})["bytes"].toInt() <
            made["bytes"].toInt() * 6 / 10);
    QCOMPARE(jsonOf(ask + QStringList{small})["sequences"].toArray().size(), 1);
  }

  // A folder with one tensor more: of a head that drafts, or of a layer.
  void tensorsBesideTheDecoderAreSaid() {
    const QStringList ask = {"generate", "--token-ids",  "5,6,7",  "--max-tokens",
                             "4",        "--ignore-eos", "--json", "--model"};
    const QString head = m_folder.filePath("head"), bias = m_folder.filePath("bias");
    QVERIFY(writeExtendedModel(goldenModel("llama"), head, "mtp.fc.weight"));
    QVERIFY(writeExtendedModel(goldenModel("llama"), bias, "model.layers.0.mlp.up_proj.bias"));
    const CliResult said = runCli(ask + QStringList{head});
    QVERIFY2(said.status == 0, said.err);
    QVERIFY2(said.err.contains("does not use 1 tensor of its files: mtp.fc.weight") &&
                 said.err.contains("drafts tokens"),
             said.err);
    QCOMPARE(said.json()["sequences"][0][u"token_ids"],
             runCli(ask + QStringList{goldenModel("llama")}).json()["sequences"][0][u"token_ids"]);
    const CliResult made = runCli({"convert", head, "--out", m_folder.filePath("head.gguf"), "--json"});
    QVERIFY2(made.status == 0 && made.err.contains("mtp.fc.weight"), made.err);
    QCOMPARE(made.json()["ignored_tensors"].toInt(), 1);
    for (const QStringList& command :
         {ask + QStringList{bias}, QStringList{"convert", bias, "--out", m_folder.filePath("bias.gguf")}}) {
      const CliResult refused = runCli(command);
      QCOMPARE(refused.status, 1);
      QVERIFY2(refused.err.contains("model.layers.0.mlp.up_proj.bias"), refused.err);
    }
  }

  // Each command takes what leads to a model, and says what config.json and the weights disagree about.
  void foldersThatLeadToAModel() {
    const QString repository = m_folder.filePath("models--some--Tiny"),
                  snapshot = repository + "/snapshots/abc", single = m_folder.filePath("single");
    QVERIFY(QDir().mkpath(snapshot) && QDir().mkpath(repository + "/refs") && QDir().mkpath(single));
    QVERIFY(!writeTo(repository + "/refs/main", "abc").isEmpty());
    QVERIFY(QFile::copy(goldenModel("llama") + "/model.safetensors", snapshot + "/model.safetensors"));
    QFile config(goldenModel("llama") + "/config.json");
    QVERIFY(config.open(QIODevice::ReadOnly));
    QByteArray tied = config.readAll();
    tied.replace("\"tie_word_embeddings\": false", "\"tie_word_embeddings\": true");
    QVERIFY(!writeTo(snapshot + "/config.json", tied).isEmpty());
    QVERIFY(QFile::copy(goldenFile("qwen2"), single + "/tiny.gguf"));
    QCOMPARE(jsonOf({"inspect", repository})["name"].toString(), QString("some/Tiny"));
    QCOMPARE(jsonOf({"inspect", single})["container"].toString(), QString("GGUF"));
    const QStringList ask = {"logits", "--token-ids", "5,6,7", "--json", "--model"};
    const CliResult said = runCli(ask + QStringList{repository});
    QVERIFY2(said.status == 0, said.err);
    QVERIFY2(said.err.contains("config.json of some/Tiny says that its head is the embedding"), said.err);
    QVERIFY(said.json()["logits"] == runCli(ask + QStringList{goldenModel("llama")}).json()["logits"]);
    QVERIFY(!said.json()["logits"].isUndefined());
    QVERIFY(runCli(ask + QStringList{single}).out == runCli(ask + QStringList{single + "/tiny.gguf"}).out);
    const CliResult made = runCli({"convert", repository, "--out", m_folder.filePath("tiny.gguf"), "--json"});
    QVERIFY2(made.status == 0 && made.err.contains("The head of the files is used"), made.err);
  }

  void wrongUsage() {
    QCOMPARE(runCli({"quantize", "x", "--out", "y", "--type", "q8_0"}).status, 2);
    QCOMPARE(runCli({"quantize", "x", "--out", "y.gguf"}).status, 2);
    QCOMPARE(runCli({"quantize", "x", "--out", "y.gguf", "--type", "q2_k"}).status, 2);
    QCOMPARE(runCli({"convert", goldenFile("qwen2")}).status, 2);
    QCOMPARE(runCli({"inspect", goldenFile("qwen2"), "--row", "1"}).status, 2);
    const CliResult nothing = runCli({"convert", "/nowhere", "--out", m_folder.filePath("n.gguf")});
    QCOMPARE(nothing.status, 1);
  }

  void inspectWhole() {
    const QJsonObject model = jsonOf({"inspect", goldenFile("mistral"), "--context", "100"});
    QCOMPARE(model["container"].toString(), QString("GGUF"));
    QCOMPARE(model["family"].toString(), QString("mistral"));
    QCOMPARE(model["sliding_window"].toInt(), 16);
    QCOMPARE(model["memory"][u"context"].toInt(), 100);
    QCOMPARE(model["memory"][u"kv_bytes"].toInt(), 100 * model["kv_bytes_per_token"].toInt());
    QCOMPARE(model["keys"][u"general.architecture"].toString(), QString("llama"));
    qint64 bytes = 0;
    for (const QJsonValue& tensor : model["tensors"].toArray()) bytes += tensor[u"bytes"].toInt();
    QCOMPARE(bytes, qint64(model["bytes"].toInt()));
    QVERIFY(jsonOf({"inspect", goldenModel("llama")})["container"] == QString("folder"));
    const CliResult said = runCli({"inspect", goldenFile("mistral")});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains("blk.0.attn_q.weight") && said.out.contains("Q4_1"));
  }

  void inspectATensor() {
    const QStringList ask = {"inspect", goldenFile("mistral"), "--tensor", "blk.1.ffn_up.weight"};
    const QJsonObject tensor = jsonOf(ask);
    QCOMPARE(tensor["type"].toString(), QString("Q4_1"));
    int count = 0;
    for (const QJsonValue& bin : tensor["histogram"].toArray()) count += bin.toInt();
    QCOMPARE(count, tensor["shape"][0].toInt() * tensor["shape"][1].toInt());
    QVERIFY(tensor["least"].toDouble() < 0 && tensor["most"].toDouble() > 0);
    const QJsonObject group = jsonOf(ask + QStringList{"--row", "3", "--group", "1"});
    const QJsonArray values = group["values"].toArray(), weights = group["weights"].toArray();
    QCOMPARE(values.size(), 32);
    QCOMPARE(group["first_input"].toInt(), 32);
    for (int i = 0; i < 32; ++i) {
      const double stands = group["scale"].toDouble() * values[i].toInt() + group["minimum"].toDouble();
      QVERIFY(qAbs(stands - weights[i].toDouble()) < 1e-5);
    }
    QVERIFY(group["errors"][u"Q8_0"].toDouble() < group["errors"][u"Q4_0"].toDouble());
    QCOMPARE(runCli(ask + QStringList{"--row", "9999"}).status, 1);
    QCOMPARE(runCli({"inspect", goldenFile("mistral"), "--tensor", "none"}).status, 1);
  }
};

QTEST_GUILESS_MAIN(TestCliGguf)
#include "tst_cli_gguf.moc"
