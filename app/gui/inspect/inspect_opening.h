// InspectOpening: the window of what is inside a model, one at a time: opens it for a model, asks for files
// and folders, and has the machine measured for its estimate. No machine is changed. Thread: the window's.
// Read next: inspect_window.h.
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace vitrine {

class InspectWindow;
class RoofMeasurer;

class InspectOpening : public QObject {
  Q_OBJECT

 public:
  // The parent of the window; both must outlive this.
  InspectOpening(RoofMeasurer& roof, QWidget* window);

  // A folder or a GGUF file; empty: the window says that none is open. The window that is open shows it.
  InspectWindow* open(const QString& model);

 private:
  InspectWindow* make();
  QString startFolder() const;
  void chooseFolder();
  void chooseFile();

  RoofMeasurer& m_roof;
  QWidget* const m_parent;
  QPointer<InspectWindow> m_open;
};

}  // namespace vitrine
