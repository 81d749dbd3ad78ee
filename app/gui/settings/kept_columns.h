// KeptColumns: the widths and the sorting of a table, as a person has left them, in the settings. A column of
// the usual width fits what it shows, and one column takes the room that the others leave. The way back
// stands in the menus of the headings and of the table. Thread: the window's. Errors: kept values that fit no
// column are passed over.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <QVariantMap>

#include "gui/settings/settings.h"

class QAction;
class QHeaderView;

namespace vitrine {

class DataTableView;

class KeptColumns : public QObject {
  Q_OBJECT

 public:
  struct Sorting {
    int column = 0;
    Qt::SortOrder order = Qt::AscendingOrder;
  };

  // `names`: of the columns in the settings, the same in every language. `rest`: the column that takes what
  // is left. Lives as long as the table.
  KeptColumns(DataTableView* table, const Stored<QVariantMap>& kept, const QStringList& names, int rest,
              Sorting usual);

  QAction* reset() const { return m_reset; }  // back to the usual widths and sorting
  bool isFitted() const { return !m_fitSoon.isActive(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void sort();  // as is kept
  void fit();   // columns whose width is not kept
  void onResized(int column, int before, int now);
  void onSorted(int column, Qt::SortOrder order);
  void goBack();
  QVariantMap widths() const;

  DataTableView* m_table;
  QHeaderView* m_header;
  const Stored<QVariantMap> m_kept;
  const QStringList m_names;
  const int m_rest;
  const Sorting m_usual;
  QAction* m_reset;
  QTimer m_fitSoon;  // once for all rows that come together
  bool m_isFitting = false;
};

}  // namespace vitrine
