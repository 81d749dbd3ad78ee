// LessonReading: a page's text, in which each action is a link, with a tick when it is done.
//
// Thread: the window's. Read next: lesson_view.h.
#pragma once

#include <functional>
#include <string>

#include "gui/lessons/lesson_model.h"
#include "widgets/message/answer_text.h"

namespace vitrine {

// The page's Markdown with the addresses of its actions as a text view takes them, and ticks before the words
// of those that are done. `isDone(action)`.
std::string withTicks(const LessonPage& page, const std::function<bool(int action)>& isDone);

class LessonReading : public AnswerText {
  Q_OBJECT

 public:
  explicit LessonReading(QWidget* parent = nullptr);

  void show(const LessonModel& model);

 signals:
  void actionChosen(int action);
  void addressChosen(const QString& address);  // of the web

 protected:
  bool viewportEvent(QEvent* event) override;

 private:
  void onLink(const QString& address);
};

}  // namespace vitrine
