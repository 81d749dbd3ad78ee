// The timeline of a run has the run's figures: each step, phase, wait and computed token once, on a track
// where nothing overlaps.
#include "events/trace_bytes.h"
#include "vitrine/perfetto.h"

#include <QTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace vitrine;
using namespace vitrine::test;
using Json = nlohmann::json;

namespace {

constexpr int kScheduler = 1, kSequences = 1'000'000;

std::vector<Event> eventsOf(const std::string& trace) {
  std::vector<Event> events;
  parseTrace(trace, [&](const Event& event) { events.push_back(event); });
  return events;
}

// Of events whose times stand apart: a scripted machine takes none.
std::vector<Event> goodEvents() {
  std::vector<Event> events = eventsOf(goodTrace());
  std::int64_t now = 0, phaseBegan = 0;
  std::array<std::int64_t, kPhaseCount> phaseNs{};
  int open = -1;
  for (Event& event : events) {
    event.timeNs = now += 1 + event.number % 1777;
    const auto close = [&] {
      if (open >= 0) phaseNs[static_cast<std::size_t>(open)] += now - phaseBegan;
      phaseBegan = now;
    };
    if (isA<StepStarted>(event)) phaseNs.fill(0), open = -1;
    if (const auto* phase = bodyOf<PhaseStarted>(event)) close(), open = static_cast<int>(phase->phase);
    if (const auto* finished = bodyOf<StepFinished>(event)) {
      close();
      open = -1;
      StepFinished body = *finished;
      body.phaseNs = phaseNs;
      event.body = body;
    }
  }
  return events;
}

Json timelineOf(const std::vector<Event>& events) {
  QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath("t.json").toStdString();
  PerfettoWriter writer(file);
  for (const Event& event : events) writer.add(event);
  writer.finish();
  return Json::parse(bytesOf(file)).at("traceEvents");
}

std::int64_t nsOf(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1000); }

struct Slice {
  std::int64_t begin, end;
  std::string name;
  Json arguments;
};
// By process and track, in the order of their beginnings.
std::map<std::pair<int, int>, std::vector<Slice>> slicesOf(const Json& timeline) {
  std::map<std::pair<int, int>, std::vector<Slice>> tracks;
  for (const Json& event : timeline)
    if (event.at("ph") == "X") {
      const std::int64_t begin = nsOf(event.at("ts"));
      tracks[{event.at("pid"), event.at("tid")}].push_back(
          {begin, begin + nsOf(event.at("dur")), event.at("name"), event.at("args")});
    }
  for (auto& [track, slices] : tracks) std::ranges::stable_sort(slices, {}, &Slice::begin);
  return tracks;
}

}  // namespace

class TestPerfetto : public QObject {
  Q_OBJECT

 private slots:
  void stepsAndPhases() {
    const std::vector<Event> events = goodEvents();
    const Json timeline = timelineOf(events);
    auto tracks = slicesOf(timeline);
    std::vector<const StepFinished*> finished;
    for (const Event& event : events)
      if (const auto* step = bodyOf<StepFinished>(event)) finished.push_back(step);
    QVERIFY(finished.size() > 100);
    const std::vector<Slice>& steps = tracks[{kScheduler, 1}];
    QCOMPARE(steps.size(), finished.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      QCOMPARE(steps[i].arguments.at("tokens").get<int>(), finished[i]->tokens);
      QCOMPARE(steps[i].arguments.at("sampled").get<int>(), finished[i]->sampled);
    }
    for (int phase = 0; phase < kPhaseCount; ++phase) {
      std::int64_t expected = 0, found = 0;
      for (const StepFinished* step : finished) expected += step->phaseNs[static_cast<std::size_t>(phase)];
      for (const Slice& slice : tracks[{kScheduler, 2 + phase}]) {
        found += slice.end - slice.begin;
        QCOMPARE(slice.name, std::string(nameOf(Phase(phase))));
      }
      QCOMPARE(found, expected);
    }
    // Counters at each step's end.
    std::vector<int> freeBlocks;
    for (const Json& event : timeline)
      if (event.at("ph") == "C" && event.at("name") == "KV blocks")
        freeBlocks.push_back(event.at("args").at("free"));
    QCOMPARE(freeBlocks.size(), finished.size());
    for (std::size_t i = 0; i < freeBlocks.size(); ++i) QCOMPARE(freeBlocks[i], finished[i]->freeBlocks);
  }

  void sequences() {
    const std::vector<Event> events = goodEvents();
    std::map<SequenceId, std::int64_t> waited, since;
    std::map<SequenceId, int> computed, preemptions, finishes;
    std::map<SequenceId, SequenceScheduled> planned;
    for (const Event& event : events) {
      const auto endWait = [&](SequenceId sequence) {
        if (since.contains(sequence)) waited[sequence] += event.timeNs - since[sequence];
        since.erase(sequence);
      };
      if (const auto* submitted = bodyOf<RequestSubmitted>(event))
        since[submitted->firstSequence] = event.timeNs;
      if (const auto* admitted = bodyOf<SequenceAdmitted>(event)) endWait(admitted->sequence);
      if (const auto* ended = bodyOf<SequenceFinished>(event)) {
        endWait(ended->sequence);
        ++finishes[ended->sequence];
      }
      if (const auto* preempted = bodyOf<SequencePreempted>(event)) {
        since[preempted->sequence] = event.timeNs;
        ++preemptions[preempted->sequence];
        planned.erase(preempted->sequence);
      }
      if (isA<StepStarted>(event)) planned.clear();
      if (const auto* scheduled = bodyOf<SequenceScheduled>(event)) planned[scheduled->sequence] = *scheduled;
      if (isA<StepFinished>(event))
        for (const auto& [sequence, work] : planned) computed[sequence] += work.tokens;
    }
    QVERIFY(!preemptions.empty() && computed.size() > 20);
    const Json timeline = timelineOf(events);
    for (const auto& [track, slices] : slicesOf(timeline)) {
      if (track.first != kSequences) continue;
      std::int64_t waits = 0;
      int tokens = 0, preempted = 0;
      for (const Slice& slice : slices) {
        if (slice.name == "waits" || slice.name == "preempted") waits += slice.end - slice.begin;
        if (slice.name == "preempted") ++preempted;
        if (slice.name == "prefill" || slice.name == "decode")
          tokens += slice.arguments.at("tokens").get<int>();
      }
      QCOMPARE(waits, waited[track.second]);
      QCOMPARE(tokens, computed[track.second]);
      QCOMPARE(preempted, preemptions[track.second]);
      computed.erase(track.second);
    }
    QVERIFY(std::ranges::all_of(computed, [](const auto& left) { return left.second == 0; }));
    for (const Json& event : timeline)
      if (event.at("ph") == "i") --finishes[event.at("tid")];
    QVERIFY(std::ranges::all_of(finishes, [](const auto& left) { return left.second == 0; }));
  }

  // A forked sequence's first token too, which comes from its parent's forward.
  void sampledTokens() {
    const std::vector<Event> events = goodEvents();
    std::map<int, std::pair<int, std::string>> expected, found;
    int forks = 0;
    for (const Event& event : events) {
      if (isA<SequenceForked>(event)) ++forks;
      if (const auto* token = bodyOf<TokenSampled>(event)) {
        auto& [tokens, text] = expected[token->sequence];
        ++tokens;
        text += token->text;
      }
    }
    QVERIFY(forks > 0);
    for (const auto& [track, slices] : slicesOf(timelineOf(events)))
      for (const Slice& slice : slices)
        if (track.first == kSequences && slice.arguments.contains("sampled")) {
          auto& [tokens, text] = found[track.second];
          tokens += slice.arguments.at("sampled").get<int>();
          text += slice.arguments.at("text").get<std::string>();
        }
    QVERIFY(found == expected);
  }

  void nothingOverlaps() {
    for (const auto& [track, slices] : slicesOf(timelineOf(goodEvents())))
      for (std::size_t i = 1; i < slices.size(); ++i)
        QVERIFY2(
            slices[i].begin >= slices[i - 1].end,
            (slices[i - 1].name + " and " + slices[i].name + " on " + std::to_string(track.second)).c_str());
  }

  // A run may be cut anywhere, and names may be anything.
  void anyBeginning() {
    std::vector<Event> events = goodEvents();
    for (Event& event : events)
      if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
        RequestSubmitted body = *submitted;
        body.asked.name = "\"a\\\n\xFF";
        event.body = body;
      }
    for (std::size_t count = 0; count < 400; count += 7) {
      const Json timeline = timelineOf({events.begin(), events.begin() + std::ptrdiff_t(count)});
      for (const auto& [track, slices] : slicesOf(timeline))
        for (const Slice& slice : slices) QVERIFY(slice.end >= slice.begin);
    }
  }

  void noPlaceToWrite() { QVERIFY_EXCEPTION_THROWN(PerfettoWriter("/nowhere/t.json"), EngineError); }
};

QTEST_APPLESS_MAIN(TestPerfetto)
#include "tst_perfetto.moc"
