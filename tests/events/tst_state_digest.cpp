// One number for one state: replays and re-runs agree in it, and each part of a state changes it.
#include "vitrine/state_digest.h"

#include <QTest>
#include <functional>
#include <set>

#include "events/trace_bytes.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// A state with something in each of its parts.
MachineState richState() {
  MachineState state;
  parseTrace(goodTrace(), [&](const Event& event) {
    const bool isRich = !state.waiting.empty() && state.running.size() > 1 && !state.batch.empty() &&
                        state.freeQueue.size() > 1 && heldTokens(state) > 0;
    if (!isRich) state.apply(event);
  });
  return state;
}

}  // namespace

class TestStateDigest : public QObject {
  Q_OBJECT

 private slots:
  // A run that is computed again, at another pace, goes through the same numbers.
  void theSameRunHasTheSameNumbers() {
    const auto numbersOf = [](std::int64_t tickNs) {
      std::vector<std::uint64_t> numbers;
      EventLog log;
      ScriptedParts parts;
      parts.tickNs = tickNs;
      ScriptedMachine machine(traceOptions(), log, parts);
      MachineState replayed;
      std::size_t applied = 0;
      runRandomly(machine, 5, 40, [&] {
        for (; applied < log.events.size(); ++applied) replayed.apply(log.events[applied]);
        numbers.push_back(stateDigest(replayed));
        QCOMPARE(numbers.back(), stateDigest(machine.state()));
      });
      return numbers;
    };
    const std::vector<std::uint64_t> numbers = numbersOf(1);
    QVERIFY(numbers.size() > 40);
    QCOMPARE(numbersOf(977), numbers);
    QVERIFY(std::set(numbers.begin(), numbers.end()).size() > numbers.size() - 3);  // steps differ
  }

  void eachPartChangesTheNumber() {
    const MachineState state = richState();
    const SequenceId one = state.running.front();
    const BlockId held = state.sequences.at(one).blockTable.front();
    const std::vector<std::function<void(MachineState&)>> changes = {
        [](MachineState& s) { ++s.step; },
        [](MachineState& s) { ++s.blockSize; },
        [&](MachineState& s) { ++s.blocks[static_cast<std::size_t>(held)].filled; },
        [&](MachineState& s) { ++s.blocks[static_cast<std::size_t>(held)].refCount; },
        [&](MachineState& s) { s.blocks[static_cast<std::size_t>(held)].hash ^= 1; },
        [&](MachineState& s) { s.blocks[static_cast<std::size_t>(held)].cached ^= true; },
        [](MachineState& s) { s.blocks.emplace_back(); },
        [](MachineState& s) {
          const BlockId first = s.freeQueue.front();
          s.freeQueue.remove(first);
          s.freeQueue.pushBack(first);
        },
        [&](MachineState& s) { s.sequences.at(one).tokens.back() ^= 1; },
        [&](MachineState& s) { ++s.sequences.at(one).computedTokens; },
        [&](MachineState& s) { std::ranges::reverse(s.running); },
        [](MachineState& s) { s.waiting.pop_back(); },
        [](MachineState& s) { ++s.batch.front().tokens; },
        [](MachineState& s) { ++s.swapBlocks[0]; },
        [](MachineState& s) { ++s.requests.begin()->second.maxTokens; },
        [](MachineState& s) { s.requests.erase(s.requests.begin()); },
    };
    std::set<std::uint64_t> numbers = {stateDigest(state)};
    for (const auto& change : changes) {
      MachineState changed = state;
      change(changed);
      numbers.insert(stateDigest(changed));
    }
    QCOMPARE(numbers.size(), changes.size() + 1);
    MachineState later = state;
    later.requests.begin()->second.submittedNs += 5;
    QCOMPARE(stateDigest(later), stateDigest(state));
  }
};

QTEST_APPLESS_MAIN(TestStateDigest)
#include "tst_state_digest.moc"
