// InspectWindow: what is inside a model, loaded or not: a summary with memory and speed at a context, its
// tensors, keys and chat template, and one tensor opened.
//
// file → ModelInspector → models → views: nothing is loaded, and no machine is changed. A model that cannot
// be read leaves what was shown, with a message above it. Models are dropped on it, too. Esc closes it.
// Thread: the window's. Read next: model_inspector.h, inspect_opening.h.
#pragma once

#include <QDialog>

#include "gui/inspect/model_inspector.h"
#include "widgets/session/session.h"

class QLabel;
class QPushButton;

namespace vitrine {

class ElidingLabel;
class InspectList;
class InspectSummary;
class InspectTensor;
class MessageBar;
struct MachineRoof;

class InspectWindow : public QDialog {
  Q_OBJECT

 public:
  explicit InspectWindow(QWidget* parent = nullptr);

  void look(const QString& model);  // a folder or a GGUF file; empty: none is open, and it says so
  void setRoof(const MachineRoof& roof);

  const QString& model() const { return m_model; }  // that is shown; empty: none
  ModelInspector& inspector() { return *m_inspector; }
  InspectSummary& summary() { return *m_summary; }
  InspectList& list() { return *m_list; }
  InspectTensor& tensor() { return *m_tensor; }
  MessageBar& messages() { return *m_messages; }
  QPushButton* other() const { return m_other; }

 signals:
  void folderWanted();  // by a dialog
  void fileWanted();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeMiddle();
  void wire();
  void onModel(const QString& path, const InspectedModel& model);
  void onFailed(ModelInspector::Kind kind, const Notice& notice);
  void showTitle();

  Session m_session;  // an empty one: no run belongs to a model
  QString m_model, m_modelName, m_title;
  ModelInspector* m_inspector;
  MessageBar* m_messages;
  ElidingLabel* m_name;
  QPushButton* m_other;  // before the cards, since Tab follows the order in which parts are made
  InspectSummary* m_summary;
  InspectList* m_list;
  InspectTensor* m_tensor;
};

}  // namespace vitrine
