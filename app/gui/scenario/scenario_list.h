// ScenarioList: the scenarios as rows, those that ship group by group under headings, then the user's files;
// and the delegate that paints them. A heading cannot be chosen. Thread: the window's.
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>
#include <vector>

#include "scenarios/scenario.h"

namespace vitrine {

class ScenarioList : public QAbstractListModel {
  Q_OBJECT

 public:
  struct Row {
    QString title;      // of a heading: the group's
    QString group;      // the title of its group
    QString key;        // what opens it: a name or a file
    Scenario scenario;  // without requests: a file that cannot be read
    bool heading = false;
  };

  // Reads the files; `own` are the user's.
  explicit ScenarioList(const QStringList& own = {}, QObject* parent = nullptr);

  const Row& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }
  int rowOf(const QString& name) const;  // the first scenario's for an unknown name; -1: there is none

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  void addGroup(const QString& title, std::vector<Row> rows);

  std::vector<Row> m_rows;
};

class ScenarioDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace vitrine
