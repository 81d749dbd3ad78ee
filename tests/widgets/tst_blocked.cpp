// What kept sequences waiting: the counts against the machine's own state after each step, and the bars.
#include <QTest>
#include <map>

#include "support/word_machine.h"
#include "widgets/explain/blocked_model.h"
#include "widgets/explain/blocked_view.h"
#include "widgets/support/animation_clock.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

struct Naive {
  std::map<WaitReason, std::int64_t> steps;
  std::map<std::pair<WaitReason, SequenceId>, int> runs, longest;  // steps in a row

  explicit Naive(const std::vector<Event>& events) {
    MachineState state;
    for (const Event& event : events) {
      state.apply(event);
      if (!isA<StepFinished>(event)) continue;
      std::map<std::pair<WaitReason, SequenceId>, int> now;
      for (const SequenceId id : state.waiting) {
        const auto& wait = state.sequences.at(id).wait;
        if (!wait) continue;
        ++steps[wait->reason];
        const std::pair key{wait->reason, id};
        now[key] = runs[key] + 1;
        longest[key] = std::max(longest[key], now[key]);
      }
      runs = now;
    }
  }
};

WordMachine crowd() {
  WordMachine machine(10, 8, 24, 2);
  for (int i = 0; i < 6; ++i) machine.submit("crowd", 12 + 7 * i, 6 + i, i % 3);
  for (int i = 0; i < 5; ++i) machine.step();
  machine.cancel(5);
  machine.submit("late", 30, 4);
  machine.run();
  return machine;
}

}  // namespace

class TestBlocked : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    AnimationClock::setReducedMotion(true);
    installTranslations(*QCoreApplication::instance(), QLocale::c());
  }
  void countsWhatTheMachineSays_data();
  void countsWhatTheMachineSays();
  void everyReasonHasAName();
  void theCursorChangesNothing();
  void aBarIsAsLongAsItsCount();
  void keysAndMouseReachABar();
};

void TestBlocked::countsWhatTheMachineSays_data() {
  QTest::addColumn<bool>("story");
  QTest::newRow("story") << true;
  QTest::newRow("crowd") << false;
}

void TestBlocked::countsWhatTheMachineSays() {
  QFETCH(bool, story);
  const WordMachine machine = story ? test::storyMachine() : crowd();
  const Naive naive(machine.all());
  Session session;
  BlockedModel model(&session);
  for (const Event& event : machine.all()) session.append({event});
  QVERIFY(model.rowCount() > 0);
  QCOMPARE(static_cast<std::size_t>(model.rowCount()), naive.steps.size());
  double shares = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const BlockedRow& one = model.at(row);
    QCOMPARE(one.steps, naive.steps.at(one.reason));
    QCOMPARE(one.longestSteps, naive.longest.at({one.reason, one.longest}));
    for (const auto& [key, steps] : naive.longest)
      if (key.first == one.reason) QVERIFY(steps <= one.longestSteps);
    QVERIFY(row == 0 || one.steps <= model.at(row - 1).steps);
    QCOMPARE(one.now, 0);  // the run is over
    shares += one.share;
    QVERIFY(model.describe(row).contains(BlockedModel::reasonName(one.reason)));
  }
  QVERIFY(qAbs(shares - 1) < 1e-9);
}

void TestBlocked::everyReasonHasAName() {
  QSet<QString> names;
  for (int i = 0; i < kWaitReasonCount; ++i) names += BlockedModel::reasonName(static_cast<WaitReason>(i));
  QCOMPARE(names.size(), kWaitReasonCount);
  QVERIFY(!names.contains(QString()));
}

void TestBlocked::theCursorChangesNothing() {
  const WordMachine machine = crowd();
  Session session;
  BlockedModel model(&session);
  session.append(machine.all());
  const std::vector<BlockedRow> rows = model.rows();
  session.goToStep(2);
  QCOMPARE(model.rows(), rows);
}

void TestBlocked::aBarIsAsLongAsItsCount() {
  Session session;
  BlockedModel model(&session);
  BlockedView view(&model);
  view.resize(420, 200);
  view.show();
  QVERIFY(view.summary().isEmpty());
  session.append(crowd().all());
  QVERIFY(model.rowCount() >= 2);
  QVERIFY(view.summary().contains("steps of waiting"));
  const QImage image = view.viewport()->grab().toImage();
  const QColor colour = mix(Theme::of(&view).base(), Theme::of(&view).warning(), 0.5);
  const double scale = image.devicePixelRatio();
  const auto length = [&](int row) {
    int pixels = 0;
    const int y = qRound(view.rowRect(row).center().y() * scale);
    for (int x = 0; x < image.width(); ++x) pixels += image.pixelColor(x, y).rgb() == colour.rgb() ? 1 : 0;
    return pixels / scale;
  };
  QVERIFY(length(0) > 40);
  for (int row = 1; row < model.rowCount(); ++row) {
    const double expected = std::max(
        3.0, length(0) * static_cast<double>(model.at(row).steps) / static_cast<double>(model.at(0).steps));
    QVERIFY2(qAbs(length(row) - expected) < 3,
             qPrintable(QStringLiteral("%1 %2").arg(length(row)).arg(expected)));
  }
}

void TestBlocked::keysAndMouseReachABar() {
  Session session;
  BlockedModel model(&session);
  BlockedView view(&model);
  view.resize(420, 200);
  view.show();
  session.append(crowd().all());
  QTest::keyClick(&view, Qt::Key_Down);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.currentRow(), 1);
  QCOMPARE(view.accessibleDescription(), model.describe(1));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.rowRect(0).center());
  QCOMPARE(view.currentRow(), 0);
  QMouseEvent move(QEvent::MouseMove, view.rowRect(0).center(), view.rowRect(0).center(), Qt::NoButton,
                   Qt::NoButton, Qt::NoModifier);
  QCoreApplication::sendEvent(view.viewport(), &move);
  QCOMPARE(session.spotlight()->target().sequence, model.at(0).longest);
}

QTEST_MAIN(TestBlocked)
#include "tst_blocked.moc"
