// LessonChoices: the choices of a lesson's question, a button and its text each; once one is taken, each says
// whether it is right, and why.
//
// Thread: the window's. Read next: lesson_view.h.
#pragma once

#include <QWidget>
#include <vector>

#include "gui/lessons/lesson_model.h"

class QLabel;
class QToolButton;

namespace vitrine {

class LessonChoices : public QWidget {
  Q_OBJECT

 public:
  explicit LessonChoices(QWidget* parent = nullptr);

  void show(const LessonModel& model);
  const std::vector<QToolButton*>& buttons() const { return m_buttons; }

 signals:
  void chosen(int choice);

 private:
  struct Row {
    QLabel *text, *because;
  };

  void makeRows(const std::vector<LessonChoice>& choices);

  std::vector<LessonChoice> m_choices;  // that stand there
  std::vector<QToolButton*> m_buttons;
  std::vector<Row> m_rows;
};

}  // namespace vitrine
