// TableTwin: a view's model as a table in the view's place, for the keyboard, screen readers and exact
// numbers. An action of the view (Ctrl+T) shows and closes it; the view puts the action into its menu.
// Thread: the window's. Read next: data_table_view.h.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>

#include "widgets/session/session_model.h"

class QAction;

namespace vitrine {

class DataTableView;

class TableTwin : public QObject {
  Q_OBJECT
 public:
  // The view owns the twin; the model must outlive both. emptyText stands in a table without rows.
  TableTwin(SessionModel* model, QWidget* view, const QString& emptyText = {});

  // The table of a view whose rows are not a table's has a model of its own while it is open; null: the same.
  std::function<std::unique_ptr<SessionModel>()> makeModel;

  QAction* action() const { return m_action; }  // checked while the table is open
  DataTableView* table() const;                 // null while closed
  void setOpen(bool open);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void open();
  void close();

  SessionModel* m_model;
  QWidget* m_view;
  QString m_emptyText;
  QAction* m_action;
  QPointer<DataTableView> m_table;
  Qt::FocusPolicy m_focusPolicy = Qt::NoFocus;  // the view's, while the table is open
};

}  // namespace vitrine
