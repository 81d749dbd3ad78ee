// LessonView: the card of a lesson: a page's title, text and question, and below them, always in sight, one
// button that does what comes next, so that a single key leads from the first page to the last.
//
// Thread: the window's. Read next: lesson_model.h, lesson_guide.h.
#pragma once

#include <QWidget>

#include "gui/lessons/lesson_model.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace vitrine {

class LessonChoices;
class LessonReading;

class LessonView : public QWidget {
  Q_OBJECT

 public:
  explicit LessonView(LessonModel* model, QWidget* parent = nullptr);

  LessonModel* model() const { return m_model; }
  QString summary() const;
  // What the last page's button opens, with its words; an empty name: the lesson is closed.
  void setNextLesson(const QString& title);

  // For tests.
  LessonReading* reading() const { return m_reading; }
  LessonChoices* choices() const { return m_choices; }
  QPushButton* goButton() const { return m_go; }
  QToolButton* backButton() const { return m_back; }
  QToolButton* pageButton() const { return m_forward; }

 signals:
  void summaryChanged(const QString& summary);
  void addressChosen(const QString& address);  // of the web
  void listRequested();                        // while no lesson is open

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void tell();
  void turn();
  void applyAccent();
  void go();
  QString goWords() const;

  LessonModel* m_model;
  QLabel* m_title;
  LessonReading* m_reading;
  LessonChoices* m_choices;
  QScrollArea* m_scroll;
  QToolButton *m_back, *m_forward;
  QPushButton* m_go;
  QString m_nextLesson, m_summary;
};

}  // namespace vitrine
