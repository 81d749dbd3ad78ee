#include "gui/library/models_window.h"

#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QPointer>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <utility>

#include "catalog/device_sizes.h"
#include "catalog/model_name.h"
#include "gui/library/models_download.h"
#include "gui/library/models_list.h"
#include "gui/library/models_table_model.h"
#include "gui/parts/card.h"
#include "gui/parts/first_size.h"
#include "gui/parts/focus_ring.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/spoken_label.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr QSize kModelsRoomy(1080, 680);

}  // namespace

ModelsWindow::ModelsWindow(const ModelsPlaces& places, QWidget* parent)
    : QDialog((speakLabelsWhole(), parent), Qt::Window),  // before there is a label
      m_places(places),
      m_messages(new MessageBar(this)),
      m_pages(new QTabWidget(this)),
      m_list(new ModelsList(m_session, this)),
      m_download(new ModelsDownload(places.hub, places.downloads, this)),
      m_leftOutModel(new NamedValuesModel(&m_session, tr("Left out"), tr("Because"), this)) {
  setWindowTitle(tr("Models on this computer"));
  setFont(readable(font()));
  makePages();
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(kCardGap, kCardGap, kCardGap, kCardGap);
  rows->setSpacing(kCardGap);
  addParts(rows, {m_messages, {m_pages, 1}});
  openRoomy(this, kModelsRoomy);
  setMinimumSize(kLeastWindow);
  new FocusRing(this);
  wire();
  m_list->filter()->setFocus();
}

void ModelsWindow::makePages() {
  m_leftOutTable = new DataTableView(m_leftOutModel, tr("The search has left no model out."), this);
  m_leftOutTable->setAccessibleName(tr("Left out by the search"));
  m_leftOutTable->setTextElideMode(Qt::ElideMiddle);
  m_pages->tabBar()->setAccessibleName(tr("Pages"));
  m_pages->setDocumentMode(true);
  m_pages->insertTab(kHere, m_list, tr("On this computer"));
  m_pages->insertTab(kGet, m_download, tr("Get a model"));
  m_pages->insertTab(kLeftOut, m_leftOutTable, tr("Left out"));
}

void ModelsWindow::wire() {
  connect(&m_scanner, &ModelScanner::entered, this, [this](const ModelRoot& root) {
    m_list->showState(tr("Searching: %1…").arg(programName(root.program)));
  });
  connect(&m_scanner, &ModelScanner::found, m_list, &ModelsList::add);
  connect(&m_scanner, &ModelScanner::leftOut, this, [this](const LeftOut& passed) {
    m_leftOut.push_back({QDir::toNativeSeparators(passed.path), passed.reason, {}});
  });
  connect(&m_scanner, &ModelScanner::finished, this, &ModelsWindow::onFinished);
  connect(m_list, &ModelsList::openWanted, this, &ModelsWindow::open);
  connect(m_list, &ModelsList::draftWanted, this, &ModelsWindow::useAsDraft);
  connect(m_list, &ModelsList::draftUnwanted, this, [this] { emit draftChosen({}); });
  connect(m_list, &ModelsList::insideWanted, this, &ModelsWindow::insideWanted);
  connect(m_list, &ModelsList::folderWanted, this, &ModelsWindow::folderWanted);
  connect(m_list, &ModelsList::folderForgotten, this, &ModelsWindow::folderForgotten);
  connect(m_list, &ModelsList::shareChosen, this, &ModelsWindow::shareChosen);
  connect(m_list, &ModelsList::searchWanted, this, &ModelsWindow::search);
  connect(m_list->context(), &QSpinBox::valueChanged, this, &ModelsWindow::tellMachine);
  connect(m_download, &ModelsDownload::begun, m_messages, m_messages->ending(MessageCause::kDownload));
  connect(m_download, &ModelsDownload::noticed, this,
          [this](const Notice& notice) { tell(MessageCause::kDownload, notice); });
  connect(m_download, &ModelsDownload::finished, this, &ModelsWindow::onDownloaded);
  connect(m_download, &ModelsDownload::openWanted, this, &ModelsWindow::openPath);
}

void ModelsWindow::setFolders(const QStringList& own) {
  m_folders = own;
  m_list->setFolders(own);
}

void ModelsWindow::search() {
  m_warned.clear();
  m_leftOut.clear();
  m_list->clear();
  measureMemory();
  m_list->showState(tr("Searching…"));
  m_scanner.start(m_places.roots(m_folders));
}

void ModelsWindow::measureMemory() {
  const bool isOnHost = m_machine.options.device == Device::kCpu;
  if (isOnHost)
    m_machine.availableBytes = m_places.availableBytes ? m_places.availableBytes() : 0;
  else
    m_machine.availableBytes = m_deviceBytes;
  tellMachine();
}

void ModelsWindow::tellMachine() {
  m_list->setMachine(m_machine);
  m_download->setFit({m_machine, m_list->context()->value()});
}

void ModelsWindow::setDeviceMemory(Device device, qint64 freeBytes) {
  if (device != m_machine.options.device) return;
  m_deviceBytes = forModelAndPool(freeBytes);
  measureMemory();
}

void ModelsWindow::setRoof(double memoryGbps) {
  m_machine.memoryGbps = memoryGbps;
  tellMachine();
}

void ModelsWindow::onFinished(const ScanReport& report) {
  const QString models = tr("Models: %1").arg(formatCount(report.models));
  m_list->showState(report.reachedLimit
                        ? tr("%1. The search stopped at its limit; there may be more.").arg(models)
                        : models);
  m_list->chooseFirst();
  m_pages->setTabText(
      kLeftOut, m_leftOut.empty() ? tr("Left out") : tr("Left out (%1)").arg(formatCount(report.leftOut)));
  m_leftOutModel->setValues(m_leftOut);
  if (m_toOpen.isEmpty()) return;
  const QString path = std::exchange(m_toOpen, {});
  if (const auto model = m_list->model().find(path)) return open(*model);
  tell(MessageCause::kChoice, Notice::problem(tr("%1 is not there any more.").arg(modelName(path)),
                                              tr("Download it again, or open another one.")));
}

void ModelsWindow::onDownloaded(const QString& path) {
  m_list->choose(path);
  search();
  Notice notice = Notice::note(tr("%1 has been downloaded.").arg(modelName(path)),
                               tr("It is selected among the models on this computer."));
  notice.action = tr("Open");
  notice.take = [window = QPointer(this), path] {
    if (window) window->openPath(path);
  };
  tell(MessageCause::kDownload, notice);
}

void ModelsWindow::openPath(const QString& path) {
  if (const auto model = m_list->model().find(path)) return open(*model);
  m_toOpen = path;
  if (!isSearching()) search();
}

// A model that is too large may still be wanted, after other programs are closed: asked for twice, it
// is loaded.
bool ModelsWindow::canLoad(const FoundModel& model, const QString& again) {
  const auto refuse = [this](const Notice& notice) {
    tell(MessageCause::kChoice, notice);
    return false;
  };
  if (!model.opens) return refuse(Notice::problem(tr("%1 cannot be opened.").arg(model.name), model.reason));
  if (!QFileInfo::exists(model.path))
    return refuse(Notice::problem(tr("%1 is not there any more.").arg(model.name),
                                  tr("Press “Search again” to see what is.")));
  const ModelEstimate estimate = estimateModel(model, m_list->context()->value(), m_machine);
  if (estimate.fit == ModelFit::kNo && std::exchange(m_warned, model.path) != model.path)
    return refuse(Notice::note(estimate.reason, again));
  m_messages->end(MessageCause::kChoice);
  return true;
}

void ModelsWindow::open(const FoundModel& model) {
  m_toOpen.clear();
  if (!canLoad(model, tr("Open it once more to load it all the same."))) return;
  emit modelChosen(model.path);
  close();
}

// The estimate counts what is left beside the open model.
void ModelsWindow::useAsDraft(const FoundModel& model) {
  measureMemory();
  if (canLoad(model, tr("Press “Use as draft” once more to load it all the same.")))
    emit draftChosen(model.path);
}

void ModelsWindow::setDraft(const QString& path) { m_list->setDraft(path); }

void ModelsWindow::setPool(const EngineOptions& options, KvShare share) {
  m_machine.options = options;
  measureMemory();
  m_list->setPool(options, share);
}

void ModelsWindow::tell(MessageCause cause, const Notice& notice) {
  m_messages->say(cause, notice);
  if (isVisible()) return;
  Notice elsewhere = notice;
  elsewhere.kind = Notice::kNote;
  emit noticed(elsewhere);
}

}  // namespace vitrine

#include "moc_models_window.cpp"
