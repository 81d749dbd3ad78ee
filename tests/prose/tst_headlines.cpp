// The headline of every step of random workloads: its event is in the step, its kind is the first by rank of
// what happened, it is short, and its links stand in it. Preemption, swapping, beams, drafts, evicting
// contexts, cancellations and failing swap files come in every mixture.
#include "support/event_log.h"
#include "support/random_workload.h"
#include "vitrine/prose/headline.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>

using namespace vitrine;
using prose::Headline;
using prose::HeadlineKind;

namespace {

// By another way than the headline's own: what a single event would be the headline of.
HeadlineKind kindOf(const Event& event) {
  if (isA<EngineFailed>(event) || isA<SwapFailed>(event)) return HeadlineKind::kFailure;
  if (isA<SequencePreempted>(event)) return HeadlineKind::kPreemption;
  if (isA<ContextEvicted>(event) || isA<BlockEvicted>(event)) return HeadlineKind::kEviction;
  if (isA<PrefixMissed>(event)) return HeadlineKind::kMiss;
  if (isA<RequestRejected>(event)) return HeadlineKind::kRejection;
  if (isA<SequenceAdmitted>(event)) return HeadlineKind::kAdmission;
  if (isA<SequenceWaiting>(event)) return HeadlineKind::kWaiting;
  if (isA<SequenceFinished>(event)) return HeadlineKind::kCompletion;
  if (isA<SequenceScheduled>(event) || isA<TokenSampled>(event) || isA<BeamStep>(event))
    return HeadlineKind::kWork;
  return HeadlineKind::kNothing;
}

std::string play(const TinyModel& model, std::uint32_t seed, EventLog& log) {
  Workload workload(seed, 0);
  static const TinyModel other(tinyConfig(40), 6);
  EngineParts parts = model.parts(tinyBackend(workload.options), storageFor(workload.options, DType::kF32));
  const TinyModel& drafts = workload.draftsLikeTheModel ? model : other;
  parts.draftDecoder = std::make_unique<Decoder>(*parts.backend, drafts.config, drafts.weights, DType::kF32);
  std::int64_t now = 0;
  parts.clock = [&now] { return now; };
  const auto engine = assembleEngine(std::move(parts), workload.options, log);
  int step = 0;
  for (; step < 12 || engine->hasWork(); ++step) {
    if (step == 3000) return "no end";
    workload.begin(*engine, step);
    now += 1'000'000;
    engine->step();
  }
  return {};
}

}  // namespace

class TestHeadlines : public QObject {
  Q_OBJECT

 private slots:
  void everyStepOfRandomWorkloads() {
    const TinyModel model(tinyConfig(96));
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
      EventLog log;
      const std::string trouble = play(model, seed, log);
      QVERIFY2(trouble.empty(), trouble.c_str());
      readAll(log.events);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1").arg(seed)));
    }
    QVERIFY(m_steps >= 500);
    // The workloads are hard enough: each of these was the headline of some steps.
    for (const HeadlineKind kind :
         {HeadlineKind::kFailure, HeadlineKind::kPreemption, HeadlineKind::kEviction, HeadlineKind::kMiss,
          HeadlineKind::kRejection, HeadlineKind::kAdmission, HeadlineKind::kWaiting,
          HeadlineKind::kCompletion, HeadlineKind::kFirstToken, HeadlineKind::kWork})
      QVERIFY2(m_seen[kind] >= 10,
               qPrintable(QString("kind %1: %2").arg(static_cast<int>(kind)).arg(m_seen[kind])));
  }

 private:
  // As the window shows steps: each with what came between it and the step before.
  void readAll(const std::vector<Event>& events) {
    MachineState state;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
      state.apply(events[i]);
      if (!isA<StepFinished>(events[i])) continue;
      read(std::span(events).subspan(begin, i + 1 - begin), state);
      begin = i + 1;
    }
  }

  void read(std::span<const Event> step, const MachineState& after) {
    ++m_steps;
    static const prose::Names names{[](RequestId id) { return "r" + std::to_string(id); },
                                    [](SequenceId id) { return "s" + std::to_string(id); }};
    const std::optional<Headline> headline = prose::headlineOf(step, after, names);
    QVERIFY(headline);
    ++m_seen[headline->kind];
    const std::string& text = headline->text;
    QCOMPARE(std::ranges::count(step, headline->event, &Event::number), 1);
    QCOMPARE(prose::headlineEvent(step, after), headline->event);
    QVERIFY2(QString::fromStdString(text).size() <= prose::kMostHeadline, text.c_str());
    QVERIFY2(text.ends_with('.'), text.c_str());
    std::size_t end = 0;
    for (const prose::Link& link : headline->links) {
      QVERIFY2(link.begin >= end && link.length > 0, text.c_str());
      end = link.begin + link.length;
      QVERIFY2(end <= text.size(), text.c_str());
      QVERIFY2(!link.target.isEmpty(), text.c_str());
    }
    auto first = HeadlineKind::kNothing;
    for (const Event& event : step) first = std::min(first, kindOf(event));
    // A draft that the model rejects, a first token and an end by a failure are told by more than the event's
    // name, and may come before what the name says.
    QVERIFY2(headline->kind <= first, text.c_str());
    const bool isOfName = headline->kind == first || headline->kind == HeadlineKind::kFailure ||
                          headline->kind == HeadlineKind::kRejection ||
                          headline->kind == HeadlineKind::kFirstToken;
    QVERIFY2(isOfName, text.c_str());
  }

  int m_steps = 0;
  std::map<HeadlineKind, int> m_seen;
};

QTEST_GUILESS_MAIN(TestHeadlines)
#include "tst_headlines.moc"
