// A full queue drops detail alone, and its numbers still account for every event.
#include "vitrine/event_sink.h"

#include <QTest>
#include <thread>

using namespace vitrine;

namespace {

Event detail(std::int64_t number) {
  Event event;
  event.number = number;
  event.body = LayerTap{1, 0, 0, 1.0f};
  return event;
}

Event lifecycle(std::int64_t number) {
  Event event;
  event.number = number;
  event.body = BlockFreed{0, 1, 0};
  return event;
}

std::int64_t droppedBy(const Event& event) {
  const EventsDropped* dropped = std::get_if<EventsDropped>(&event.body);
  return dropped == nullptr ? 0 : dropped->details;
}

}  // namespace

class TestEventQueue : public QObject {
  Q_OBJECT

 private slots:
  void keepsTheOrderAndAppends() {
    EventQueue queue;
    queue.publish(lifecycle(0));
    queue.publish(detail(1));
    std::vector<Event> events = {lifecycle(-1)};
    QCOMPARE(queue.drain(events), std::size_t{2});
    QCOMPARE(queue.drain(events), std::size_t{0});
    QCOMPARE(static_cast<int>(events.size()), 3);
    QVERIFY(isDetail(events[2]) && !isDetail(events[1]));
  }

  void dropsDetailButNeverLifecycle() {
    EventQueue queue(3);
    for (std::int64_t number = 0; number < 3; ++number) queue.publish(detail(number));
    queue.publish(detail(3));
    queue.publish(detail(4));
    queue.publish(lifecycle(5));
    queue.publish(detail(6));
    queue.publish(lifecycle(7));
    std::vector<Event> events;
    queue.drain(events);
    QCOMPARE(static_cast<int>(events.size()), 7);
    QCOMPARE(events[3].number, std::int64_t{3});
    QCOMPARE(droppedBy(events[3]), std::int64_t{2});
    QCOMPARE(events[4].number, std::int64_t{5});
    QCOMPARE(events[5].number, std::int64_t{6});
    QCOMPARE(droppedBy(events[5]), std::int64_t{1});
    QVERIFY(!isDetail(events[6]));
    queue.publish(detail(8));  // drained, so there is room again
    queue.drain(events);
    QVERIFY(isDetail(events.back()));
  }

  void aZeroCapacityDropsEveryDetail() {
    EventQueue queue(0);
    for (std::int64_t number = 0; number < 10; ++number) queue.publish(detail(number));
    std::vector<Event> events;
    queue.drain(events);
    QCOMPARE(static_cast<int>(events.size()), 1);
    QCOMPARE(droppedBy(events[0]), std::int64_t{10});
  }

  void numbersAccountForEveryEventAcrossThreads() {
    constexpr std::int64_t kEvents = 200000;
    EventQueue queue(64);
    std::thread writer([&] {
      for (std::int64_t number = 0; number < kEvents; ++number)
        queue.publish(number % 3 == 0 ? lifecycle(number) : detail(number));
    });
    std::int64_t next = 0, lifecycles = 0;
    std::vector<Event> events;
    while (next < kEvents) {
      events.clear();
      queue.drain(events);
      for (const Event& event : events) {
        if (event.number != next) next = kEvents + 1;  // a gap: leave both loops and fail below
        next += std::max<std::int64_t>(1, droppedBy(event));
        lifecycles += !isDetail(event) && droppedBy(event) == 0 ? 1 : 0;
      }
      std::this_thread::yield();
    }
    writer.join();
    QCOMPARE(next, kEvents);
    QCOMPARE(lifecycles, (kEvents + 2) / 3);
  }
};

QTEST_APPLESS_MAIN(TestEventQueue)
#include "tst_event_queue.moc"
