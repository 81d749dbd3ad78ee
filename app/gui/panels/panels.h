// Panels: every model and view of the window, made once and connected with each other and with one session.
//
// A view is added by one statement in panels.cpp: its name, title and place. Docks, tabs and the default
// layout follow from the list (perspectives.h). The session holds selection and cursor: a view passes a click
// on, and the session notifies all views. Thread: the window's. Read next: perspectives.h.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "widgets/session/session.h"

class QMainWindow;
class QWidget;

namespace vitrine {

class AttentionModel;
class BatchView;
class BlockMapView;
class Bookmarks;
class BreakpointList;
class ChatModel;
class ChatPage;
class ChatView;
class DataTableView;
class EventLogView;
class ExitsModel;
class LayersPanel;
class LanesView;
class LaunchesModel;
class LessonModel;
class LessonView;
class OperationsModel;
class PlotView;
class RequestsView;
class SamplerControls;
class SamplerModel;
class SamplerPanel;
class SamplerView;
class StepComparisonView;
class TimeAxisModel;
class TimeAxisView;
class WhyView;

// Where the default layout has a panel; the panels of one place are tabs, the first one in front. A window
// with little room puts places behind each other (arrangement.h).
enum class PanelPlace {
  kStage,       // the card in the middle
  kLeft,        // beside the stage, over the full height
  kRight,       // at the top of the right column
  kRightBelow,  // in the same column
  kMemory,      // below the stage
  kDrawer,      // below the memory, closed until a person asks for it
};

struct Panel {
  QString name;  // in scenarios and stored layouts
  QString title;
  PanelPlace place;
  QWidget* widget;
  bool whenAsked = false;  // no part of the default layout: it comes forward when there is something in it
  // Calls `hear` with the view's summary, now and after each change while `listener` lives. Empty: no
  // summary.
  std::function<void(QObject* listener, const std::function<void(const QString&)>& hear)> tellSummary;
};

class Panels : public QObject {
  Q_OBJECT

 public:
  Panels(Session& session, QMainWindow* window);

  const std::vector<Panel>& list() const { return m_list; }  // within a place, in the order of the tabs

  // What other rooms and the tests of the window work with.
  BreakpointList* breakpoints;
  Bookmarks* bookmarks;
  ChatModel* chatModel;
  ChatView* chat;
  ChatPage* chatPage;  // with the list of chats
  ExitsModel* exitsModel;
  AttentionModel* attentionModel;
  OperationsModel* operationsModel;
  LaunchesModel* launchesModel;
  LayersPanel* layers;  // all four
  LanesView* lanes;
  BatchView* batch;
  WhyView* why;
  RequestsView* requests;
  LessonModel* lessonModel;
  LessonView* lesson;
  BlockMapView* blocks;
  DataTableView* blockTable;
  SamplerModel* samplerModel;
  SamplerView* sampler;
  SamplerControls* controls;
  SamplerPanel* samplerPanel;  // both of them
  TimeAxisModel* timelineModel;
  TimeAxisView* timeline;
  PlotView* plot;
  EventLogView* events;
  DataTableView* metrics;
  StepComparisonView* comparison;

 signals:
  void cancelRequested(int request);
  void forwardRequested();                   // the next step, recorded or new
  void panelRequested(const QString& name);  // it has what the user has just asked for
  void panelDone(const QString& name);       // what it had been asked for has ended

 private:
  // `shown` is the view with what is around it; without it the view alone. Connects the signals that mean the
  // same in every view: stepRequested, liveRequested, sequenceSelected and blockRequested. Returns the view.
  template <class View>
  View* add(const char* name, const QString& title, PanelPlace place, View* view, QWidget* shown = nullptr);
  void makeStage();
  void makeDocks();
  void makeDrawer();
  void wire();
  void wireBlockTable();
  void wireComparison();

  Session& m_session;
  QMainWindow* m_window;
  std::vector<Panel> m_list;
};

}  // namespace vitrine
