// SessionModel: the base of a session's item models: it reads the session once a batch, and does nothing
// while all views that watch it are hidden.
//
// A model of the whole history receives every event, hidden or not, and keeps a few bytes of each: the
// history may be hours long, and is never read again.
//
// RowsModel keeps plain rows: setRows() signals exactly what changed, and at() gives painted views the
// row itself, while tables, screen readers and CSV use the ordinary roles. Thread: the window's. Invariant:
// after refresh() the rows are a pure function of the session's events and cursor.
#pragma once

#include <QAbstractTableModel>
#include <QSet>
#include <algorithm>
#include <utility>
#include <vector>

#include "widgets/session/session.h"
#include "widgets/support/table_columns.h"

namespace vitrine {

class SessionModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit SessionModel(Session* session, QObject* parent = nullptr);

  Session* session() const { return m_session; }

  // A view reports whether it is visible. If all watchers are hidden the model does nothing; without any
  // watcher it always follows the session.
  void setWatched(const QObject* watcher, bool visible);
  // Reports it from now on by the widget's own showing and hiding, before its handlers of these.
  void followSightOf(QObject* view);
  bool isActive() const { return m_watchers.isEmpty() || !m_visible.isEmpty(); }

  // From columns(); a model whose columns are not known in advance overrides all three.
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 signals:
  void refreshed();  // once after each refresh, for painted views

 protected:
  virtual const TableColumns& columns() const;
  // Of roles that no column has: tooltips, texts for screen readers.
  virtual QVariant otherData(const QModelIndex&, int /*role*/) const { return {}; }
  virtual void refresh() = 0;         // update the rows from the session
  virtual void restart() {}           // a new run: drop what take() kept
  virtual void take(const Event&) {}  // in order, each once; rows change in refresh() only
  void takeWhatIsThere();             // for constructors of models with a take()
  // The same for models of the whole run, which events change also while the cursor is in the past.
  void followWholeRun();
  // Tells views of the rows that have come behind those that they know of.
  void tellNewRows(int& known, int rows);
  void update();  // refresh now, or when a view is shown

 private:
  Session* m_session;
  QSet<const QObject*> m_watchers, m_visible;
  bool m_stale = false;
};

template <class Row>
class RowsModel : public SessionModel {
 public:
  using SessionModel::SessionModel;

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
  }
  const Row& at(int row) const { return m_rows.at(static_cast<std::size_t>(row)); }
  const std::vector<Row>& rows() const { return m_rows; }

 protected:
  void setRows(std::vector<Row> rows) {
    const int before = static_cast<int>(m_rows.size()), after = static_cast<int>(rows.size());
    if (after < before) {
      beginRemoveRows({}, after, before - 1);
      m_rows.resize(rows.size());
      endRemoveRows();
    }
    const int common = std::min(before, after);
    int first = common, last = -1;
    for (int i = 0; i < common; ++i) {
      auto& row = m_rows[static_cast<std::size_t>(i)];
      auto& next = rows[static_cast<std::size_t>(i)];
      if (row == next) continue;
      std::swap(row, next);
      first = std::min(first, i);
      last = i;
    }
    if (last >= 0) emit dataChanged(index(first, 0), index(last, columnCount() - 1));
    if (after > before) {
      beginInsertRows({}, before, after - 1);
      m_rows.insert(m_rows.end(), std::make_move_iterator(rows.begin() + before),
                    std::make_move_iterator(rows.end()));
      endInsertRows();
    }
  }

 private:
  std::vector<Row> m_rows;
};

}  // namespace vitrine
