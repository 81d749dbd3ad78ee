// LessonGuide: opens lessons, keeps how far each was read, and does with the machine what a page's actions
// ask for.
//
// An action that needs another scenario than the one that plays begins that one first. Thread: the window's.
// Read next: lesson_model.h, gui/runs/run_to.h.
#pragma once

#include <QObject>
#include <optional>

#include "gui/lessons/lesson_model.h"
#include "widgets/support/notice.h"

namespace vitrine {

class LessonMenu;
class LessonView;
class ModelLoading;
class RunTo;
class Settings;

class LessonGuide : public QObject {
  Q_OBJECT

 public:
  // All must outlive it; the window is the parent of the menu.
  LessonGuide(LessonView& view, ModelLoading& loading, RunTo& runTo, Settings& settings, QWidget* window);

  LessonMenu* menu() const { return m_menu; }
  // A shipped lesson by its name, at the page where it was left, or a file. noticed() says why it cannot be
  // read.
  void open(const QString& nameOrFile);
  void close();

 signals:
  void opened();
  void closed();
  void showRequested(const QString& panel);  // to look at it
  void turned();                             // what was pointed at is over
  void compareRequested(const vitrine::Scenario& one, const vitrine::Scenario& other);
  void noticed(const vitrine::Notice& notice);
  void readable();  // what was said of an earlier lesson's file is over

 private:
  template <class Action>
  void guarded(const Action& action);
  void act(int action);
  void begin(LessonModel::Place place);
  void runTo(int action);
  void onOpened();
  void onLoadingEnded();
  void remember();
  void onEnded();
  QString nextName() const;

  LessonView& m_view;
  LessonModel& m_model;
  ModelLoading& m_loading;
  RunTo& m_runTo;
  Settings& m_settings;
  LessonMenu* m_menu;
  std::optional<LessonModel::Place> m_ordered;  // whose scenario is being loaded
  std::optional<LessonModel::Place> m_then;     // the action that waits for it
};

}  // namespace vitrine
