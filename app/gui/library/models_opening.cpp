#include "gui/library/models_opening.h"

#include <QDir>
#include <QFileDialog>
#include <utility>

#include "gui/inspect/inspect_opening.h"
#include "gui/library/models_download.h"
#include "gui/library/models_window.h"
#include "gui/machine/device_finder.h"
#include "gui/parts/screen_fit.h"
#include "gui/questions/roof_measurer.h"
#include "gui/settings/settings.h"

namespace vitrine {

ModelsOpening::ModelsOpening(Settings& settings, RoofMeasurer& roof, DeviceFinder& devices,
                             InspectOpening& inside, QWidget* window)
    : QObject(window),
      m_settings(settings),
      m_roof(roof),
      m_devices(devices),
      m_inside(inside),
      m_parent(window),
      m_places(modelsPlaces(QProcessEnvironment::systemEnvironment(), settings)) {}

void ModelsOpening::followSettings() {
  m_places = modelsPlaces(QProcessEnvironment::systemEnvironment(), m_settings);
  m_outdated = m_window != nullptr;
  const bool wasVisible = m_outdated && m_window->isVisible();
  leaveOutdated();
  if (wasVisible && m_window == nullptr) open();
}

// Paused or failed, a download can still go on where it stopped.
void ModelsOpening::leaveOutdated() {
  if (!m_outdated) return;
  const DownloadState state = m_window->download().state();
  const bool isOver = state == DownloadState::kIdle || state == DownloadState::kListed ||
                      state == DownloadState::kFinished || state == DownloadState::kCancelled;
  if (!isOver) return;
  m_outdated = false;
  delete std::exchange(m_window, nullptr);
}

ModelsWindow* ModelsOpening::open() {
  leaveOutdated();
  if (m_window == nullptr) m_window = make();
  const bool isNew = !m_window->isVisible();
  const EngineOptions options = m_settings.engineOptions();
  m_window->setPool(options, m_settings.kvShare());
  if (options.device != Device::kCpu) m_devices.wantMemory(options.device);
  showInFront(*m_window);
  m_roof.want();
  if (isNew) m_window->search();
  return m_window;
}

ModelsWindow* ModelsOpening::make() {
  auto* window = new ModelsWindow(m_places, m_parent);
  new ScreenFit(window);
  window->setFolders(m_settings.modelFolders());
  connect(window, &ModelsWindow::modelChosen, this, &ModelsOpening::modelChosen);
  window->setDraft(m_draft);
  connect(window, &ModelsWindow::draftChosen, this, &ModelsOpening::draftChosen);
  connect(window, &ModelsWindow::shareChosen, this, [this](KvShare share) {
    m_settings.setKvShare(share);
    emit shareChosen(share);
  });
  connect(window, &ModelsWindow::noticed, this, &ModelsOpening::noticed);
  connect(window, &ModelsWindow::insideWanted, &m_inside, &InspectOpening::open);
  connect(window, &ModelsWindow::folderWanted, this, &ModelsOpening::chooseFolder);
  connect(window, &ModelsWindow::folderForgotten, this, &ModelsOpening::forgetFolder);
  connect(&m_devices, &DeviceFinder::memoryKnown, window, &ModelsWindow::setDeviceMemory);
  connect(&m_roof, &RoofMeasurer::known, window,
          [window](const MachineRoof& roof) { window->setRoof(roof.memoryGbps()); });
  return window;
}

void ModelsOpening::setDraft(const QString& path) {
  m_draft = path;
  if (m_window != nullptr) m_window->setDraft(path);
}

void ModelsOpening::chooseFolder() {
  const QString folder =
      QFileDialog::getExistingDirectory(m_window, tr("Search another folder for models"), QDir::homePath());
  if (!folder.isEmpty()) addFolder(folder);
}

void ModelsOpening::addFolder(const QString& folder) {
  QStringList folders = m_settings.modelFolders();
  const QString path = QDir::cleanPath(QDir(folder).absolutePath());
  if (!folders.contains(path)) folders << path;
  useFolders(folders);
}

void ModelsOpening::forgetFolder(const QString& folder) {
  QStringList folders = m_settings.modelFolders();
  folders.removeAll(folder);
  useFolders(folders);
}

void ModelsOpening::useFolders(const QStringList& folders) {
  m_settings.modelFolders.set(folders);
  if (m_window == nullptr) return;
  m_window->setFolders(folders);
  m_window->search();
}

}  // namespace vitrine

#include "moc_models_opening.cpp"
