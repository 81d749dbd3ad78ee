// What a user tries in the sampler's panel, with the built-in model: another token is a branch of the
// request, and a knob acts at once on a preview of the token shown; both are what an engine of its own
// computes.
#include <QDir>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include "gui/bars/status_strip.h"
#include "gui/questions/next_words.h"
#include "support/event_log.h"
#include "support/window_bench.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/sampler/sampler_model.h"
#include "widgets/sampler/sampler_panel.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/sampler/sampling_subject.h"
#include "widgets/support/token_ink.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ShownWindow {
 public:
  Window() : ShownWindow(Perspective::kStep) {}

  // With three staged requests, some steps on; request 1 is selected, and the sampler in sight.
  bool begin(int steps) {
    if (!openModel() || !QTest::qWaitFor([&] { return live().requests.size() == 3; }, kPatience))
      return false;
    if (!stepTimes(steps)) return false;
    window.session().selectSequence(static_cast<int>(live().requests.at(1).sequences.front()));
    window.showPanel(QStringLiteral("sampler"));
    return QTest::qWaitFor([&] { return view().isVisible() && model().rowCount() > 1; }, kPatience);
  }
  SamplerView& view() { return *window.panels().sampler; }
  SamplerModel& model() { return *window.panels().samplerModel; }
  SamplerControls& controls() { return *window.panels().controls; }
  const SequenceState& answer() { return live().sequences.at(live().requests.at(1).sequences.front()); }

  // A click on the first candidate that was not drawn; returns its row.
  int selectAnother() {
    int row = 0;
    while (model().at(row).chosen) ++row;
    const QRect area = view().placed().rowArea(row);
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {},
                      area.center() - QPoint(area.width() / 2 - 20, 0));
    return row;
  }
  // And on "try it" at its end; returns its token.
  TokenId tryAnother() {
    const int row = selectAnother();
    const TokenId token = model().at(row).token;
    QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().tryArea(row).center());
    return token;
  }
  SamplerPanel& panel() { return *window.panels().samplerPanel; }
  bool waitForRequest(RequestId id) {
    return QTest::qWaitFor([&] { return live().requests.contains(id); }, kPatience);
  }
  int changes() {
    int count = 0;
    window.session().recording().forEach([&](const Event& event) { count += isA<SamplingChanged>(event); });
    return count;
  }
};

// With VITRINE_PICTURES set to a folder the window is kept there, to be looked at.
void keep(Window& w, const QString& name) {
  const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
  if (folder.isEmpty()) return;
  QDir().mkpath(folder);
  QTest::qWait(100);
  QVERIFY(w.window.grab().save(folder + u'/' + name + QStringLiteral(".png")));
}

std::unique_ptr<Engine> ownEngine(EventSink& sink) {
  EngineOptions options;
  options.threads = 1;
  return Engine::load(builtinModelDirectory(), options, sink);
}

// A request alone in an engine of its own.
std::vector<TokenId> answerTo(Request request) {
  EventLog log;
  const auto engine = ownEngine(log);
  const RequestId id = engine->submit(std::move(request));
  engine->run();
  return engine->takeResult(id).sequences.front().tokenIds;
}

// The request's token at a position, if these options had come into force just before it.
TokenId tokenWith(Request request, const std::vector<TokenId>& tokens, int promptTokens, int position,
                  const SamplingOptions& sampling) {
  EventLog log;
  const auto engine = ownEngine(log);
  request.tokenIds.assign(tokens.begin(), tokens.begin() + promptTokens);
  const RequestId id = engine->submit(std::move(request));
  const auto length = [&] { return static_cast<int>(engine->snapshot().sequences.at(1).tokens.size()); };
  while (length() < position) engine->step();
  engine->setSampling(id, sampling);
  while (length() == position) engine->step();
  return engine->snapshot().sequences.at(1).tokens.at(static_cast<std::size_t>(position));
}

}  // namespace

class TestSamplerTrials : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aBranchIsARequestThatBeginsItsAnswer() {
    Window w;
    QVERIFY(w.begin(4));
    const int position = w.model().position();
    const std::vector<TokenId> tokens = w.answer().tokens;
    const TokenId other = w.tryAnother();
    QVERIFY(w.waitForRequest(4));
    const RequestState branch = w.live().requests.at(4);
    QVERIFY2(branch.name.starts_with("A with “") && branch.name.ends_with("” at " + std::to_string(position)),
             branch.name.c_str());
    QTRY_COMPARE(w.window.session().selectedSequence(), branch.sequences.front());  // it is shown at once
    std::vector<TokenId> prompt(tokens.begin(), tokens.begin() + position);
    prompt.push_back(other);
    QCOMPARE(w.live().sequences.at(branch.sequences.front()).tokens, prompt);
    QTRY_VERIFY(w.window.status().reason().contains(QString::fromStdString(branch.name)));
    keep(w, QStringLiteral("branch"));
    const Request* const submitted = w.window.session().sampling().submitted(1);
    QCOMPARE(branch.maxTokens, submitted->maxTokens);  // of the whole answer
    w.window.host().setStepsPerSecond(0);
    w.window.run();
    QTRY_VERIFY_WITH_TIMEOUT(w.live().requests.at(4).finished, kPatience);
    Request alone = *w.window.session().sampling().submitted(4);
    const auto answer = prompt.begin() + w.answer().promptTokens;
    alone.tokenIds.assign(prompt.begin(), answer);
    alone.outputIds.assign(answer, prompt.end());
    QCOMPARE(alone.sampling, submitted->sampling);
    const std::vector<TokenId> all = w.live().sequences.at(branch.sequences.front()).tokens;
    QCOMPARE(std::vector<TokenId>(all.begin() + w.answer().promptTokens, all.end()), answerTo(alone));
    QVERIFY(w.live().sequences.at(branch.sequences.front()).cachedTokens > 0);  // it shares A's blocks
  }

  void aBranchFromThePastGoesLive() {
    Window w;
    QVERIFY(w.begin(6));
    w.window.session().goToStep(3);
    QTRY_VERIFY(w.model().position() < static_cast<int>(w.answer().tokens.size()) - 1);
    const int position = w.model().position();
    w.tryAnother();
    QVERIFY(w.waitForRequest(4));
    QVERIFY(w.window.session().isLive());
    const RequestState& branch = w.live().requests.at(4);
    QCOMPARE(int(w.live().sequences.at(branch.sequences.front()).tokens.size()), position + 1);
  }

  // It is cancelled, and the view is where it was.
  void aTryCanBeUndone() {
    Window w;
    QVERIFY(w.begin(6));
    auto* undo = w.panel().findChild<QToolButton*>(QStringLiteral("undoTry"));
    QVERIFY(!undo->isVisible());
    w.window.session().goToStep(3);
    const SequenceId before = w.window.session().selectedSequence();
    QTRY_VERIFY(w.model().position() >= 0);
    const int row = w.selectAnother();
    QTRY_VERIFY(w.panel().line().contains(QLatin1String("leaves step 3")));
    QTest::mouseClick(w.view().viewport(), Qt::LeftButton, {}, w.view().tryArea(row).center());
    QVERIFY(w.waitForRequest(4));
    QTRY_VERIFY(w.window.session().isLive() && undo->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(w.live().requests.at(4).finished, kPatience);
    QVERIFY(w.live().waiting.size() + w.live().running.size() <= 3);
    QCOMPARE(w.window.session().step(), 3);
    QCOMPARE(w.window.session().selectedSequence(), before);
    QVERIFY(!undo->isVisible());
  }

  // As the branch itself goes on, with the options that are previewed.
  void aSelectedCandidateShowsItsNextWords() {
    Window w;
    QVERIFY(w.begin(4));
    w.window.session().goToStep(3);
    QTRY_VERIFY(w.model().position() >= 0);
    SamplingOptions knobs = w.controls().sampling();
    knobs.temperature = 0;
    w.controls().setSampling(knobs);
    emit w.controls().samplingChanged(knobs);
    QTRY_VERIFY_WITH_TIMEOUT(w.model().previewed() != nullptr, kPatience);
    QString words;
    int told = 0;
    const auto* next = w.window.findChild<NextWords*>();
    QVERIFY(next != nullptr);
    QObject::connect(next, &NextWords::changed, &w.window, [&](const QString&, const QString& so) {
      words = so;
      ++told;
    });
    const int row = w.selectAnother();
    QTRY_VERIFY_WITH_TIMEOUT(told >= 2 && !next->isLooking(), kPatience);
    const QString foretold = words;  // they are forgotten with the branch
    keep(w, QStringLiteral("next-words"));
    QTest::mouseClick(w.view().viewport(), Qt::LeftButton, {}, w.view().tryArea(row).center());
    QVERIFY(w.waitForRequest(4));
    QCOMPARE(w.window.session().sampling().submitted(4)->sampling.temperature, 0.0);  // as previewed
    QVERIFY(w.stepTimes(NextWords::kWords + 2));
    const SequenceState& branch = w.live().sequences.at(w.live().requests.at(4).sequences.front());
    const QString text = flowingToken(QString::fromStdString(branch.text));
    QVERIFY2(foretold.size() > 8 && text.contains(foretold), qPrintable(text + u'|' + foretold));
  }

  // A held step need not end first.
  void aBranchJoinsWhileAStepIsHeld() {
    Window w;
    QVERIFY(w.begin(3));
    w.window.stepPhase();
    QVERIFY(waitForMode(w.window, MachineMode::kHeld));
    w.tryAnother();
    QVERIFY(w.waitForRequest(4));
    QCOMPARE(w.window.host().mode(), MachineMode::kHeld);
  }

  void aKnobActsAtOnceOnAPreview() {
    Window w;
    QVERIFY(w.begin(4));
    const int position = w.model().position();
    const std::vector<TokenId> tokens = w.answer().tokens;
    const TokenId drawn = w.model().drawn()->chosen;
    QCOMPARE(w.model().drawn()->rule, DrawBar::Rule::kNumber);
    QVERIFY(w.model().previewed() == nullptr);
    int differ = 0;
    for (const double temperature : {0.0, 3.0, 8.0}) {
      SamplingOptions knobs = w.controls().sampling();
      knobs.temperature = temperature;
      knobs.topK = 0;
      knobs.topP = 1;
      w.controls().setSampling(knobs);  // as typed values: the fields first, then the signal
      emit w.controls().samplingChanged(knobs);
      QTRY_VERIFY_WITH_TIMEOUT(w.model().previewed() != nullptr, kPatience);
      QTRY_COMPARE(w.model().previewed()->rule == DrawBar::Rule::kGreedy, temperature == 0);
      QTRY_VERIFY(w.model().stages() > 0);
      const TokenId expected = tokenWith(*w.window.session().sampling().submitted(1), tokens,
                                         w.answer().promptTokens, position, knobs);
      QTRY_COMPARE(w.model().previewed()->chosen, expected);
      QCOMPARE(w.model().drawn()->chosen, drawn);
      differ += expected != drawn;
    }
    QVERIFY(differ > 0);
    keep(w, QStringLiteral("preview"));
    // The change was real for the next token, which has no preview then.
    QVERIFY(w.stepTimes(1));
    QTRY_VERIFY(w.model().position() == position + 1 && w.model().previewed() == nullptr);
  }

  // The preview of a request with a grammar is masked as its tokens are, also in the past.
  void aGrammarMasksThePreview() {
    Window w;
    QVERIFY(w.begin(4));
    Request digits;
    digits.prompt = "The number is";
    digits.maxTokens = 30;
    digits.regex = "[0-9]+(-[0-9]+)*";
    digits.sampling.temperature = 1;
    w.window.host().submit(digits);
    QVERIFY(w.waitForRequest(4));
    QVERIFY(w.stepTimes(4));
    const SequenceId shown = w.live().requests.at(4).sequences.front();
    w.window.session().selectSequence(static_cast<int>(shown));
    w.window.session().goToStep(w.window.session().step() - 1);
    QTRY_VERIFY_WITH_TIMEOUT(w.model().sequence() == shown && !w.model().grammarPlace().isEmpty(), kPatience);
    const SequenceState answer = w.live().sequences.at(shown);
    SamplingOptions knobs = w.controls().sampling();
    knobs.temperature = 8;
    knobs.topK = 0;
    knobs.topP = 1;
    w.controls().setSampling(knobs);
    emit w.controls().samplingChanged(knobs);
    QTRY_VERIFY_WITH_TIMEOUT(w.model().previewed() != nullptr, kPatience);
    bool isMasked = false;
    for (int stage = 0; stage < w.model().stages(); ++stage) isMasked |= w.model().isMask(stage);
    QVERIFY(isMasked);
    const TokenId expected = tokenWith(*w.window.session().sampling().submitted(4), answer.tokens,
                                       answer.promptTokens, w.model().position(), knobs);
    QCOMPARE(w.model().previewed()->chosen, expected);
    keep(w, QStringLiteral("preview-grammar"));
  }

  void inThePastAKnobChangesThePreviewAlone() {
    Window w;
    QVERIFY(w.begin(5));
    w.window.session().goToStep(3);
    const int position = w.model().position();
    QVERIFY(w.window.showPanel(QStringLiteral("controls")));  // the name of the fields is the card's
    QTRY_VERIFY(w.controls().isVisible() && w.view().isVisible());
    w.controls().setUnfolded(true);
    QTest::mouseClick(w.controls().modes()->button(SamplingMode::kGreedy), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(w.model().previewed() != nullptr, kPatience);
    QCOMPARE(w.model().previewed()->rule, DrawBar::Rule::kGreedy);
    QVERIFY(w.controls().subject()->text().contains(QLatin1String("preview alone")));
    keep(w, QStringLiteral("preview-past"));
    // It goes along with the cursor, and ends at LIVE.
    w.window.session().goToStep(4);
    QTRY_VERIFY_WITH_TIMEOUT(w.model().position() == position + 1 && w.model().previewed() != nullptr,
                             kPatience);
    w.window.session().goLive();
    QTRY_VERIFY(w.model().previewed() == nullptr);
    QVERIFY(w.controls().sampling().temperature > 0);
    QCOMPARE(w.changes(), 0);
  }

  void entropyIsMeasuredForThePanel() {
    Window w;
    QVERIFY(w.begin(4));
    int measured = 0;
    w.window.session().recording().forEach([&](const Event& event) {
      const auto* sampled = bodyOf<TokenSampled>(event);
      measured += sampled != nullptr && sampled->entropy >= 0;
    });
    QVERIFY(measured >= 9);
    w.window.resize(1600, 1000);  // a low panel has no room for the strip
    keep(w, QStringLiteral("strip"));
  }
};

QTEST_MAIN(TestSamplerTrials)
#include "tst_sampler_trials.moc"
