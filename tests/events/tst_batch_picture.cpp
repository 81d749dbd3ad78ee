// The picture of a step's batch, from events, against the RaggedBatch that the backend got: positions, slots,
// block tables, context lengths, rows with logits, and token ids. Random workloads with chunked prefill,
// prefix hits, preemption and swapping, forks, beams, every drafter, and evicting contexts.
#include "support/adding_sink.h"
#include "support/random_workload.h"
#include "support/recorder.h"
#include "support/watched_backend.h"
#include "vitrine/batch_picture.h"
#include "vitrine/recording.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>

using namespace vitrine;
using test::AddingSink;
using test::KernelBatch;
using test::Recorder;
using test::WatchedBackend;

namespace {

// What a picture says that the kernels got.
KernelBatch kernelOf(const BatchPicture& picture) {
  KernelBatch kernel;
  kernel.queryStart = {0};
  for (const BatchSequence& one : picture.sequences) {
    for (int row = 0; row < one.rows; ++row) {
      const BatchCell cell = picture.cell(one, row);
      if (cell.wantsLogits) kernel.logitRows.push_back(static_cast<std::int32_t>(kernel.positions.size()));
      kernel.positions.push_back(cell.position);
      kernel.rotary.push_back(cell.rotaryPosition);
      kernel.slotNumbers.push_back(static_cast<std::int32_t>(cell.slot));
      if (row + 1 == one.rows) kernel.contextLength.push_back(cell.sees);
    }
    kernel.tokens.insert(kernel.tokens.end(), one.tokens.begin(), one.tokens.end());
    kernel.queryStart.push_back(static_cast<std::int32_t>(kernel.positions.size()));
    kernel.tables.push_back(one.blockTable);
  }
  return kernel;
}

}  // namespace

class TestBatchPicture : public QObject {
  Q_OBJECT

 private slots:
  void equalsWhatTheBackendGot() {
    const TinyModel model(tinyConfig(96));
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
      live(model, seed);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1").arg(seed)));
    }
    qInfo("%d steps", m_seen["steps"]);
    QVERIFY(m_seen["steps"] >= 500);
    // The workloads are hard enough: each of these changed the batch of some steps.
    for (const char* what :
         {"decode", "prefill", "chunk", "draft", "early exit", "evicted", "prefix hit", "copy", "preempted",
          "swapped in", "forked", "beams", "freed in its step", "mixed"})
      QVERIFY2(m_seen[what] >= 20, qPrintable(QString("%1: %2").arg(what).arg(m_seen[what])));
  }

  // A step in the middle: blocks are missing before Allocate, and the batch is the state's own.
  void paddingBelongsToItsStep() {
    Recorder recorder;
    const Recording& recording = recorder.recording;
    AddingSink sink(recorder, {BatchPadded{10, 16}});  // as a GPU's engine says it in the first step
    const auto engine = tinyModel().engine(tinyOptions(), sink);
    engine->submit(tinyRequest(tinyPrompt(10), 3));
    engine->step();
    engine->step();
    QCOMPARE(batchOf(recording, 1).rows(), 10);
    QCOMPARE(batchOf(recording, 1).padding, 6);
    QCOMPARE(batchOf(recording, 2).rows(), 1);
    QCOMPARE(batchOf(recording, 2).padding, 0);
  }

  void aStepInFlightHasWhatIsKnown() {
    Recorder sink;
    const Recording& recording = sink.recording;
    const auto engine = tinyModel().engine(tinyOptions(), sink);
    QVERIFY(batchOf(recording, 0).sequences.empty());
    engine->submit(tinyRequest(tinyPrompt(10)));
    std::map<Phase, BatchPicture> pictures;
    engine->setGate([&](Phase next) { pictures[next] = batchOf(recording, 1); });
    engine->step();
    QVERIFY(pictures[Phase::kAdmit].sequences.empty() && pictures[Phase::kPlan].sequences.empty());
    const BatchPicture& planned = pictures[Phase::kAllocate];
    QCOMPARE(planned.rows(), 10);
    QVERIFY(planned.stage == BatchStage::kPlanned && planned.cell(planned.sequences[0], 0).slot == -1);
    QVERIFY(pictures[Phase::kForward].stage == BatchStage::kPlanned);
    const BatchPicture& allocated = pictures[Phase::kForward];
    QVERIFY(allocated.cell(allocated.sequences[0], 0).slot >= 0);
    QVERIFY(pictures[Phase::kSample].stage == BatchStage::kForward);
    QVERIFY(pictures[Phase::kCommit].stage == BatchStage::kComputed);
    BatchPicture computed = batchOf(recording, 1);
    QCOMPARE(computed, pictures[Phase::kCommit]);
    QVERIFY(batchOf(recording, 2).sequences.empty() && batchOf(recording, 3).sequences.empty());
    QVERIFY(batchOf(recording.live()).sequences.empty());
    const BatchCell last = computed.cell(computed.sequences[0], 9);
    QVERIFY(last.wantsLogits && !computed.cell(computed.sequences[0], 8).wantsLogits);
    QCOMPARE(last.sees, 10);
  }

 private:
  void live(const TinyModel& model, std::uint32_t seed) {
    Workload workload(seed, 0);
    const EngineOptions& options = workload.options;
    static const TinyModel other(tinyConfig(40), 6);
    const auto kernel = std::make_shared<KernelBatch>();
    EngineParts parts =
        model.parts(std::make_unique<WatchedBackend>(tinyBackend(options), kernel, model.config.hiddenSize),
                    storageFor(options, DType::kF32));
    const TinyModel& drafts = workload.draftsLikeTheModel ? model : other;
    parts.draftDecoder =
        std::make_unique<Decoder>(*parts.backend, drafts.config, drafts.weights, DType::kF32);
    std::int64_t now = 0;
    parts.clock = [&now] { return now; };
    EventLog log;
    Recording recording;
    const auto engine = assembleEngine(std::move(parts), options, log);
    std::map<int, KernelBatch> expected;  // by step
    int step = 0;
    engine->setGate([&](Phase next) {
      if (next == Phase::kForward) *kernel = {};
      if (next == Phase::kSample && !kernel->positions.empty()) expected[log.events.back().step] = *kernel;
    });
    for (; step < 12 || engine->hasWork(); ++step) {
      QVERIFY2(step < 3000, "no end");
      workload.begin(*engine, step);
      now += 1'000'000;
      engine->step();
    }
    for (const Event& event : log.events) recording.append(event);
    compare(recording, expected, options);
  }

  void compare(const Recording& recording, const std::map<int, KernelBatch>& expected,
               const EngineOptions& options) {
    for (int step = 1; step <= recording.lastStep(); ++step) {
      const BatchPicture picture = batchOf(recording, step);
      const auto found = expected.find(step);
      if (found == expected.end()) {
        QVERIFY(picture.sequences.empty());
        continue;
      }
      QVERIFY(picture.stage == BatchStage::kComputed);
      KernelBatch got = kernelOf(picture), wanted = found->second;
      if (!wanted.tokensKnown) wanted.tokens = got.tokens, wanted.tokensKnown = true;
      QCOMPARE(got.positions, wanted.positions);
      QCOMPARE(got.rotary, wanted.rotary);
      QCOMPARE(got.slotNumbers, wanted.slotNumbers);
      QCOMPARE(got.queryStart, wanted.queryStart);
      QCOMPARE(got.contextLength, wanted.contextLength);
      QCOMPARE(got.tables, wanted.tables);
      QCOMPARE(got.logitRows, wanted.logitRows);
      QCOMPARE(got.tokens, wanted.tokens);
      QVERIFY(got == wanted);
      count(recording, picture, options);
    }
  }

  void count(const Recording& recording, const BatchPicture& picture, const EngineOptions& options) {
    std::map<std::string, bool> seen = {{"steps", true}};
    bool decodes = false, prefills = false;
    for (const BatchSequence& one : picture.sequences) {
      (one.kind == WorkKind::kDecode ? decodes : prefills) = true;
      seen["chunk"] |= one.kind == WorkKind::kPrefill && !one.samples;
      seen["draft"] |= one.draftRows > 0;
      seen["early exit"] |= one.draftRows > 0 && options.speculation.drafter == DraftMethod::kEarlyExit;
      seen["evicted"] |= one.evictedTokens > 0;
    }
    seen["decode"] = decodes;
    seen["prefill"] = prefills;
    seen["mixed"] = decodes && prefills;
    for (const Event& event : recording.eventsOf(picture.step)) {
      seen["prefix hit"] |= isA<BlockHit>(event);
      seen["copy"] |= isA<BlockCopied>(event);
      seen["preempted"] |= isA<SequencePreempted>(event);
      seen["swapped in"] |= isA<BlockSwappedIn>(event);
      seen["forked"] |= isA<SequenceForked>(event);
      seen["beams"] |= isA<BeamStep>(event);
      seen["freed in its step"] |= isA<BlockFreed>(event) || isA<DraftRolledBack>(event);
    }
    for (const auto& [what, was] : seen) m_seen[what] += was ? 1 : 0;
  }

  std::map<std::string, int> m_seen;
};

QTEST_APPLESS_MAIN(TestBatchPicture)
#include "tst_batch_picture.moc"
