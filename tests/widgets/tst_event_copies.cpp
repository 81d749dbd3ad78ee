// An event on its way from the engine's stream to the window's models: the queue makes the one copy, and the
// recording keeps it. The models read it there.
//
// VITRINE_EVENT_RATE=1 prints how many events per second the queue and the session take.
#include <QElapsedTimer>
#include <QTest>
#include <type_traits>

#include "support/allocations.h"
#include "support/scripted_machine.h"
#include "widgets/explain/event_log_model.h"
#include "widgets/explain/why_model.h"
#include "widgets/memory/block_map_model.h"
#include "widgets/plots/metrics_model.h"
#include "widgets/requests/lane_model.h"
#include "widgets/requests/request_list_model.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;

namespace {

constexpr int kEvents = 500, kPromptTokens = 9;
constexpr std::size_t kJudgements = 1013, kBytes = kJudgements * sizeof(DraftJudgement);

// Nothing else in a process allocates exactly so many bytes, so each such allocation is a copy of the body.
int copies = 0;

bool countCopies(std::size_t bytes, test::NewForm) {
  copies += bytes == kBytes ? 1 : 0;
  return true;
}

// An event that owns memory, and that no state keeps a part of.
DraftVerified heavyEvent() { return {1, kPromptTokens, 0, std::vector<DraftJudgement>(kJudgements)}; }

// The session, with the models and views of the window that read events.
struct Readers {
  Session session;
  BlockMapModel blocks{&session};
  EventLogModel log{&session};
  LaneModel lanes{&session};
  MetricsModel metrics{&session};
  RequestListModel requests{&session};
  WhyModel why{&session};
  TimeAxisModel timeAxis{&session};
  TimeAxisView timeline{&timeAxis};

  void take(EventQueue& queue) {
    std::vector<Event> batch;
    queue.drain(batch);
    session.append(std::move(batch));
    events += session.stepEvents().size();
  }
  std::size_t events = 0;
};

SchedulerOptions roomyPool() {
  SchedulerOptions options;
  options.numBlocks = 6000;
  options.blockSize = 4;
  return options;
}

}  // namespace

class TestEventCopies : public QObject {
  Q_OBJECT

 private slots:
  void anEventIsCopiedOnce() {
    static_assert(std::is_nothrow_move_constructible_v<Event>, "a growing vector moves its events");
    Readers readers;
    EventQueue queue;
    ScriptedMachine machine(roomyPool(), queue);
    machine.submit(std::vector<TokenId>(kPromptTokens, 1), 8);
    machine.beginStep();
    readers.take(queue);
    std::vector<DraftVerified> bodies(kEvents, heavyEvent());
    copies = 0;
    test::allocationRule = countCopies;
    for (int i = 0; i < kEvents; ++i) {
      machine.say(std::move(bodies[static_cast<std::size_t>(i)]), Phase::kSample);
      if (i % 100 == 99) readers.take(queue);
    }
    machine.endStep();
    readers.take(queue);
    test::allocationRule = nullptr;
    QCOMPARE(readers.session.lastStep(), 1);
    QVERIFY(readers.events > kEvents);
    QCOMPARE(copies, kEvents);
  }

  // Neither where the recording puts a chunk away in the middle of a batch.
  void aChunksEndCopiesNothingMore() {
    Readers readers;
    EventQueue queue;
    ScriptedMachine machine(roomyPool(), queue);
    machine.submit(std::vector<TokenId>(kPromptTokens, 1), 200);
    std::vector<DraftVerified> bodies(3 * Recording::kSnapshotInterval, heavyEvent());
    copies = 0;
    test::allocationRule = countCopies;
    std::size_t heard = 0;
    connect(&readers.session, &Session::appended, this, [&](EventBatch events) {
      for (const Event& event : events) heard += isA<DraftVerified>(event) ? 1 : 0;
    });
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      machine.beginStep();
      bodies[i].firstPosition += static_cast<int>(i);  // one token a step
      machine.say(std::move(bodies[i]), Phase::kSample);
      machine.endStep();
    }
    readers.take(queue);
    test::allocationRule = nullptr;
    QCOMPARE(readers.session.lastStep(), static_cast<int>(bodies.size()));
    QCOMPARE(heard, bodies.size());
    QCOMPARE(copies, static_cast<int>(bodies.size()));
  }

  void rate() {
    if (!qEnvironmentVariableIsSet("VITRINE_EVENT_RATE")) QSKIP("Set VITRINE_EVENT_RATE to measure.");
    for (const bool withReaders : {false, true}) {
      double best = 0;
      for (int round = 0; round < 5; ++round) {
        EventQueue written, queue;
        ScriptedMachine machine(roomyPool(), written);
        for (int i = 0; i < 8; ++i) machine.submit(std::vector<TokenId>(kPromptTokens, 1), 2000);
        for (int i = 0; i < 2000 && machine.hasWork(); ++i) machine.step();
        std::vector<Event> events;
        written.drain(events);
        const auto readers = withReaders ? std::make_unique<Readers>() : nullptr;
        Session alone;
        QElapsedTimer clock;
        clock.start();
        for (std::size_t i = 0; i < events.size(); ++i) {
          queue.publish(events[i]);
          if (i % 500 != 499 && i + 1 != events.size()) continue;
          if (readers) {
            readers->take(queue);
          } else {
            std::vector<Event> batch;
            queue.drain(batch);
            alone.append(std::move(batch));
          }
        }
        best = std::max(best,
                        static_cast<double>(events.size()) * 1e9 / static_cast<double>(clock.nsecsElapsed()));
      }
      qInfo("%.0f events/s %s", best, withReaders ? "with models" : "into a session alone");
    }
  }
};

QTEST_MAIN(TestEventCopies)
#include "tst_event_copies.moc"
