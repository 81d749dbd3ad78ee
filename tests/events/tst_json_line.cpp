// What is written without a tree says what the tree says.
#include "events/json_line.h"

#include "events/event_fields.h"
#include "events/state_json.h"
#include "support/allocations.h"
#include "support/event_log.h"
#include "support/scripted_machine.h"
#include "vitrine/trace.h"

// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <bit>
#include <fstream>
#include <limits>
#include <random>

using namespace vitrine;

namespace {

thread_local int allocations = 0;

bool countAllocation(std::size_t, test::NewForm) {
  ++allocations;
  return true;
}

template <typename T>
std::string textOf(const T& value) {
  std::string text;
  appendJson(text, value);
  return text;
}

// Lines that differ in the spelling of numbers alone are equal.
template <typename T>
void compare(const T& value) {
  QCOMPARE(JsonOut::parse(textOf(value)).dump(), JsonOut::parse(writeLine(toJson(value))).dump());
}

}  // namespace

class TestJsonLine : public QObject {
  Q_OBJECT

 private slots:
  void strings() {
    for (const char* text : {"", "plain", "a \"quoted\" \\ word", "line\n\x1F\x7F",
                             "caf\xC3\xA9 \xE2\x9C\x93", "a\xFF\xC3", "</s>"})
      QCOMPARE(textOf(std::string(text)), writeLine(toJson(std::string(text))));
    QCOMPARE(textOf(std::string("a\0b", 3)), std::string(R"("a\u0000b")"));
  }

  void numbers() {
    compare(std::numeric_limits<std::int64_t>::min());
    compare(std::numeric_limits<std::uint64_t>::max());
    compare(-1);
    compare(true);
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double value : {0.0, -0.0, 1.0, 1e5, 1e15, 1e16, 0.1, 1e-300, 5e-324, 1.7976931348623157e308,
                               infinity, -infinity, std::nan("")})
      compare(value);
    compare(0.1f);
    QCOMPARE(textOf(1e5), std::string("1e+05"));
    QCOMPARE(textOf(-2.0), std::string("-2.0"));
    std::mt19937_64 random(7);
    for (int i = 0; i < 10'000; ++i) {
      const auto value = std::bit_cast<double>(random());
      if (!std::isfinite(value)) continue;
      QCOMPARE(std::bit_cast<std::uint64_t>(JsonIn::parse(textOf(value)).get<double>()),
               std::bit_cast<std::uint64_t>(value));
    }
  }

  void listsAndNames() {
    compare(std::optional<int>());
    compare(std::optional<int>(3));
    compare(std::vector<int>{});
    compare(std::vector<std::vector<int>>{{1, 2}, {}, {3}});
    compare(std::array<std::string, 2>{"a", "\n"});
    compare(Phase::kForward);
  }

  void everyKindOfEvent() {
    std::ifstream file(TRACE_GOLDENS "/every-event-3.vitrine");
    int events = 0;
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("{\"event\"")) continue;
      const Event event = eventFromJson(line);
      const JsonOut data = std::visit([](const auto& body) { return toJson(unboxed(body)); }, event.body);
      QCOMPARE(JsonOut::parse(eventToJson(event)).at("data").dump(), JsonOut::parse(writeLine(data)).dump());
      ++events;
    }
    QVERIFY(events > 40);
  }

  void aState() {
    std::mt19937 random(3);
    EventLog log;
    SchedulerOptions options;
    options.numBlocks = 12, options.blockSize = 4, options.tokenBudget = 16, options.maxSequences = 4;
    ScriptedMachine machine(options, log);
    for (int i = 0; i < 6; ++i) machine.submit({TokenId(1 + i), 2, 3, 4, 5}, 6);
    for (int i = 0; i < 5; ++i) machine.step();
    const MachineState state = machine.state();
    QVERIFY(!state.running.empty() && !state.waiting.empty());
    compare(state);
  }

  // The engine waits for a trace's lines, hundreds in a step.
  void aUsualLineIsAllThatItAllocates() {
    Event event;
    event.body = TokenSampled{12, 3456, 789, -1, -0.123456789, " word", ""};
    allocations = 0;
    test::allocationRule = countAllocation;
    const std::string line = eventToJson(event);
    test::allocationRule = nullptr;
    QCOMPARE(allocations, 1);
    QVERIFY(line.size() < 256);
  }
};

QTEST_APPLESS_MAIN(TestJsonLine)
#include "tst_json_line.moc"
