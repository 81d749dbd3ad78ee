// vitrine-cli compare: a scenario under two sets of options, and two traces.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

const QStringList kSwap = {"compare", "--scenario", "preemption-recompute", "--with", "preemption=swap"};

QJsonObject figureOf(const QJsonObject& answer, const char* name) {
  for (const auto& figure : answer["figures"].toArray())
    if (figure.toObject()["figure"].toString() == name) return figure.toObject();
  return {};
}

}  // namespace

class TestCliCompare : public QObject {
  Q_OBJECT

 private slots:
  void aScenarioUnderAnotherOption() {
    const CliResult result = runCli(kSwap + QStringList{"--rounds", "2", "--json"});
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject answer = result.json();
    QCOMPARE(answer["other"].toString(), QString("with preemption=swap"));
    QCOMPARE(answer["rounds"].toInt(), 2);
    const QJsonObject change = answer["changes"][0].toObject();
    QCOMPARE(change["option"].toString(), QString("preemption"));
    QCOMPARE(change["one"].toString(), QString("recompute"));
    QCOMPARE(change["other"].toString(), QString("swap"));
    QCOMPARE(answer["varies"].toArray().size(), 0);
    QVERIFY(answer["same_requests"].toBool());
    const QJsonObject answers = answer["answers"].toObject();
    QVERIFY(answers["same"].toBool() && answers["complete"].toBool());
    QVERIFY(answers["first_difference"].isNull());
    QCOMPARE(answers["tokens"].toInt(), 220);
    QCOMPARE(answers["verdict"].toString(), QString("All 220 tokens are the same."));
    QVERIFY(answer["first_step"].toInt() > 1);
    const QJsonObject again = figureOf(answer, "recomputed_tokens");
    QVERIFY(again["one"].toInt() > 0);
    QCOMPARE(again["other"].toInt(), 0);
    QCOMPARE(again["better"].toString(), QString("other"));
    QVERIFY(again["ratio"].isNull() && !again.contains("rounds"));
    const QJsonObject rate = figureOf(answer, "tokens_per_second");
    QCOMPARE(rate["rounds"]["ratio"]["count"].toInt(), 2);
    QCOMPARE(rate["ratio"], rate["rounds"]["ratio"]["median"]);
    QVERIFY(rate["one"].toDouble() > 0);
    QVERIFY(figureOf(answer, "cached_tokens").isEmpty());  // zero on both sides
  }

  // The figures of one run are those that `run` prints.
  void figuresAreThoseOfRun() {
    const QJsonObject answer = runCli(kSwap + QStringList{"--rounds", "1", "--json"}).json();
    const QJsonObject one =
        runCli({"run", "--scenario", "preemption-recompute", "--json"}).json()["stats"].toObject();
    const QJsonObject other =
        runCli({"run", "--scenario", "preemption-recompute", "--preemption", "swap", "--json"})
            .json()["stats"]
            .toObject();
    for (const auto& [side, stats] : {std::pair(QString("one"), one), std::pair(QString("other"), other)}) {
      QCOMPARE(figureOf(answer, "steps")[side].toInt(), stats["engine_steps"].toInt());
      QCOMPARE(figureOf(answer, "recomputed_tokens")[side].toInt(), stats["recomputed_tokens"].toInt());
      QCOMPARE(figureOf(answer, "preemptions")[side].toInt(), stats["preemptions"].toInt());
      const int moved = stats["swapped_out_bytes"].toInt() + stats["swap_demoted_bytes"].toInt() +
                        stats["swapped_in_bytes"].toInt();
      QCOMPARE(figureOf(answer, "swapped_bytes")[side].toInt(), moved);
    }
  }

  void theTable() {
    const CliResult result = runCli(kSwap + QStringList{"--rounds", "1"});
    QVERIFY2(result.status == 0, result.err);
    const QString out = QString::fromUtf8(result.out);
    QVERIFY2(out.startsWith(QString::fromUtf8("1  Preemption by recompute\n2  with preemption=swap\n"
                                              "   preemption: recompute → swap\n\n")),
             result.out);
    for (const char* line :
         {"steps to the end", "tokens per second", "time to first token, p50", "tokens computed again",
          "All 220 tokens are the same.\n", "First difference: step "})
      QVERIFY2(out.contains(line), line);
    // Numbers stand below each other, whatever their units' letters take in bytes.
    qsizetype width = 0;
    const QStringList lines = out.section("\n\n", 1).split(u'\n');
    for (const QString& line : lines) {
      if (!line.contains("2 : 1") && !line.contains("  ")) break;
      if (width == 0) width = line.size();
      QCOMPARE(line.size(), width);
    }
    QVERIFY(width > 30);
  }

  void otherWeightsMayWriteOtherTokens() {
    const CliResult result = runCli({"compare", "--scenario", "preemption-recompute", "--with",
                                     "weights=int8", "--rounds", "1", "--json"});
    QVERIFY2(result.status == 0, result.err);  // a difference is an answer, and no failure
    const QJsonObject answers = result.json()["answers"].toObject();
    QVERIFY(!answers["same"].toBool());
    const QJsonObject first = answers["first_difference"].toObject();
    QVERIFY(first["id"].toString().startsWith("R"));
    QVERIFY(first["token"].toInt() >= 1);
    QCOMPARE(first["answer"].toInt(), 1);
  }

  void twoTraces() {
    const QTemporaryDir folder;
    const QString one = folder.filePath("one.vitrine"), other = folder.filePath("other.vitrine");
    QCOMPARE(runCli({"trace", "record", "--scenario", "preemption-recompute", "--out", one}).status, 0);
    QCOMPARE(runCli({"trace", "record", "--scenario", "preemption-swap", "--out", other}).status, 0);
    const CliResult result = runCli({"compare", one, other, "--json"});
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject answer = result.json();
    const QJsonObject live = runCli(kSwap + QStringList{"--rounds", "1", "--json"}).json();
    for (const char* figure : {"steps", "recomputed_tokens", "preemptions", "blocks_at_most", "wait_steps"})
      QCOMPARE(figureOf(answer, figure)["one"].toInt(), figureOf(live, figure)["one"].toInt());
    QCOMPARE(answer["changes"].toArray().size(), 3);
    QCOMPARE(answer["answers"]["tokens"].toInt(), 220);
    QVERIFY(answer["answers"]["same"].toBool() && answer["same_requests"].toBool());
    const QJsonObject same = runCli({"compare", one, one, "--json"}).json();
    QVERIFY(same["first_step"].isNull());
    QCOMPARE(same["changes"].toArray().size(), 0);
    // A trace that was cut is compared as far as it goes.
    QFile cut(one);
    QVERIFY(cut.open(QIODevice::ReadWrite));
    const QByteArray whole = cut.readAll();
    QVERIFY(cut.resize(whole.indexOf('\n', whole.size() / 2) + 1));
    cut.close();
    const CliResult part = runCli({"compare", one, other, "--json"});
    QCOMPARE(part.status, 0);
    QVERIFY(part.err.contains("cut short"));
    QVERIFY(!part.json()["answers"].toObject()["complete"].toBool());
    QVERIFY(figureOf(part.json(), "steps")["one"].isNull());
  }

  void wrongUsage() {
    const auto refused = [](const QStringList& arguments, const char* words) {
      const CliResult result = runCli(QStringList{"compare"} + arguments);
      return result.status == 2 && result.out.isEmpty() && result.err.contains(words);
    };
    QVERIFY(refused({}, "--scenario"));
    QVERIFY(refused({"--scenario", "six-blocks"}, "--with"));
    QVERIFY(refused({"--scenario", "six-blocks", "--with", "nope=1"}, "no option \"nope\""));
    QVERIFY(refused({"--scenario", "six-blocks", "--with", "preemption"}, "OPTION=VALUE"));
    QVERIFY(refused({"--scenario", "six-blocks", "--with", "prefix_cache=on"}, "changes nothing"));
    QVERIFY(refused({"a.vitrine", "b.vitrine", "--with", "preemption=swap"}, "--scenario"));
    QVERIFY(refused({"a.vitrine"}, "TRACES"));
    QCOMPARE(runCli({"compare", "/nowhere/a.vitrine", "/nowhere/b.vitrine"}).status, 1);
  }

  // The other pool cannot hold two of the requests.
  void aRefusedRequest() {
    const CliResult result = runCli({"compare", "--scenario", "preemption-recompute", "--with",
                                     "num_blocks=5", "--rounds", "1", "--json"});
    QCOMPARE(result.status, 1);
    QVERIFY(result.err.contains("R1: the request needs"));
    const QJsonObject answer = result.json(), answers = answer["answers"].toObject();
    QVERIFY(!answers["complete"].toBool() && answers["same"].toBool());
    QVERIFY(!answer["same_requests"].toBool());
    QCOMPARE(answers["tokens"].toInt(), 60);  // R3's
  }
};

QTEST_GUILESS_MAIN(TestCliCompare)
#include "tst_cli_compare.moc"
