// State × action, of runs that are saved, opened or resumed: every verb in every state. tst_state_action has
// the others.
#include "gui/window_pairs.h"

class TestRecordingAction : public vitrine::test::StateActionTest {
  Q_OBJECT

 public:
  TestRecordingAction() : StateActionTest(vitrine::test::recordingStates) {}
};

QTEST_MAIN(TestRecordingAction)
#include "tst_recording_action.moc"
