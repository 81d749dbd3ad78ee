#include "gui/panels/panels.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QMainWindow>
#include <algorithm>

#include "gui/chat/chat_page.h"
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

}  // namespace

Panels::Panels(Session& session, QMainWindow* window) : QObject(window) {
  makeModelsAndViews(session, window);
  wire(session);
}

void Panels::makeModelsAndViews(Session& session, QMainWindow* window) {
  breakpoints = new BreakpointList(&session, this);
  bookmarks = new Bookmarks(&session, this);
  chatModel = new ChatModel(&session, this);
  chat = new ChatView(chatModel, &session, window);
  chatPage = new ChatPage(chat, window);
  lanes = new LanesView(new LaneModel(&session, this), window);
  text = new TextView(new TextModel(&session, this), window);
  exitsModel = new ExitsModel(&session, this);
  attentionModel = new AttentionModel(&session, this);
  operationsModel = new OperationsModel(&session, this);
  launchesModel = new LaunchesModel(operationsModel, this);
  layers = new LayersPanel(exitsModel, attentionModel, operationsModel, launchesModel, window);
  batch = new BatchView(new BatchModel(&session, this), window);
  speculation = new SpeculationView(new SpeculationModel(&session, this), window);
  beams = new BeamsView(new BeamTreeModel(&session, this), window);
  why = new WhyView(new WhyModel(&session, this), window);
  requests = new RequestsView(new RequestListModel(&session, this), window);
  auto* blockMap = new BlockMapModel(&session, this);
  blocks = new BlockMapView(blockMap, window);
  chat->contextMeter()->setChains(&blockMap->chains());
  prefixTree = new PrefixTreeView(new PrefixTreeModel(blockMap, this), window);
  blockTable = new DataTableView(new BlockTableModel(&session, this),
                                 tr("The blocks of the chosen request, while it has some."), window);
  blockTable->setAccessibleName(tr("Blocks of the chosen request, one a line"));
  connect(
      qobject_cast<BlockTableModel*>(blockTable->model()), &SessionModel::refreshed, blockTable,
      [this, &session] {
        const SequenceId sequence = session.selectedSequence();
        blockTable->setSummary(sequence == 0 ? QString() : session.names().letter(sequence, session.state()));
      });
  samplerModel = new SamplerModel(&session, this);
  sampler = new SamplerView(samplerModel, window);
  uncertainty = new UncertaintyStrip(new UncertaintyModel(&session, this), window);
  samplerPanel = new SamplerPanel(sampler, uncertainty, window);
  controls = new SamplerControls(window);
  timelineModel = new TimeAxisModel(&session, this);
  timelineModel->setMarks(breakpoints, bookmarks);
  timeline = new TimeAxisView(timelineModel, window);
  auto* metricsModel = new MetricsModel(&session, this);
  plot = new PlotView(metricsModel, window);
  events = new EventLogView(new EventLogModel(&session, this), window);
  metrics = new DataTableView(metricsModel, tr("Each step adds a row here."), window);
  metrics->setAccessibleName(tr("Figures of the steps, one step a line"));
  metrics->setFollowEnd(true);
  blockedBy = new BlockedView(new BlockedModel(&session, this), window);
  comparison = new StepComparisonView(new StepComparisonModel(&session, this), window);
}

void Panels::wire(Session& session) {
  Session* const s = &session;
  connect(requests, &RequestsView::sequenceSelected, s, &Session::selectSequence);
  connect(blocks, &BlockMapView::sequenceSelected, s, &Session::selectSequence);
  connect(lanes, &LanesView::sequenceSelected, s, &Session::selectSequence);
  connect(batch, &BatchView::sequenceSelected, s, &Session::selectSequence);
  connect(batch, &BatchView::blockRequested, blocks, &BlockMapView::setCurrentBlock);
  connect(beams, &BeamsView::sequenceSelected, s, &Session::selectSequence);
  connect(why, &WhyView::sequenceSelected, s, &Session::selectSequence);
  connect(prefixTree, &PrefixTreeView::blockRequested, blocks, &BlockMapView::setCurrentBlock);
  connect(why, &WhyView::blockRequested, blocks, &BlockMapView::setCurrentBlock);
  connect(why, &WhyView::stepRequested, s, &Session::goToStep);
  connect(s, &Session::selectionChanged, requests, &RequestsView::select);
  wireBlockTable();
  wireComparison(session);

  connect(lanes, &LanesView::stepRequested, s, &Session::goToStep);
  connect(text, &TextView::stepRequested, s, &Session::goToStep);
  connect(speculation, &SpeculationView::stepRequested, s, &Session::goToStep);
  connect(uncertainty, &UncertaintyStrip::stepRequested, s, &Session::goToStep);
  connect(timeline, &TimeAxisView::stepRequested, s, &Session::goToStep);
  connect(plot, &PlotView::stepRequested, s, &Session::goToStep);
  connect(plot, &PlotView::liveRequested, s, &Session::goLive);
  connect(events, &EventLogView::stepRequested, s, &Session::goToStep);
  const auto search = [this](const QString& what) {
    emit panelRequested(QStringLiteral("events"));
    events->search(what);
  };
  connect(blocks, &BlockMapView::eventsRequested, events,
          [search](int block) { search(EventSearch::forBlock(block)); });
  connect(requests, &RequestsView::eventsRequested, events,
          [search](int request) { search(EventSearch::forRequest(request)); });
  connect(timeline, &TimeAxisView::liveRequested, s, &Session::goLive);
  connect(timeline, &TimeAxisView::backRequested, s, &Session::goBack);
  connect(timeline, &TimeAxisView::forwardRequested, this, &Panels::forwardRequested);
  connect(requests, &RequestsView::cancelRequested, this, &Panels::cancelRequested);
  connect(requests, &RequestsView::copyRequested, s, [s](int request) { copyText(s->state(), request); });
}

void Panels::wireComparison(Session& session) {
  StepComparisonModel* const model = comparison->model();
  connect(timeline, &TimeAxisView::comparisonRequested, model, [this, model](int step) {
    model->compareWith(step);
    emit panelRequested(QStringLiteral("comparison"));
  });
  connect(model, &StepComparisonModel::otherChanged, timeline,
          [this, model] { timeline->setCompared(model->other()); });
  connect(comparison, &StepComparisonView::sequenceSelected, &session, &Session::selectSequence);
  connect(comparison, &StepComparisonView::blockRequested, blocks, &BlockMapView::setCurrentBlock);
}

// A row of the table is a block of the map, and the other way.
void Panels::wireBlockTable() {
  auto* table = qobject_cast<BlockTableModel*>(blockTable->model());
  connect(blockTable->selectionModel(), &QItemSelectionModel::currentRowChanged, blocks,
          [this, table](const QModelIndex& row) {
            if (row.isValid() && blockTable->hasFocus()) blocks->setCurrentBlock(table->at(row.row()).block);
          });
  connect(blocks, &BlockMapView::blockSelected, blockTable, [this, table](int block) {
    const auto row = std::ranges::find(table->rows(), block, &BlockTableRow::block);
    if (row == table->rows().end() || blockTable->hasFocus()) return;
    blockTable->selectRow(static_cast<int>(row - table->rows().begin()));
  });
}

}  // namespace vitrine

#include "moc_panels.cpp"
