// The line at the bottom of the window: what it counts. Four answers share the blocks of their prompt, and
// each block's tokens are in the pool once.
#include <QLabel>
#include <QTest>
#include <algorithm>
#include <map>

#include "gui/bars/status_strip.h"
#include "support/word_machine.h"
#include "vitrine/state_digest.h"

using namespace vitrine;
using test::WordMachine;

namespace {

// Told by the sequences alone: how far each block of a table is filled, each block once.
int tokensInBlocks(const MachineState& state) {
  std::map<BlockId, int> filled;
  for (const auto& [id, sequence] : state.sequences)
    for (std::size_t i = 0; i < sequence.blockTable.size(); ++i) {
      const int begin = static_cast<int>(i) * state.blockSize;
      int& tokens = filled[sequence.blockTable[i]];
      tokens = std::max(tokens, std::clamp(sequence.computedTokens - begin, 0, state.blockSize));
    }
  int sum = 0;
  for (const auto& [block, tokens] : filled) sum += tokens;
  return sum;
}

}  // namespace

class TestStatusStrip : public QObject {
  Q_OBJECT

 private slots:
  void aSharedBlockCountsOnce() {
    WordMachine machine(16, 8);
    machine.submit("R1", 20, 6, 0, 4);
    Session session;
    StatusStrip strip;
    int most = 0;
    while (machine.step()) {
      session.append(machine.take());
      strip.showMachine(QStringLiteral("LIVE"), session);
      const MachineState& state = session.state();
      const int tokens = tokensInBlocks(state);
      const int used = static_cast<int>(state.blocks.size() - state.freeQueue.size());
      QVERIFY2(tokens <= used * state.blockSize, QByteArray::number(tokens));
      QCOMPARE(heldTokens(state), tokens);
      QCOMPARE(strip.digestText(),
               QStringLiteral("state %1").arg(stateDigest(state) >> 32, 8, 16, QLatin1Char('0')));
      QCOMPARE(strip.contextText(), QStringLiteral("%1 tokens in %2 of 16 blocks").arg(tokens).arg(used));
      most = std::max(most, tokens);
    }
    // 16 tokens of the prompt once, and four copies of the third block, which is full when the last token is
    // drawn.
    QCOMPARE(most, 16 + 4 * (4 + 4));
    QCOMPARE(heldTokens(session.state()), 0);
  }

  // A narrow strip leaves out the name that the tool bar says too, and no field's words are cut.
  void aFieldIsWholeOrGone() {
    WordMachine machine(16, 8);
    machine.submit("R1", 20, 6, 0, 4);
    machine.step();
    Session session;
    session.append(machine.take());
    StatusStrip strip;
    strip.showScenario(QStringLiteral("Preemption by recompute, with swap"));
    strip.showMachine(QStringLiteral("PAUSED at step 1"), session);
    const auto fieldCalled = [&](const QString& name) {
      const auto all = strip.findChildren<QLabel*>();
      return *std::ranges::find(all, name, &QLabel::accessibleName);
    };
    const QLabel &scenario = *fieldCalled("Scenario"), &context = *fieldCalled("Context in use");
    const auto isWhole = [](const QLabel& field) {
      return field.contentsRect().width() >= field.fontMetrics().horizontalAdvance(field.text());
    };
    strip.resize(1200, strip.sizeHint().height());
    strip.show();
    QVERIFY(QTest::qWaitForWindowExposed(&strip));
    QTRY_VERIFY(scenario.isVisible() && isWhole(scenario) && isWhole(context));
    const int enough = scenario.x() + scenario.sizeHint().width() + context.sizeHint().width();
    strip.resize(enough - 60, strip.height());
    QTRY_VERIFY(!scenario.isVisible() && context.isVisible() && isWhole(context));
    strip.resize(1200, strip.height());
    QTRY_VERIFY(scenario.isVisible() && isWhole(scenario));
  }

  // What a preempted sequence has outside the pool is not in the pool.
  void swappedTokensDoNotCount() {
    SchedulerOptions options;
    options.numBlocks = 6;
    options.blockSize = 8;
    WordMachine machine(options, 64);
    machine.submit("R1", 20, 20);
    machine.submit("R2", 20, 20);
    Session session;
    bool swapped = false;
    while (machine.step()) {
      session.append(machine.take());
      QCOMPARE(heldTokens(session.state()), tokensInBlocks(session.state()));
      for (const auto& [id, sequence] : session.state().sequences)
        swapped = swapped || !sequence.swapped.empty();
    }
    QVERIFY(swapped);
  }
};

QTEST_MAIN(TestStatusStrip)
#include "tst_status_strip.moc"
