// The traces that fuzz_trace starts from, in tests/fuzz/seeds/trace: short recordings that together hold
// every kind of event. When the format changes they are recorded anew by
// VITRINE_TRACE_SEEDS=tests/fuzz/seeds/trace tst_trace_seeds
#include "support/adding_sink.h"
#include "support/drafting.h"
#include "support/failing_backend.h"
#include "support/letter_tokenizer.h"
#include "support/swap_load.h"
#include "vitrine/event_sink.h"
#include "vitrine/trace.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <set>

using namespace vitrine;
using test::AddingSink;

namespace {

using Path = std::filesystem::path;

void stepToTheEnd(Engine& engine) {
  while (engine.hasWork()) engine.step();
}

void record(const Path& file, const EngineOptions& options, const std::function<void(Engine&)>& play,
            EngineParts parts = tinyModel().parts()) {
  TraceWriter writer(file);
  {
    const auto engine = assembleEngine(std::move(parts), options, writer);
    play(*engine);
    stepToTheEnd(*engine);
  }
  writer.finish();
}

// Waiting, aging, preemption for importance, forks and hits; and the host's calls: detail, sampling, cancel,
// forget, a request that is rejected.
void recordScheduling(const Path& file) {
  EngineOptions options = tinyOptions(8, 4, 8);
  options.policy = Policy::kDeadline;
  options.agingSteps = 4;
  options.maxSequences = 3;
  record(file, options, [](Engine& engine) {
    engine.setDetail({1, {0}});
    Request twice = tinyRequest({1, 2, 3, 4, 5}, 5);
    twice.sequences = 2;
    const RequestId first = engine.submit(twice);
    engine.submit(tinyRequest({1, 2, 3, 4, 6, 7, 8, 9, 10}, 8));
    for (int i = 0; i < 3; ++i) engine.step();
    Request urgent = tinyRequest({1, 2, 3, 4, 9}, 3);
    urgent.deadlineMs = 1;
    engine.submit(urgent);
    try {
      engine.submit(tinyRequest({1}, 1000));
    } catch (const EngineError&) {  // the trace records RequestRejected
    }
    engine.step();
    SamplingOptions warm;
    warm.temperature = 1;
    engine.setSampling(first, warm);
    EngineOptions others = engine.options();
    others.policy = Policy::kShortest;
    others.tokenBudget = 6;
    engine.setOptions(others);
    const RequestId unwanted = engine.submit(tinyRequest({7, 7}, 4));
    engine.step();
    engine.cancel(unwanted);
    engine.forget(unwanted);
  });
}

void recordFailure(const Path& file) {
  const auto stepsLeft = std::make_shared<int>(1);
  const auto play = [](Engine& engine) { engine.submit(tinyRequest({1, 2, 3}, 4)); };
  record(file, tinyOptions(8), play,
         tinyModel().parts(std::make_unique<FailingBackend>(makeCpuBackend(1), stepsLeft)));
}

void recordBeams(const Path& file) {
  record(file, tinyOptions(16, 4, 8), [](Engine& engine) {
    engine.submit(tinyRequest({5, 5, 5}, 10));
    Request search = tinyRequest({20, 21, 22, 23, 24}, 5);
    search.beamWidth = search.sequences = 3;
    engine.submit(search);
    Request best = tinyRequest({1, 2, 3}, 4);
    best.sampling.temperature = 1;
    best.bestOf = 2;
    engine.submit(best);
  });
}

void swapThrice(Engine& engine) {
  for (TokenId first : {1, 11, 21}) engine.submit(tinyRequest({first, first, 3, 4, 5, 6, 7}, 10));
}
void recordSwapping(const Path& file) {
  QTemporaryDir folder;
  EngineOptions options = swapOptions(2, 9, folder.path().toStdString());
  record(file, options, swapThrice);
}
void recordSwapFailure(const Path& file) { record(file, swapOptions(0, 9, "/dev/null/nowhere"), swapThrice); }

void recordDrafts(const Path& file) {
  record(file, drafting(DraftMethod::kNgram), [](Engine& engine) {
    engine.submit(tinyRequest({1, 2, 3, 1, 2, 3, 1, 2}, 10));
  });
}

void recordEviction(const Path& file) {
  EngineOptions options = tinyOptions(16);
  options.eviction = Eviction::kSinks;
  options.sinkTokens = options.windowTokens = 4;
  record(file, options, [](Engine& engine) { engine.submit(tinyRequest({1, 2, 3, 4, 5, 6}, 14)); });
}

// Its forwards are measured.
void recordNoCache(const Path& file) {
  EngineOptions options = tinyOptions(16);
  options.kvCache = false;
  record(file, options, [](Engine& engine) {
    engine.setDetail({0, {}, false, true});
    engine.submit(tinyRequest({1, 2, 3}, 3));
  });
}

// The second request needs the blocks that the index keeps of the first, which is then submitted again.
void recordFullIndex(const Path& file) {
  record(file, tinyOptions(3), [](Engine& engine) {
    engine.submit(tinyRequest({1, 2, 3, 4, 5, 6, 7, 8, 9}, 2));
    stepToTheEnd(engine);
    engine.submit(tinyRequest({11, 12, 13, 14, 15, 16, 17, 18, 19}, 2));
    stepToTheEnd(engine);
    engine.submit(tinyRequest({1, 2, 3, 4, 5, 6, 7, 8, 9}, 2));
  });
}

// Behind a queue too small for all, and from the middle of a run on.
void recordLateJoiner(const Path& file) {
  EventQueue queue(12);
  std::vector<Event> events;
  TraceWriter writer(file);
  {
    const auto engine = tinyModel().engine(tinyOptions(16), queue);
    engine->setDetail({2, {}});
    engine->submit(tinyRequest({1, 2, 3}, 12));
    queue.drain(events);
    writer.publish(events.front());
    for (int i = 0; i < 3; ++i) engine->step();
    queue.drain(events);
    Event snapshot = events.back();
    snapshot.body = Snapshot{std::make_shared<const MachineState>(engine->snapshot())};
    writer.publish(snapshot);
    for (int i = 0; i < 6; ++i) {
      if (i % 3 == 0) engine->submit(tinyRequest({4, 5}, 2));
      for (int k = 0; k < 2; ++k) engine->step();
      events.clear();
      queue.drain(events);
      for (const Event& event : events) writer.publish(event);
    }
  }
  writer.finish();
}

// As on a GPU: padding, ways of launching, and the limits.
void recordLaunches(const Path& file) {
  TraceWriter writer(file);
  {
    AddingSink sink(writer,
                    {BatchPadded{5, 8}, ForwardAhead{5, 1},
                     LaunchesMeasured{LaunchWay::kGraph,
                                      5,
                                      8,
                                      2,
                                      {{LaunchWay::kEager, 13, 90'000, {{Operation::kQkv, 0, 10, 20}}},
                                       {LaunchWay::kGraph, 1, 40'000, {}}}},
                     RoofMeasured{{"Pretended GPU",
                                   0,
                                   250'000,
                                   {{1 << 20, 6000}, {1 << 30, 3000}},
                                   2 << 20,
                                   0,
                                   RoofPeak::kBf16Products}}});
    const auto engine = assembleEngine(tinyModel().parts(), tinyOptions(), sink);
    engine->submit(tinyRequest({1, 2, 3, 4, 5}, 3));
    stepToTheEnd(*engine);
  }
  writer.finish();
}

void recordGrammar(const Path& file) {
  EngineParts parts = tinyModel().parts();
  parts.tokenizer = std::make_shared<LetterTokenizer>();
  record(
      file, tinyOptions(),
      [](Engine& engine) {
        engine.setDetail({2, {}});
        Request request = tinyRequest({1, 2, 3}, 6);
        request.grammar = "root ::= word [0-9]*\nword ::= [a-z]{1,2}";
        engine.submit(request);
      },
      std::move(parts));
}

void recordAll(const Path& folder) {
  recordScheduling(folder / "scheduling.vitrine");
  recordFailure(folder / "failure.vitrine");
  recordBeams(folder / "beams.vitrine");
  recordSwapping(folder / "swapping.vitrine");
  recordSwapFailure(folder / "swap-failure.vitrine");
  recordDrafts(folder / "drafts.vitrine");
  recordEviction(folder / "eviction.vitrine");
  recordNoCache(folder / "no-kv-cache.vitrine");
  recordFullIndex(folder / "full-index.vitrine");
  recordLateJoiner(folder / "late-joiner.vitrine");
  recordLaunches(folder / "launches.vitrine");
  recordGrammar(folder / "grammar.vitrine");
}

// All sound, whole, no longer than what the fuzzer reads, and no kind of event missing. Empty when it is so.
std::string faultIn(const Path& folder) {
  constexpr std::uintmax_t kMostBytes = 65536;
  std::set<std::string> kinds;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename().string();
    try {
      if (entry.file_size() > kMostBytes)
        return name + " has " + std::to_string(entry.file_size()) + " bytes";
      const TraceReport report = verifyTrace(entry.path());
      if (!report.whole) return name + " is cut short";
      if (!report.unknown.empty()) return name + " holds " + report.unknown.begin()->first;
      readTrace(entry.path(), [&](const Event& event) { kinds.insert(eventName(event)); });
    } catch (const EngineError& error) {
      return name + ": " + error.what();
    }
  }
  for (const EventInfo& kind : allEvents())
    if (!kinds.contains(kind.name)) return std::string("no trace holds ") + kind.name;
  return {};
}

}  // namespace

class TestTraceSeeds : public QObject {
  Q_OBJECT

 private slots:
  void whatIsRecordedHoldsEveryEvent() {
    QTemporaryDir folder;
    const char* wanted = std::getenv("VITRINE_TRACE_SEEDS");
    const Path into = wanted != nullptr ? wanted : folder.path().toStdString();
    recordAll(into);
    const std::string fault = faultIn(into);
    QVERIFY2(fault.empty(), fault.c_str());
  }

  void whatIsStoredIsOfTodaysFormat() {
    const std::string fault = faultIn(TRACE_SEEDS);
    QVERIFY2(fault.empty(), fault.c_str());
  }
};

QTEST_APPLESS_MAIN(TestTraceSeeds)
#include "tst_trace_seeds.moc"
