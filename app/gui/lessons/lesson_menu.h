// LessonMenu: the lessons of the course, a tick before each that was gone through, and a file of one's own.
//
// Thread: the window's. Read next: lesson_guide.h.
#pragma once

#include <QMenu>
#include <vector>

#include "lessons/lesson.h"

namespace vitrine {

class LessonMenu : public QMenu {
  Q_OBJECT

 public:
  explicit LessonMenu(QWidget* parent);

  void setOpen(const QString& name);  // empty: none
  // Their titles, in the order of the course, in the language of the window; read once.
  static const std::vector<Lesson>& shipped();

 signals:
  void lessonChosen(const QString& nameOrFile);
  void closeRequested();

 private:
  void tell();
  void chooseFile();

  std::vector<QAction*> m_lessons;  // as shipped() has them
  QAction* m_close;
  QString m_open;
};

}  // namespace vitrine
