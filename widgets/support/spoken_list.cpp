#include "widgets/support/spoken_list.h"

#include <QIdentityProxyModel>

namespace vitrine {
namespace {

class OneColumn final : public QIdentityProxyModel {
 public:
  OneColumn(QAbstractItemModel* model, int column, QObject* parent)
      : QIdentityProxyModel(parent), m_column(column) {
    setSourceModel(model);
  }

  int columnCount(const QModelIndex& parent) const override { return parent.isValid() ? 0 : 1; }
  QModelIndex index(int row, int column, const QModelIndex& parent) const override {
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
  }
  QModelIndex mapToSource(const QModelIndex& index) const override {
    return index.isValid() ? sourceModel()->index(index.row(), m_column) : QModelIndex();
  }
  QModelIndex mapFromSource(const QModelIndex& index) const override {
    return index.isValid() ? createIndex(index.row(), 0) : QModelIndex();
  }

 private:
  const int m_column;
};

}  // namespace

void SpokenList::setColumnOf(QAbstractItemModel* model, int column) {
  setModel(new OneColumn(model, column, this));
}

void SpokenList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  if (hasFocus())
    QListView::currentChanged(current, previous);
  else
    QAbstractItemView::currentChanged(current, previous);
}

}  // namespace vitrine
