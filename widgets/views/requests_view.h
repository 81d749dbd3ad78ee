// RequestsView: the running, waiting (and why) and finished sequences. Thread: the window's.
#pragma once

#include <QListView>

#include "widgets/models/request_list_model.h"

class QSortFilterProxyModel;

namespace vitrine {

class RequestsView : public QListView {
  Q_OBJECT
 public:
  explicit RequestsView(RequestListModel* model, QWidget* parent = nullptr);
  QString summary() const;  // "3 run · 1 waits"

 public slots:
  void select(int sequence);

 signals:
  void sequenceSelected(int sequence);
  void cancelRequested(int request);  // from the menu or with Delete; never for a finished request
  void copyRequested(int request);
  void summaryChanged(const QString& summary);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  RequestListModel* m_model;
  QSortFilterProxyModel* m_sorted;
  QString m_summary;  // the last one told
  bool m_selecting = false;
};

}  // namespace vitrine
