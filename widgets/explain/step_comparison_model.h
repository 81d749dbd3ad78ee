// StepComparisonModel: what differs in the machine between the step shown and another one, a row for each
// value: "A, status: waiting, running". The other step stays while the cursor moves; while the machine runs,
// the rows grow with it. Without another step there are no rows. Thread: the window's. Read next:
// vitrine/state_difference.h.
#pragma once

#include <optional>

#include "vitrine/prose/link.h"
#include "widgets/session/session_model.h"

namespace vitrine {

struct StepComparisonRow {
  prose::Target target;
  QString subject, what, before, after;

  bool operator==(const StepComparisonRow&) const = default;
};

class StepComparisonModel : public RowsModel<StepComparisonRow> {
  Q_OBJECT
 public:
  enum Column { kSubject, kWhat, kBefore, kAfter };

  explicit StepComparisonModel(Session* session, QObject* parent = nullptr);

  // Clamped to the steps that have finished.
  void compareWith(int step);
  void end();
  std::optional<int> other() const { return m_other; }
  QString title() const;  // "Step 3 → step 9: 12 differences"; empty without another step

 signals:
  void otherChanged();

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override { end(); }

 private:
  void compare(const MachineState& before, const MachineState& after);

  std::optional<int> m_other;
  std::optional<MachineState>
      m_otherState;  // of that step; none until a view asks, or if the disk has lost it
};

}  // namespace vitrine
