// The steps that a plot shows: whole, zoomed, moved, following the end.
#include <QTest>

#include "widgets/plots/step_window.h"

using namespace vitrine;

class TestStepWindow : public QObject {
  Q_OBJECT
 private slots:
  void theWholeRunGrows() {
    StepWindow window;
    window.setRun(1, 3);
    QCOMPARE(window.begin(), 0.5);
    QVERIFY(window.end() >= 11);  // a short run leaves room
    window.setRun(1, 400);
    QVERIFY(window.isWhole());
    QCOMPARE(window.end(), 400.5);
  }

  void zoomKeepsTheStepUnderTheMouse() {
    StepWindow window;
    window.setRun(1, 1000);
    const auto share = [&](double step) { return (step - window.begin()) / (window.end() - window.begin()); };
    const double before = share(300);
    window.zoom(4, 300);
    QVERIFY(!window.isWhole());
    QVERIFY(qAbs(share(300) - before) < 1e-9);
    QCOMPARE(window.end() - window.begin(), 250.0);
    window.zoom(0.25, 300);
    QVERIFY(window.isWhole());
    for (int i = 0; i < 60; ++i) window.zoom(1.25, 300);
    QCOMPARE(window.end() - window.begin(), StepWindow::kLeastSteps);
    QVERIFY(window.begin() < 300 && window.end() > 300);
  }

  void theEndsAreTheLimit() {
    StepWindow window;
    window.setRun(1, 1000);
    window.pan(100);  // nothing to move to
    QVERIFY(window.isWhole());
    window.zoom(10, 500);
    window.pan(1e6);
    QCOMPARE(window.end(), 1000.5);
    window.pan(-1e6);
    QCOMPARE(window.begin(), 0.5);
    window.zoom(1.25, 0.5);
    QCOMPARE(window.begin(), 0.5);
  }

  void itMovesAsLittleAsItTakes() {
    StepWindow window;
    window.setRun(1, 1000);
    window.zoom(10, 500);
    const double begin = window.begin();
    window.reveal(500);
    QCOMPARE(window.begin(), begin);
    window.reveal(20);
    QCOMPARE(window.begin(), 19.5);
    window.reveal(800);
    QCOMPARE(window.end(), 800.5);
  }

  void theEndIsFollowedWhileItIsInSight() {
    StepWindow window;
    window.setRun(1, 1000);
    window.zoom(10, 1000);
    window.pan(1e6);
    window.setRun(1, 1030);
    QCOMPARE(window.end(), 1030.5);
    window.pan(-200);
    const double begin = window.begin();
    window.setRun(1, 1100);
    QCOMPARE(window.begin(), begin);
    window.setRun(1, 20);  // another run
    QVERIFY(window.begin() >= 0.5 && window.end() <= 20.5);
  }
};

QTEST_APPLESS_MAIN(TestStepWindow)
#include "tst_step_window.moc"
