// What events are called, what they are about and which are detail: derived from their descriptions.
#include "vitrine/event.h"

#include <QTest>
#include <map>
#include <set>
#include <string>

#include "events/member_count.h"

using namespace vitrine;

namespace {

Event eventOf(EventBody body) {
  Event event;
  event.body = std::move(body);
  return event;
}

struct Whole {
  int left = 0;
  std::array<int, 3> middle{};
  std::string right;
};
struct Lacking {
  int left = 0, right = 0;
};
struct Twice {
  int left = 0, right = 0;
};

}  // namespace

namespace vitrine {
VITRINE_STRUCT(Whole, "whole", field("left", &T::left), field("middle", &T::middle),
               field("right", &T::right));
VITRINE_STRUCT(Lacking, "lacking", field("left", &T::left));
VITRINE_STRUCT(Twice, "twice", field("left", &T::left), field("left", &T::right));
}  // namespace vitrine

static_assert(describesAllMembers<Whole>());
static_assert(!describesAllMembers<Lacking>(), "a member without a description is found");
static_assert(!describesAllMembers<Twice>(), "a name given twice is found");

class TestEventInfo : public QObject {
  Q_OBJECT

 private slots:
  void anEventKnowsItsNameAndKind() {
    QCOMPARE(eventName(eventOf(BlockFreed())), "block_freed");
    QVERIFY(eventKind(eventOf(BlockFreed())) == EventKind::kBlock);
    QCOMPARE(eventName(eventOf(EngineLoaded())), "engine_loaded");
    QVERIFY(eventKind(eventOf(EngineLoaded())) == EventKind::kEngine);
    QVERIFY(eventKind(eventOf(SwapFailed())) == EventKind::kSequence);
    QVERIFY(eventKind(eventOf(StepSwapped())) == EventKind::kStep);
    QVERIFY(eventKind(eventOf(BeamStep())) == EventKind::kToken);
    QVERIFY(eventKind(eventOf(AnswersRanked())) == EventKind::kRequest);
  }

  void onlyWhatIsPublishedOnRequestIsDetail() {
    std::set<std::string> detail;
    for (const EventInfo& info : allEvents())
      if (info.role == EventRole::kDetail) detail.insert(info.name);
    QCOMPARE(detail, (std::set<std::string>{"forward_measured", "launches_measured", "layer_tap",
                                            "token_candidates"}));
    QVERIFY(isDetail(eventOf(TokenCandidates())) && !isDetail(eventOf(TokenSampled())));
  }

  // The filters of the log: every kind has events.
  void everyKindHasEvents() {
    std::map<EventKind, int> events;
    for (const EventInfo& info : allEvents()) ++events[info.kind];
    QCOMPARE(events.size(), std::size_t{kEventKindCount});
    QVERIFY(events[EventKind::kBlock] >= 11 && events[EventKind::kEngine] >= 4);
  }

  void namesAreKnown() {
    for (const EventInfo& info : allEvents()) QVERIFY2(isEventName(info.name), info.name);
    QVERIFY(!isEventName("block") && !isEventName("") && !isEventName("Block_freed"));
  }
};

QTEST_APPLESS_MAIN(TestEventInfo)
#include "tst_event_info.moc"
