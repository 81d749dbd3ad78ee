// QuestionHistory: the questions of a chat in its input, as a shell has its lines. Up in an empty input shows
// the newest, further Up and Down go through them, and Esc, or Down behind the newest, gives the empty input
// back. A question that is changed is a draft like any other. Thread: the window's.
#pragma once

#include <QObject>
#include <QStringList>

#include "widgets/conversation/chat_model.h"

class QKeyEvent;
class QPlainTextEdit;

namespace vitrine {

class QuestionHistory : public QObject {
  Q_OBJECT
 public:
  // Lives as long as the input, whose keys it hears before the filters that were installed earlier.
  QuestionHistory(QPlainTextEdit* input, const ChatModel* model);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isShowing() const;
  bool isAtEdge(bool first) const;
  bool takeKey(const QKeyEvent& key);
  void show(qsizetype place);

  QPlainTextEdit* m_input;
  const ChatModel* m_model;
  QStringList m_questions;  // while one of them is shown; the newest first
  qsizetype m_place = -1;
};

}  // namespace vitrine
