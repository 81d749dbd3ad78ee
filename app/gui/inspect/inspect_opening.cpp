#include "gui/inspect/inspect_opening.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "gui/inspect/inspect_window.h"
#include "gui/parts/screen_fit.h"
#include "gui/questions/roof_measurer.h"

namespace vitrine {

InspectOpening::InspectOpening(RoofMeasurer& roof, QWidget* window)
    : QObject(window), m_roof(roof), m_parent(window) {}

InspectWindow* InspectOpening::open(const QString& model) {
  if (!m_open || !m_open->isVisible()) m_open = make();
  InspectWindow* const window = m_open;
  if (model.isEmpty() || model != window->model()) window->look(model);
  showInFront(*window);
  m_roof.want();
  return window;
}

InspectWindow* InspectOpening::make() {
  auto* window = new InspectWindow(m_parent);
  new ScreenFit(window);
  connect(window, &InspectWindow::folderWanted, this, &InspectOpening::chooseFolder);
  connect(window, &InspectWindow::fileWanted, this, &InspectOpening::chooseFile);
  connect(&m_roof, &RoofMeasurer::known, window, &InspectWindow::setRoof);
  return window;
}

// Beside the model that is shown.
QString InspectOpening::startFolder() const {
  return m_open->model().isEmpty() ? QDir::homePath() : QFileInfo(m_open->model()).path();
}

void InspectOpening::chooseFolder() {
  const QString folder =
      QFileDialog::getExistingDirectory(m_open, tr("Look into a model folder"), startFolder());
  if (m_open && !folder.isEmpty()) m_open->look(folder);
}

void InspectOpening::chooseFile() {
  const QString file = QFileDialog::getOpenFileName(m_open, tr("Look into a model file"), startFolder(),
                                                    tr("GGUF models (*.gguf)"));
  if (m_open && !file.isEmpty()) m_open->look(file);
}

}  // namespace vitrine

#include "moc_inspect_opening.cpp"
