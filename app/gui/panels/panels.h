// Panels: every model and view of the window, made once and connected with each other and with one session.
//
// The session holds selection and cursor: a view passes a click on, and the session notifies all views.
// Thread: the window's. Read next: perspectives.h, which lays them out.
#pragma once

#include <QObject>

#include "widgets/session/session.h"

class QMainWindow;

namespace vitrine {

class AttentionModel;
class BatchView;
class BeamsView;
class BlockMapView;
class BlockTableModel;
class BlockedView;
class Bookmarks;
class BreakpointList;
class ChatModel;
class ChatPage;
class ChatView;
class DataTableView;
class EventLogView;
class ExitsModel;
class LanesView;
class LayersPanel;
class LaunchesModel;
class OperationsModel;
class PlotView;
class PrefixTreeView;
class RequestsView;
class SamplerControls;
class SamplerModel;
class SamplerPanel;
class SamplerView;
class SpeculationView;
class StepComparisonView;
class TextView;
class UncertaintyStrip;
class TimeAxisModel;
class TimeAxisView;
class WhyView;

class Panels : public QObject {
  Q_OBJECT

 public:
  Panels(Session& session, QMainWindow* window);

  BreakpointList* breakpoints;
  Bookmarks* bookmarks;
  ChatModel* chatModel;
  ChatView* chat;
  ChatPage* chatPage;  // with the list of chats
  LanesView* lanes;
  TextView* text;
  ExitsModel* exitsModel;
  AttentionModel* attentionModel;
  OperationsModel* operationsModel;
  LaunchesModel* launchesModel;
  LayersPanel* layers;  // all four
  BatchView* batch;
  SpeculationView* speculation;
  BeamsView* beams;
  WhyView* why;
  RequestsView* requests;
  BlockMapView* blocks;
  PrefixTreeView* prefixTree;
  DataTableView* blockTable;
  SamplerModel* samplerModel;
  SamplerView* sampler;
  UncertaintyStrip* uncertainty;
  SamplerPanel* samplerPanel;  // both
  SamplerControls* controls;
  TimeAxisModel* timelineModel;
  TimeAxisView* timeline;
  PlotView* plot;
  EventLogView* events;
  DataTableView* metrics;
  BlockedView* blockedBy;
  StepComparisonView* comparison;

 signals:
  void cancelRequested(int request);
  void forwardRequested();                   // the next step, recorded or new
  void panelRequested(const QString& name);  // it has what the user has just asked for

 private:
  void makeModelsAndViews(Session& session, QMainWindow* window);
  void wire(Session& session);
  void wireBlockTable();
  void wireComparison(Session& session);
};

}  // namespace vitrine
