// Predict, then step: questions about the machine shown, guesses, and what they earn.
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <random>

#include "support/word_machine.h"
#include "widgets/predict/prediction_view.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

WordMachine crowd() {
  WordMachine machine(10, 8, 24, 2);
  for (int i = 0; i < 6; ++i) machine.submit("crowd", 12 + 7 * i, 6 + i, i % 3);
  return machine;
}

// The answers of the machine's own events.
std::map<int, std::vector<QuizQuestion>> answersOf(const std::vector<Event>& events) {
  std::map<int, std::vector<QuizQuestion>> steps;
  QuestionMaker maker;
  for (const Event& event : events)
    if (auto step = maker.add(event)) steps[event.step] = step->questions;
  return steps;
}

const QuizQuestion* answered(const std::map<int, std::vector<QuizQuestion>>& steps,
                             const QuizQuestion& asked) {
  const auto step = steps.find(asked.step);
  if (step == steps.end()) return nullptr;
  for (const QuizQuestion& question : step->second)
    if (question.kind == asked.kind && question.sequence == asked.sequence) return &question;
  return nullptr;
}

Guess anyGuess(const QuizQuestion& question, std::mt19937& random) {
  Guess guess;
  if (question.asksForNumber()) {
    guess.number = static_cast<std::int64_t>(random() % 4);
  } else if (question.kind == QuestionKind::kNextToken) {
    guess.chosen = {static_cast<int>(random() % question.tokens.size())};
  } else {
    for (int place = 0; place < static_cast<int>(question.choices()); ++place)
      if (random() % 2 == 0) guess.chosen.push_back(place);
  }
  return guess;
}

}  // namespace

class TestPrediction : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { installTranslations(*QCoreApplication::instance(), QLocale::c()); }

  void theScoreIsWhatTheGuessesEarn() {
    WordMachine machine = crowd();
    Session session;
    session.append(machine.take());
    PredictionModel model(&session);
    model.setWatched(true);
    std::mt19937 random(7);
    std::vector<std::pair<QuizQuestion, Guess>> guesses;
    for (bool more = true; more;) {
      if (model.question() && random() % 4 != 0) {
        for (int turn = static_cast<int>(random() % 3); turn > 0; --turn) model.askAnother();
        const Guess guess = anyGuess(*model.question(), random);
        guesses.emplace_back(*model.question(), guess);
        model.setGuess(guess);
      }
      more = machine.step();
      session.append(machine.take());
    }
    QVERIFY(guesses.size() > 15);
    const auto steps = answersOf(machine.all());
    double points = 0;
    int right = 0;
    for (const auto& [question, guess] : guesses) {
      const QuizQuestion* answer = answered(steps, question);
      QVERIFY(answer);
      points += pointsOf(*answer, guess);
      right += guess == answer->answer ? 1 : 0;
    }
    QVERIFY(right > 0 && right < static_cast<int>(guesses.size()));
    QCOMPARE(model.guesses(), static_cast<int>(guesses.size()));
    QCOMPARE(model.points(), points);
    QCOMPARE(model.most(), static_cast<double>(guesses.size()));
    model.startAnew();
    QCOMPARE(model.guesses(), 0);
    QCOMPARE(model.points(), 0.0);
    QVERIFY(!model.outcome());
  }

  void anOutcomeIsSaid() {
    WordMachine machine = crowd();
    Session session;
    session.append(machine.take());
    PredictionModel model(&session);
    model.setWatched(true);
    while (model.question()->kind != QuestionKind::kAdmitted) model.askAnother();
    QCOMPARE(model.text(), QString("Which of the waiting sequences does step 1 admit?"));
    QCOMPARE(model.choices(), (QStringList{"A", "B", "C", "D", "E", "F"}));
    model.setGuess({{0, 1}});
    QCOMPARE(model.guessWords(), QString("A and B"));
    machine.step();
    session.append(machine.take());
    QVERIFY(model.outcome());
    QVERIFY(model.outcome()->isRight);
    QCOMPARE(model.outcome()->right, QString("A and B"));
    QCOMPARE(model.points(), 1.0);
    QCOMPARE(model.question()->step, 2);
    QVERIFY(!model.guess());
  }

  // A step that comes without a guess, and a request that changes what is asked.
  void nothingIsLostWithoutAGuess() {
    WordMachine machine = crowd();
    Session session;
    session.append(machine.take());
    PredictionModel model(&session);
    model.setWatched(true);
    machine.step();
    session.append(machine.take());
    QCOMPARE(model.guesses(), 0);
    QVERIFY(!model.outcome());
    while (model.question()->kind != QuestionKind::kAdmitted) model.askAnother();
    const std::size_t choices = model.question()->sequences.size();
    model.setGuess({{0}});
    machine.submit("late", 5, 2);
    session.append(machine.take());
    QVERIFY(model.question());
    QCOMPARE(model.question()->step, 2);
    QVERIFY(!model.guess());  // of a question that no longer stands
    while (model.question()->kind != QuestionKind::kAdmitted) model.askAnother();
    QCOMPARE(model.question()->sequences.size(), choices + 1);
  }

  // Inside a step the question stays; behind it it is answered.
  void aStepInPhases() {
    WordMachine machine = crowd();
    Session session;
    session.append(machine.take());
    PredictionModel model(&session);
    model.setWatched(true);
    model.setGuess(Guess{});
    const QuizQuestion asked = *model.question();
    machine.beginStep();
    session.append(machine.take());
    QVERIFY(session.isInsideStep());
    QCOMPARE(*model.question(), asked);
    QVERIFY(model.guess() && model.guesses() == 0);
    machine.endStep();
    session.append(machine.take());
    QCOMPARE(model.guesses(), 1);
  }

  // The past is asked about again, its tokens too, but nothing of which the answer was seen.
  void thePastIsAskedAbout() {
    WordMachine machine = crowd();
    machine.run();
    Session session;
    session.append(machine.take());
    PredictionModel model(&session);
    model.setWatched(true);
    QVERIFY(!model.question());  // all has been done
    std::set<std::tuple<int, QuestionKind, SequenceId>> seen;
    bool askedForToken = false;
    for (const int step : {4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5}) {
      session.goToStep(step);
      if (!model.question() || step == 5) continue;
      const QuizQuestion question = *model.question();
      QCOMPARE(question.step, 5);
      QVERIFY(seen.emplace(question.step, question.kind, question.sequence).second);
      askedForToken |= question.kind == QuestionKind::kNextToken;
    }
    QVERIFY(seen.size() >= 3);
    QVERIFY(askedForToken);
  }

  void aHiddenViewAsksNothing() {
    WordMachine machine = crowd();
    Session session;
    PredictionModel model(&session);
    PredictionView view(&model);
    session.append(machine.take());
    QVERIFY(!model.question());
    view.show();
    QVERIFY(model.question());
    QVERIFY(view.questionLabel()->text().startsWith(model.text()));
    session.clear();
    QVERIFY(!model.question());
    QCOMPARE(view.guessButton()->text(), QString("Step"));
  }

  // Of a token one choice is made, and no step comes before it is.
  void aTokenIsChosen() {
    WordMachine machine = crowd();
    machine.run();
    Session session;
    session.append(machine.take());
    PredictionModel model(&session);
    PredictionView view(&model);
    view.show();
    session.goToStep(4);
    while (model.question()->kind != QuestionKind::kNextToken)
      QTest::mouseClick(view.anotherButton(), Qt::LeftButton);
    connect(&view, &PredictionView::nextRequested, &session, &Session::goForward);
    QTest::mouseClick(view.guessButton(), Qt::LeftButton);
    QCOMPARE(session.step(), 4);
    QTest::mouseClick(view.boxes()[1], Qt::LeftButton, {}, {5, view.boxes()[1]->height() / 2});
    QTest::mouseClick(view.boxes()[0], Qt::LeftButton, {}, {5, view.boxes()[0]->height() / 2});
    QVERIFY(view.boxes()[0]->isChecked() && !view.boxes()[1]->isChecked());
    const double likely = model.question()->tokens[0].probability;
    QTest::mouseClick(view.guessButton(), Qt::LeftButton);
    QCOMPARE(session.step(), 5);
    QCOMPARE(model.points(), likely);
  }

  void itIsGuessedByMouseAndKeys() {
    WordMachine machine = crowd();
    Session session;
    PredictionModel model(&session);
    PredictionView view(&model);
    view.resize(360, 420);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    session.append(machine.take());
    QSignalSpy asked(&view, &PredictionView::nextRequested);
    connect(&view, &PredictionView::nextRequested, &session, [&] {
      machine.step();
      session.append(machine.take());
    });
    while (model.question()->kind != QuestionKind::kAdmitted)
      QTest::mouseClick(view.anotherButton(), Qt::LeftButton);
    QCOMPARE(view.guessButton()->text(), QString("Guess none, then step"));
    for (const int place : {0, 1}) {
      view.boxes()[static_cast<std::size_t>(place)]->setFocus();
      QTest::keyClick(view.boxes()[static_cast<std::size_t>(place)], Qt::Key_Space);
    }
    QCOMPARE(view.guessButton()->text(), QString("Guess, then step"));
    view.guessButton()->setFocus();
    QTest::keyClick(view.guessButton(), Qt::Key_Space);
    QCOMPARE(asked.size(), 1);
    QVERIFY(view.guessButton()->hasFocus());  // the next key guesses again
    QCOMPARE(view.summary(), QString("1.0 of 1.0 points"));
    QCOMPARE(view.outcomeLabel()->text(), QString::fromUtf8("✓ Step 1: A and B. Points: 1.00."));
    QCOMPARE(model.outcome()->asked, QString("Which of the waiting sequences does step 1 admit?"));
    while (!model.question()->asksForNumber()) QTest::mouseClick(view.anotherButton(), Qt::LeftButton);
    QVERIFY(!view.boxes()[0]->isVisible());
    QVERIFY(view.number()->isVisible());
    view.number()->setValue(999);
    QTest::mouseClick(view.guessButton(), Qt::LeftButton);
    QCOMPARE(view.summary(), QString("1.0 of 2.0 points"));
    QVERIFY(view.outcomeLabel()->text().endsWith(", and not 999. Points: 0.00."));
    QCOMPARE(view.number()->value(), 0);
    QTest::mouseClick(view.anewButton(), Qt::LeftButton);
    QCOMPARE(view.summary(), QString());
    for (const QWidget* widget : view.findChildren<QWidget*>())
      if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible() && widget->parent() != view.number())
        QVERIFY2(!widget->accessibleName().isEmpty() || qobject_cast<const QAbstractButton*>(widget),
                 widget->metaObject()->className());
  }
};

QTEST_MAIN(TestPrediction)
#include "tst_prediction.moc"
