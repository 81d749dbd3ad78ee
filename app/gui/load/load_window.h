// LoadWindow: the load of several servers side by side: a table with a row for each, and plots of the last
// ten minutes. Addresses are added and removed here; they are kept in the settings, and their keys are not.
//
// A problem of a server stands in its row. While the window is hidden no server is asked. Esc hides it.
// Thread: the window's. Read next: load_opening.h, load_watcher.h.
#pragma once

#include <QDialog>
#include <vector>

#include "gui/load/load_watcher.h"
#include "gui/settings/settings.h"
#include "widgets/session/session.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace vitrine {

class DataTableView;
class LoadModel;
class LoadPlots;

class LoadWindow : public QDialog {
  Q_OBJECT

 public:
  // `kept`: the addresses, in the settings; those that are there are shown from the beginning.
  explicit LoadWindow(const Stored<QStringList>& kept, QWidget* parent = nullptr);

  // Of a server that is there, the key is replaced where there is one. False: there are too many, and the
  // window says so.
  bool add(const ApiAddress& server);

  QLineEdit* address() const { return m_address; }
  QLineEdit* key() const { return m_key; }
  QPushButton* addButton() const { return m_add; }
  QPushButton* removeButton() const { return m_remove; }
  DataTableView* table() const { return m_table; }
  const LoadModel& model() const { return *m_model; }
  LoadPlots* plots() const { return m_plots; }
  LoadWatcher& watcher() const { return *m_watcher; }
  QString problem() const;   // with what was typed; empty: none
  QString selected() const;  // the server of the selected row, and its state in full

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeMiddle();
  void makeTable();
  void addTyped();
  void removeSelected();
  void keep() const;
  void say(const QString& problem);
  void fitColumns();
  void follow();
  int row() const;  // the selected one; -1: none

  Session m_session;  // an empty one: no run belongs to the servers
  const Stored<QStringList> m_kept;
  LoadWatcher* m_watcher;
  LoadModel* m_model;
  QLineEdit *m_address, *m_key;
  QPushButton *m_add, *m_remove;
  QLabel *m_problem, *m_selected;
  DataTableView* m_table;
  LoadPlots* m_plots;
  QWidget* m_plotsCard = nullptr;
  std::vector<int> m_fitted;  // by column: the width that its cells have needed so far
};

}  // namespace vitrine
