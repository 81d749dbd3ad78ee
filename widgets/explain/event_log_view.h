// EventLogView: the events as readable lines, with a filter by kind and a search (event_search.h). Thread:
// the window's.
#pragma once

#include <QWidget>

#include "widgets/explain/event_log_model.h"

class QLineEdit;
class QToolButton;

namespace vitrine {

class DataTableView;

class EventLogView : public QWidget {
  Q_OBJECT
 public:
  explicit EventLogView(EventLogModel* model, QWidget* parent = nullptr);

  DataTableView* table() const { return m_table; }
  QString summary() const { return {}; }
  QToolButton* earlier() const { return m_earlier; }  // shown while there are earlier events

 public slots:
  void search(const QString& text);  // EventSearch::fromText()

 signals:
  void summaryChanged(const QString& summary);
  void stepRequested(int step);  // a line was activated

 private:
  QLayout* makeFilterBar();
  void showEarlier();

  EventLogModel* m_model;
  DataTableView* m_table;
  QLineEdit* m_words;
  QToolButton* m_earlier;
};

}  // namespace vitrine
