// RequestsView: a card for each request: running, waiting (and why) and finished, with the newest words of
// its answer. Siblings of a request fold into its card. Thread: the window's. Read next: request_cards.h.
#pragma once

#include <QPointer>

#include "widgets/requests/request_list_model.h"
#include "widgets/support/spoken_list.h"

class QMenu;

namespace vitrine {

class RequestCards;
class RequestOrder;
class TableTwin;

class RequestsView : public SpokenList {
  Q_OBJECT
 public:
  explicit RequestsView(RequestListModel* model, QWidget* parent = nullptr);

  QString summary() const { return m_model->summary(); }  // "3 run · 1 waits"
  bool showsAllFinished() const;

 public slots:
  void select(int sequence);
  void setUnfolded(int request, bool unfolded);  // a card for each of its sequences
  void setShowsAllFinished(bool all);
  void showTable();  // the table twin, in the view's place

 signals:
  void sequenceSelected(int sequence);
  void cancelRequested(int request);  // from the menu or with Delete; never for a finished request
  void copyRequested(int request);
  void eventsRequested(int request);  // the user wants to see them
  void summaryChanged(const QString& summary);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  void rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) override;

 private:
  void fitCards();
  void addRequestActions(QMenu& menu, const RequestRow& row);

  QPointer<RequestListModel> m_model;  // null while a window is taken down that deletes its models first
  RequestOrder* m_order;
  RequestCards* m_cards;
  TableTwin* m_twin;
  bool m_selecting = false;
};

}  // namespace vitrine
