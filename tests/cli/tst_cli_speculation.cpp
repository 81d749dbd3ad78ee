// What the window shows of speculation is what the command line prints for the same run: `trace record`
// counts its own events as `run` does, and the window's figures come from the events that it wrote.
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"
#include "vitrine/speculation_history.h"
#include "vitrine/trace.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Two answers that are long enough for plain steps between the drafted ones.
constexpr const char* kScenario =
    R"({"title":"t","options":{"block_size":16,"num_blocks":64,"token_budget":64},"requests":[
  {"id":"A","prompt":"The little boat","max_tokens":60,"ignore_eos":true},
  {"id":"B","prompt":"It was raining","max_tokens":60,"ignore_eos":true,"temperature":0.8,"seed":2}]})";

// A number of JSON, or none for null.
std::optional<double> measured(const QJsonValue& value) {
  return value.isNull() ? std::nullopt : std::optional(value.toDouble());
}

}  // namespace

class TestCliSpeculation : public QObject {
  Q_OBJECT

 private slots:
  void theWindowsFiguresAreTheCommandLines_data() {
    QTest::addColumn<QStringList>("more");
    QTest::newRow("early exit") << QStringList{"--draft", "exit"};
    QTest::newRow("adaptive") << QStringList{"--draft", "exit", "--draft-adaptive", "--draft-length", "6"};
    QTest::newRow("n-grams") << QStringList{"--draft", "ngram", "--draft-length", "3"};
  }
  void theWindowsFiguresAreTheCommandLines() {
    QFETCH(QStringList, more);
    const QTemporaryDir folder;
    const QString trace = folder.filePath("t.vitrine"), scenario = folder.filePath("s.json");
    writeTo(scenario, kScenario);
    const CliResult result =
        runCli(QStringList{"trace", "record", "--scenario", scenario, "--out", trace, "--json"} + more);
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject printed = result.json()["speculation"].toObject();
    SpeculationHistory history;
    int last = 0;
    readTrace(trace.toStdString(), [&](const Event& event) {
      history.add(event);
      last = event.step;
    });
    const SpeculationFigures figures = history.at(last);
    QVERIFY(figures.drafts > 10 && figures.relativeCost());
    QCOMPARE(figures.drafts, printed["drafts"].toInteger());
    QCOMPARE(figures.draftedTokens, printed["drafted_tokens"].toInteger());
    QCOMPARE(figures.acceptedTokens, printed["accepted_tokens"].toInteger());
    QVERIFY(figures.acceptance() == printed["acceptance"].toDouble());
    QVERIFY(figures.meanAcceptedLength() == printed["mean_accepted_length"].toDouble());
    QVERIFY(figures.relativeCost() == measured(printed["relative_cost"]));
    QVERIFY(figures.speedUp() == measured(printed["speed_up"]));
    QVERIFY(figures.breakEvenAcceptance() == measured(printed["break_even_acceptance"]));
    const QJsonArray positions = printed["positions"].toArray();
    QCOMPARE(static_cast<qsizetype>(figures.positions.size()), positions.size());
    for (qsizetype i = 0; i < positions.size(); ++i) {
      const auto& [judged, accepted] = figures.positions[static_cast<std::size_t>(i)];
      QCOMPARE(judged, positions[i].toObject()["judged"].toInteger());
      QCOMPARE(accepted, positions[i].toObject()["accepted"].toInteger());
    }
  }

  // The same run measured by the benchmark and read by the window: the events of each variant, and the plain
  // steps that it is compared with.
  void theWindowsFiguresAreTheBenchmarks() {
    const QTemporaryDir folder;
    const CliResult result =
        runCli({"bench", "speculative", "--lengths", "2,4", "--exits", "3,9", "--repeat", "2", "--warm-up",
                "0", "--max-tokens", "24", "--traces", folder.path(), "--json"});
    QVERIFY2(result.status == 0, result.err);
    std::vector<Event> plain;
    StepPlanned planned{};
    readTrace(folder.filePath("off.vitrine").toStdString(), [&](const Event& event) {
      if (const auto* plan = bodyOf<StepPlanned>(event)) planned = *plan;
      const auto* finished = bodyOf<StepFinished>(event);
      if (!finished || planned.prefillTokens > 0) return;
      StepSpeculated step{};
      step.sequences = planned.sequences, step.keptTokens = finished->sampled;
      step.verifyNs = finished->phaseNs[static_cast<std::size_t>(Phase::kForward)];
      plain.push_back(event);
      plain.back().body = step;
    });
    QVERIFY(plain.size() > 100);
    int compared = 0;
    for (const QJsonValue& variant : result.json()["variants"].toArray()) {
      const int length = variant["draft_length"].toInt();
      if (length == 0) continue;
      const QString file = QString("k%1-exit%2.vitrine").arg(length).arg(variant["exit_layer"].toInt());
      SpeculationHistory history;
      int last = 0;
      readTrace(folder.filePath(file).toStdString(), [&](const Event& event) {
        last = event.step;
        // The benchmark compares with the plain steps of `off` alone.
        const auto* step = bodyOf<StepSpeculated>(event);
        if (!step || step->draftedTokens > 0) history.add(event);
      });
      for (Event& event : plain) {
        event.step = ++last;
        history.add(event);
      }
      const SpeculationFigures figures = history.at(last);
      QVERIFY(figures.drafts > 50);
      QVERIFY(figures.acceptance() == variant["acceptance"].toDouble());
      QVERIFY(figures.meanAcceptedLength() == variant["mean_accepted_length"].toDouble());
      QVERIFY(figures.relativeCost() == measured(variant["relative_cost"]));
      const auto breakEven = figures.breakEvenAcceptance();
      QVERIFY(breakEven && (*breakEven > 1 ? variant["break_even_acceptance"].isNull()
                                           : breakEven == measured(variant["break_even_acceptance"])));
      const QJsonArray positions = variant["positions"].toArray();
      QCOMPARE(static_cast<qsizetype>(figures.positions.size()), positions.size());
      for (qsizetype i = 0; i < positions.size(); ++i) {
        QCOMPARE(figures.positions[static_cast<std::size_t>(i)].judged, positions[i]["judged"].toInteger());
        QCOMPARE(figures.positions[static_cast<std::size_t>(i)].accepted,
                 positions[i]["accepted"].toInteger());
      }
      ++compared;
    }
    QCOMPARE(compared, 4);
  }
};

QTEST_GUILESS_MAIN(TestCliSpeculation)
#include "tst_cli_speculation.moc"
