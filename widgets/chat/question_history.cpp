#include "widgets/chat/question_history.h"

#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QTextCursor>

#include "widgets/conversation/question_files.h"

namespace vitrine {
namespace {

// The newest first; one that was asked twice in a row once.
QStringList questionsOf(const ChatModel& model) {
  QStringList questions;
  for (int row = model.rowCount() - 1; row >= 0; --row) {
    const ChatEntry& entry = model.at(row);
    const QString question = entry.role == ChatRole::kUser ? questionParts(entry.text).question : QString();
    if (question.isEmpty() || (!questions.isEmpty() && questions.back() == question)) continue;
    questions << question;
  }
  return questions;
}

}  // namespace

QuestionHistory::QuestionHistory(QPlainTextEdit* input, const ChatModel* model)
    : QObject(input), m_input(input), m_model(model) {
  input->installEventFilter(this);
}

bool QuestionHistory::isShowing() const {
  return m_place >= 0 && m_place < m_questions.size() && m_input->toPlainText() == m_questions[m_place];
}

// Whether the cursor is in the first, or in the last, line as the input wraps it.
bool QuestionHistory::isAtEdge(bool first) const {
  QTextCursor cursor = m_input->textCursor();
  return !cursor.movePosition(first ? QTextCursor::Up : QTextCursor::Down);
}

void QuestionHistory::show(qsizetype place) {
  m_place = place;
  m_input->setPlainText(place < 0 ? QString() : m_questions[place]);
  m_input->moveCursor(QTextCursor::End);
}

bool QuestionHistory::takeKey(const QKeyEvent& key) {
  const bool showing = isShowing();
  if (!showing) {
    m_place = -1;
    if (key.key() != Qt::Key_Up || !m_input->document()->isEmpty()) return false;
    m_questions = questionsOf(*m_model);
    if (!m_questions.isEmpty()) show(0);
    return !m_questions.isEmpty();
  }
  if (key.key() == Qt::Key_Escape) {
    show(-1);
  } else if (key.key() == Qt::Key_Up && isAtEdge(true)) {
    if (m_place + 1 < m_questions.size()) show(m_place + 1);
  } else if (key.key() == Qt::Key_Down && isAtEdge(false)) {
    show(m_place - 1);
  } else {
    return false;
  }
  return true;
}

bool QuestionHistory::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  return plain && takeKey(*key);
}

}  // namespace vitrine

#include "moc_question_history.cpp"
