// What a recording stores of its chunks: events and states come back as they were, to the bit.
#include "events/packed_events.h"

#include "events/trace_bytes.h"
#include "support/event_log.h"
#include "support/scripted_machine.h"

// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <bit>
#include <fstream>
#include <limits>
#include <random>

using namespace vitrine;

namespace {

std::string packed(const std::vector<Event>& events) {
  std::string bytes;
  PackedWriter out(bytes);
  EventPacker packer(out);
  for (const Event& event : events) packer.add(event);
  return bytes;
}

std::vector<Event> unpacked(std::string_view bytes) {
  PackedReader in(bytes);
  EventUnpacker unpacker(in);
  std::vector<Event> events;
  while (!in.atEnd()) events.push_back(unpacker.next());
  return events;
}

std::string textOf(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += eventToJson(event) + "\n";
  return text;
}

template <typename T>
T again(const T& value) {
  std::string bytes;
  PackedWriter out(bytes);
  pack(out, value);
  PackedReader in(bytes);
  T read{};
  unpack(in, read);
  if (!in.atEnd()) throw std::runtime_error("bytes are left");
  return read;
}

MachineState again(const MachineState& state) {
  std::string bytes;
  PackedWriter out(bytes);
  packState(out, state);
  PackedReader in(bytes);
  MachineState read;
  read.blocks.resize(3);  // nothing of what stood there is left
  unpackState(in, read);
  return read;
}

std::vector<Event> goldenEvents(const char* name) {
  std::ifstream file(std::string(TRACE_GOLDENS) + "/" + name);
  std::vector<Event> events;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("{\"event\"")) events.push_back(eventFromJson(line));
  return events;
}

template <std::size_t... I>
std::vector<Event> oneOfEachKind(std::index_sequence<I...>) {
  std::vector<Event> events(sizeof...(I));
  ((events[I].body = std::variant_alternative_t<I, EventVariant>()), ...);
  for (Event& event : events)
    if (auto* snapshot = std::get_if<Snapshot>(&event.body))
      snapshot->state = std::make_shared<const MachineState>();
  return events;
}

}  // namespace

class TestPackedEvents : public QObject {
  Q_OBJECT

 private slots:
  void wholeNumbersComeBack() {
    for (int bit = 0; bit < 63; ++bit) {
      const std::int64_t power = std::int64_t{1} << bit;
      for (const std::int64_t value : {power, power - 1, -power, -power - 1}) QCOMPARE(again(value), value);
    }
    QCOMPARE(again(std::numeric_limits<std::int64_t>::min()), std::numeric_limits<std::int64_t>::min());
    QCOMPARE(again(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::uint64_t>::max());
    QCOMPARE(again(std::numeric_limits<std::int32_t>::min()), std::numeric_limits<std::int32_t>::min());
    QCOMPARE(again(true), true);
    QCOMPARE(again(WaitReason::kBlocks), WaitReason::kBlocks);
  }

  void numbersAndTextsComeBackToTheBit() {
    for (const double value : {0.0, -0.0, 1e-308, std::numeric_limits<double>::quiet_NaN(),
                               -std::numeric_limits<double>::infinity()})
      QCOMPARE(std::bit_cast<std::uint64_t>(again(value)), std::bit_cast<std::uint64_t>(value));
    for (const std::string& text :
         {std::string(), std::string("\0\xff\xc3 no UTF-8", 12), std::string(300, 'x')})
      QVERIFY(again(text) == text);
    const std::vector<std::optional<int>> list = {1, std::nullopt, -3};
    QVERIFY(again(list) == list);
  }

  void everyKindOfEventComesBack() {
    for (const char* name : {"every-event-3.vitrine", "version-3.vitrine"}) {
      const std::vector<Event> events = goldenEvents(name);
      QVERIFY(events.size() > 40);
      QCOMPARE(textOf(unpacked(packed(events))), textOf(events));
    }
    const std::vector<Event> bare =
        oneOfEachKind(std::make_index_sequence<std::variant_size_v<EventVariant>>());
    QCOMPARE(textOf(unpacked(packed(bare))), textOf(bare));
  }

  void statesOfARunComeBack() {
    EventLog log;
    ScriptedMachine machine(test::traceOptions(), log);
    int states = 0;
    runRandomly(machine, 7, 60, [&] {
      ++states;
      if (!(again(machine.state()) == machine.state()))
        QFAIL(qPrintable(QString::number(machine.state().step)));
    });
    QVERIFY(states > 50);
    const std::string bytes = packed(log.events);
    QCOMPARE(textOf(unpacked(bytes)), textOf(log.events));
    QVERIFY(bytes.size() * 5 < textOf(log.events).size());
  }

  // The store finds damage by its checksum; what slips through is refused or reads as other events.
  void damageDoesNoHarm() {
    EventLog log;
    ScriptedMachine machine(test::traceOptions(), log);
    runRandomly(machine, 9, 6, [] {});
    Event snapshot;
    snapshot.body = Snapshot{std::make_shared<const MachineState>(machine.state())};
    log.events.push_back(snapshot);
    const std::string bytes = packed(log.events);
    std::mt19937 random(3);
    int refused = 0;
    const auto read = [&](const std::string& damaged) {
      try {
        unpacked(damaged);
      } catch (const EngineError& error) {
        QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
        ++refused;
      }
    };
    for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + cut / 40) read(bytes.substr(0, cut));
    for (int i = 0; i < 3000; ++i) {
      std::string damaged = bytes;
      damaged[random() % damaged.size()] = static_cast<char>(random());
      read(damaged);
    }
    QVERIFY(refused > 100);
  }
};

QTEST_APPLESS_MAIN(TestPackedEvents)
#include "tst_packed_events.moc"
