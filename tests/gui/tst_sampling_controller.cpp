// A knob of the sampling controls acts on what the controls say: the selected request, or new messages.
#include "gui/questions/sampling_controller.h"

#include <QDoubleSpinBox>
#include <QRadioButton>
#include <QSettings>
#include <QTest>

#include "support/chat_window.h"
#include "support/window_bench.h"
#include "widgets/sampler/sampling_subject.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ShownWindow {
 public:
  Window() : ShownWindow(Perspective::kStep) {}

  // With three staged requests, after a step.
  bool begin() {
    if (!openModel() || !QTest::qWaitFor([&] { return live().requests.size() == 3; }, kPatience))
      return false;
    return stepTimes(1);
  }
  SamplerControls& controls() { return *window.panels().controls; }
  QDoubleSpinBox* temperature() {
    return controls().findChild<QDoubleSpinBox*>(QStringLiteral("temperature"));
  }
  // The changes of this request's sampling so far.
  int changesOf(RequestId request) {
    int count = 0;
    window.session().recording().forEach([&](const Event& event) {
      const auto* changed = bodyOf<SamplingChanged>(event);
      count += changed != nullptr && changed->request == request;
    });
    return count;
  }
  SequenceId sequenceOf(RequestId request) { return live().requests.at(request).sequences.front(); }
};

void setTemperature(SamplerControls& controls, double value) {
  SamplingOptions sampling = controls.sampling();
  sampling.temperature = value;
  controls.setSampling(sampling);  // as a typed value: the fields first, then the signal
  emit controls.samplingChanged(sampling);
}

}  // namespace

class TestSamplingController : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aKnobChangesTheSelectedRequestAlone() {
    Window w;
    QVERIFY(w.begin());
    const double before = Settings().sampling().temperature;
    w.window.session().selectSequence(static_cast<int>(w.sequenceOf(2)));
    const SequenceState& answer = w.live().sequences.at(w.sequenceOf(2));
    const auto next = static_cast<int>(answer.tokens.size()) - answer.promptTokens + 1;
    QTRY_COMPARE(w.controls().subject()->text(),
                 QStringLiteral("A change holds from token %1 of the answer on.").arg(next));
    setTemperature(w.controls(), 1.5);
    QTRY_COMPARE_WITH_TIMEOUT(w.changesOf(2), 1, kPatience);
    QCOMPARE(w.changesOf(1) + w.changesOf(3), 0);
    QCOMPARE(Settings().sampling().temperature, before);
    // Each request shows its own values.
    QTRY_COMPARE(w.controls().sampling().temperature, 1.5);
    w.window.session().selectSequence(static_cast<int>(w.sequenceOf(1)));
    QCOMPARE(w.controls().sampling().temperature, before);
    w.window.session().selectSequence(static_cast<int>(w.sequenceOf(2)));
    QCOMPARE(w.controls().sampling().temperature, 1.5);
  }

  void newMessagesHaveValuesOfTheirOwn() {
    Window w;
    QVERIFY(w.begin());
    w.window.session().selectSequence(static_cast<int>(w.sequenceOf(3)));
    const auto choices = w.controls().subject()->findChildren<QRadioButton*>();
    QCOMPARE(choices.size(), 2);
    QVERIFY(choices.at(0)->isChecked());
    QVERIFY(choices.at(0)->text().startsWith(QLatin1String("C ")));
    choices.at(1)->click();
    setTemperature(w.controls(), 1.25);
    QCOMPARE(Settings().sampling().temperature, 1.25);
    QTest::qWait(50);
    QCOMPARE(w.changesOf(3), 0);
    choices.at(0)->click();
    QVERIFY(w.controls().sampling().temperature != 1.25);
    choices.at(1)->click();
    QCOMPARE(w.controls().sampling().temperature, 1.25);
  }

  // A beam search draws nothing: the options of a draw stay, and the message is asked for greedily.
  void beamsOfNewMessagesChangeNothingElse() {
    ChatWindow w(4);
    QVERIFY(w.openModel());
    SamplerControls& controls = *w.window.panels().controls;
    setTemperature(controls, 0.8);
    controls.modes()->button(SamplingMode::kBeams)->click();
    QCOMPARE(Settings().sampling().temperature, 0.8);
    QCOMPARE(controls.sampling().temperature, 0.8);
    w.ask(QStringLiteral("Hello"));
    QTRY_VERIFY_WITH_TIMEOUT(!w.live().requests.empty(), kPatience);
    const auto& [id, request] = *w.live().requests.rbegin();
    QCOMPARE(request.beamWidth, 4);
    QCOMPARE(w.window.session().sampling().submitted(id)->sampling.temperature, 0.0);
  }

  // In the past the values are those of the step shown, and a knob changes a preview alone.
  void thePastIsShownAndKept() {
    Window w;
    QVERIFY(w.begin());
    w.window.session().selectSequence(static_cast<int>(w.sequenceOf(1)));
    const double before = w.controls().sampling().temperature;
    setTemperature(w.controls(), 1.75);
    QTRY_COMPARE_WITH_TIMEOUT(w.changesOf(1), 1, kPatience);
    QVERIFY(w.stepTimes(1));
    QDoubleSpinBox* const box = w.temperature();
    QVERIFY(box != nullptr && box->isEnabled());
    w.window.session().goToStep(0);
    QCOMPARE(w.controls().sampling().temperature, before);
    QVERIFY(w.controls().subject()->text().contains(QLatin1String("step 0")));
    QVERIFY(w.controls().subject()->findChildren<QRadioButton*>().at(0)->text().endsWith(
        QLatin1String("preview")));
    setTemperature(w.controls(), 1.5);
    QTest::qWait(50);
    QCOMPARE(w.changesOf(1), 1);
    w.window.session().goLive();
    QVERIFY(box->isEnabled());
    QCOMPARE(w.controls().sampling().temperature, 1.75);
  }
};

QTEST_MAIN(TestSamplingController)
#include "tst_sampling_controller.moc"
