// Messages of another program's events: what fits is handed on, and what does not ends the stream.
#include "watch/event_lines.h"

#include <QTest>
#include <string>

#include "support/event_log.h"
#include "support/scripted_machine.h"
#include "vitrine/error.h"
#include "vitrine/trace.h"

using namespace vitrine;
using watch::EventLines;

namespace {

// What a server sends of a run, from its beginning on.
std::vector<std::string> messages() {
  EventLog log;
  SchedulerOptions options;
  options.blockSize = 4;
  options.numBlocks = 9;
  options.tokenBudget = 6;
  options.maxSequences = 4;
  ScriptedMachine machine(options, log);
  runRandomly(machine, 5, 20, [] {});
  std::vector<std::string> lines = {traceHeader(*bodyOf<EngineLoaded>(log.events.front()))};
  MachineState state;
  for (const Event& event : log.events) {
    lines.push_back(traceLine(event));
    state.apply(event);
    if (!isA<EngineLoaded>(event)) continue;
    Event snapshot = event;
    snapshot.body = Snapshot{std::make_shared<const MachineState>(state)};
    lines.push_back(traceLine(snapshot));
  }
  return lines;
}

// The code of what the lines end with; nothing when all are taken.
std::optional<ErrorCode> endOf(const std::vector<std::string>& lines) {
  EventLines reader;
  try {
    for (const std::string& line : lines) reader.take(line);
  } catch (const EngineError& error) {
    return error.code();
  }
  return std::nullopt;
}

}  // namespace

class TestEventLines : public QObject {
  Q_OBJECT

 private slots:
  void aRunIsHandedOn() {
    EventLines reader;
    MachineState state;
    std::size_t events = 0;
    const std::vector<std::string> lines = messages();
    for (const std::string& line : lines)
      for (const Event& event : reader.take(line)) {
        state.apply(event);
        ++events;
      }
    QCOMPARE(events, lines.size() - 1);
    QVERIFY(state.step > 10);
  }

  void whatIsNoServersIsRefused() {
    for (const char* const first : {"", "hello", "{}", "[1]", R"({"format":"other","version":3})",
                                    R"({"format":"vitrine-trace","version":99})", R"({"format":)"})
      QVERIFY2(endOf({first}).has_value(), first);
    std::vector<std::string> lines = messages();
    lines.erase(lines.begin());
    QCOMPARE(endOf(lines), ErrorCode::kUnsupported);  // without a header
  }

  void aServerThatLiesIsFoundOut() {
    const std::vector<std::string> lines = messages();
    // Any event left out, said twice, or cut.
    for (std::size_t i = 3; i < lines.size(); i += 7) {
      std::vector<std::string> spoilt = lines;
      if (i + 1 < lines.size()) {
        spoilt.erase(spoilt.begin() + static_cast<std::ptrdiff_t>(i));
        QVERIFY(endOf(spoilt).has_value());
      }
      spoilt = lines;
      spoilt.insert(spoilt.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
      QVERIFY(endOf(spoilt).has_value());
      spoilt = lines;
      spoilt[i].resize(spoilt[i].size() / 2);
      QVERIFY(endOf(spoilt).has_value());
    }
    // A state that says otherwise is passed over: the events count.
    std::vector<std::string> twice = lines;
    twice.insert(twice.begin() + 8, lines[2]);
    QVERIFY(!endOf(twice).has_value());
    // A run without its header, or without its state.
    twice = lines;
    twice.insert(twice.begin() + 8, lines.begin() + 1, lines.begin() + 3);
    QCOMPARE(endOf(twice), ErrorCode::kFileCorrupt);
    std::vector<std::string> spoilt = lines;
    spoilt.erase(spoilt.begin() + 2);
    QCOMPARE(endOf(spoilt), ErrorCode::kFileCorrupt);
  }

  void whatWasLeftOutBeginsAnew() {
    std::vector<std::string> lines = messages();
    MachineState state;
    std::size_t cut = lines.size() / 2;
    for (std::size_t i = 1; i < cut; ++i) state.apply(eventFromJson(lines[i]));
    while (!isA<StepFinished>(eventFromJson(lines[cut]))) state.apply(eventFromJson(lines[cut++]));
    const Event last = eventFromJson(lines[cut]);
    state.apply(last);
    Event snapshot = last;
    snapshot.body = Snapshot{std::make_shared<const MachineState>(state)};
    EventLines reader;
    for (std::size_t i = 0; i < 10; ++i) reader.take(lines[i]);
    QVERIFY(reader.take(R"({"dropped":{"number":9,"events":100}})").empty());
    const std::vector<Event> anew = reader.take(traceLine(snapshot));
    QCOMPARE(anew.size(), std::size_t{2});
    QVERIFY(isA<EngineLoaded>(anew[0]) && isA<Snapshot>(anew[1]));
    for (std::size_t i = cut + 1; i < lines.size(); ++i)
      QCOMPARE(reader.take(lines[i]).size(), std::size_t{1});
  }
};

QTEST_APPLESS_MAIN(TestEventLines)
#include "tst_event_lines.moc"
