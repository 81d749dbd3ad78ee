// CompareAxisModel: a row for each step of the longer of two runs, with what each of them did in it.
//
// Thread: the window's. Read next: compared_pair.h, widgets/time/time_axis_model.h.
#pragma once

#include <array>

#include "gui/compare/compared_pair.h"
#include "widgets/time/time_axis_model.h"

namespace vitrine {

class CompareAxisModel : public SessionModel {
  Q_OBJECT

 public:
  // The pair outlives it; `session` belongs to no run.
  CompareAxisModel(Session* session, const ComparedPair& pair, QObject* parent = nullptr);

  // Several steps as one; nothing of those that the machine has not done.
  AxisSteps stepsOf(int side, int first, int last) const;
  AxisSteps stepOf(int side, int step) const { return stepsOf(side, step, step); }
  int steps() const { return m_pair.lastStep(); }
  int cursor() const { return m_pair.step(); }
  std::optional<int> firstDifference() const { return m_difference; }

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_shown; }

 protected:
  const TableColumns& columns() const override;
  void refresh() override;

 private:
  const ComparedPair& m_pair;
  std::array<TimeAxisModel*, ComparedPair::kSides> m_sides{};
  std::optional<int> m_difference;
  int m_shown = 0;
};

}  // namespace vitrine
