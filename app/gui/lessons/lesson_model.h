// LessonModel: the lesson that is open: its page, which of the page's actions are done, and what was
// answered.
//
// What a page's moments are follows from the run's events: a moment that a person steps to is as done as one
// that a link ran to. It does nothing with the machine: actionRequested() asks for it (LessonGuide). Thread:
// the window's. Read next: lesson_view.h, lesson_guide.h.
#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lessons/lesson.h"
#include "lessons/lesson_moments.h"
#include "widgets/session/session.h"

namespace vitrine {

class LessonModel : public QObject {
  Q_OBJECT

 public:
  struct Place {
    int page = 0, action = 0;
    auto operator<=>(const Place&) const = default;
  };
  // What goOn() does now.
  enum class Next : std::uint8_t {
    kAct,     // asks for nextAction()
    kReveal,  // shows the answer of the page's question
    kPage,    // turns to the next page
    kEnd      // says that the lesson has ended
  };

  explicit LessonModel(Session* session, QObject* parent = nullptr);

  Session* session() const { return m_session; }
  void open(Lesson lesson, int page = 0);  // clamped to its pages
  void close();
  bool isOpen() const { return m_lesson.has_value(); }

  // What follows requires an open lesson.
  const Lesson& lesson() const { return *m_lesson; }
  int page() const { return m_page; }
  int pageCount() const { return static_cast<int>(m_lesson->pages.size()); }
  const LessonPage& shown() const { return m_lesson->pages[static_cast<std::size_t>(m_page)]; }
  bool isDone(int action) const { return m_done.contains({m_page, action}); }  // of the page shown
  int nextAction() const;                                                      // -1: all are done
  std::optional<int> chosen() const;  // which of the page's choices a person took
  bool isRevealed() const { return m_revealed.contains(m_page); }
  Next next() const;
  const LessonAction& at(Place place) const;
  // Of kUntil: whether its moment is looked for in the run that is shown, and where that has come to it.
  bool isFollowed(int action) const;
  std::optional<BreakHit> hitOf(int action) const;
  std::optional<Place> scenarioBefore(int action) const;  // nothing: the lesson begins none before it
  int wantedStep(int action) const;                       // of kStep: the step at which it is done

  // The scenario of that action has begun: the moments behind it are looked for in the run that is shown.
  void beginRun(Place begun);
  void setDone(int action);

 public slots:
  void goOn();
  void goBack();  // a page
  void goTo(int page);
  void choose(int choice);  // and shows the answer
  void reveal();

 signals:
  void changed();
  void pageChanged(int page);
  void actionRequested(int action);  // of the page shown
  void ended();                      // goOn() on the last page

 private:
  std::vector<Breakpoint> watchFrom(Place begun);
  void take(EventBatch events);
  void follow();
  bool noteDone();

  Session* m_session;
  std::optional<Lesson> m_lesson;
  int m_page = 0;
  int m_pageBegan = 0;  // the step that had finished when the page was shown
  std::set<Place> m_done;
  std::map<int, int> m_chosen;  // by page
  std::set<int> m_revealed;
  std::vector<Place> m_watched;  // actions whose moments are looked for, in order
  LessonMoments m_moments;
};

}  // namespace vitrine
