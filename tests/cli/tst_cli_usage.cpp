// Exit statuses, a clean standard output, and answers to hostile input.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

const QStringList kModel = {"--model", goldenModel("llama")};

const QStringList kGenerate = QStringList{"generate", "--token-ids", "1,2,3", "--max-tokens", "2"} + kModel;

QByteArray manyKeys() {
  QByteArray line = "{\"token_ids\":[1]";
  for (int i = 0; i < 300; ++i) line += ",\"" + QByteArray::number(i) + "\":0";
  return line + "}";
}

}  // namespace

class TestCliUsage : public QObject {
  Q_OBJECT

 private slots:
  void helpIsNoError() {
    for (const QStringList& arguments :
         {QStringList{"--help"}, QStringList{"generate", "--help"}, QStringList{"--help-all"}}) {
      const CliResult result = runCli(arguments);
      QCOMPARE(result.status, 0);
      QVERIFY(result.out.contains("generate"));
    }
  }

  void wrongUsageExitsWithTwo_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("named");  // what the complaint must name
    const auto add = [](const char* name, const QStringList& arguments, const char* named) {
      QTest::newRow(name) << arguments << QByteArray(named);
    };
    add("nothing", {}, "subcommand");
    add("unknown command", {"dance"}, "dance");
    add("an empty word", QStringList{"run", "--requests", "x", ""} + kModel, "not expected");
    add("empty words", QStringList{"tokenize", "", "--text", "x", ""} + kModel, "not expected");
    add("no text", QStringList{"tokenize"} + kModel, "--text or --file");
    add("requests and a scenario", {"run", "--requests", "x", "--scenario", "y"}, "--requests or --scenario");
    add("unknown option", kGenerate + QStringList{"--colour", "red"}, "colour");
    add("no prompt", QStringList{"generate"} + kModel, "prompt");
    add("two prompts", kGenerate + QStringList{"--prompt", "x"}, "prompt");
    add("not a number", kGenerate + QStringList{"--temperature", "warm"}, "temperature");
    add("temperature", kGenerate + QStringList{"--temperature", "-1"}, "--temperature");
    add("nan", kGenerate + QStringList{"--temperature", "nan"}, "--temperature");
    add("top-p", kGenerate + QStringList{"--top-p", "0"}, "--top-p");
    add("min-p", kGenerate + QStringList{"--min-p", "1.5"}, "--min-p");
    add("top-k", kGenerate + QStringList{"--top-k", "-3"}, "--top-k");
    add("top-k too large", kGenerate + QStringList{"--top-k", "99999999999"}, "top-k");
    add("max tokens", kGenerate + QStringList{"--max-tokens", "-1"}, "--max-tokens");
    add("n", kGenerate + QStringList{"-n", "0"}, "-n");
    add("negative seed", kGenerate + QStringList{"--seed", "-1"}, "seed");
    add("seed too large", kGenerate + QStringList{"--seed", "18446744073709551616"}, "seed");
    add("twice", kGenerate + QStringList{"--max-tokens", "3"}, "max-tokens");
    add("beams", kGenerate + QStringList{"--beam-width", "0"}, "--beam-width");
    add("block size", kGenerate + QStringList{"--block-size", "0"}, "--block-size");
    add("pool", kGenerate + QStringList{"--num-blocks", "-5"}, "--num-blocks");
    add("device", kGenerate + QStringList{"--device", "abacus"}, "device");
    add("attention", kGenerate + QStringList{"--attention", "divided"}, "flash");
    add("policy", kGenerate + QStringList{"--policy", "mine"}, "policy");
    add("ids", QStringList{"generate", "--token-ids", "1,two"} + kModel, "two");
    add("no ids", QStringList{"logits", "--token-ids", ""} + kModel, "token-ids");
    add("generated", QStringList{"distribution", "--token-ids", "1,2", "--generated", "2"} + kModel,
        "--generated");
    add("kv memory of 2^64", kGenerate + QStringList{"--kv-memory", "18446744073709551616"}, "--kv-memory");
    add("kv memory of 2^63", kGenerate + QStringList{"--kv-memory", "9223372036854775808"}, "--kv-memory");
    add("threads of 2^32", kGenerate + QStringList{"--threads", "4294967297"}, "--threads");
    add("repeat", QStringList{"bench", "latency", "--repeat", "2147483647"} + kModel, "--repeat");
    add("warm-up", QStringList{"bench", "memory", "--warm-up", "2147483647"} + kModel, "--warm-up");
    add("prompt tokens", QStringList{"bench", "latency", "--prompt-tokens", "2147483647"} + kModel,
        "--prompt-tokens");
    add("at once", QStringList{"bench", "ablation", "--at-once", "2147483647"} + kModel, "--at-once");
    add("batches", QStringList{"bench", "latency", "--batch", "65536", "--prompt-tokens", "1048576"} + kModel,
        "KV blocks");
    add("seed of random weights", {"make-random-model", "--like", "tiny", "--out", "x", "--seed", "-1"},
        "--seed");
    add("candidates", {"trace", "record", "--scenario", "x", "--out", "x", "--candidates", "-1"},
        "--candidates");
    add("a very long word", kGenerate + QStringList{"--top-k", QString(20000, 'x')}, "--top-k");
    add("a very long policy", kGenerate + QStringList{"--policy=" + QString(20000, 'x')}, "--policy");
    add("a very long id", QStringList{"generate", "--token-ids", QString(20000, 'x')} + kModel,
        "--token-ids");
    add("a very long command", {QString(20000, 'x')}, "there is no command");
    add("a very long option", kGenerate + QStringList{"--" + QString(20000, 'x')}, "--xxx");
    add("preset", {"make-random-model", "--like", "nobody", "--out", "x"}, "like");
    add("trace", {"trace"}, "subcommand");
    add("lesson", {"lesson"}, "subcommand");
    add("no lesson", {"lesson", "show"}, "LESSON");
  }
  void wrongUsageExitsWithTwo() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, named);
    const CliResult result = runCli(arguments);
    QCOMPARE(result.status, 2);
    QCOMPARE(result.out, QByteArray());
    QVERIFY2(result.err.contains(named), result.err);
    QVERIFY2(result.err.size() < 600, result.err);  // what was typed is not echoed without end
    const QJsonObject error = runCli(arguments + QStringList{"--json"}).json()["error"].toObject();
    QCOMPARE(error["code"].toString(), QString("invalid_argument"));
  }

  // Other weights may give other tokens: only that they are taken.
  void narrowWeightsAreAccepted() {
    for (const char* options : {"--dtype bf16", "--dtype f16", "--weights int8", "--weights int4",
                                "--weights int4 --dtype bf16 --kv-dtype int8 --draft exit --exit-layer 1"}) {
      const CliResult result = runCli(kGenerate + QStringList{"--json"} + QString(options).split(' '));
      QVERIFY2(result.status == 0, result.err);
    }
  }

  // They are compared with other programs', so they are not rounded more unless that is asked for.
  void logitsAreFloat32s() {
    const auto logits = [](const QStringList& compute) {
      const CliResult result = runCli(
          QStringList{"logits", "--token-ids", "1,2", "--weights", "int8", "--json"} + kModel + compute);
      return result.status == 0 ? result.out : QByteArray();
    };
    const QByteArray plain = logits({});
    QVERIFY(!plain.isEmpty());
    QCOMPARE(plain, logits({"--compute", "f32"}));
    QVERIFY(plain != logits({"--compute", "int8"}));
  }

  void whatIsBuiltIsAccepted() {
    const CliResult plain = runCli(kGenerate + QStringList{"--json"});
    QVERIFY2(plain.status == 0, plain.err);
    for (const char* options :
         {"--device cpu --dtype f32 --weights same --kv-dtype same --threads 1",
          "--block-size 8 --num-blocks 40 --max-sequences 3 --token-budget 2",
          "--policy fcfs --batching static --preemption recompute",
          "--preemption swap --host-swap 1000000 --disk-swap 1000000", "--batching sequential",
          "--policy priority --aging-steps 0 --max-sequences 0", "--policy deadline --aging-steps 9",
          "--batching window --window-ms 5",
          "--no-prefix-cache --no-chunked-prefill --kv-memory 1000000 --kernels native",
          "--draft exit --exit-layer 1 --draft-length 2", "--draft ngram --ngram-length 2 --draft-adaptive",
          "--draft ngram --draft-acceptance rejection",
          "--draft model --draft-model " VITRINE_SOURCE_DIR "/tests/golden/models/llama", "--attention flash",
          "--attention reference", "--no-kv-cache", "--kv-dtype int8"}) {
      const CliResult result = runCli(kGenerate + QStringList{"--json"} + QString(options).split(' '));
      QVERIFY2(result.status == 0, result.err);
      QCOMPARE(result.json()["sequences"][0][u"token_ids"], plain.json()["sequences"][0][u"token_ids"]);
      QCOMPARE(result.json().contains("speculation"), QString(options).contains("--draft"));
    }
  }

  void failuresInTheWorkExitWithOne_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("code");
    QTest::newRow("no model") << QStringList{"generate", "--token-ids", "1", "--model", "/nowhere"}
                              << "file_not_found";
    QTest::newRow("no file") << (QStringList{"run", "--requests", "/nowhere.jsonl"} + kModel)
                             << "file_not_found";
    QTest::newRow("endless requests")
        << (QStringList{"run", "--requests", "/dev/zero"} + kModel) << "file_corrupt";
    QTest::newRow("an endless prompt")
        << (QStringList{"generate", "--prompt-file", "/dev/zero"} + kModel) << "file_corrupt";
    QTest::newRow("a folder") << (QStringList{"run", "--requests", "/"} + kModel) << "file_unreadable";
    QTest::newRow("no prompt file") << (QStringList{"generate", "--prompt-file", "/nowhere"} + kModel)
                                    << "file_not_found";
    QTest::newRow("alien id") << (QStringList{"logits", "--token-ids", "320"} + kModel) << "invalid_argument";
    QTest::newRow("negative id") << (QStringList{"generate", "--token-ids", "-1"} + kModel)
                                 << "invalid_argument";
    QTest::newRow("too large for the pool")
        << (QStringList{"generate", "--token-ids", "1", "--max-tokens", "200", "--num-blocks", "2"} + kModel)
        << "out_of_memory";
    QTest::newRow("text without a tokenizer")
        << (QStringList{"generate", "--prompt", "x"} + kModel) << "unavailable";
    QTest::newRow("no tokenizer") << (QStringList{"tokenize", "--text", "x"} + kModel) << "file_not_found";
    QTest::newRow("no trace") << QStringList{"trace", "verify", "/nowhere"} << "file_not_found";
    QTest::newRow("no scenario") << QStringList{"trace", "record", "--scenario", "nothing", "--out", "/tmp/x"}
                                 << "file_not_found";
  }
  void failuresInTheWorkExitWithOne() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, code);
    const CliResult result = runCli(arguments + QStringList{"--json"});
    QCOMPARE(result.status, 1);
    QVERIFY(!result.err.isEmpty());
    QCOMPARE(result.json()["error"][u"code"].toString(), code);
    QVERIFY(!result.json()["error"][u"message"].toString().isEmpty());
  }

  void aWrongRequestLineIsNamed_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("unknown key") << QByteArray("{\"token_ids\":[1],\"tempreature\":1}")
                                 << QByteArray("tempreature");
    QTest::newRow("not JSON") << QByteArray("{token_ids}") << QByteArray("JSON");
    QTest::newRow("deep") << QByteArray(100000, '[') << QByteArray("JSON");
    QTest::newRow("many keys") << manyKeys() << QByteArray("more than 256 members");
    QTest::newRow("not an object") << QByteArray("[1]") << QByteArray("object");
    QTest::newRow("no prompt") << QByteArray("{\"max_tokens\":1}") << QByteArray("prompt");
    QTest::newRow("both") << QByteArray("{\"prompt\":\"\",\"token_ids\":[1]}") << QByteArray("either");
    QTest::newRow("empty ids") << QByteArray("{\"token_ids\":[]}") << QByteArray("token_ids");
    QTest::newRow("a word for a number")
        << QByteArray("{\"token_ids\":[1],\"top_k\":\"3\"}") << QByteArray("top_k");
    QTest::newRow("a fraction") << QByteArray("{\"token_ids\":[1.5]}") << QByteArray("token_ids");
    QTest::newRow("beyond 32 bits") << QByteArray("{\"token_ids\":[4294967297]}") << QByteArray("token_ids");
    QTest::newRow("beyond 64 bits") << QByteArray("{\"token_ids\":[1],\"seed\":1e400}")
                                    << QByteArray("line 2");
    QTest::newRow("arrival") << QByteArray("{\"token_ids\":[1],\"arrival_step\":-1}")
                             << QByteArray("arrival_step");
    QTest::newRow("range") << QByteArray("{\"token_ids\":[1],\"temperature\":-1}")
                           << QByteArray("temperature");
    QTest::newRow("beyond the last step")
        << QByteArray("{\"token_ids\":[1],\"arrival_step\":2147483648}") << QByteArray("2147483647");
    QTest::newRow("a key twice") << QByteArray("{\"token_ids\":[1],\"max_tokens\":2,\"max_tokens\":3}")
                                 << QByteArray("\"max_tokens\" stands there twice");
    QTest::newRow("the prompt twice") << QByteArray("{\"token_ids\":[1],\"token_ids\":[2]}")
                                      << QByteArray("\"token_ids\" stands there twice");
    QTest::newRow("the file's own words")
        << QByteArray("{\"token_ids\":[1],\"top_p\":7}") << QByteArray("\"top_p\" must be");
    QTest::newRow("an ending") << QByteArray("{\"token_ids\":[1],\"early_stopping\":\"soon\"}")
                               << QByteArray("\"early_stopping\" must be");
    QTest::newRow("a long key") << QByteArray("{\"" + QByteArray(20000, 'k') + "\":1}")
                                << QByteArray("kkk...");
    QTest::newRow("a long word") << QByteArray("{\"token_ids\":[1],\"early_stopping\":\"" +
                                               QByteArray(20000, 'w') + "\"}")
                                 << QByteArray("www...");
    QTest::newRow("twice") << QByteArray("{\"id\":\"first\",\"token_ids\":[1]}") << QByteArray("first");
    QTest::newRow("a NUL between two")
        << QByteArray("{\"token_ids\":[1]}\0{\"token_ids\":[2]}", 35) << QByteArray("a NUL character");
    QTest::newRow("not UTF-8") << QByteArray("{\"id\":\"\xFF\",\"token_ids\":[1]}") << QByteArray("JSON");
  }
  void aWrongRequestLineIsNamed() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, named);
    QTemporaryDir folder;
    const QString file =
        writeTo(folder.filePath("r.jsonl"), "{\"id\":\"first\",\"token_ids\":[1]}\n" + line + "\n");
    const CliResult result = runCli(QStringList{"run", "--requests", file} + kModel);
    QCOMPARE(result.status, 2);
    QCOMPARE(result.out, QByteArray());
    QVERIFY2(result.err.contains("line 2") && result.err.contains(named), result.err);
    QVERIFY2(!result.err.contains("json.exception") && !result.err.contains("--"), result.err);
    QVERIFY2(result.err.size() < 600, result.err);
  }

  // The engine's hint reaches the user, spelled as in the command line or as in the file.
  void wrongUsageComesWithItsHint() {
    const CliResult line = runCli(kGenerate + QStringList{"--draft", "model", "--json"});
    QCOMPARE(line.status, 2);
    QVERIFY2(line.err.contains("--draft-model"), line.err);
    QVERIFY(line.json()["error"].toObject()["hint"].toString().contains("--draft-model"));
    QTemporaryDir folder;
    const QString file = writeTo(folder.filePath("r.jsonl"),
                                 "{\"token_ids\":[1],\"beam_width\":2,\"n\":3,\"max_tokens\":2}\n");
    const CliResult run = runCli(QStringList{"run", "--requests", file} + kModel);
    QCOMPARE(run.status, 2);
    QVERIFY2(run.err.contains("make \"beam_width\" at least"), run.err);
  }

  void aScenarioIsComplainedOfInItsOwnWords() {
    QTemporaryDir folder;
    const auto complaint = [&](const QByteArray& text) {
      const QString file = writeTo(folder.filePath("s.json"), text);
      const CliResult result = runCli(QStringList{"run", "--scenario", file} + kModel);
      return result.status == 2 ? result.err : QByteArray("accepted");
    };
    const QByteArray requests = "\"requests\":[{\"token_ids\":[1]}]";
    for (const auto& [text, named] :
         {std::pair<QByteArray, QByteArray>{"{" + requests + ",\"options\":{\"token_budget\":0}}",
                                            "\"token_budget\" must be"},
          {"{" + requests + ",\"options\":{\"seed\":1,\"seed\":2}}", "\"seed\" stands there twice"},
          {"{" + requests, "this is not JSON"}}) {
      const QByteArray said = complaint(text);
      QVERIFY2(said.contains("s.json: ") && said.contains(named) && !said.contains("json.exception"), said);
    }
  }

  void stepsAreCountedBeyondTheLastThatCanBeNamed() {
    QTemporaryDir folder;
    const QString file =
        writeTo(folder.filePath("r.jsonl"),
                "{\"token_ids\":[1],\"max_tokens\":3,\"ignore_eos\":true,\"arrival_step\":2147483647}\n");
    const CliResult result = runCli(QStringList{"run", "--requests", file, "--json"} + kModel);
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.json()["steps"].toDouble(), 2147483647.0 + 3);
  }

  // true and false as transformers spells them, or the words.
  void earlyStoppingIsABooleanToo() {
    QTemporaryDir folder;
    const auto answer = [&](const QByteArray& value) {
      const QString file = writeTo(folder.filePath("r.jsonl"),
                                   "{\"token_ids\":[5,6],\"beam_width\":3,\"max_tokens\":8,"
                                   "\"length_penalty\":0.1,\"early_stopping\":" +
                                       value + "}\n");
      const CliResult result = runCli(QStringList{"run", "--requests", file, "--json"} + kModel);
      return result.status == 0 ? result.json()["requests"][0][u"sequences"][0][u"token_ids"].toArray()
                                : QJsonArray{QString::fromUtf8(result.err)};
    };
    QCOMPARE(answer("true"), answer("\"true\""));
    QCOMPARE(answer("false"), answer("\"heuristic\""));
    QCOMPARE(answer("\"false\""), answer("\"heuristic\""));
    QVERIFY(answer("true")[0].isDouble() && answer("false")[0].isDouble());
  }

  // One bad weight makes every answer nonsense, and no answer would say so.
  void weightsThatAreNoNumbersAreRefused_data() {
    QTest::addColumn<quint32>("bits");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("named");
    for (const char* command :
         {"generate --token-ids 1,2 --max-tokens 2", "generate --weights int8 --token-ids 1,2",
          "logits --token-ids 1,2", "distribution --token-ids 1,2"}) {
      const QStringList arguments = QString(command).split(' ');
      QTest::addRow("NaN, %s", command) << quint32{0x7fc00000} << arguments << QByteArray("nan");
      QTest::addRow("infinity, %s", command) << quint32{0xff800000} << arguments << QByteArray("-inf");
      if (!arguments.contains("int8"))
        QTest::addRow("too large, %s", command)
            << quint32{0x7f7fffff} << arguments << QByteArray("not finite numbers");
    }
    QTest::newRow("too large for f16")
        << quint32{0x47c35000} << QString("generate --token-ids 1,2 --dtype f16").split(' ')
        << QByteArray("100000");
  }
  void weightsThatAreNoNumbersAreRefused() {
    QFETCH(quint32, bits);
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, named);
    QTemporaryDir folder;
    const char* tensor = "model.layers.1.mlp.down_proj.weight";
    QVERIFY(QFile::copy(goldenModel("llama") + "/config.json", folder.filePath("config.json")));
    QFile sound(goldenModel("llama") + "/model.safetensors");
    QVERIFY(sound.open(QIODevice::ReadOnly));
    QByteArray weights = sound.readAll();
    const qint64 header = qFromLittleEndian<qint64>(weights.constData());
    const QJsonObject tensors = QJsonDocument::fromJson(weights.mid(8, header)).object();
    const qint64 begin = tensors[tensor][u"data_offsets"][0].toInteger(),
                 end = tensors[tensor][u"data_offsets"][1].toInteger();
    QVERIFY(end > begin);
    for (qint64 at = begin; at < end; at += 400) qToLittleEndian(bits, weights.data() + 8 + header + at);
    QVERIFY(!writeTo(folder.filePath("model.safetensors"), weights).isEmpty());
    const CliResult result = runCli(arguments + QStringList{"--json", "--model", folder.path()});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.err.contains(named), result.err);
    const bool atLoad = named != "not finite numbers";
    QCOMPARE(result.err.contains(tensor), atLoad);
    const QJsonObject json = result.json();
    QVERIFY(json.contains("error") || json["sequences"][0][u"finish_reason"].toString() == "failed");
  }

  // Read as a pipe, the way a shell hands over what another program writes.
  void requestsComeThroughAPipe() {
    const QByteArray line = "{\"token_ids\":[1,2],\"max_tokens\":2}\n";
    const CliResult result =
        runCli(QStringList{"run", "--requests", "/dev/stdin", "--json"} + kModel, line + line);
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.json()["requests"].toArray().size(), 2);
  }

  void noRequestsAreWrongUsage() {
    QTemporaryDir folder;
    const QString file = writeTo(folder.filePath("r.jsonl"), "\n  \n");
    QCOMPARE(runCli(QStringList{"run", "--requests", file} + kModel).status, 2);
  }

  void priorityUnderFcfsIsSaidToChangeNothing() {
    QTemporaryDir folder;
    const QString file = writeTo(folder.filePath("r.jsonl"),
                                 "{\"token_ids\":[1],\"max_tokens\":1,\"priority\":3,\"deadline_ms\":5.5}\n");
    const CliResult result = runCli(QStringList{"run", "--requests", file, "--json"} + kModel);
    QCOMPARE(result.status, 0);
    QVERIFY(result.err.contains("change nothing"));
  }
};

QTEST_GUILESS_MAIN(TestCliUsage)
#include "tst_cli_usage.moc"
