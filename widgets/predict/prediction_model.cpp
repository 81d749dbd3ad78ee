#include "widgets/predict/prediction_model.h"

#include <algorithm>

#include "vitrine/error.h"
#include "vitrine/prose/question_words.h"
#include "widgets/support/formats.h"
#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

// As it was asked: without what the step has told.
QuizQuestion unanswered(QuizQuestion question) {
  if (question.kind == QuestionKind::kNextToken) return question;
  question.answer = {};
  question.difficulty = {};
  return question;
}

}  // namespace

PredictionModel::PredictionModel(Session* session, QObject* parent) : QObject(parent), m_session(session) {
  connect(session, &Session::runStarted, this, &PredictionModel::beginRun);
  connect(session, &Session::stateChanged, this, &PredictionModel::follow);
}

void PredictionModel::setWatched(bool watched) {
  if (watched == m_watched) return;
  m_watched = watched;
  follow();
}

void PredictionModel::beginRun() {
  m_question.reset();
  m_guess.reset();
  m_seen.clear();
  emit changed();
}

void PredictionModel::follow() {
  if (!m_watched) return;
  settle();
  if (!m_session->isInsideStep()) ask();
  emit changed();
}

EventRange PredictionModel::eventsOf(int step) const {
  try {
    return m_session->recording().eventsOf(step);
  } catch (const EngineError&) {  // as the session says
    return {};
  }
}

// The step asked about has come: what the guess earned.
void PredictionModel::settle() {
  if (!m_question || m_session->finishedStep() < m_question->step) return;
  QuizQuestion question = *m_question;
  if (question.kind == QuestionKind::kNextToken || answerQuestion(question, eventsOf(question.step))) {
    m_seen.insert(keyOf(question));
    if (m_guess) {
      m_outcome = Outcome{question.step,
                          text(),
                          guessWords(),
                          wordsOf(question.answer),
                          *m_guess == question.answer,
                          pointsOf(question, *m_guess),
                          mostPoints(question)};
      ++m_guesses;
      m_points += m_outcome->points;
      m_most += m_outcome->most;
    }
  }
  m_question.reset();
  m_guess.reset();
}

// About the step behind the state shown. Of a step that was recorded the next token can be asked for, too:
// its choices are there.
std::vector<QuizQuestion> PredictionModel::questions(int step) const {
  std::vector<QuizQuestion> all = questionsBefore(m_session->state());
  if (!m_session->isLive() && step <= m_session->recording().lastFinishedStep())
    for (QuizQuestion& question : tokenQuestions(step, eventsOf(step))) all.push_back(std::move(question));
  std::erase_if(all, [&](const QuizQuestion& question) { return m_seen.contains(keyOf(question)); });
  return all;
}

void PredictionModel::ask() {
  const std::vector<QuizQuestion> all = questions(m_session->state().step + 1);
  if (m_question && std::ranges::count(all, unanswered(*m_question)) > 0) return;
  m_guess.reset();
  if (all.empty())
    m_question.reset();
  else  // another kind in each step
    m_question = all[static_cast<std::size_t>(all.front().step + m_turn) % all.size()];
}

QString PredictionModel::text() const {
  if (!m_question) return {};
  return windowText(prose::questionText(*m_question, m_session->proseNames(), windowLanguage()));
}

QString PredictionModel::soFar() const {
  if (!m_question || m_question->kind != QuestionKind::kNextToken) return {};
  return windowText(prose::textSoFar(*m_question, factsBefore(m_session->state()), m_session->proseNames(),
                                     windowLanguage()));
}

QStringList PredictionModel::choices() const {
  QStringList all;
  if (!m_question) return all;
  const prose::Names names = m_session->proseNames();
  for (int place = 0; place < static_cast<int>(m_question->choices()); ++place)
    all << windowText(prose::choiceText(*m_question, place, names, windowLanguage()));
  return all;
}

QString PredictionModel::guessWords() const { return m_guess ? wordsOf(*m_guess) : QString(); }

QString PredictionModel::wordsOf(const Guess& guess) const {
  return windowText(prose::guessText(*m_question, guess, m_session->proseNames(), windowLanguage()));
}

void PredictionModel::setGuess(const Guess& guess) {
  if (!m_question) return;
  m_guess = guess;
  emit changed();
}

void PredictionModel::askAnother() {
  if (m_session->isInsideStep() || !m_question) return;
  ++m_turn;
  m_question.reset();
  ask();
  emit changed();
}

void PredictionModel::startAnew() {
  m_outcome.reset();
  m_guesses = 0;
  m_points = m_most = 0;
  emit changed();
}

}  // namespace vitrine

#include "moc_prediction_model.cpp"
