// DataTableView: an ordinary table of an item model: keyboard, screen reader, copy as CSV; its actions stand
// in its menu. The table twin of the painted maps, and the view of the block table, the metrics and the
// events. Thread: the window's. Read next: table_twin.h.
#pragma once

#include <QPointer>
#include <QTableView>
#include <functional>
#include <memory>

#include "widgets/session/session_model.h"

namespace vitrine {

class DataTableView : public QTableView {
  Q_OBJECT
 public:
  // emptyText is shown while there are no rows. followEnd keeps the last row visible until the user scrolls
  // up.
  explicit DataTableView(SessionModel* model, const QString& emptyText = {}, QWidget* parent = nullptr);

  // What CSV has in place of the model's columns: the same rows in the same order. Null: the model itself.
  std::function<std::unique_ptr<QAbstractItemModel>()> makeCsvModel;
  QString csv() const;  // of all rows

  void setFollowEnd(bool follow) { m_followEnd = follow; }
  void setStretchColumn(int column);
  void leaveColumns() { m_fitsColumns = false; }  // another class gives them their widths
  QString summary() const { return m_summary; }   // of the model's rows; set by the panel that knows them
  void setSummary(const QString& summary) { emit summaryChanged(m_summary = summary); }

 public slots:
  void copyCsv() const;  // the selected rows, or all when none or one is selected

 signals:
  void summaryChanged(const QString& summary);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fitColumns();

  QPointer<SessionModel> m_source;  // null while a window is taken down that deletes its models first
  QString m_emptyText, m_summary;
  bool m_followEnd = false, m_atEnd = true, m_fitted = false, m_fitsColumns = true;
};

}  // namespace vitrine
