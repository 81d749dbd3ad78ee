// Every scenario that ships runs to its end on the built-in model, and what it claims to show really happens;
// and its machinery changes no answer: alone in a roomy machine each request says the same.
#include "scenarios/scenario.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <algorithm>

using namespace vitrine;

namespace {

struct Played {
  std::unique_ptr<Engine> engine;
  Timetable timetable;
  int rejected = 0;
};

Played play(const Scenario& scenario, EventSink& sink) {
  Played played;
  played.engine = Engine::load(scenario.engine.modelDirectory(), scenario.engine.toOptions(), sink);
  played.timetable = Timetable(scenario.requests, scenario.commands);
  const auto rejected = [&](std::size_t, const EngineError& error) {
    qWarning("%s", error.what());
    ++played.rejected;
  };
  for (played.timetable.serve(*played.engine, rejected); played.engine->hasWork();
       played.timetable.serve(*played.engine, rejected)) {
    played.engine->step();
    played.timetable.stepped();
  }
  return played;
}

void eachScenario() {
  QTest::addColumn<QString>("name");
  for (const std::string& name : shippedScenarioNames())
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

}  // namespace

class TestShippedScenarios : public QObject {
  Q_OBJECT

 private slots:
  void whatItClaimsHappens_data() { eachScenario(); }
  void whatItClaimsHappens() {
    QFETCH(QString, name);
    const Scenario scenario = readScenario(name.toStdString());
    QVERIFY(!scenario.title.empty() && !scenario.about.empty());
    QVERIFY2(!scenario.expected.empty(), "nothing to look at");
    Expectations expectations(scenario.expected);
    const Played played = play(scenario, expectations);
    QCOMPARE(played.rejected, 0);
    QVERIFY(played.timetable.isDone());
    for (std::size_t i = 0; i < scenario.expected.size(); ++i)
      QVERIFY2(expectations.occurrences()[i].seen, scenario.expected[i].words.c_str());
    const MachineState end = played.engine->snapshot();
    QCOMPARE(end.freeQueue.size(), end.blocks.size());  // nothing leaked
  }

  void itSpeaksChinese_data() { eachScenario(); }
  void itSpeaksChinese() {
    QFETCH(QString, name);
    const Scenario plain = readScenario(name.toStdString());
    const Scenario spoken = readScenario(name.toStdString(), InputKind::kFile, "zh_CN");
    const auto isSpoken = [](const std::string& text) {
      return std::ranges::any_of(QString::fromStdString(text),
                                 [](QChar c) { return c.script() == QChar::Script_Han; });
    };
    QVERIFY(isSpoken(spoken.title) && isSpoken(spoken.about));
    QVERIFY(spoken.title != plain.title);
    for (const ExpectedEvent& expected : spoken.expected)
      QVERIFY2(isSpoken(expected.words), expected.words.c_str());
    QCOMPARE(spoken.requests.size(), plain.requests.size());
  }

  // The window offers them one after another, and stops once in a step.
  void expectedEventsStandInTheOrderInWhichTheyHappen_data() { eachScenario(); }
  void expectedEventsStandInTheOrderInWhichTheyHappen() {
    QFETCH(QString, name);
    const Scenario scenario = readScenario(name.toStdString());
    Expectations expectations(scenario.expected);
    play(scenario, expectations);
    for (std::size_t i = 1; i < scenario.expected.size(); ++i)
      QVERIFY2(expectations.occurrences()[i - 1].step < expectations.occurrences()[i].step,
               scenario.expected[i].words.c_str());
  }

  // Lanes and cards show the answers: words teach more than line breaks.
  void answersAreWords_data() { eachScenario(); }
  void answersAreWords() {
    QFETCH(QString, name);
    const Scenario scenario = readScenario(name.toStdString());
    Expectations expectations(scenario.expected);
    const Played played = play(scenario, expectations);
    const MachineState end = played.engine->snapshot();
    QVERIFY(!end.sequences.empty());
    for (const auto& [id, sequence] : end.sequences) {
      const QString answer = QString::fromStdString(sequence.text).trimmed();
      QVERIFY2(!answer.isEmpty() && !answer.contains("\n\n"), qPrintable(answer));
    }
  }

  void machineryChangesNoAnswer_data() { eachScenario(); }
  void machineryChangesNoAnswer() {
    QFETCH(QString, name);
    const Scenario scenario = readScenario(name.toStdString());
    EventFanOut unheard;
    const Played together = play(scenario, unheard);
    const EngineOptions options = scenario.engine.toOptions();
    EngineOptions roomy;
    roomy.seed = options.seed;
    roomy.eviction =
        options.eviction;  // what is given up, and how exact the rest is, changes answers by its nature
    roomy.sinkTokens = options.sinkTokens;
    roomy.windowTokens = options.windowTokens;
    roomy.heavyTokens = options.heavyTokens;
    roomy.kvType = options.kvType;
    const auto alone = Engine::load(scenario.engine.modelDirectory(), roomy, unheard);
    int compared = 0;
    for (std::size_t i = 0; i < scenario.requests.size(); ++i) {
      const RequestResult got = together.engine->takeResult(together.timetable.idOf(i));
      const RequestId id = alone->submit(scenario.requests[i].arguments.toRequest(*alone));
      alone->run();
      const RequestResult expected = alone->takeResult(id);
      QCOMPARE(got.sequences.size(), expected.sequences.size());
      for (std::size_t k = 0; k < got.sequences.size(); ++k) {
        std::vector<TokenId> whole = expected.sequences[k].tokenIds;
        const std::vector<TokenId>& said = got.sequences[k].tokenIds;
        const bool cancelled = got.sequences[k].reason == FinishReason::kCancelled;
        if (cancelled && said.size() < whole.size()) whole.resize(said.size());
        QVERIFY2(said == whole, got.name.c_str());
        ++compared;
      }
    }
    QVERIFY(compared > 0);
  }
};

QTEST_GUILESS_MAIN(TestShippedScenarios)
#include "tst_shipped_scenarios.moc"
