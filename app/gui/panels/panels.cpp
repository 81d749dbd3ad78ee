#include "gui/panels/panels.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QMainWindow>
#include <algorithm>

#include "gui/chat/chat_page.h"
#include "gui/lessons/lesson_view.h"
#include "gui/parts/scroll_page.h"
#include "widgets/batch/batch_model.h"
#include "widgets/batch/batch_view.h"
#include "widgets/beams/beam_tree_model.h"
#include "widgets/beams/beams_view.h"
#include "widgets/chat/chat_view.h"
#include "widgets/chat/context_meter.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/explain/blocked_model.h"
#include "widgets/explain/blocked_view.h"
#include "widgets/explain/event_log_model.h"
#include "widgets/explain/event_log_view.h"
#include "widgets/explain/step_comparison_model.h"
#include "widgets/explain/step_comparison_view.h"
#include "widgets/explain/why_model.h"
#include "widgets/explain/why_view.h"
#include "widgets/layers/attention_model.h"
#include "widgets/layers/exits_model.h"
#include "widgets/layers/launches_model.h"
#include "widgets/layers/layers_panel.h"
#include "widgets/layers/operations_model.h"
#include "widgets/memory/block_map_model.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/memory/block_table_model.h"
#include "widgets/memory/prefix_tree_model.h"
#include "widgets/memory/prefix_tree_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/plots/metrics_model.h"
#include "widgets/plots/plot_view.h"
#include "widgets/predict/prediction_view.h"
#include "widgets/requests/lane_model.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/requests/request_list_model.h"
#include "widgets/requests/requests_view.h"
#include "widgets/requests/text_model.h"
#include "widgets/requests/text_view.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/sampler/sampler_model.h"
#include "widgets/sampler/sampler_panel.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/sampler/uncertainty_strip.h"
#include "widgets/speculation/speculation_model.h"
#include "widgets/speculation/speculation_view.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/breakpoint_list.h"
#include "widgets/time/time_axis_model.h"
#include "widgets/time/time_axis_view.h"

namespace vitrine {

namespace {

// What the request's answers say so far, one below the other.
void copyText(const MachineState& state, RequestId request) {
  const auto found = state.requests.find(request);
  if (found == state.requests.end()) return;
  QStringList texts;
  for (const SequenceId sequence : found->second.sequences)
    if (const auto one = state.sequences.find(sequence); one != state.sequences.end())
      texts << QString::fromStdString(one->second.text);
  QGuiApplication::clipboard()->setText(texts.join(QStringLiteral("\n\n")));
}

template <class View>
auto summaryTeller(View* view) {
  return [view](QObject* listener, const std::function<void(const QString&)>& hear) {
    QObject::connect(view, &View::summaryChanged, listener, hear);
    hear(view->summary());
  };
}

}  // namespace

Panels::Panels(Session& session, QMainWindow* window)
    : QObject(window), m_session(session), m_window(window) {
  Session* const s = &session;
  breakpoints = new BreakpointList(s, this);
  bookmarks = new Bookmarks(s, this);
  chatModel = new ChatModel(s, this);
  chat = new ChatView(chatModel, s, window);
  chatPage = new ChatPage(chat, window);
  makeStage();
  makeDocks();
  timelineModel = new TimeAxisModel(s, this);
  timelineModel->setMarks(breakpoints, bookmarks);
  timeline = new TimeAxisView(timelineModel, window);
  makeDrawer();
  wire();
}

template <class View>
View* Panels::add(const char* name, const QString& title, PanelPlace place, View* view, QWidget* shown) {
  Panel panel{QLatin1String(name), title, place, shown ? shown : view, false, {}};
  if constexpr (requires { &View::summaryChanged; }) panel.tellSummary = summaryTeller(view);
  m_list.push_back(std::move(panel));
  if constexpr (requires { &View::stepRequested; })
    connect(view, &View::stepRequested, &m_session, &Session::goToStep);
  if constexpr (requires { &View::liveRequested; })
    connect(view, &View::liveRequested, &m_session, &Session::goLive);
  if constexpr (requires { &View::sequenceSelected; })
    connect(view, &View::sequenceSelected, &m_session, &Session::selectSequence);
  if constexpr (requires { &View::blockRequested; })  // the map may be made later
    connect(view, &View::blockRequested, this, [this](int block) { blocks->setCurrentBlock(block); });
  return view;
}

void Panels::makeStage() {
  using enum PanelPlace;
  Session* const s = &m_session;
  QMainWindow* const w = m_window;
  lanes = add("schedule", tr("Lanes"), kStage, new LanesView(new LaneModel(s, this), w));
  add("text", tr("Text"), kStage, new TextView(new TextModel(s, this), w));
  batch = add("batch", tr("Batch"), kStage, new BatchView(new BatchModel(s, this), w));
  exitsModel = new ExitsModel(s, this);
  attentionModel = new AttentionModel(s, this);
  operationsModel = new OperationsModel(s, this);
  launchesModel = new LaunchesModel(operationsModel, this);
  layers = add("layers", tr("Layers"), kStage,
               new LayersPanel(exitsModel, attentionModel, operationsModel, launchesModel, w));
  add("beams", tr("Beams"), kStage, new BeamsView(new BeamTreeModel(s, this), w));
  add("speculation", tr("Speculation"), kStage, new SpeculationView(new SpeculationModel(s, this), w));
  add("chat", tr("Chat"), kStage, chatPage);
}

void Panels::makeDocks() {
  using enum PanelPlace;
  Session* const s = &m_session;
  QMainWindow* const w = m_window;
  requests = add("requests", tr("Requests"), kLeft, new RequestsView(new RequestListModel(s, this), w));
  lessonModel = new LessonModel(s, this);
  lesson = add("lesson", tr("Lesson"), kLeft, new LessonView(lessonModel, w));
  m_list.back().whenAsked = true;
  why = add("why", tr("Why this step?"), kRight, new WhyView(new WhyModel(s, this), w));
  auto* blockMap = new BlockMapModel(s, this);
  blocks = add("blocks", tr("KV memory"), kMemory, new BlockMapView(blockMap, w));
  chat->contextMeter()->setChains(&blockMap->chains());
  samplerModel = new SamplerModel(s, this);
  sampler = new SamplerView(samplerModel, w);
  auto* uncertainty = new UncertaintyStrip(new UncertaintyModel(s, this), w);
  connect(uncertainty, &UncertaintyStrip::stepRequested, s, &Session::goToStep);
  controls = new SamplerControls(w);
  samplerPanel = add("sampler", tr("Sampler"), kRightBelow,
                     new SamplerPanel(controls, scrollable(controls), sampler, uncertainty, w));
  auto* predict =
      add("predict", tr("Predict"), kRightBelow, new PredictionView(new PredictionModel(s, this), w));
  connect(predict, &PredictionView::nextRequested, this, &Panels::forwardRequested);
  auto* const tableModel = new BlockTableModel(s, this);
  blockTable =
      add("blockTable", tr("Block table"), kMemory,
          new DataTableView(tableModel, tr("The blocks of the chosen request, while it has some."), w));
  blockTable->setAccessibleName(tr("Blocks of the chosen request, one a line"));
  connect(tableModel, &SessionModel::refreshed, blockTable, [this, s] {
    const SequenceId sequence = s->selectedSequence();
    blockTable->setSummary(sequence == 0 ? QString() : s->names().letter(sequence, s->state()));
  });
  add("prefixTree", tr("Prefix tree"), kMemory, new PrefixTreeView(new PrefixTreeModel(blockMap, this), w));
}

void Panels::makeDrawer() {
  using enum PanelPlace;
  Session* const s = &m_session;
  QMainWindow* const w = m_window;
  auto* metricsModel = new MetricsModel(s, this);
  plot = add("plot", tr("Plots"), kDrawer, new PlotView(metricsModel, w));
  events = add("events", tr("Events"), kDrawer, new EventLogView(new EventLogModel(s, this), w));
  metrics = add("metrics", tr("Metrics"), kDrawer,
                new DataTableView(metricsModel, tr("Each step adds a row here."), w));
  metrics->setAccessibleName(tr("Figures of the steps, one step a line"));
  metrics->setFollowEnd(true);
  add("blockedBy", tr("Blocked by"), kDrawer, new BlockedView(new BlockedModel(s, this), w));
  comparison = add("comparison", tr("Two steps"), kDrawer,
                   new StepComparisonView(new StepComparisonModel(s, this), w));
}

// What a single view has to say, and the time axis, which is no panel.
void Panels::wire() {
  Session* const s = &m_session;
  connect(s, &Session::selectionChanged, requests, &RequestsView::select);
  wireBlockTable();
  wireComparison();
  const auto search = [this](const QString& what) {
    emit panelRequested(QStringLiteral("events"));
    events->search(what);
  };
  connect(blocks, &BlockMapView::eventsRequested, events,
          [search](int block) { search(EventSearch::forBlock(block)); });
  connect(requests, &RequestsView::eventsRequested, events,
          [search](int request) { search(EventSearch::forRequest(request)); });
  connect(timeline, &TimeAxisView::stepRequested, s, &Session::goToStep);
  connect(timeline, &TimeAxisView::liveRequested, s, &Session::goLive);
  connect(timeline, &TimeAxisView::backRequested, s, &Session::goBack);
  connect(timeline, &TimeAxisView::forwardRequested, this, &Panels::forwardRequested);
  connect(requests, &RequestsView::cancelRequested, this, &Panels::cancelRequested);
  connect(requests, &RequestsView::copyRequested, s, [s](int request) { copyText(s->state(), request); });
}

void Panels::wireComparison() {
  StepComparisonModel* const model = comparison->model();
  connect(timeline, &TimeAxisView::comparisonRequested, model, [this, model](int step) {
    model->compareWith(step);
    emit panelRequested(QStringLiteral("comparison"));
  });
  connect(model, &StepComparisonModel::otherChanged, timeline, [this, model] {
    timeline->setCompared(model->other());
    if (!model->other()) emit panelDone(QStringLiteral("comparison"));
  });
}

// A row of the table is a block of the map, and the other way.
void Panels::wireBlockTable() {
  auto* table = qobject_cast<BlockTableModel*>(blockTable->model());
  connect(blockTable->selectionModel(), &QItemSelectionModel::currentRowChanged, blocks,
          [this, table](const QModelIndex& row) {
            if (row.isValid() && blockTable->hasFocus()) blocks->setCurrentBlock(table->at(row.row()).block);
          });
  // Behind its tab the table has no rows of the step shown: it follows the map when it comes to the front.
  const auto follow = [this, table] {
    const auto row = std::ranges::find(table->rows(), blocks->currentBlock(), &BlockTableRow::block);
    if (row == table->rows().end() || blockTable->hasFocus()) return;
    blockTable->selectRow(static_cast<int>(row - table->rows().begin()));
  };
  connect(blocks, &BlockMapView::blockSelected, blockTable, follow);
  connect(table, &SessionModel::refreshed, blockTable, follow);
}

}  // namespace vitrine

#include "moc_panels.cpp"
