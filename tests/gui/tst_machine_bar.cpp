// Every pair of machine state and verb: what can be pressed, and that the buttons say so.
#include "gui/bars/machine_bar.h"

#include <QMenu>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>

#include "gui/bars/machine_buttons.h"

using namespace vitrine;

Q_DECLARE_METATYPE(vitrine::MachineView)
Q_DECLARE_METATYPE(vitrine::Verbs)

class TestMachineBar : public QObject {
  Q_OBJECT

 private slots:
  void fault11_verbsOfEveryState_data() {
    QTest::addColumn<MachineView>("machine");
    QTest::addColumn<Verbs>("expected");
    const bool yes = true, no = false;
    const auto row = [](const char* name, MachineView machine, Verbs expected) {
      QTest::newRow(name) << machine << expected;
    };
    // mode, live, canGoBack, hasWork, plays, isRemote → reset, back, step, phase, run, pause
    row("no model", {MachineMode::kEmpty, yes, no, no}, {no, no, no, no, no, no});
    row("loading", {MachineMode::kLoading, yes, no, no}, {no, no, no, no, no, no});
    row("loading over an old recording", {MachineMode::kLoading, no, yes, no}, {no, yes, yes, yes, no, no});
    row("a recording", {MachineMode::kEmpty, no, yes, yes}, {no, yes, yes, yes, yes, no});
    row("a recording that plays", {MachineMode::kEmpty, no, yes, yes, yes}, {no, yes, yes, yes, no, yes});
    row("a recording's end", {MachineMode::kEmpty, yes, yes, yes}, {no, yes, no, no, no, no});
    row("paused, nothing to do", {MachineMode::kPaused, yes, no, no}, {yes, no, no, no, no, no});
    row("paused at the start", {MachineMode::kPaused, yes, no, yes}, {yes, no, yes, yes, yes, no});
    row("paused later", {MachineMode::kPaused, yes, yes, yes}, {yes, yes, yes, yes, yes, no});
    row("paused in the past", {MachineMode::kPaused, no, yes, yes}, {yes, yes, yes, yes, yes, no});
    row("past of a finished run", {MachineMode::kPaused, no, yes, no}, {yes, yes, yes, yes, no, no});
    row("running", {MachineMode::kRunning, yes, yes, yes}, {yes, yes, no, no, no, yes});
    row("running, looking back", {MachineMode::kRunning, no, yes, yes}, {yes, yes, yes, yes, no, yes});
    row("held inside a step", {MachineMode::kHeld, yes, yes, no}, {yes, yes, yes, yes, yes, no});
    row("held, looking back", {MachineMode::kHeld, no, yes, yes}, {yes, yes, yes, yes, yes, no});
    const auto remote = [&](const char* name, MachineMode mode, bool live, bool hasWork, Verbs expected) {
      row(name, {mode, live, yes, hasWork, no, yes}, expected);
    };
    remote("watched", MachineMode::kEmpty, yes, yes, {no, yes, no, no, no, no});
    remote("far away, paused", MachineMode::kPaused, yes, yes, {no, yes, yes, no, yes, no});
    remote("far away, paused without work", MachineMode::kPaused, yes, no, {no, yes, no, no, yes, no});
    remote("far away, running", MachineMode::kRunning, yes, yes, {no, yes, no, no, no, yes});
    remote("far away, looking back", MachineMode::kPaused, no, yes, {no, yes, yes, yes, yes, no});
  }
  void fault11_verbsOfEveryState() {
    QFETCH(MachineView, machine);
    QFETCH(Verbs, expected);
    QCOMPARE(availableVerbs(machine), expected);

    MachineBar bar;
    QMenu moments;
    bar.addRunTo(&moments);
    bar.show(machine);
    QCOMPARE(bar.findChild<QToolButton*>("runTo")->isEnabled(),
             !machine.isRemote && (expected.step || expected.pause));
    QCOMPARE(bar.reset->isEnabled(), expected.reset);
    QCOMPARE(bar.back->isEnabled(), expected.back);
    QCOMPARE(bar.step->isEnabled(), expected.step);
    QCOMPARE(bar.phase->isEnabled(), expected.phase);
    QCOMPARE(bar.runPause->isEnabled(), expected.run || expected.pause);
    QCOMPARE(bar.runPause->toolTip().endsWith("(F5; P)"), bar.runPause->isEnabled());  // else it says why not
    QSignalSpy runs(&bar, &MachineBar::runRequested), pauses(&bar, &MachineBar::pauseRequested);
    bar.runPause->trigger();
    QCOMPARE(runs.count(), expected.run ? 1 : 0);
    QCOMPARE(pauses.count(), expected.pause ? 1 : 0);
  }

  // The pointer went to an entry, and a dialog came: the button hears nothing of it.
  void aMenuThatClosesLeavesItsButtonFlat() {
    MachineBar bar;
    QMenu menu;
    menu.addAction("one");
    MenuButton* button = bar.addMenu("Scenario", "tip", &menu);
    bar.setVisible(true);
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
    QCursor::setPos(bar.mapToGlobal(bar.rect().bottomRight()) + QPoint(200, 200));
    button->setAttribute(Qt::WA_UnderMouse);
    menu.popup(button->mapToGlobal(button->rect().bottomLeft()));
    QVERIFY(QTest::qWaitForWindowExposed(&menu));
    menu.close();
    QTRY_VERIFY(!button->underMouse());
  }

  void speedGoesFromSlowToMax() {
    MachineBar bar;
    auto* slider = bar.findChild<QSlider*>();
    QVERIFY(slider);
    QSignalSpy changes(&bar, &MachineBar::speedChanged);
    double before = 0;
    for (int stop = slider->minimum(); stop < slider->maximum(); ++stop) {
      slider->setValue(stop);
      QVERIFY(bar.stepsPerSecond() > before);
      before = bar.stepsPerSecond();
    }
    slider->setValue(slider->maximum());
    QCOMPARE(bar.stepsPerSecond(), 0.0);  // as fast as it goes
    QVERIFY(changes.count() >= slider->maximum() - 1);
    bar.setStepsPerSecond(4);
    QCOMPARE(bar.stepsPerSecond(), 4.0);
  }
};

QTEST_MAIN(TestMachineBar)
#include "tst_machine_bar.moc"
