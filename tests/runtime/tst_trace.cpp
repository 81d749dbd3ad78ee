// Traces: what is written is what is read, to the bit; what is damaged is refused with the line's number.
#include "vitrine/trace.h"

#include "runtime/scripted_machine.h"
#include "vitrine/recording.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

using namespace vitrine;

namespace {

SchedulerOptions options() {
  SchedulerOptions tiny;
  tiny.blockSize = 4;
  tiny.numBlocks = 9;
  tiny.tokenBudget = 6;
  tiny.maxSequences = 4;
  return tiny;
}

std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// The trace of a random run with forks, preemptions, hits and cancellations, over 128 steps long.
const std::string& goodTrace() {
  static const std::string bytes = [] {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("good.vitrine").toStdString();
    TraceWriter writer(file);
    ScriptedMachine machine(options(), writer);
    runRandomly(machine, 5, 90, [] {});
    writer.finish();
    return bytesOf(file);
  }();
  return bytes;
}

// What verifyTrace() says of these bytes; empty when it is content.
std::string verdict(const std::string& bytes, TraceReport* report = nullptr) {
  QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath("t.vitrine").toStdString();
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    const TraceReport found = verifyTrace(file);
    if (report != nullptr) *report = found;
  } catch (const EngineError& error) {
    return std::string(errorCodeName(error.code())) + ": " + error.what();
  }
  return "";
}

std::vector<std::string> linesOf(const std::string& bytes) {
  std::vector<std::string> lines;
  std::istringstream in(bytes);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line + "\n";
  return bytes;
}

Event eventOf(EventBody body) {
  Event event{3, 1'000'000'000'007, 42, Phase::kCommit, 1'234'567'890'123'456'789, std::move(body)};
  return event;
}

}  // namespace

class TestTrace : public QObject {
  Q_OBJECT

 private slots:
  void everyKindOfEventComesBack() {
    const double third = 1.0 / 3;
    SamplingOptions sampling = {1.1, -0.1, third, 0.7, 40, 0.95, 1e-300, ~std::uint64_t{0}};
    EngineLoaded loaded;
    loaded.model = {"name\n\"quoted\" \xE2\x9C\x93",
                    "llama",
                    "/p",
                    1,
                    2,
                    3,
                    4,
                    5,
                    6,
                    7,
                    8,
                    1'100'048'384,
                    9,
                    "bf16",
                    "chatml"};
    loaded.batching = Batching::kSequential;
    loaded.prefixCache = false;
    loaded.loadMs = third;
    const std::vector<EventBody> bodies = {
        loaded,
        EngineFailed{"io", "m", "h"},
        RequestSubmitted{1,
                         "r1",
                         "p\xC3\xA9",
                         {1, 2},
                         {"a",
                          "\xE2\x96\x81"
                          "b"},
                         sampling,
                         5,
                         2,
                         7},
        RequestRejected{"r", "c", "m", "h"},
        RequestCancelled{4},
        SamplingChanged{1, sampling},
        RequestFinished{1, FinishReason::kCancelled, 2, 3, 4, 5, 6, 7, 8},
        SequenceWaiting{1, WaitReason::kBehind, 2, 3},
        SequenceAdmitted{1, 2, 3, true},
        SequenceScheduled{1, WorkKind::kDecode, 2, 3, 4},
        SequencePreempted{1, 2, 3, 4, 5, 6},
        SequenceForked{1, 2, 3, 4, 5},
        SequenceFinished{1, FinishReason::kLength, 9},
        BlockAllocated{1, 2, 3},
        BlockShared{1, 2, 3, 4},
        BlockHit{1, 2, 3, 4, 0xFEDCBA9876543210u},
        BlockCopied{1, 2, 3, 4},
        BlockCached{1, ~std::uint64_t{0}, 1},
        BlockEvicted{1, 0x8000000000000001u},
        BlockFreed{1, 2, 0},
        StepStarted{1, 2},
        StepPlanned{1, 2, 3, 4},
        PhaseStarted{Phase::kForward},
        StepFinished{{1, 2, 3, 4, 5, std::numeric_limits<std::int64_t>::max()}, 1, 2, 3, 4, 5, 6},
        TokenSampled{1, 2, 3, -third, "\x1F\t"},
        TokenCandidates{1, 2, 3, {{"top_k", 9, {{4, 0.1f}, {5, 1e-40f}}}}, {"x"}},
        LayerTap{1, 2, 3, 0.1f},
        EventsDropped{12}};
    QCOMPARE(bodies.size() + 1, std::variant_size_v<EventBody>);  // a snapshot is tested below
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Event event = eventOf(bodies[i]);
      QCOMPARE(event.body.index(), i);
      const std::string line = eventToJson(event);
      QVERIFY(line.find('\n') == std::string::npos);
      const Event back = eventFromJson(line);
      QCOMPARE(eventToJson(back), line);
      QCOMPARE(back.body.index(), i);
      QCOMPARE(back.timeNs, event.timeNs);
      QCOMPARE(back.number, event.number);
    }
  }

  void numbersComeBackToTheBit() {
    const double infinity = std::numeric_limits<double>::infinity();
    for (double value :
         {0.1, 1.0 / 3, -1e-310, 5e-324, 1.7976931348623157e308, -0.0, infinity, -infinity, 0.0}) {
      const Event back = eventFromJson(eventToJson(eventOf(TokenSampled{1, 2, 3, value, ""})));
      const double read = std::get<TokenSampled>(back.body).logprob;
      QCOMPARE(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(value));
    }
    const Event nan = eventFromJson(eventToJson(eventOf(LayerTap{1, 2, 3, std::nanf("")})));
    QVERIFY(std::isnan(std::get<LayerTap>(nan.body).norm));
    for (std::uint64_t hash :
         {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0}, (std::uint64_t{1} << 53) + 1}) {
      const Event back = eventFromJson(eventToJson(eventOf(BlockEvicted{1, hash})));
      QCOMPARE(std::get<BlockEvicted>(back.body).hash, hash);
    }
  }

  void bytesThatAreNotUtf8DoNotThrow() {
    const Event back = eventFromJson(eventToJson(eventOf(TokenSampled{1, 2, 3, 0, "a\xFF\xC3"})));
    QCOMPARE(std::get<TokenSampled>(back.body).text, std::string("a\xEF\xBF\xBD\xEF\xBF\xBD"));
  }

  void aRecordedRunVerifies() {
    TraceReport report;
    QCOMPARE(verdict(goodTrace(), &report), std::string());
    QVERIFY(report.steps > 2 * Recording::kSnapshotInterval);
    QCOMPARE(report.snapshots, report.steps / Recording::kSnapshotInterval);
    QCOMPARE(report.events, static_cast<std::int64_t>(linesOf(goodTrace()).size()) - 1);
  }

  void theHeaderSaysWhatItIs() {
    const std::string header = linesOf(goodTrace()).front();
    QVERIFY(header.starts_with(R"({"format":"vitrine-trace","version":1,"model":{)"));
    QVERIFY(header.find(R"("seed":18446744073709551615)") != std::string::npos);
    QVERIFY(header.find(R"("engine":{)") != std::string::npos);
  }

  void aReplayIsTheRun() {
    EventLog log;
    ScriptedMachine machine(options(), log);
    runRandomly(machine, 5, 90, [] {});
    Recording recording;
    parseTrace(goodTrace(), [&](const Event& event) { recording.append(event); });
    QVERIFY(recording.live() == machine.state());
    QCOMPARE(recording.events().size(), log.events.size());
  }

  // Wherever a trace is cut but at the end of a line, the reader names the line it is cut in.
  void aCutTraceIsRefusedWithItsLine() {
    const std::string& whole = goodTrace();
    const std::string beginning = whole.substr(0, 6000);
    for (std::size_t cut = 0; cut < beginning.size(); cut += cut < 1000 ? 1 : 37) {
      const auto lines = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut), '\n');
      const bool atLineEnd = cut > 0 && whole[cut - 1] == '\n';
      std::string message;
      try {
        parseTrace(std::string_view(whole).substr(0, cut), [](const Event&) {});
      } catch (const EngineError& error) {
        QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
        message = error.what();
      }
      if (atLineEnd)
        QCOMPARE(message, std::string());
      else
        QVERIFY2(message.starts_with("line " + std::to_string(lines + 1) + ":"), message.c_str());
    }
  }

  void damageIsFound() {
    const std::vector<std::string> lines = linesOf(goodTrace());
    const auto spoilt = [&](const std::function<void(std::vector<std::string>&)>& spoil) {
      std::vector<std::string> copy = lines;
      spoil(copy);
      const std::string said = verdict(joined(copy));
      return said.starts_with("file_corrupt: line ") ? said : "";
    };
    QVERIFY(!spoilt([](auto& l) { l.erase(l.begin() + 20); }).empty());
    QVERIFY(!spoilt([](auto& l) { l.insert(l.begin() + 20, l[20]); }).empty());
    QVERIFY(!spoilt([](auto& l) { std::swap(l[20], l[21]); }).empty());
    QVERIFY(!spoilt([](auto& l) { l[20] = ""; }).empty());
    QVERIFY(!spoilt([](auto& l) { l[20] = "[]"; }).empty());
    QVERIFY(!spoilt([](auto& l) { l.insert(l.begin() + 20, l[1]); }).empty());
    QVERIFY(!spoilt([](auto& l) { l[0] = "{\"format\":\"another\",\"version\":1}"; }).empty());
    QVERIFY(!spoilt([](auto& l) { l.erase(l.begin() + 1); }).empty());
    const auto replaceOnce = [&](const std::string& in, const std::string& from, const std::string& to) {
      return spoilt([&](auto& l) {
        const auto line = std::find_if(l.begin(), l.end(), [&](const std::string& s) {
          return s.find("\"event\":\"" + in) != std::string::npos && s.find(from) != std::string::npos;
        });
        if (line == l.end()) return;
        line->replace(line->find(from), from.size(), to);
      });
    };
    QVERIFY(!replaceOnce("step_finished", "\"free_blocks\":", "\"free_blocks\":1").empty());
    QVERIFY(!replaceOnce("snapshot", "\"preemptions\":", "\"preemptions\":1").empty());
    QVERIFY(!replaceOnce("snapshot", "\"free_queue\":[", "\"free_queue\":[[0,2000000000],").empty());
    QVERIFY(!replaceOnce("token_sampled", "\"position\":", "\"position\":9").empty());
    QVERIFY(!replaceOnce("block_freed", "\"block\":", "\"block\":-").empty());
    QVERIFY(!replaceOnce("engine_loaded", "\"num_blocks\":9", "\"num_blocks\":2000000000").empty());
    QVERIFY(!replaceOnce("block_", "\"run\":7", "\"run\":8").empty());
  }

  void anotherVersionIsNamed() {
    const std::string said = verdict("{\"format\":\"vitrine-trace\",\"version\":2}\n");
    QVERIFY2(said.starts_with("unsupported: trace version 2"), said.c_str());
  }

  void hostileJson_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("deep") << QByteArray(1000000, '[');
    QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(300000);
    QTest::newRow("a number") << QByteArray("7");
    QTest::newRow("a huge number") << QByteArray("{\"number\":1e99999}");
    QTest::newRow("not UTF-8") << QByteArray("{\"event\":\"\xFF\"}");
    QTest::newRow("no data") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"plan","time_ns":1})");
    QTest::newRow("unknown event") << QByteArray(
        R"({"event":"x","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{}})");
    QTest::newRow("unknown phase") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"x","time_ns":1,"data":{"waiting":1,"running":1}})");
    QTest::newRow("a fraction for a count") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"waiting":1.5,"running":1}})");
    QTest::newRow("beyond 32 bits") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"waiting":4294967297,"running":1}})");
    QTest::newRow("beyond 64 bits") << QByteArray(
        R"({"event":"step_started","number":18446744073709551615,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"waiting":1,"running":1}})");
    QTest::newRow("an absurd snapshot") << QByteArray(
        R"({"event":"snapshot","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"step":1,"block_size":16,"num_blocks":2147483647,"blocks":[],"free_queue":[],"requests":[],"sequences":[],"waiting":[],"running":[],"batch":[]}})");
  }
  void hostileJson() {
    QFETCH(QByteArray, line);
    try {
      eventFromJson(std::string_view(line.constData(), static_cast<std::size_t>(line.size())));
      QFAIL("it was believed");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
    }
  }

  void aLineWithoutEndIsNotKept() {
    const std::string bytes = linesOf(goodTrace()).front() + "\n" + std::string(std::size_t{20} << 20, ' ');
    QVERIFY(verdict(bytes).starts_with("file_corrupt: line 2: the line is longer"));
  }

  void filesThatAreNotThere() {
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto codeOf = [](const auto& call) {
      try {
        call();
      } catch (const EngineError& error) {
        return std::string(errorCodeName(error.code()));
      }
      return std::string();
    };
    QCOMPARE(codeOf([&] { verifyTrace(path + "/none.vitrine"); }), std::string("file_not_found"));
    QCOMPARE(codeOf([&] { verifyTrace(path); }), std::string("file_unreadable"));
    QCOMPARE(codeOf([&] { TraceWriter(path + "/none/t.vitrine"); }), std::string("io"));
    QCOMPARE(codeOf([&] { TraceWriter(path + "/t.vitrine").finish(); }), std::string("io"));
    if (std::filesystem::exists("/dev/full"))
      QCOMPARE(codeOf([&] {
                 TraceWriter writer("/dev/full");
                 ScriptedMachine machine(options(), writer);
                 runRandomly(machine, 5, 90, [] {});
                 writer.finish();
               }),
               std::string("io"));
  }

  // A trace written behind a queue that dropped detail still accounts for every event.
  void droppedDetailLeavesNoGap() {
    EventQueue queue(10);
    ScriptedMachine machine(options(), queue);
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("t.vitrine").toStdString();
    TraceWriter writer(file);
    std::vector<Event> events;
    runRandomly(machine, 3, 30, [&] {
      events.clear();
      queue.drain(events);
      for (const Event& event : events) writer.publish(event);
    });
    writer.finish();
    const std::string bytes = bytesOf(file);
    QVERIFY(bytes.find("\"events_dropped\"") != std::string::npos);
    QCOMPARE(verdict(bytes), std::string());
  }
};

QTEST_APPLESS_MAIN(TestTrace)
#include "tst_trace.moc"
