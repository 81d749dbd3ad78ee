// A step that fails in any phase: the running requests end as failed, the waiting ones get their usual
// answers, and the events still describe the machine. In one step after another the first allocation fails,
// then the second, and so on to the last.
#include "support/allocations.h"
#include "support/event_log.h"
#include "support/machine_check.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <optional>
#include <stdexcept>

namespace {

// Which allocation of this thread fails; none while `left` is below 0.
struct Shortage {
  long left = -1;
  bool lasts = false;  // it and all after it
  bool struck = false;
};
thread_local Shortage shortage;

bool mayAllocate(std::size_t, vitrine::test::NewForm) {
  if (shortage.left < 0 || shortage.left-- > 0) return true;
  shortage.struck = true;
  if (shortage.lasts) shortage.left = 0;
  return false;
}

}  // namespace

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

// A watcher has memory of its own.
class WellOffSink final : public EventSink {
 public:
  void publish(const Event& event) override {
    const Shortage kept = std::exchange(shortage, Shortage());
    replay.publish(event);
    if (const auto* failed = bodyOf<EngineFailed>(event)) failures.push_back(failed->code);
    shortage = kept;
  }
  ReplayingSink replay;
  std::vector<std::string> failures;
};

Tokens prompt(int length, TokenId first) {
  Tokens tokens;
  for (int i = 0; i < length; ++i) tokens.push_back(i < 4 ? 10 + i : first + i % 7);  // one block in common
  return tokens;
}

struct Workload {
  EngineOptions options;
  std::vector<Request> requests;
};

// More requests than the pool holds, so that some wait or are preempted in every step.
Workload workload(const std::string& kind) {
  Workload made{tinyOptions(8, 4, 12), {}};
  made.options.maxSequences = kind == "plain" ? 2 : 4;
  for (int i = 0; i < 4; ++i) made.requests.push_back(tinyRequest(prompt(5 + i, 20 + i), 7));
  made.requests[1].logprobs = 2;
  if (kind == "answers") {
    made.requests[0].sequences = 2;
    made.requests[0].bestOf = 3;
    for (Request& request : made.requests) request.sampling.temperature = 1;
  } else if (kind == "beams") {
    made.options.numBlocks = 14;
    made.requests[0].beamWidth = 3;
    made.requests[0].sequences = 2;
    made.requests[2].beamWidth = 2;
  } else if (kind == "swap") {
    made.options.preemption = Preemption::kSwap;
    made.options.hostSwapBytes = 2 * 4 * 2 * 2 * 2 * 8 * 4;  // two blocks; the rest goes on to the file
    made.options.diskSwapBytes = 1 << 16;
  } else if (kind == "ngram" || kind == "exit") {
    made.options.speculation.drafter = kind == "exit" ? DraftMethod::kEarlyExit : DraftMethod::kNgram;
    made.options.speculation.exitLayer = 1;
    made.options.speculation.ngramLength = 1;
  } else if (kind == "eviction") {
    made.options.eviction = Eviction::kSinks;
    made.options.sinkTokens = 4;
    made.options.windowTokens = 4;
    for (Request& request : made.requests) request.maxTokens = 16;
  } else if (kind == "deadline") {
    made.options.policy = Policy::kDeadline;
    made.options.agingSteps = 3;
    for (std::size_t i = 0; i < made.requests.size(); ++i)
      made.requests[i].deadlineMs = 1e6 - 100 * static_cast<double>(i);
  }
  return made;
}

class Run {
 public:
  explicit Run(const Workload& workload) : m_workload(workload) {
    m_engine = tinyModel().engine(workload.options, sink);
    for (const Request& request : workload.requests) m_ids.push_back(m_engine->submit(request));
  }

  Engine& engine() { return *m_engine; }
  std::string complaint() { return complaintAbout(*m_engine, sink.replay); }

  // One step in which the given allocation fails; false when the step made fewer.
  bool stepShortOf(long allocation, bool lasts) {
    shortage = {allocation, lasts, false};
    m_engine->step();
    return std::exchange(shortage, Shortage()).struck;
  }

  // Every request's tokens; none for one that failed.
  std::vector<std::optional<std::vector<Tokens>>> answers() {
    std::vector<std::optional<std::vector<Tokens>>> all;
    for (const RequestId id : m_ids) {
      const RequestResult result = m_engine->takeResult(id);
      auto& answer = all.emplace_back();
      if (result.sequences.front().reason == FinishReason::kFailed) continue;
      answer.emplace();
      for (const SequenceResult& one : result.sequences) answer->push_back(one.tokenIds);
    }
    return all;
  }

  WellOffSink sink;

 private:
  const Workload& m_workload;
  std::unique_ptr<Engine> m_engine;
  std::vector<RequestId> m_ids;
};

int failedOf(const auto& answers) {
  return static_cast<int>(std::ranges::count_if(answers, [](const auto& one) { return !one.has_value(); }));
}

}  // namespace

class TestFailedStep : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { test::allocationRule = mayAllocate; }

  void whatAPhaseThrowsEndsTheStepAndNotTheEngine_data() {
    QTest::addColumn<int>("phase");
    QTest::addColumn<QString>("thrown");
    QTest::addColumn<QString>("code");
    for (int phase = 0; phase < kPhaseCount; ++phase) {
      QTest::addRow("%d error", phase) << phase << "error"
                                       << "io";
      QTest::addRow("%d memory", phase) << phase << "memory"
                                        << "out_of_memory";
      QTest::addRow("%d bug", phase) << phase << "bug"
                                     << "";
    }
  }
  void whatAPhaseThrowsEndsTheStepAndNotTheEngine() {
    QFETCH(int, phase);
    QFETCH(QString, thrown);
    QFETCH(QString, code);
    const Workload work = workload("plain");
    Run untouched(work), run(work);
    untouched.engine().run();
    const auto expected = untouched.answers();
    for (int i = 0; i < 3; ++i) run.engine().step();
    run.engine().setGate([&](Phase next) {
      if (static_cast<int>(next) != phase) return;
      if (thrown == "error") throw EngineError(ErrorCode::kIo, "as the test asked", "none");
      if (thrown == "memory") throw std::bad_alloc();
      throw std::logic_error("as the test asked");
    });
    if (thrown == "bug")
      QVERIFY_EXCEPTION_THROWN(run.engine().step(), std::logic_error);
    else
      run.engine().step();
    run.engine().setGate({});
    QCOMPARE(run.complaint(), std::string());
    QVERIFY(run.engine().snapshot().running.empty());
    QVERIFY(run.engine().hasWork());
    run.engine().run();
    QCOMPARE(run.complaint(), std::string());
    QCOMPARE(run.sink.failures,
             code.isEmpty() ? std::vector<std::string>() : std::vector{code.toStdString()});
    const auto answers = run.answers();
    QVERIFY(failedOf(answers) >= 1 && failedOf(answers) < 4);
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (answers[i]) QVERIFY(answers[i] == expected[i]);
  }

  void aStepThatFailsBeforeAnythingRunsEndsTheFirstRequest() {
    const Workload work = workload("plain");
    Run run(work);
    int failures = 0;
    run.engine().setGate([&](Phase) {
      ++failures;
      throw std::bad_alloc();
    });
    run.engine().run();  // comes to an end
    QCOMPARE(failures, 4);
    QCOMPARE(failedOf(run.answers()), 4);
  }

  void eachAllocationOfEachStepMayFail_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("lasts");
    for (const char* kind : {"plain", "answers", "beams", "swap", "ngram", "exit", "eviction", "deadline"}) {
      QTest::addRow("%s, one", kind) << kind << false;
      QTest::addRow("%s, all from there", kind) << kind << true;
    }
  }
  void eachAllocationOfEachStepMayFail() {
    QFETCH(QString, kind);
    QFETCH(bool, lasts);
    const Workload work = workload(kind.toStdString());
    Run untouched(work);
    int steps = 0;
    for (; untouched.engine().hasWork(); ++steps) untouched.engine().step();
    const auto expected = untouched.answers();
    int struck = 0, failed = 0, answered = 0;
    for (int step = 0; step < steps; ++step) {
      for (long allocation = 0;; ++allocation) {
        Run run(work);
        for (int i = 0; i < step; ++i) run.engine().step();
        if (!run.stepShortOf(allocation, lasts)) break;
        ++struck;
        const std::string where = kind.toStdString() + " step " + std::to_string(step) + " allocation " +
                                  std::to_string(allocation) + ": ";
        QVERIFY2(run.complaint().empty(), (where + run.complaint()).c_str());
        run.engine().run();
        QVERIFY2(run.complaint().empty(), (where + run.complaint()).c_str());
        QCOMPARE(run.engine().snapshot().freeQueue.size(), static_cast<std::size_t>(work.options.numBlocks));
        const auto answers = run.answers();
        failed += failedOf(answers);
        for (std::size_t i = 0; i < answers.size(); ++i) {
          if (!answers[i]) continue;
          ++answered;
          QVERIFY2(answers[i] == expected[i], where.c_str());
        }
      }
    }
    qInfo("%d steps, %d failing allocations: %d requests failed, %d answered", steps, struck, failed,
          answered);
    QVERIFY(struck > steps && failed > 0 && answered > 0);
  }
};

QTEST_APPLESS_MAIN(TestFailedStep)
#include "tst_failed_step.moc"
