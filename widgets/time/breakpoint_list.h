// BreakpointList: the window's breakpoints, a row each with its text and a check box. A run to one moment
// adds a breakpoint that counts once and has no row. Thread: the window's. Read next: vitrine/breakpoints.h.
#pragma once

#include <QAbstractListModel>
#include <optional>

#include "vitrine/breakpoints.h"
#include "widgets/session/session.h"

namespace vitrine {

class BreakpointList : public QAbstractListModel {
  Q_OBJECT
 public:
  static constexpr int kMost = 64;  // breakpoints; each costs a comparison for the events of its kind

  explicit BreakpointList(Session* session, QObject* parent = nullptr);

  std::vector<Breakpoint> all() const;  // the rows, then the one that counts once
  bool contains(const Breakpoint& breakpoint) const;
  bool add(const Breakpoint& breakpoint);  // false: it is there already, or the list is full
  void remove(int row);
  void toggleStep(int step);
  void setOnce(std::optional<Breakpoint> once);
  const std::optional<Breakpoint>& once() const { return m_once; }

  // As settings keep them; "-" in front: disabled. What cannot be read is left out.
  QStringList toTexts() const;
  void restore(const QStringList& texts);

  QString textOf(const Breakpoint& breakpoint) const;  // "preemption of B"

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
  }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void changed();

 private:
  Session* m_session;
  std::vector<Breakpoint> m_rows;
  std::optional<Breakpoint> m_once;
};

}  // namespace vitrine
