// What differs between two steps, against a naive comparison of the states' JSON: random workloads of whole
// engines, random pairs of steps. Then the rows that programs show.
#include "events/state_json.h"
#include "support/random_workload.h"
#include "vitrine/prose/difference_words.h"
#include "vitrine/recording.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>
#include <set>

using namespace vitrine;

namespace {

void record(const TinyModel& model, std::uint32_t seed, Recording& recording) {
  Workload workload(seed, 0);
  if (workload.options.speculation.drafter == DraftMethod::kModel)
    workload.options.speculation.drafter = DraftMethod::kEarlyExit;
  EngineParts parts = model.parts(tinyBackend(workload.options), storageFor(workload.options, DType::kF32));
  std::int64_t now = 0;
  parts.clock = [&now] { return now; };
  EventLog log;
  const auto engine = assembleEngine(std::move(parts), workload.options, log);
  for (int step = 0; step < 12 || engine->hasWork(); ++step) {
    QVERIFY2(step < 3000, "no end");
    workload.begin(*engine, step);
    now += 1'000'000;
    engine->step();
  }
  for (Event& event : log.events) recording.append(std::move(event));
}

// The fields whose JSON differs, by the names that the difference has for them.
template <typename Value>
std::set<std::string> differingFields(const Value& before, const Value& after) {
  std::set<std::string> names;
  const JsonOut one = toJson(before), other = toJson(after);
  for (const auto& [key, value] : other.items())
    if (one.at(key) != value) names.insert(key == "finish_reason" ? "status" : key);
  return names;
}

template <typename Value, typename Id, typename Change>
void compareValues(const std::map<Id, Value>& before, const std::map<Id, Value>& after,
                   const std::vector<Change>& changes, Id Change::*idOf, const std::string& whole) {
  std::map<Id, std::set<std::string>> said;
  for (const Change& change : changes)
    QVERIFY2(said[change.*idOf].insert(nameOf(change.field)).second, "a field twice");
  for (const auto& [id, value] : after) {
    const auto was = before.find(id);
    std::set<std::string> wanted = differingFields(was == before.end() ? Value() : was->second, value);
    if (was == before.end()) wanted.insert(whole);
    // What a sequence and a request are made with, and what accompanies another field or lives within a step.
    for (const char* fixed :
         {"id", "request", "index", "prompt_tokens", "draft", "block_starts", "name", "prompt", "max_tokens",
          "sequences", "priority", "deadline_ms", "beam_width", "submitted_ns", "given_tokens"})
      wanted.erase(fixed);
    if (wanted.erase("first_token_ns") > 0) wanted.insert("first_token");
    QCOMPARE(said[id], wanted);
    said.erase(id);
  }
  for (const auto& [id, value] : before) {
    if (after.contains(id)) continue;
    QCOMPARE(said[id], std::set<std::string>{whole});
    said.erase(id);
  }
  for (const auto& [id, fields] : said) QVERIFY2(fields.empty(), "a change of nothing");
}

SequenceId firstHolder(const MachineState& state, BlockId block) {
  for (const auto& [id, sequence] : state.sequences)
    if (std::ranges::count(sequence.blockTable, block) > 0) return id;
  return 0;
}

// Each block is in a range exactly when it differs, with its own uses.
void compareBlocks(const MachineState& before, const MachineState& after,
                   const std::vector<BlockRangeChange>& changes) {
  std::map<BlockId, const BlockRangeChange*> said;
  for (const BlockRangeChange& change : changes)
    for (BlockId block = change.first; block <= change.last; ++block)
      QVERIFY2(said.emplace(block, &change).second, "a block twice");
  for (std::size_t i = 0; i < after.blocks.size(); ++i) {
    const auto id = static_cast<BlockId>(i);
    const BlockState &was = before.blocks[i], &is = after.blocks[i];
    const SequenceId owned = firstHolder(before, id), owns = firstHolder(after, id);
    const bool other = was.cached && is.cached && was.hash != is.hash;
    const bool differs = other || was.refCount != is.refCount || was.filled != is.filled ||
                         was.cached != is.cached || owned != owns;
    QCOMPARE(said.contains(id), differs);
    if (!differs) continue;
    const BlockRangeChange& change = *said[id];
    QCOMPARE(change.rewritten, other);
    QVERIFY((change.before == BlockUse{was.refCount, owned, was.filled, was.cached}));
    QVERIFY((change.after == BlockUse{is.refCount, owns, is.filled, is.cached}));
  }
  for (std::size_t i = 1; i < changes.size(); ++i)  // neighbours that changed alike are one range
    QVERIFY(changes[i - 1].last + 1 < changes[i].first || changes[i - 1].before != changes[i].before ||
            changes[i - 1].after != changes[i].after || changes[i - 1].rewritten != changes[i].rewritten);
}

}  // namespace

class TestStateDifference : public QObject {
  Q_OBJECT

 private slots:
  void equalsANaiveComparison() {
    const TinyModel model(tinyConfig(96));
    std::mt19937 random(7);
    for (std::uint32_t seed = 1; seed <= 120; ++seed) {
      Recording recording;
      record(model, seed, recording);
      for (int pair = 0; pair < 12; ++pair) {
        const auto draw = [&] {
          return static_cast<int>(random() % static_cast<unsigned>(recording.lastFinishedStep() + 1));
        };
        const int one = draw(),
                  other = pair % 3 == 0 ? std::min(one + 1, recording.lastFinishedStep()) : draw();
        compare(recording.stateAt(std::min(one, other)), recording.stateAt(std::max(one, other)));
        if (QTest::currentTestFailed())
          QFAIL(qPrintable(QString("workload %1, steps %2 and %3").arg(seed).arg(one).arg(other)));
      }
    }
    for (const auto& [field, count] : m_seen) qInfo("%s: %d", field.c_str(), count);
    for (const char* field : Names<SequenceField>::list)
      if (std::string(field) != "text")
        QVERIFY2(m_seen[field] > 0, field);  // the tiny model has no tokenizer
    for (const char* field : Names<RequestField>::list) QVERIFY2(m_seen[field] > 0, field);
    QVERIFY(m_seen["free_queue"] > 0 && m_seen["running"] > 0 && m_seen["waiting"] > 0);
    QVERIFY(m_seen["cached_blocks"] > 0 && m_seen["shared_blocks"] > 0 && m_seen["rewritten"] > 0);
  }

  void textIsCutBetweenCharacters() {
    MachineState before, after;
    before.sequences[1].id = after.sequences[1].id = 1;
    before.sequences[1].text = "a small caf\xc3\xa9";  // é and è share their first byte
    after.sequences[1].text = "a small caf\xc3\xa8 noir";
    const StateDifference difference = differenceBetween(before, after);
    QCOMPARE(difference.sequences, (std::vector<SequenceChange>{{1, SequenceField::kText, 11}}));
    const auto rows = prose::differenceRows(difference, before, after);
    QCOMPARE(rows.size(), std::size_t{1});
    QCOMPARE(rows[0].before, std::string("a␣small␣café"));
    QCOMPARE(rows[0].after, std::string("a␣small␣cafè␣noir"));
  }

 private:
  void compare(const MachineState& before, const MachineState& after) {
    QVERIFY(differenceBetween(before, before).isEmpty());
    const StateDifference difference = differenceBetween(before, after);
    compareValues(before.sequences, after.sequences, difference.sequences, &SequenceChange::sequence,
                  "status");
    compareValues(before.requests, after.requests, difference.requests, &RequestChange::request, "presence");
    compareBlocks(before, after, difference.blocks);
    std::set<std::string> machine;
    for (const MachineChange& change : difference.machine) machine.insert(nameOf(change.field));
    QCOMPARE(machine.contains("free_queue"), before.freeQueue.ids() != after.freeQueue.ids());
    QCOMPARE(machine.contains("running"), before.running != after.running);
    QCOMPARE(machine.contains("waiting"), before.waiting != after.waiting);
    for (const std::string& field : machine) ++m_seen[field];
    for (const SequenceChange& change : difference.sequences) ++m_seen[nameOf(change.field)];
    for (const RequestChange& change : difference.requests) ++m_seen[nameOf(change.field)];
    for (const BlockRangeChange& change : difference.blocks) m_seen["rewritten"] += change.rewritten ? 1 : 0;
    compareRows(difference, before, after);
  }

  // One row for each change, and none that says the same of both steps.
  void compareRows(const StateDifference& difference, const MachineState& before, const MachineState& after) {
    const auto rows = prose::differenceRows(difference, before, after);
    QCOMPARE(rows.size(), difference.machine.size() + difference.requests.size() +
                              difference.sequences.size() + difference.blocks.size());
    for (const prose::DifferenceRow& row : rows) {
      const std::string line = row.subject + ", " + row.what + ": " + row.before + " -> " + row.after;
      QVERIFY2(!row.subject.empty() && !row.what.empty() && !row.after.empty(), line.c_str());
      QVERIFY2(row.before != row.after, line.c_str());
    }
  }

  std::map<std::string, int> m_seen;
};

QTEST_APPLESS_MAIN(TestStateDifference)
#include "tst_state_difference.moc"
