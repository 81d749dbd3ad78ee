// PredictionModel: a question about the next step, a person's guess, and what it earned once the step is
// there.
//
// The question follows from the state shown, at the end of a step (vitrine/questions.h); the next step may be
// one that the machine has yet to do, or one of the past that is looked at again. A step that comes without a
// guess costs nothing. No question of a run is asked twice after its answer was seen, so that a score cannot
// be earned by going back. Asks nothing while no view of it is in sight. Thread: the window's. Read next:
// prediction_view.h.
#pragma once

#include <QObject>
#include <QStringList>
#include <optional>
#include <set>
#include <tuple>

#include "vitrine/questions.h"
#include "widgets/session/session.h"

namespace vitrine {

class PredictionModel : public QObject {
  Q_OBJECT
 public:
  // A guess whose step has come.
  struct Outcome {
    int step = 0;
    QString asked, guessed, right;  // words
    bool isRight = false;
    double points = 0, most = 0;
  };

  explicit PredictionModel(Session* session, QObject* parent = nullptr);

  Session* session() const { return m_session; }
  void setWatched(bool watched);

  const std::optional<QuizQuestion>& question() const { return m_question; }  // nothing: none can be asked
  QString text() const;                                                       // of the question
  QString soFar() const;        // what a sequence has written whose next token is asked for
  QStringList choices() const;  // in the order of their places
  const std::optional<Guess>& guess() const { return m_guess; }
  QString guessWords() const;                                          // of a guess that was made
  const std::optional<Outcome>& outcome() const { return m_outcome; }  // of the last guess

  int guesses() const { return m_guesses; }  // that have earned points, or could have
  double points() const { return m_points; }
  double most() const { return m_most; }  // that they could have earned

 public slots:
  void setGuess(const vitrine::Guess& guess);  // of the question; it stays until the step has come
  void askAnother();                           // about the same step, and without a guess
  void startAnew();                            // the score

 signals:
  void changed();

 private:
  using Asked = std::tuple<int, QuestionKind, SequenceId>;
  static Asked keyOf(const QuizQuestion& question) {
    return {question.step, question.kind, question.sequence};
  }

  void beginRun();
  void follow();
  void settle();
  void ask();
  std::vector<QuizQuestion> questions(int step) const;
  QString wordsOf(const Guess& guess) const;  // of the question
  EventRange eventsOf(int step) const;        // of a step that has finished; none that the disk has lost

  Session* m_session;
  bool m_watched = false;
  std::optional<QuizQuestion> m_question;
  std::optional<Guess> m_guess;
  std::optional<Outcome> m_outcome;
  std::set<Asked> m_seen;  // of this run: questions whose answers were seen
  int m_turn = 0;          // which of a step's questions is asked
  int m_guesses = 0;
  double m_points = 0, m_most = 0;
};

}  // namespace vitrine
