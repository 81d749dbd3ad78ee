// State × action, of runs that are saved, opened or resumed: every verb in every state. tst_state_action has
// the others.
#include <QSettings>

#include "app/window_pairs.h"

using namespace vitrine;
using namespace vitrine::test;

class TestRecordingAction : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;
  WindowFiles m_files;

  static void addStates() {
    QTest::addColumn<int>("state");
    const std::vector<WindowState> all = recordingStates();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << int(i);
  }

 private slots:
  void initTestCase() {
    QVERIFY(m_surroundings.prepare());
    QVERIFY(m_files.make());
  }
  void init() { QSettings().clear(); }

  void everyVerbInEveryState_data() { addStates(); }
  void everyVerbInEveryState() {
    QFETCH(int, state);
    WindowPairs(m_files).tryVerbs(recordingStates().at(std::size_t(state)));
  }
  void looksChangeNothingElse_data() { addStates(); }
  void looksChangeNothingElse() {
    QFETCH(int, state);
    WindowPairs(m_files).tryLooks(recordingStates().at(std::size_t(state)));
  }
};

QTEST_MAIN(TestRecordingAction)
#include "tst_recording_action.moc"
