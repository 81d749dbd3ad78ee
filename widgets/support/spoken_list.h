// SpokenList: a list as a screen reader should meet it. Qt counts each column of a list's model as an item
// and tells the present one by its row, so that of several columns another item is read; and it tells it also
// while the focus is elsewhere, which takes the reader away from there. Thread: the window's.
#pragma once

#include <QListView>

namespace vitrine {

class SpokenList : public QListView {
 public:
  using QListView::QListView;

  // Shows a column of a model of rows, as a model of that column alone: indexes of the list are of column 0.
  // The model must outlive this.
  void setColumnOf(QAbstractItemModel* model, int column);
  QModelIndex indexOf(int row) const { return model()->index(row, 0); }

 protected:
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
};

}  // namespace vitrine
