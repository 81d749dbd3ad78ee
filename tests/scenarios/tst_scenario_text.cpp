// A scenario as text: written and read again it is the same; the command that plays it gives the same tokens;
// and a recorded run becomes a scenario that gives the tokens of the run.
#include <nlohmann/json.hpp>

#include "common/argument_text.h"
#include "scenarios/scenario_edits.h"
#include "scenarios/scenario_of_run.h"
#include "scenarios/scenario_text.h"
#include "support/other_options.h"
#include "support/recorder.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// As programs play it; `sink` sees the events.
Answers play(const Scenario& scenario, EventSink& sink) {
  const auto engine = Engine::load(scenario.engine.modelDirectory(), scenario.engine.toOptions(), sink);
  Timetable timetable(scenario.requests, scenario.commands);
  for (timetable.serve(*engine, {}); engine->hasWork(); timetable.serve(*engine, {})) {
    engine->step();
    timetable.stepped();
  }
  Answers answers;
  for (std::size_t i = 0; i < scenario.requests.size(); ++i) {
    const RequestResult result = engine->takeResult(timetable.idOf(i));
    for (const auto& sequence : result.sequences) answers[result.name].push_back(sequence.tokenIds);
  }
  return answers;
}

}  // namespace

class TestScenarioText : public QObject {
  Q_OBJECT

 private slots:
  void whatIsWrittenIsReadAgain_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : shippedScenarioNames())
      QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
  void whatIsWrittenIsReadAgain() {
    QFETCH(QString, name);
    Scenario scenario = readScenario(name.toStdString());
    const std::string file = m_folder.filePath(name + ".json").toStdString();
    writeScenario(scenario, file);
    const Scenario read = readScenario(file);
    QCOMPARE(read.title, scenario.title);
    QCOMPARE(read.about, scenario.about);
    QCOMPARE(read.order, scenario.order);
    QVERIFY(read.group == scenario.group && read.group != ScenarioGroup::kOther);
    QVERIFY(differing(read.engine.options, scenario.engine.options).empty());
    QCOMPARE(scenarioToText(read), scenarioToText(scenario));
    QCOMPARE(read.requests.size(), scenario.requests.size());
    for (std::size_t i = 0; i < read.requests.size(); ++i) {
      QCOMPARE(read.requests[i].arrivalStep, scenario.requests[i].arrivalStep);
      QVERIFY(requestToJson(read.requests[i]) == requestToJson(scenario.requests[i]));
    }
    QCOMPARE(read.commands.size(), scenario.commands.size());
    QCOMPARE(read.expected.size(), scenario.expected.size());
    for (std::size_t i = 0; i < read.expected.size(); ++i) {
      QVERIFY(read.expected[i].with == scenario.expected[i].with);
      QCOMPARE(read.expected[i].words, scenario.expected[i].words);
      QCOMPARE(read.expected[i].panel, scenario.expected[i].panel);
    }
  }

  void anOldFileHasTheDefaultGroup() {
    QFile file(m_folder.filePath("old.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"requests":[{"prompt":"x"}]})");
    file.close();
    QVERIFY(readScenario(file.fileName().toStdString()).group == ScenarioGroup::kOther);
  }

  void theModelIsNamedFromAnywhere() {
    Scenario scenario;
    scenario.requests.emplace_back().arguments.request.prompt = "x";
    scenario.engine.model = "models/mine";
    const std::string file = m_folder.filePath("model.json").toStdString();
    writeScenario(scenario, file);
    QCOMPARE(readScenario(file).engine.model, std::filesystem::absolute("models/mine").string());
  }

  // Words, drawn answers with a quote in the prompt, commands, and chat with drafts.
  void theCommandGivesTheSameTokens_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"six-blocks", "parallel-samples", "cancel-in-the-middle", "speculation-pays"})
      QTest::newRow(name) << QString(name);
  }
  void theCommandGivesTheSameTokens() {
    QFETCH(QString, name);
    Scenario scenario = readScenario(name.toStdString());
    scenario.requests[0].arguments.request.prompt += " and it's \"$HOME\" `x` \\n";
    scenario.requests[0].arguments.request.sampling.temperature = 0.8;
    if (scenario.requests[0].arguments.request.sampling.seed == 0)
      scenario.requests[0].arguments.request.sampling.seed = 5;
    EventFanOut unheard;
    const Answers expected = play(scenario, unheard);
    QCOMPARE(expected.size(), scenario.requests.size());
    QVERIFY(answersOf(runInShell(QString::fromStdString(commandOf(scenario)))) == expected);
  }

  void editsKeepNamesInStep() {
    Scenario scenario = readScenario("cancel-in-the-middle");
    QCOMPARE(cancelStepOf(scenario, 0), std::optional(12));
    RequestLine renamed = scenario.requests[0];
    renamed.arguments.request.name = "ended";
    replaceRequest(scenario, 0, renamed);
    checkScenario(scenario);
    QCOMPARE(cancelStepOf(scenario, 0), std::optional(12));
    setCancelStep(scenario, 0, 9);
    setCancelStep(scenario, 1, 20);
    QCOMPARE(scenario.commands.size(), std::size_t{2});
    setCancelStep(scenario, 0, {});
    QCOMPARE(cancelStepOf(scenario, 0), std::optional<int>());
    QCOMPARE(freeRequestName(scenario), std::string("R4"));
    const std::size_t expected = scenario.expected.size();
    removeRequest(scenario, 1);
    QVERIFY(scenario.commands.empty() && !hasRequest(scenario, "stays"));
    QCOMPARE(scenario.expected.size(), expected);
    removeRequest(scenario, 1);
    QCOMPARE(scenario.expected.size(), std::size_t{1});
    checkScenario(scenario);
  }

  void aRunBecomesAScenario() {
    Scenario scenario = readScenario("cancel-in-the-middle");
    scenario.requests[1].arguments.request.sampling = {.temperature = 0.9, .topP = 0.95, .seed = 7};
    Recorder recorder;
    const Answers expected = play(scenario, recorder);
    const Scenario again = scenarioOfRun(recorder.recording, scenario.engine);
    QCOMPARE(again.requests.size(), scenario.requests.size());
    QCOMPARE(again.requests[2].arrivalStep, 1);
    QCOMPARE(again.commands.size(), std::size_t{1});
    QCOMPARE(again.commands[0].step, 12);
    for (std::size_t i = 0; i < again.requests.size(); ++i) {
      const Request &one = again.requests[i].arguments.request,
                    &other = scenario.requests[i].arguments.request;
      QVERIFY(differing(one, other).empty() && one.prompt == other.prompt);
    }
    EventFanOut unheard;
    QVERIFY(play(again, unheard) == expected);
  }

 private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestScenarioText)
#include "tst_scenario_text.moc"
