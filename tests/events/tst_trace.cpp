// Traces: what is written is what is read, to the bit.
#include "events/trace_bytes.h"
#include "vitrine/program_files.h"
#include "vitrine/recording.h"

#include <QTest>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

using namespace vitrine;
using namespace vitrine::test;

namespace {

Event eventOf(EventBody body) {
  Event event{3, 1'000'000'000'007, 42, Phase::kCommit, 1'234'567'890'123'456'789, std::move(body)};
  return event;
}

// A trace that holds each of them, for tests/golden/traces; it is no run, but it reads.
void writeEveryEvent(const char* file, const std::vector<EventBody>& bodies) {
  const std::vector<std::string> good = linesOf(goodTrace());
  std::vector<std::string> lines = {good.front()};
  for (const EventBody& body : bodies)
    if (!std::holds_alternative<Snapshot>(body)) lines.push_back(eventToJson(eventOf(body)));
  const auto isSnapshot = [](const std::string& line) { return line.starts_with(R"({"event":"snapshot")"); };
  lines.push_back(*std::ranges::find_if(good, isSnapshot));
  lines.push_back("{\"end\":{\"events\":" + std::to_string(bodies.size()) + "}}");
  std::ofstream(file, std::ios::binary) << joined(lines);
}

}  // namespace

class TestTrace : public QObject {
  Q_OBJECT

 private slots:
  void everyKindOfEventComesBack() {
    const double third = 1.0 / 3;
    const SamplingOptions sampling = {.repetitionPenalty = 1.1,
                                      .presencePenalty = -0.1,
                                      .frequencyPenalty = third,
                                      .temperature = 0.7,
                                      .topK = 40,
                                      .topP = 0.95,
                                      .minP = 1e-300,
                                      .typicalP = 0.2,
                                      .seed = ~std::uint64_t{0}};
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
    loaded.ignoredTensors = {{"m", 4, {"mtp.a", "b"}, true}, {"draft", 1, {"c"}, false}};
    loaded.options.batching = Batching::kSequential;
    loaded.options.windowMs = third;
    loaded.options.policy = Policy::kDeadline;
    loaded.options.prefixCache = loaded.options.kvCache = false;
    loaded.options.kvType = KvType::kInt8;
    loaded.options.eviction = Eviction::kHeavyHitters;
    loaded.options.sinkTokens = 3, loaded.options.windowTokens = 4, loaded.options.heavyTokens = 5,
    loaded.keptTokens = 6;
    loaded.options.speculation = {DraftMethod::kModel, 3, true, 2, "small", 5, DraftAcceptance::kSameDraw};
    loaded.loadMs = third;
    loaded.packedCopy = PackedCopy::kRead;
    loaded.options.attention = "flash";
    loaded.inputsRecorded = true;
    loaded.branchOfRun = 3, loaded.branchStep = 17;
    const std::vector<EventBody> bodies = {
        loaded,
        EngineFailed{"io", "m", "h"},
        RequestSubmitted{.request = 1,
                         .asked = {.name = "r1",
                                   .prompt = "p\xC3\xA9",
                                   .tokenIds = {1, 2},
                                   .outputIds = {3},
                                   .sampling = sampling,
                                   .maxTokens = 5,
                                   .ignoreEos = true,
                                   .stop = {"\n\n", "e\xC3\xA9"},
                                   .sequences = 2,
                                   .bestOf = 6,
                                   .beamWidth = 3,
                                   .lengthPenalty = -third,
                                   .earlyStopping = EarlyStopping::kNever,
                                   .priority = -4,
                                   .deadlineMs = third,
                                   .logprobs = 9,
                                   .cacheSalt = ~std::uint64_t{0}},
                         .pieces = {"a",
                                    "\xE2\x96\x81"
                                    "b"},
                         .firstSequence = 7,
                         .rank = std::numeric_limits<std::int64_t>::min(),
                         .outputText = "x"},
        RequestRejected{"r", "c", "m", "h"},
        RequestCancelled{4},
        SamplingChanged{1, sampling},
        RequestFinished{1, FinishReason::kCancelled, 2, 3, 4, 5, 6, 7, 8, 9.5, -10, true},
        SequenceWaiting{1, WaitReason::kBehind, 2, 3, 4},
        SequenceAged{1, 2, -3},
        SequenceAdmitted{1, 2, 3, true, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, {Policy::kShortest, 14, -15}},
        SequenceScheduled{1, WorkKind::kDecode, 2, 3, 4, 2, 5},
        SequencePreempted{1,
                          2,
                          3,
                          4,
                          5,
                          6,
                          Preemption::kSwap,
                          PreemptionCause::kRoom,
                          7,
                          8,
                          PreemptReason::kImportance,
                          9,
                          10,
                          11,
                          {Policy::kPriority, 12, -13},
                          {Policy::kDeadline, 14, std::numeric_limits<std::int64_t>::max()}},
        KvForgotten{1, 2},
        SequenceForked{1, 2, 3, 4, 5},
        SequenceFinished{1, FinishReason::kLength, 9},
        BlockAllocated{1, 2, 3},
        BlockShared{1, 2, 3, 4},
        BlockHit{1, 2, 3, 4, 0xFEDCBA9876543210u},
        BlockCopied{1, 2, 3, 4},
        BlockCached{1, ~std::uint64_t{0}, 1},
        BlockEvicted{1, 0x8000000000000001u},
        ContextEvicted{1, 2, 3, 4, 5, 0.625, 6},
        BlockFreed{1, 2, 0},
        StepStarted{1, 2},
        StepPlanned{1, 2, 3, 4},
        PhaseStarted{Phase::kForward},
        StepFinished{{1, 2, 3, 4, 5, std::numeric_limits<std::int64_t>::max()}, 1, 2, 3, 4, 5, 6},
        DraftProposed{1, DraftMethod::kNgram, 2, {3, 4}},
        DraftVerified{
            1, 2, 1, {{3, DraftVerdict::kWithin, third, 0.1, 0.2, 3}, {4, DraftVerdict::kUndecided}}},
        DraftRolledBack{1, 2, 3, 4},
        StepSpeculated{1, 2, 3, 4, 5, 6, 7, 8},
        TokenSampled{1, 2, 3, -1, -third, "\x1F\t", "</s>"},
        TokenCandidates{1, 2, 3, {{"top_k", 9, {{4, 0.1f}, {5, 1e-40f}}}}, {"x"}},
        LayerTap{1, 2, 3, 0.1f},
        EventsDropped{12},
        Snapshot{},
        BlockSwappedOut{1, 2, 3, SwapTier::kDisk, 4, 5},
        BlockDemoted{1, 2, 3, 4, 5},
        BlockSwappedIn{1, 2, 3, SwapTier::kHost, 4, 5},
        SwapFailed{1, SwapMove::kIn, SwapTier::kDisk, 2, 3, "io", "m", "h"},
        StepSwapped{1, 2, 3, 4, 5, 6, 7, 8, 9},
        SequenceReplaced{1, 2, 3},
        BeamStep{1,
                 2,
                 {{3, 4, "\xE2\x96\x81x", -third, -0.1, 1e-300, BeamFate::kFinished, 5, 6, third}},
                 {7, 8},
                 9,
                 -third,
                 0.25,
                 BeamEnd::kNoImprovement},
        BeamChosen{1, 2, {3, 4}, "a\n", -third, "</s>"},
        AnswersRanked{1, {{2, third, true}, {3, -0.5, false}}},
        RequestForgotten{1},
        PrefixMissed{1, MissCause::kEvicted, 2, 3, 4, 5, 6, 7, 8},
        OptionsChanged{{.tokenBudget = 1,
                        .policy = Policy::kShortest,
                        .agingSteps = 2,
                        .prefixCache = false,
                        .preemption = Preemption::kSwap,
                        .hostSwapBytes = 9,
                        .swapFolder = "s",
                        .speculation = {DraftMethod::kNgram, 5, true, 6, "m", 7}},
                       3,
                       4,
                       {{8, std::numeric_limits<std::int64_t>::min()}}},
        ForwardMeasured{1, {{Operation::kDown, 2, 3, std::numeric_limits<std::int64_t>::max(), 9, 5, 4}}},
        BatchPadded{5, 8},
        LaunchesMeasured{LaunchWay::kGraph,
                         5,
                         8,
                         28,
                         {{LaunchWay::kPersistent,
                           2,
                           std::numeric_limits<std::int64_t>::max(),
                           {{Operation::kDown, 1, 3, 4}}}}},
        RoofMeasured{{"Pretended \"GPU\"",
                      0,
                      third,
                      {{1, 1e-300}, {std::numeric_limits<std::int64_t>::max(), 0.1}},
                      2,
                      3,
                      RoofPeak::kF16Products,
                      {{RoofPeak::kInt8InRegisters, third, "whole \"numbers\""}}}},
        ForwardAhead{7, 2},
        DraftSkipped{1, NoDraftReason::kDraftBlocks, 2, 3},
        GrammarMasked{1, 9, 12, true, {"root", "a \"rule\""}, "0-9 é…"}};
    QCOMPARE(bodies.size(), std::variant_size_v<EventVariant>);
    if (const char* golden = std::getenv("VITRINE_TRACE_GOLDEN")) writeEveryEvent(golden, bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (std::holds_alternative<Snapshot>(bodies[i])) continue;  // tested below
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
      const Event back = eventFromJson(eventToJson(eventOf(TokenSampled{1, 2, 3, -1, value, ""})));
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
    const Event back = eventFromJson(eventToJson(eventOf(TokenSampled{1, 2, 3, -1, 0, "a\xFF\xC3"})));
    QCOMPARE(std::get<TokenSampled>(back.body).text, std::string("a\xEF\xBF\xBD\xEF\xBF\xBD"));
  }

  void aRecordedRunVerifies() {
    TraceReport report;
    QCOMPARE(verdict(goodTrace(), &report), std::string());
    QVERIFY(report.steps > 2 * Recording::kSnapshotInterval);
    QCOMPARE(report.snapshots, report.steps / Recording::kSnapshotInterval);
    QVERIFY(report.whole);
    QCOMPARE(report.events, static_cast<std::int64_t>(linesOf(goodTrace()).size()) - 2);
  }

  void theHeaderSaysWhatItIs() {
    const std::string header = linesOf(goodTrace()).front();
    QVERIFY(header.starts_with(R"({"format":"vitrine-trace","version":3,"model":{)"));
    QVERIFY(header.find(R"("seed":18446744073709551615)") != std::string::npos);
    QVERIFY(header.find(R"("engine":{)") != std::string::npos);
    QVERIFY(header.find("\"program\":\"vitrine " + std::string(version()) + '"') != std::string::npos);
    QVERIFY(header.find(R"("schema":{"events":{"engine_loaded":["model:model_info",)") != std::string::npos);
  }

  void theLastLineIsTheEnd() {
    const std::vector<std::string> lines = linesOf(goodTrace());
    QCOMPARE(lines.back(), "{\"end\":{\"events\":" + std::to_string(lines.size() - 2) + "}}");
  }

  // A program that was killed leaves the beginning of a trace: it reads, and is said to be no more than that.
  void aTraceWithoutItsLastLineReadsAndIsSaidToBeCut() {
    std::vector<std::string> lines = linesOf(goodTrace());
    lines.pop_back();
    TraceReport report;
    QCOMPARE(verdict(joined(lines), &report), std::string());
    QVERIFY(!report.whole && report.lastStep == report.steps);
    while (lines.back().find("\"event\":\"step_started\"") == std::string::npos) lines.pop_back();
    TraceReport inStep;
    QCOMPARE(verdict(joined(lines), &inStep), std::string());
    QVERIFY(!inStep.whole && inStep.lastStep == report.lastStep - 1 && inStep.steps == report.steps - 1);
  }

  void aReplayIsTheRun() {
    EventLog log;
    ScriptedMachine machine(traceOptions(), log);
    runRandomly(machine, 5, 90, [] {});
    Recording recording;
    parseTrace(goodTrace(), [&](const Event& event) { recording.append(event); });
    QVERIFY(recording.live() == machine.state());
    QCOMPARE(recording.size(), static_cast<std::int64_t>(log.events.size()));
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
    QVERIFY(std::filesystem::exists("/dev/full"));
    QCOMPARE(codeOf([&] {
               TraceWriter writer("/dev/full");
               ScriptedMachine machine(traceOptions(), writer);
               runRandomly(machine, 5, 90, [] {});
               writer.finish();
             }),
             std::string("io"));
  }

  // Older programs pass over what they do not know in the last line, as this one does.
  void theLastLineHasTheBookmarks() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("t.vitrine").toStdString();
    const auto write = [&](const std::set<int>& bookmarks) {
      TraceWriter writer(file);
      parseTrace(goodTrace(), [&](const Event& event) {
        if (!isA<Snapshot>(event)) writer.publish(event);
      });
      writer.finish(bookmarks);
      return bytesOf(file);
    };
    QCOMPARE(write({}), goodTrace());
    std::string bytes = write({12, 3});
    QVERIFY(readTrace(file, [](const Event&) {}).bookmarks == std::set<int>({3, 12}));
    const auto replace = [&](const std::string& by) {
      const std::string words = R"("bookmarks":[3,12])";
      return std::string(bytes).replace(bytes.rfind(words), words.size(), by);
    };
    QVERIFY(parseTrace(replace(R"("places":{"a":1})"), [](const Event&) {}).bookmarks.empty());
    QCOMPARE(verdict(replace(R"("places":{"a":1})")), std::string());
    QVERIFY(verdict(replace(R"("bookmarks":["a"])")).starts_with("file_corrupt"));
  }

  // A trace written behind a queue that dropped detail still accounts for every event.
  void droppedDetailLeavesNoGap() {
    EventQueue queue(10);
    ScriptedMachine machine(traceOptions(), queue);
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
