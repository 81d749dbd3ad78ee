// Preemption by swapping in a whole engine: what it saves, what it says, and a disk that fails in every way
// while sequences lie on it. No answer ever differs from the undisturbed one, in tokens or bits.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <random>

#include "support/event_log.h"
#include "support/late_copies.h"
#include "support/replaying_sink.h"
#include "support/swap_load.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;

namespace {

// Keeps the events and follows them.
struct Watch final : EventSink {
  void publish(const Event& event) override {
    log.publish(event);
    replay.publish(event);
  }
  EventLog log;
  ReplayingSink replay;
};

struct Run {
  explicit Run(const EngineOptions& options, SwapFile::Name name = SwapFile::Name::kNone,
               std::unique_ptr<Backend> backend = makeCpuBackend(1)) {
    EngineParts parts = tinyModel().parts(std::move(backend));
    parts.swapFileName = name;
    engine = assembleEngine(std::move(parts), options, watch);
    ids = submitAll(*engine);
  }
  void step() {
    engine->step();
    QCOMPARE(watch.replay.error, std::string());
    QVERIFY(engine->snapshot() == watch.replay.state);
  }
  template <typename BeforeStep>
  Answers finish(const BeforeStep& beforeStep) {
    while (engine->hasWork()) {
      beforeStep();
      step();
      if (QTest::currentTestFailed()) return {};
    }
    return takeAnswers(*engine, ids);
  }
  Answers finish() {
    return finish([] {});
  }
  // Tokens computed beyond those that every answer takes once.
  int computedAgain() const {
    int tokens = 0;
    for (const auto& e : watch.log.of<SequenceScheduled>()) tokens += e.tokens;
    for (const Request& request : swapLoad())
      tokens -= static_cast<int>(request.tokenIds.size()) + request.maxTokens - 1;
    return tokens;
  }
  template <typename Body>
  int count() const {
    return static_cast<int>(watch.log.of<Body>().size());
  }

  Watch watch;
  std::unique_ptr<Engine> engine;
  std::vector<RequestId> ids;
};

std::vector<std::string> filesIn(const QTemporaryDir& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path().toStdString()))
    files.push_back(entry.path().string());
  return files;
}

}  // namespace

class TestSwap : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    ::signal(SIGXFSZ, SIG_IGN);
    m_expected = undisturbed(tinyModel());
  }

  // The same load, preempted both ways: one computes again, the other moves bytes.
  void bothKindsOfPreemptionOnTheSameLoad() {
    EngineOptions options = swapOptions(100, 0, {});
    Run swap(options);
    QVERIFY(swap.finish() == m_expected);
    options.preemption = Preemption::kRecompute;
    Run recompute(options);
    QVERIFY(recompute.finish() == m_expected);

    QVERIFY(recompute.count<SequencePreempted>() >= 3);
    QVERIFY(swap.count<SequencePreempted>() >= 3);
    QVERIFY(recompute.computedAgain() > 0);
    QCOMPARE(swap.computedAgain(), 0);
    QCOMPARE(recompute.count<BlockSwappedOut>() + recompute.count<StepSwapped>(), 0);
    QCOMPARE(swap.count<BlockSwappedOut>(), swap.count<BlockSwappedIn>());
    for (const auto& e : swap.watch.log.of<SequencePreempted>()) {
      QVERIFY(e.how == Preemption::kSwap && e.cause == PreemptionCause::kRoom && e.lostTokens == 0);
      QVERIFY(e.swapBlocks >= 1 && e.swapBlocks <= e.swapRoom);
    }
    for (const auto& e : recompute.watch.log.of<SequencePreempted>())
      QVERIFY(e.how == Preemption::kRecompute && e.cause == PreemptionCause::kOption && e.lostTokens > 0);
  }

  // A GPU copies while its caller goes on: bytes are there when the engine or a step reads them.
  void copiesMayBeLate_data() {
    QTest::addColumn<int>("host");
    QTest::addColumn<int>("disk");
    QTest::newRow("memory") << 100 << 0;
    QTest::newRow("memory, then the file") << 2 << 100;
    QTest::newRow("the file") << 0 << 100;
  }
  void copiesMayBeLate() {
    QFETCH(int, host);
    QFETCH(int, disk);
    QTemporaryDir folder;
    const auto most = std::make_shared<std::size_t>(0);
    Run run(swapOptions(host, disk, folder.path().toStdString()), SwapFile::Name::kNone,
            std::make_unique<test::LateCopies>(makeCpuBackend(1), most));
    QVERIFY(run.finish() == m_expected);
    QVERIFY(run.count<BlockSwappedIn>() > 0);
    QCOMPARE(run.count<SwapFailed>(), 0);
    QCOMPARE(run.computedAgain(), 0);
    QVERIFY(host < 100 || *most > 1);
  }

  void aStepPublishesWhatItMoved() {
    QTemporaryDir folder;
    Run run(swapOptions(2, 100, folder.path().toStdString()));
    QVERIFY(run.finish() == m_expected);
    std::int64_t out = 0, demoted = 0, in = 0;
    for (const auto& e : run.watch.log.of<StepSwapped>()) {
      out += e.outBytes, demoted += e.demotedBytes, in += e.inBytes;
      QVERIFY(e.hostBlocks <= 2 && e.diskBlocks <= 100 && e.ns > 0);
    }
    QCOMPARE(out, run.count<BlockSwappedOut>() * kTinyBlockBytes);
    QCOMPARE(demoted, run.count<BlockDemoted>() * kTinyBlockBytes);
    QCOMPARE(in, run.count<BlockSwappedIn>() * kTinyBlockBytes);
    QVERIFY(demoted > 0 && in > 0);
    QCOMPARE(run.watch.log.of<StepSwapped>().back().hostBlocks, 0);
    QCOMPARE(run.watch.log.of<StepSwapped>().back().diskBlocks, 0);
    const EngineLoaded& loaded = run.engine->description();
    QVERIFY(loaded.options.preemption == Preemption::kSwap && loaded.hostSwapBlocks == 2 &&
            loaded.diskSwapBlocks == 100);
  }

  void withoutRoomItIsRecompute() {
    Run run(swapOptions(1, 0, {}));
    QVERIFY(run.finish() == m_expected);
    int noRoom = 0;
    for (const auto& e : run.watch.log.of<SequencePreempted>()) {
      if (e.cause != PreemptionCause::kNoRoom) continue;
      ++noRoom;
      QVERIFY(e.how == Preemption::kRecompute && e.swapBlocks > e.swapRoom && e.lostTokens > 0);
    }
    QVERIFY(noRoom > 0);
    QCOMPARE(run.count<SwapFailed>(), 0);
  }

  // Blocks that the prefix index still knows are hit, and not read.
  void whatIsStillInThePoolIsNotReadBack() {
    EngineOptions options = swapOptions(100, 0, {});
    options.prefixCache = true;
    Run run(options);
    QVERIFY(run.finish() == m_expected);
    int hits = 0;
    for (const auto& e : run.watch.log.of<SequenceAdmitted>())
      if (e.resumed && e.cachedTokens > 0) ++hits;
    QVERIFY(hits > 0 && run.count<BlockSwappedIn>() < run.count<BlockSwappedOut>());
    QCOMPARE(run.computedAgain(), 0);
  }

  void aDiskThatFails_data() {
    QTest::addColumn<int>("how");
    QTest::newRow("flipped bytes") << 0;
    QTest::newRow("truncated") << 1;
    QTest::newRow("emptied") << 2;
    QTest::newRow("removed") << 3;
  }
  void aDiskThatFails() {
    QFETCH(int, how);
    int failures = 0, recomputed = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
      QTemporaryDir folder;
      Run run(swapOptions(1, 100, folder.path().toStdString()), SwapFile::Name::kVisible);
      std::mt19937 random(seed);
      const Answers answers = run.finish([&] {
        for (const std::string& file : filesIn(folder)) damage(file, how, random);
      });
      if (QTest::currentTestFailed()) return;
      QVERIFY2(answers == m_expected, qPrintable(QString("seed %1").arg(seed)));
      failures += run.count<SwapFailed>();
      recomputed += run.computedAgain();
      for (const auto& e : run.watch.log.of<SwapFailed>())
        QVERIFY(e.code == "file_corrupt" && e.move == SwapMove::kIn && !e.message.empty() && !e.hint.empty());
    }
    // A file that is only nameless goes on as if nothing had happened.
    QCOMPARE(failures > 0, how != 3);
    QCOMPARE(recomputed > 0, how != 3);
  }

  void aDiskThatCannotBeWritten_data() {
    QTest::addColumn<bool>("full");
    QTest::newRow("full disk") << true;
    QTest::newRow("unwritable folder") << false;
  }
  void aDiskThatCannotBeWritten() {
    QFETCH(bool, full);
    QTemporaryDir folder;
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{static_cast<rlim_t>(4096 + 3 * kTinyBlockBytes), before.rlim_max};
    if (full) ::setrlimit(RLIMIT_FSIZE, &small);
    Run run(swapOptions(0, 100, full ? folder.path().toStdString() : "/dev/null/nowhere"));
    const Answers answers = run.finish();
    ::setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(answers == m_expected);
    QVERIFY(run.count<SwapFailed>() > 0);
    QVERIFY(run.computedAgain() > 0);
    for (const auto& e : run.watch.log.of<SwapFailed>())
      QVERIFY(e.code == "io" && e.move == SwapMove::kOut && !e.message.empty() && !e.hint.empty());
    const auto recomputed = [](const SequencePreempted& e) { return e.cause == PreemptionCause::kFailed; };
    QVERIFY(std::ranges::any_of(run.watch.log.of<SequencePreempted>(), recomputed));
  }

  // A prompt longer than what a step may compute, lost on its way back: it waits for a step of its own again.
  void lostWithoutChunkedPrefill() {
    QTemporaryDir folder;
    EngineOptions options = swapOptions(0, 100, folder.path().toStdString());
    options.chunkedPrefill = false;
    Run run(options, SwapFile::Name::kVisible);
    std::mt19937 random(1);
    QVERIFY(run.finish([&] {
      for (const std::string& file : filesIn(folder)) damage(file, 2, random);
    }) == m_expected);
    QVERIFY(run.count<SwapFailed>() > 0);
    for (const auto& e : run.watch.log.of<StepPlanned>())
      QVERIFY(e.decodeTokens + e.prefillTokens <= e.tokenBudget || e.sequences == 1);
  }

  void whatASwappedSequenceHoldsGoesWithIt() {
    QTemporaryDir folder;
    {
      Run run(swapOptions(1, 100, folder.path().toStdString()), SwapFile::Name::kVisible);
      while (run.count<BlockDemoted>() == 0) run.step();
      QCOMPARE(filesIn(folder).size(), std::size_t{1});
      for (RequestId id : run.ids) run.engine->cancel(id);
      const MachineState state = run.engine->snapshot();
      for (const auto& [id, sequence] : state.sequences) QVERIFY(sequence.swapped.empty());
      QVERIFY(state == run.watch.replay.state);
    }
    QVERIFY(filesIn(folder).empty());
  }

  void budgetsThatHoldNothingAreRefused() {
    Watch watch;
    const auto refused = [&](std::int64_t host, std::int64_t disk) {
      EngineOptions options = swapOptions(0, 0, {});
      options.hostSwapBytes = host;
      options.diskSwapBytes = disk;
      try {
        tinyModel().engine(options, watch);
      } catch (const EngineError& error) {
        return error.code() == ErrorCode::kInvalidArgument && !error.hint().empty();
      }
      return false;
    };
    QVERIFY(refused(0, 0));
    QVERIFY(refused(kTinyBlockBytes - 1, 0));
    QVERIFY(refused(kTinyBlockBytes, kTinyBlockBytes - 1));
    QVERIFY(!refused(0, kTinyBlockBytes));
    QVERIFY(watch.log.of<EngineFailed>().empty());
  }

 private:
  static void damage(const std::string& file, int how, std::mt19937& random) {
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file));
    if (size == 0 || (how != 3 && random() % 3 != 0)) return;
    if (how == 0) {
      const int raw = ::open(file.c_str(), O_RDWR);
      for (int i = 0; i < 4; ++i) {
        const auto at = static_cast<off_t>(random() % static_cast<std::uint64_t>(size));
        unsigned char byte = 0;
        QCOMPARE(::pread(raw, &byte, 1, at), ssize_t{1});
        byte ^= static_cast<unsigned char>(1u << random() % 8);
        QCOMPARE(::pwrite(raw, &byte, 1, at), ssize_t{1});
      }
      ::close(raw);
    }
    if (how == 1)
      QCOMPARE(::truncate(file.c_str(), static_cast<off_t>(random() % static_cast<std::uint64_t>(size))), 0);
    if (how == 2) QCOMPARE(::truncate(file.c_str(), 0), 0);
    if (how == 3) QCOMPARE(::unlink(file.c_str()), 0);
  }

  Answers m_expected;
};

QTEST_APPLESS_MAIN(TestSwap)
#include "tst_swap.moc"
