// generate, run, logits and distribution: what they print is the contract's, and is what the goldens expect.
#include "support/golden.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

QString idsOf(const std::vector<std::int64_t>& ids) {
  QStringList list;
  for (std::int64_t id : ids) list << QString::number(id);
  return list.join(',');
}

QStringList asArguments(const QString& text) { return text.split(' ', Qt::SkipEmptyParts); }

const QStringList kModel = {"--model", goldenModel("llama")};

}  // namespace

class TestCliAnswers : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    m_golden = Golden::load((goldenModel("llama") + "/expected.safetensors").toStdString());
    m_prompt = idsOf(m_golden.integers("input_ids").values);
    QVERIFY(m_folder.isValid());
  }

  void generateHasTheContractsShape() {
    const CliResult result = runCli(QStringList{"generate", "--token-ids", m_prompt, "--max-tokens", "64",
                                                "--ignore-eos", "--logprobs", "3", "--json"} +
                                    kModel);
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject json = result.json();
    QCOMPARE(json.keys(), (QStringList{"sequences", "timing", "usage"}));
    const QJsonObject sequence = json["sequences"].toArray().first().toObject();
    QCOMPARE(sequence["finish_reason"].toString(), QString("length"));
    QCOMPARE(sequence["text"].toString(), QString());  // no tokenizer there
    const QJsonArray ids = sequence["token_ids"].toArray();
    const auto& greedy = m_golden.integers("greedy").values;
    QCOMPARE(ids.size(), static_cast<qsizetype>(greedy.size()));
    for (qsizetype i = 0; i < ids.size(); ++i)
      QCOMPARE(ids[i].toInt(), static_cast<int>(greedy[static_cast<std::size_t>(i)]));

    const QJsonArray logprobs = sequence["logprobs"].toArray();
    QCOMPARE(logprobs.size(), ids.size());
    double sum = 0;
    for (qsizetype i = 0; i < ids.size(); ++i) {
      const QJsonObject item = logprobs[i].toObject();
      QCOMPARE(item["token_id"].toInt(), ids[i].toInt());
      const QJsonArray top = item["top"].toArray();
      QCOMPARE(top.size(), 3);
      QCOMPARE(top[0][u"token_id"].toInt(), ids[i].toInt());  // greedy
      QCOMPARE(top[0][u"logprob"].toDouble(), item["logprob"].toDouble());
      sum += item["logprob"].toDouble();
    }
    QVERIFY(std::abs(sequence["cumulative_logprob"].toDouble() - sum) < 1e-9);
    QVERIFY(std::abs(sequence["score"].toDouble() - sum / 64) < 1e-9);

    const QJsonObject usage = json["usage"].toObject();
    QCOMPARE(usage["prompt_tokens"].toInt(), static_cast<int>(m_golden.integers("input_ids").values.size()));
    QCOMPARE(usage["completion_tokens"].toInt(), 64);
    QCOMPARE(usage["cached_tokens"].toInt(-1), 0);
    for (const char* key : {"load_ms", "ttft_ms", "itl_ms", "tokens_per_second"})
      QVERIFY2(json["timing"].toObject()[key].toDouble() > 0, key);
  }

  // With its first tokens given, an answer has the same rest, from the command line and from a request line.
  void anAnswerGoesOnFromItsFirstTokens() {
    const QStringList drawn = {"--max-tokens", "12", "--temperature", "1.2",   "--presence-penalty", "0.7",
                               "--seed",       "4",  "--ignore-eos",  "--json"};
    const QStringList ask = QStringList{"generate", "--token-ids", m_prompt} + drawn + kModel;
    const auto idsIn = [](const CliResult& result) {
      QStringList ids;
      for (const QJsonValue id : result.json()["sequences"][0][u"token_ids"].toArray())
        ids << QString::number(id.toInt());
      return ids;
    };
    const QStringList whole = idsIn(runCli(ask));
    QCOMPARE(whole.size(), 12);
    const QString first = whole.mid(0, 5).join(',');
    const CliResult begun = runCli(ask + QStringList{"--output-ids", first});
    QVERIFY2(begun.status == 0, begun.err);
    QCOMPARE(idsIn(begun), whole);
    const QString file = writeTo(m_folder.filePath("begun.jsonl"),
                                 ("{\"token_ids\":[" + m_prompt + "],\"output_ids\":[" + first +
                                  "],\"max_tokens\":12,\"temperature\":1.2,\"presence_penalty\":0.7,"
                                  "\"seed\":4,\"ignore_eos\":true}\n")
                                     .toUtf8());
    const CliResult run = runCli(QStringList{"run", "--requests", file, "--json"} + kModel);
    QVERIFY2(run.status == 0, run.err);
    QCOMPARE(run.json()["requests"][0][u"sequences"][0][u"token_ids"],
             begun.json()["sequences"][0][u"token_ids"]);
    const CliResult none = runCli(ask + QStringList{"--output-ids", "5,x"});
    QVERIFY(none.status != 0 && none.err.contains("--output-ids: \"x\" is not a token id"));
    QVERIFY(runCli(ask + QStringList{"--output-ids", whole.join(',')}).err.contains("--max-tokens"));
  }

  void severalAnswersDiffer() {
    const auto ask = [&](const char* seed) {
      return runCli(QStringList{"generate", "--token-ids", m_prompt, "--max-tokens", "8", "--temperature",
                                "1", "-n", "3", "--seed", seed, "--ignore-eos", "--json"} +
                    kModel)
          .json()["sequences"]
          .toArray();
    };
    const QJsonArray answers = ask("1");
    QCOMPARE(answers.size(), 3);
    QVERIFY(answers[0][u"token_ids"] != answers[1][u"token_ids"]);
    const QJsonArray again = ask("1"), other = ask("18446744073709551615");
    for (int i = 0; i < 3; ++i) QCOMPARE(again[i][u"token_ids"], answers[i][u"token_ids"]);
    QVERIFY(other[0][u"token_ids"] != answers[0][u"token_ids"]);
  }

  void beamsComeBestFirstWithTheirScores() {
    const QStringList search = {"--token-ids", m_prompt, "--max-tokens", "6", "--ignore-eos"};
    const CliResult beams = runCli(QStringList{"generate", "--beam-width", "4", "--length-penalty", "0.5",
                                               "--early-stopping", "never", "-n", "3", "--json"} +
                                   search + kModel);
    QVERIFY2(beams.status == 0, beams.err);
    const QJsonArray sequences = beams.json()["sequences"].toArray();
    QCOMPARE(sequences.size(), 3);
    double before = 0;
    for (const QJsonValue& sequence : sequences) {
      const double score = sequence[u"score"].toDouble();
      QVERIFY(score < before);
      before = score;
      QVERIFY(std::abs(score - sequence[u"cumulative_logprob"].toDouble() / std::sqrt(6)) < 1e-9);
    }
    const CliResult people =
        runCli(QStringList{"generate", "--beam-width", "2", "-n", "2"} + search + kModel);
    QVERIFY2(people.status == 0 && people.out.contains("--- answer 2, score -"), people.out);
    QCOMPARE(runCli(QStringList{"generate", "--beam-width", "2", "-n", "3"} + search + kModel).status, 2);

    const CliResult best =
        runCli(QStringList{"generate", "--best-of", "4", "-n", "2", "--temperature", "1", "--json"} + search +
               kModel);
    QVERIFY2(best.status == 0, best.err);
    const QJsonArray chosen = best.json()["sequences"].toArray();
    QCOMPARE(chosen.size(), 2);
    QVERIFY(chosen[0][u"score"].toDouble() >= chosen[1][u"score"].toDouble());
  }

  void withoutJsonThereIsStillAnAnswer() {
    const CliResult result =
        runCli(QStringList{"generate", "--token-ids", m_prompt, "--max-tokens", "3"} + kModel);
    QCOMPARE(result.status, 0);
    QCOMPARE(result.out.trimmed().split(',').size(), 3);
    QVERIFY(result.err.contains("tokens/s"));
  }

  // The law of the house, seen from outside: together, late, in a pool too small, an answer stays what it is
  // alone.
  void runEqualsGenerateAlone() {
    const QByteArray lines =
        "{\"id\":\"a\",\"token_ids\":[5,6,7],\"max_tokens\":20,\"ignore_eos\":true}\n"
        "\n"
        "{\"token_ids\":[5,6,7,8,9,10,11],\"max_tokens\":30,\"temperature\":0.9,\"seed\":7,\"ignore_eos\":"
        "true,\"arrival_step\":2}\n"
        "{\"id\":\"c\",\"token_ids\":[5,6,7],\"max_tokens\":25,\"temperature\":1.2,\"top_k\":20,\"top_p\":0."
        "9,\"seed\":8,"
        "\"ignore_eos\":true,\"arrival_step\":60}\n"
        "{\"id\":\"d\",\"token_ids\":[9,9,9,9],\"max_tokens\":24,\"temperature\":1,\"n\":2,\"seed\":9,"
        "\"ignore_eos\":true,"
        "\"repetition_penalty\":1.3,\"presence_penalty\":0.5,\"arrival_step\":1}\n";
    const QString file = writeTo(m_folder.filePath("r.jsonl"), lines);
    const CliResult result = runCli(QStringList{"run", "--requests", file, "--num-blocks", "12",
                                                "--block-size", "4", "--token-budget", "5", "--json"} +
                                    kModel);
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject json = result.json();
    QVERIFY(json["steps"].toInt() >= 60 + 25);
    QVERIFY(json["stats"][u"preemptions"].toInt() > 0);
    const QJsonArray answers = json["requests"].toArray();
    QCOMPARE(answers.size(), 4);
    QCOMPARE(answers[0][u"id"].toString(), QString("a"));
    QCOMPARE(answers[1][u"id"].toString(), QString("r2"));
    const QStringList alone = {
        "--token-ids 5,6,7 --max-tokens 20 --ignore-eos",
        "--token-ids 5,6,7,8,9,10,11 --max-tokens 30 --temperature 0.9 --seed 7 --ignore-eos",
        "--token-ids 5,6,7 --max-tokens 25 --temperature 1.2 --top-k 20 --top-p 0.9 --seed 8 --ignore-eos",
        "--token-ids 9,9,9,9 --max-tokens 24 --temperature 1 -n 2 --seed 9 --ignore-eos --repetition-penalty "
        "1.3 "
        "--presence-penalty 0.5"};
    for (int i = 0; i < 4; ++i) {
      const QJsonArray together = answers[i][u"sequences"].toArray();
      const QJsonArray expected = runCli(QStringList{"generate", "--json"} + asArguments(alone[i]) + kModel)
                                      .json()["sequences"]
                                      .toArray();
      QCOMPARE(together.size(), i == 3 ? 2 : 1);
      QCOMPARE(together.size(), expected.size());
      for (qsizetype k = 0; k < together.size(); ++k) {
        QCOMPARE(together[k][u"token_ids"], expected[k][u"token_ids"]);
        QCOMPARE(together[k][u"cumulative_logprob"].toDouble(),
                 expected[k][u"cumulative_logprob"].toDouble());
      }
    }
  }

  void importantLinesGoFirstAndMissedDeadlinesAreCounted() {
    const QString file = writeTo(
        m_folder.filePath("order.jsonl"),
        "{\"id\":\"low\",\"token_ids\":[5,6],\"max_tokens\":9,\"ignore_eos\":true,\"deadline_ms\":0.001}\n"
        "{\"id\":\"high\",\"token_ids\":[7,8],\"max_tokens\":9,\"ignore_eos\":true,\"priority\":2,"
        "\"deadline_ms\":600000}\n");
    const auto run = [&](const char* policy) {
      return runCli(QStringList{"run", "--requests", file, "--max-sequences", "1", "--policy", policy,
                                "--json"} +
                    kModel)
          .json();
    };
    const auto queueMs = [](const QJsonObject& json, int request) {
      return json["requests"].toArray()[request][u"timing"][u"queue_ms"].toDouble();
    };
    // The whole run takes half a millisecond: a busy machine may do something else between two submissions.
    const auto goesFirst = [&](const char* policy, int request) {
      for (int tries = 0; tries < 10; ++tries) {
        const QJsonObject json = run(policy);
        if (queueMs(json, request) < queueMs(json, 1 - request)) return true;
      }
      return false;
    };
    QVERIFY(goesFirst("fcfs", 0));
    QVERIFY(goesFirst("priority", 1));
    const QJsonObject fcfs = run("fcfs"), priority = run("priority");
    for (const QJsonObject& json : {fcfs, priority}) {
      QCOMPARE(json["stats"][u"deadlines"].toInt(), 2);
      QCOMPARE(json["stats"][u"deadline_misses"].toInt(), 1);
      QCOMPARE(json["stats"][u"wait_steps"][u"sequences"].toInt(), 9);
      QCOMPARE(json["stats"][u"max_sequences"].toInt(), 1);
      QVERIFY(json["requests"].toArray()[0][u"timing"][u"late_ms"].toDouble() > 0);
      QVERIFY(json["requests"].toArray()[1][u"timing"][u"late_ms"].toDouble() < 0);
    }
    QCOMPARE(fcfs["requests"].toArray()[1][u"sequences"][0][u"token_ids"],
             priority["requests"].toArray()[1][u"sequences"][0][u"token_ids"]);
  }

  void explainCacheSaysWhyAPromptWasComputedAgain() {
    const QString file =
        writeTo(m_folder.filePath("again.jsonl"),
                "{\"id\":\"a\",\"token_ids\":[5,6,7,8,9,10,11,12,13],\"max_tokens\":2,\"ignore_eos\":true}\n"
                "{\"id\":\"b\",\"token_ids\":[5,6,7,8,9,40,11,12,13],\"max_tokens\":2,\"ignore_eos\":true,"
                "\"arrival_step\":5}\n"
                "{\"id\":\"c\",\"token_ids\":[5,6,7,8,9,40,11],\"max_tokens\":2,\"ignore_eos\":true,"
                "\"cache_salt\":3,\"arrival_step\":10}\n");
    const QStringList run = QStringList{"run", "--requests", file, "--block-size", "4"} + kModel;
    const QString sentence =
        "After 5 equal tokens b has token 40 where a has token 10. Only whole blocks are reused, so it "
        "computes 5 of its 9 tokens.";
    const CliResult json = runCli(run + QStringList{"--explain-cache", "--json"});
    QVERIFY2(json.status == 0, json.err);
    const QJsonArray answers = json.json()["requests"].toArray();
    QVERIFY(answers[0][u"prefix_miss"].isNull() && answers[2][u"prefix_miss"].isNull());
    const QJsonObject expected = {{"cause", "differs"},     {"blocks_of", "a"},    {"matched_tokens", 4},
                                  {"recomputed_tokens", 5}, {"position", 5},       {"ours", 40},
                                  {"theirs", 10},           {"sentence", sentence}};
    QCOMPARE(answers[1][u"prefix_miss"].toObject(), expected);
    const CliResult people = runCli(run + QStringList{"--explain-cache"});
    QCOMPARE(people.out.count("Only whole blocks are reused"), 1);
    QVERIFY2(people.out.contains(("\n  " + sentence + "\nc (").toUtf8()), people.out);
    const CliResult plain = runCli(run + QStringList{"--json"});
    QVERIFY(!plain.json()["requests"][0].toObject().contains("prefix_miss"));
  }

  void aWindowGathersArrivals() {
    const QString file =
        writeTo(m_folder.filePath("window.jsonl"),
                "{\"token_ids\":[5,6],\"max_tokens\":3,\"ignore_eos\":true}\n"
                "{\"token_ids\":[7,8],\"max_tokens\":3,\"ignore_eos\":true,\"arrival_step\":2}\n");
    const QJsonObject json = runCli(QStringList{"run", "--requests", file, "--batching", "window",
                                                "--window-ms", "60000", "--max-sequences", "2", "--json"} +
                                    kModel)
                                 .json();
    QCOMPARE(json["stats"][u"most_sequences_in_a_step"].toInt(), 2);
    QCOMPARE(json["stats"][u"wait_steps"][u"window"].toInt(), 2);  // until the batch was full
    QCOMPARE(json["steps"].toInt(), 2 + 3);
  }

  void anArrivalFarAwayDoesNotTakeForever() {
    const QString file =
        writeTo(m_folder.filePath("far.jsonl"),
                "{\"token_ids\":[5],\"max_tokens\":2,\"ignore_eos\":true,\"arrival_step\":2000000000}\n");
    const CliResult result = runCli(QStringList{"run", "--requests", file, "--json"} + kModel);
    QCOMPARE(result.json()["steps"].toInt(), 2000000002);
  }

  void oneRejectedRequestDoesNotStopTheOthers() {
    const QString file =
        writeTo(m_folder.filePath("mixed.jsonl"),
                "{\"id\":\"big\",\"token_ids\":[5],\"max_tokens\":5000,\"ignore_eos\":true}\n"
                "{\"id\":\"alien\",\"token_ids\":[100000],\"max_tokens\":2}\n"
                "{\"id\":\"good\",\"token_ids\":[5],\"max_tokens\":2,\"ignore_eos\":true}\n");
    const CliResult result =
        runCli(QStringList{"run", "--requests", file, "--num-blocks", "4", "--json"} + kModel);
    QCOMPARE(result.status, 1);
    const QJsonArray answers = result.json()["requests"].toArray();
    QCOMPARE(answers[0][u"error"][u"code"].toString(), QString("out_of_memory"));
    QCOMPARE(answers[1][u"error"][u"code"].toString(), QString("invalid_argument"));
    QCOMPARE(answers[2][u"sequences"][0][u"token_ids"].toArray().size(), 2);
    const CliResult people = runCli(QStringList{"run", "--requests", file, "--num-blocks", "4"} + kModel);
    QVERIFY2(people.out.contains("big: rejected: ") && people.out.contains("alien: rejected: "), people.out);
  }

  void logitsAreTheGoldens() {
    const CliResult result =
        runCli(QStringList{"logits", "--token-ids", m_prompt, "--layers", "--json"} + kModel);
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject json = result.json();
    const auto& expected = m_golden.floats("logits");
    const QJsonArray rows = json["logits"].toArray();
    QCOMPARE(rows.size(), static_cast<qsizetype>(expected.shape[0]));
    for (qsizetype i = 0; i < rows.size(); ++i) {
      const QJsonArray row = rows[i].toArray();
      QCOMPARE(row.size(), static_cast<qsizetype>(expected.shape[1]));
      for (qsizetype k = 0; k < row.size(); ++k)
        QVERIFY(
            std::abs(row[k].toDouble() -
                     static_cast<double>(expected.values[static_cast<std::size_t>(i * row.size() + k)])) <=
            m_golden.tolerance());
    }
    const QJsonArray norms = json["layer_norms"].toArray();
    QCOMPARE(norms.size(), 4);  // embeddings and three layers
    for (qsizetype layer = 0; layer < norms.size(); ++layer) {
      const auto& hidden = m_golden.floats("hidden." + std::to_string(layer));
      const auto width = static_cast<std::size_t>(hidden.shape[1]);
      QCOMPARE(norms[layer].toArray().size(), static_cast<qsizetype>(hidden.shape[0]));
      for (std::size_t position = 0; position < static_cast<std::size_t>(hidden.shape[0]); ++position) {
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i)
          sum += std::pow(static_cast<double>(hidden.values[position * width + i]), 2);
        QVERIFY(std::abs(norms[layer][static_cast<qsizetype>(position)].toDouble() - std::sqrt(sum)) < 1e-3);
      }
    }
    QVERIFY(!runCli(QStringList{"logits", "--token-ids", "1,2", "--json"} + kModel)
                 .json()
                 .contains("layer_norms"));
  }

  void typicalIsAStageWhenItIsAskedFor() {
    const CliResult result = runCli(QStringList{"distribution", "--token-ids", m_prompt, "--temperature", "1",
                                                "--typical-p", "0.5", "--json"} +
                                    kModel);
    QVERIFY2(result.status == 0, result.err);
    const QJsonArray stages = result.json()["stages"].toArray();
    QCOMPARE(stages.size(), 7);
    QCOMPARE(stages[6][u"name"].toString(), QString("typical_p"));
    const auto kept = stages[6][u"candidates"].toArray().size();
    QVERIFY(kept >= 1 && kept < stages[5][u"candidates"].toArray().size());
  }

  void distributionEndsWithWhatIsDrawnFrom() {
    const CliResult result = runCli(QStringList{"distribution", "--token-ids", m_prompt, "--temperature",
                                                "0.8", "--top-k", "10", "--top-p", "0.7", "--json"} +
                                    kModel);
    QVERIFY2(result.status == 0, result.err);
    const QJsonArray stages = result.json()["stages"].toArray();
    QStringList names;
    for (const QJsonValue& stage : stages) names << stage[u"name"].toString();
    QCOMPARE(names, (QStringList{"logits", "penalties", "temperature", "top_k", "top_p", "min_p"}));
    QCOMPARE(stages[0][u"candidates"].toArray().size(), 320);
    QCOMPARE(stages[3][u"candidates"].toArray().size(), 10);
    for (const QJsonValue& stage : stages) {
      double sum = 0, before = 1;
      for (const QJsonValue& candidate : stage[u"candidates"].toArray()) {
        QVERIFY(candidate[u"probability"].toDouble() <= before);
        before = candidate[u"probability"].toDouble();
        sum += before;
      }
      QVERIFY(std::abs(sum - 1) < 1e-5);
    }
    const QJsonArray greedy = runCli(QStringList{"distribution", "--token-ids", m_prompt, "--json"} + kModel)
                                  .json()["stages"]
                                  .toArray();
    QCOMPARE(greedy.last()[u"candidates"].toArray().size(), 1);
    QCOMPARE(greedy.last()[u"candidates"][0][u"token_id"].toInt(),
             static_cast<int>(m_golden.integers("greedy").values[0]));
  }

 private:
  Golden m_golden;
  QString m_prompt;
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliAnswers)
#include "tst_cli_answers.moc"
