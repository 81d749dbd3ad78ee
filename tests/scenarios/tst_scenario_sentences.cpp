// Every sentence of "Why this step?" in every scenario that ships, played on the built-in model: grammatical,
// with its numbers and reasons, and none twice in a step. VITRINE_SENTENCES=FOLDER writes them, to be read.
#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "scenarios/scenario.h"
#include "support/event_log.h"
#include "vitrine/prose/headline.h"
#include "vitrine/prose/why.h"
#include "vitrine/statistics.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QRegularExpression>
#include <QTest>
#include <cstdlib>

using namespace vitrine;

namespace {

struct Told {
  int step;
  prose::WhyRow row;
};

EventLog play(const Scenario& scenario) {
  EventLog log;
  const auto engine = Engine::load(scenario.engine.modelDirectory(), scenario.engine.toOptions(), log);
  Detail detail;
  detail.candidates = 4;
  engine->setDetail(detail);
  Timetable timetable(scenario.requests, scenario.commands);
  engine->stopClock();
  for (timetable.serve(*engine, {}); engine->hasWork(); timetable.serve(*engine, {})) {
    engine->step();
    timetable.stepped();
    engine->passTime(timetable.restNs(*engine));
  }
  return log;
}

// Once for all tests.
const EventLog& logOf(const QString& name) {
  static std::map<QString, EventLog> played;
  const auto [log, isNew] = played.try_emplace(name);
  if (isNew) log->second = play(readScenario(name.toStdString()));
  return log->second;
}

// Visits each step as the window shows it: with what came between it and the step before.
using Visit = std::function<void(std::span<const Event>, const MachineState&, const prose::Names&)>;
void forEachStep(const std::vector<Event>& events, const Visit& visit) {
  std::map<RequestId, std::string> requests;
  std::map<SequenceId, std::string> sequences;
  const prose::Names names{[&](RequestId id) { return requests.at(id); },
                           [&](SequenceId id) { return sequences.at(id); }};
  MachineState state;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    state.apply(events[i]);
    if (const auto* submitted = bodyOf<RequestSubmitted>(events[i])) {
      requests[submitted->request] = sequences[submitted->firstSequence] = submitted->asked.name;
      const int answers =
          std::max({submitted->asked.sequences, submitted->asked.bestOf, submitted->asked.beamWidth});
      for (int index = 1; index < answers; ++index)
        sequences[submitted->firstSequence + index] = submitted->asked.name + "/" + std::to_string(index + 1);
    }
    if (!isA<StepFinished>(events[i])) continue;
    visit(std::span(events).subspan(begin, i + 1 - begin), state, names);
    begin = i + 1;
  }
}

std::vector<Told> storyOf(const std::vector<Event>& events) {
  std::vector<Told> story;
  forEachStep(events, [&](auto step, const MachineState& after, const prose::Names& names) {
    for (const prose::WhyRow& row : prose::explainStep(step, after, names))
      story.push_back({step.back().step, row});
  });
  return story;
}

void write(const std::string& name, const std::vector<Told>& story) {
  const char* folder = std::getenv("VITRINE_SENTENCES");
  if (folder == nullptr) return;
  std::ofstream file(std::string(folder) + "/" + name + ".txt");
  for (const auto& [step, row] : story) file << step << "\t" << row.section << "\t" << row.text << "\n";
}

// What would be wrong in any of them.
const QRegularExpression& faults() {
  static const QRegularExpression kFaults(QStringLiteral(
      R"((?<![\d.,])1 (are|were|tokens|blocks|sequences|slots|steps|candidates|answers|beams)\b)"
      R"(|(?<![\d.,])(?!1\b)\d+ (token|block|sequence|slot|step|candidate)\b(?! (slot|of)))"
      R"(|\(s\)|%\d|%n|  | ,| \.|\.\.|“”|\bpositions (?<at>\d+) to \k<at>\b|-1\b(?= free))"
      R"(|\b(frees|releases|swaps in|swaps out) 0 blocks|computes (?<all>\d+) of its \k<all>\b)"));
  return kFaults;
}

// "allocates 2 blocks of 16 tokens for positions 16 to 40": the positions fill these blocks, and no others.
bool fitsItsBlocks(const QString& text) {
  static const QRegularExpression allocation(
      QStringLiteral(R"(allocates (\d+) blocks? of (\d+) tokens? for positions? (\d+)(?: to (\d+))?[,;])"));
  const auto match = allocation.match(text);
  if (!match.hasMatch()) return !text.contains(QStringLiteral(" allocates "));
  const int blocks = match.captured(1).toInt(), size = match.captured(2).toInt(),
            first = match.captured(3).toInt();
  const int last = match.captured(4).isEmpty() ? first : match.captured(4).toInt();
  return first % size == 0 && (last - first) / size + 1 == blocks;
}

}  // namespace

class TestScenarioSentences : public QObject {
  Q_OBJECT

 private slots:
  void eachIsWellMade_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : shippedScenarioNames())
      QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
  void eachIsWellMade() {
    QFETCH(QString, name);
    const EventLog& log = logOf(name);
    const std::vector<Told> story = storyOf(log.events);
    write(name.toStdString(), story);
    QVERIFY(story.size() > 20);
    static const QRegularExpression quoted(QStringLiteral("“[^”]+”"));
    std::set<std::pair<int, std::string>> told;
    for (const auto& [step, row] : story) {
      const QString text = QString::fromStdString(row.text).replace(quoted, QStringLiteral("“x”"));
      QVERIFY2(!text.contains(faults()), row.text.c_str());
      QVERIFY2(fitsItsBlocks(text), row.text.c_str());
      QVERIFY2(text.endsWith(u'.') || text.contains(QStringLiteral(". Hint: ")), row.text.c_str());
      QVERIFY2(told.emplace(step, row.text).second, row.text.c_str());
    }
  }

  // VITRINE_SENTENCES=FOLDER writes them, too.
  void everyStepHasAHeadline_data() { eachIsWellMade_data(); }
  void everyStepHasAHeadline() {
    QFETCH(QString, name);
    const char* folder = std::getenv("VITRINE_SENTENCES");
    std::ofstream file;
    if (folder != nullptr) file.open(std::string(folder) + "/" + name.toStdString() + ".headlines.txt");
    static const QRegularExpression quoted(QStringLiteral("“[^”]+”"));
    forEachStep(logOf(name).events, [&](auto step, const MachineState& after, const prose::Names& names) {
      const auto headline = prose::headlineOf(step, after, names);
      QVERIFY2(headline, std::to_string(step.back().step).c_str());
      if (file.is_open()) file << step.back().step << "\t" << headline->text << "\n";
      QVERIFY(std::ranges::count(step, headline->event, &Event::number) == 1);
      const QString text = QString::fromStdString(headline->text);
      QVERIFY2(text.size() <= prose::kMostHeadline, headline->text.c_str());
      QVERIFY2(text.endsWith(u'.'), headline->text.c_str());
      QVERIFY2(!QString(text).replace(quoted, QStringLiteral("“x”")).contains(faults()),
               headline->text.c_str());
    });
  }

  void everyDecisionHasItsReason_data() { eachIsWellMade_data(); }
  void everyDecisionHasItsReason() {
    QFETCH(QString, name);
    const EventLog& log = logOf(name);
    for (const SequencePreempted& preempted : log.of<SequencePreempted>()) {
      QVERIFY(preempted.running > 0);
      const std::string sentence = prose::describe({1, 0, 1, Phase::kPlan, 0, preempted}).sentence;
      const char* reason = preempted.running > 1 ? " ranks last of " : " is the only running sequence (";
      QVERIFY2(sentence.find(reason) != std::string::npos, sentence.c_str());
    }
    for (const SequenceAdmitted& admitted : log.of<SequenceAdmitted>()) {
      if (admitted.neededSlots == 0) continue;  // a beam that joins its search
      QVERIFY(admitted.neededSlots <= admitted.freeSlots && admitted.neededBlocks <= admitted.freeBlocks);
      QVERIFY(admitted.neededTokens > 0 && admitted.freeTokens > 0);
    }
  }

  // When the sequence is back; all of them together cost what the statistics count.
  void everyPreemptionSaysItsCostOnce_data() { eachIsWellMade_data(); }
  void everyPreemptionSaysItsCostOnce() {
    QFETCH(QString, name);
    const EventLog& log = logOf(name);
    Statistics statistics;
    for (const Event& event : log.events) statistics.add(event);
    std::map<SequenceId, int> resumed, told;
    for (const SequenceAdmitted& admitted : log.of<SequenceAdmitted>())
      if (admitted.resumed && admitted.writtenTokens > 0) ++resumed[admitted.sequence];
    static const QRegularExpression again(QStringLiteral(R"((\d+) tokens? computed again)"));
    int tokens = 0;
    for (const auto& [step, row] : storyOf(log.events)) {
      const QString text = QString::fromStdString(row.text);
      if (!text.startsWith(QStringLiteral("Cost of the preemption of "))) continue;
      ++told[row.sequence];
      tokens += again.match(text).captured(1).toInt();
    }
    QCOMPARE(told, resumed);
    QCOMPARE(tokens, statistics.totals().recomputedTokens);
  }

  // In every step after its first refusal until it is admitted.
  void aWaitingRequestIsNamedInEveryStep_data() { eachIsWellMade_data(); }
  void aWaitingRequestIsNamedInEveryStep() {
    QFETCH(QString, name);
    const EventLog& log = logOf(name);
    std::map<int, std::string> rowsOf;
    for (const auto& [step, row] : storyOf(log.events))
      if (row.section == static_cast<int>(Phase::kAdmit)) rowsOf[step] += row.text + "\n";
    MachineState state;
    for (const Event& event : log.events) {
      state.apply(event);
      if (!isA<StepFinished>(event)) continue;
      for (const SequenceId id : state.waiting) {
        if (!state.sequences.at(id).wait) continue;  // it has arrived or was preempted since
        const std::string& request = state.requests.at(state.sequences.at(id).request).name;
        QVERIFY2(rowsOf[event.step].find(request) != std::string::npos,
                 (request + " in step " + std::to_string(event.step)).c_str());
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestScenarioSentences)
#include "tst_scenario_sentences.moc"
