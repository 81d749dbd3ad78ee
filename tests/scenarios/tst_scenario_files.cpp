// Reading scenarios, playing them by the clock, and noticing what was promised, and what was not.
#include "scenarios/scenario.h"
#include "support/refusal.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;

class TestScenarioFiles : public QObject {
  Q_OBJECT

 private slots:
  void everythingIsRead() {
    const Scenario s = read(R"({"title":"T","about":"A","order":7,"options":{"num_blocks":9,"seed":3},
      "requests":[{"id":"a","token_ids":[1],"arrival_step":2},{"prompt":"x"}],
      "commands":[{"step":4,"cancel":"r2"}],
      "look_at":[{"words":"W","panel":"blocks","event":"block_hit","request":"a","with":{"index":0}}]})");
    QCOMPARE(s.name, std::string("s"));
    QCOMPARE(s.title, std::string("T"));
    QCOMPARE(s.order, 7);
    QCOMPARE(s.engine.toOptions().numBlocks, 9);
    QCOMPARE(s.engine.toOptions().seed, std::uint64_t{3});
    QCOMPARE(s.requests.at(0).arrivalStep, 2);
    QCOMPARE(s.requests.at(1).arguments.request.name, std::string("r2"));
    QCOMPARE(s.commands.at(0).step, 4);
    QCOMPARE(s.commands.at(0).cancel, std::string("r2"));
    QCOMPARE(s.expected.at(0).with.at(0).second, std::string("0"));
  }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<QByteArray>("extra");
    QTest::addColumn<QByteArray>("named");
    const auto add = [](const char* extra, const char* named) {
      QTest::newRow(extra) << QByteArray(extra) << QByteArray(named);
    };
    add(R"("commands":[{"step":1}])", "cancel");
    add(R"("commands":[{"step":-1,"cancel":"a"}])", "step");
    add(R"("commands":[{"step":1,"cancel":"nobody"}])", "nobody");
    add(R"("commands":[{"step":1,"cancel":"a","why":1}])", "why");
    add(R"("commands":{})", "list");
    add(R"("look_at":[{"words":"W"}])", "event");
    add(R"("look_at":[{"words":"W","event":"block_hit"},{"words":"W","event":"miracle"}])", "item 2");
    add(R"("look_at":[{"words":"W","event":"block_hit","panel":"cellar"}])", "cellar");
    add(R"("look_at":[{"words":"W","event":"block_hit","request":"nobody"}])", "nobody");
    add(R"("look_at":[{"words":"W","event":"block_hit","with":3}])", "with");
    add(R"("order":"first")", "order");
    add(R"("group":"cellar")", "speculation");
  }
  void whatIsWrongIsNamed() {
    QFETCH(QByteArray, extra);
    QFETCH(QByteArray, named);
    try {
      read(R"({"requests":[{"id":"a","token_ids":[1]}],)" + extra + "}");
      QFAIL("accepted");
    } catch (const UsageError& error) {
      QVERIFY2(QByteArray(error.what()).contains(named), error.what());
    }
  }

  // Texts that a language leaves out stay as they are.
  void textsAreThoseOfTheLanguage() {
    const QByteArray json = R"({"title":"Two","about":"Both.","requests":[{"token_ids":[1]}],
      "look_at":[{"event":"request_finished","words":"first"},{"event":"request_finished","words":"second"}],
      "in":{"zh_CN":{"title":"两个","look_at":["第一","第二"]}}})";
    QFile file(m_folder.filePath("spoken.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) == json.size());
    file.close();
    const std::string path = file.fileName().toStdString();
    const Scenario plain = readScenario(path), other = readScenario(path, InputKind::kFile, "de_DE");
    QCOMPARE(plain.title, std::string("Two"));
    QCOMPARE(other.title, std::string("Two"));
    QCOMPARE(plain.expected[1].words, std::string("second"));
    const Scenario spoken = readScenario(path, InputKind::kFile, "zh_CN");
    QCOMPARE(spoken.title, std::string("两个"));
    QCOMPARE(spoken.about, std::string("Both."));
    QCOMPARE(spoken.expected[1].words, std::string("第二"));
    QCOMPARE(spoken.expected[1].event, plain.expected[1].event);
    for (const char* in :
         {R"({"zh_CN":{"look_at":["a"]}})", R"({"zh_CN":{"name":"a"}})", R"({"zh_CN":1})", "[]"})
      QVERIFY_THROWS_EXCEPTION(UsageError,
                               read(R"({"requests":[{"token_ids":[1]}],"in":)" + QByteArray(in) + "}"));
  }

  void namesMustDiffer() {
    QVERIFY_THROWS_EXCEPTION(UsageError,
                             read(R"({"requests":[{"id":"r2","token_ids":[1]},{"token_ids":[1]}]})"));
  }

  void anUnknownNameListsTheKnownOnes() {
    const std::string said = test::refusal([] { readScenario("no-such-thing"); });
    QVERIFY(said.starts_with("file_not_found"));
    QVERIFY(said.find("six-blocks") != std::string::npos);
  }

  void arrivalsFollowTheClockAndJumpOverIdleness() {
    EventFanOut unheard;
    const auto engine = model(unheard);
    Timetable timetable({line("late", 50, 1), line("a", 0, 3), line("b", 2, 2)});
    const auto rejected = [](std::size_t, const EngineError& error) { QFAIL(error.what()); };
    timetable.serve(*engine, rejected);
    QCOMPARE(timetable.idOf(1), 1);
    QCOMPARE(timetable.idOf(2), 0);
    for (int i = 0; i < 2; ++i) turn(*engine, timetable);
    QCOMPARE(timetable.idOf(2), 2);  // before the third step
    QVERIFY(!timetable.isDone());
    while (timetable.idOf(0) == 0) turn(*engine, timetable);
    QCOMPARE(timetable.clock(), std::int64_t{50});
    QVERIFY(timetable.isDone());
    while (engine->hasWork()) turn(*engine, timetable);
    QCOMPARE(timetable.clock(), std::int64_t{51});
  }

  void cancellingInTheMiddleKeepsTheBeginning() {
    EventFanOut unheard;
    const auto engine = model(unheard);
    Timetable timetable({line("a", 0, 20), line("b", 0, 6)}, {{9, "b"}, {4, "a"}});
    timetable.serve(*engine, {});
    while (engine->hasWork()) turn(*engine, timetable);
    const RequestResult a = engine->takeResult(timetable.idOf(0)), b = engine->takeResult(timetable.idOf(1));
    QVERIFY(a.sequences.at(0).reason == FinishReason::kCancelled);
    QCOMPARE(int(a.sequences.at(0).tokenIds.size()), 4);
    QVERIFY(b.sequences.at(0).reason == FinishReason::kLength);  // its cancellation came too late
  }

  void rejectedRequestsAreReportedAndTheOthersGoOn() {
    EventFanOut unheard;
    const auto engine = model(unheard);
    RequestLine impossible = line("impossible", 3, 1);
    impossible.arguments.request.tokenIds = {1 << 20};
    Timetable timetable({line("a", 0, 1), impossible, line("b", 5, 1)});
    std::vector<std::size_t> rejected;
    const auto note = [&](std::size_t i, const EngineError&) { rejected.push_back(i); };
    for (timetable.serve(*engine, note); engine->hasWork(); timetable.serve(*engine, note)) {
      engine->step();
      timetable.stepped();
    }
    QCOMPARE(rejected, std::vector<std::size_t>{1});
    QVERIFY(timetable.isDone() && timetable.idOf(2) != 0);
  }

  // A promise that is not kept must be noticed, or the test of the shipped scenarios means nothing.
  void onlyWhatHappensIsSeen() {
    Expectations expectations({{"finished", "requests", "request_finished", "", {{"reason", "\"length\""}}},
                               {"stopped", "", "request_finished", "", {{"reason", "\"stop\""}}},
                               {"b's", "", "request_finished", "b", {}},
                               {"nobody's", "", "request_finished", "c", {}},
                               {"preempted", "", "sequence_preempted", "", {}},
                               {"no such field", "", "step_finished", "", {{"colour", "1"}}},
                               {"many", "", "request_finished", "", {{"completion_tokens", "\"> 4\""}}},
                               {"too many", "", "request_finished", "", {{"completion_tokens", "\"> 5\""}}},
                               {"few", "", "request_finished", "", {{"completion_tokens", "\"< 3\""}}}});
    const auto engine = model(expectations);
    Timetable timetable({line("a", 0, 2), line("b", 0, 5)});
    timetable.serve(*engine, {});
    while (engine->hasWork()) turn(*engine, timetable);
    const std::vector<bool> expected = {true, false, true, false, false, false, true, false, true};
    for (std::size_t i = 0; i < expected.size(); ++i)
      QCOMPARE(expectations.occurrences()[i].seen, bool(expected[i]));
    QCOMPARE(expectations.occurrences()[0].step, 2);
    QCOMPARE(expectations.occurrences()[0].sequence, 1);
    QCOMPARE(expectations.occurrences()[2].step, 5);
    QCOMPARE(expectations.occurrences()[2].sequence, 2);
    // By the steps in which they happened, then those that have not.
    QCOMPARE(expectations.inOrder(), (std::vector<std::size_t>{0, 8, 2, 6, 1, 3, 4, 5, 7}));

    model(expectations);  // another run begins
    for (const Expectations::Occurrence& occurrence : expectations.occurrences()) QVERIFY(!occurrence.seen);
  }

 private:
  Scenario read(const QByteArray& json) {
    QFile file(m_folder.filePath("s.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size()) return {};
    file.close();
    return readScenario(file.fileName().toStdString());
  }
  static std::unique_ptr<Engine> model(EventSink& sink) {
    EngineOptions options;
    options.threads = 1;
    return Engine::load(VITRINE_SOURCE_DIR "/tests/golden/models/llama", options, sink);
  }
  static RequestLine line(const char* name, int arrival, int tokens) {
    RequestLine line;
    line.arguments.request.name = name;
    line.arguments.request.tokenIds = {1, 2, 3};
    line.arguments.request.maxTokens = tokens;
    line.arguments.request.ignoreEos = true;
    line.arrivalStep = arrival;
    return line;
  }
  static void turn(Engine& engine, Timetable& timetable) {
    engine.step();
    timetable.stepped();
    timetable.serve(engine, {});
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestScenarioFiles)
#include "tst_scenario_files.moc"
