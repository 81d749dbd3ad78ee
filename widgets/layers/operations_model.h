// OperationsModel: where the time of the shown step's forward went: a row for each kind of operation with its
// time, bytes and floating-point operations, and how near that comes to what the machine can do.
//
// The costs are an event of the step (ForwardMeasured), so a past step shows its own. The roof is an event,
// too (RoofMeasured): that of the device that computed the run, wherever its trace is opened. A view asks for
// it where a run has none (wantsRoof()); only a machine that computes can answer. Thread: the window's. Read
// next: vitrine/machine_roof.h.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "vitrine/machine_roof.h"
#include "widgets/session/session_model.h"

namespace vitrine {

struct OperationRow {
  OperationCost cost;
  double share = 0;  // of the forward's time
  RoofPlace place;   // all zero without a roof

  bool operator==(const OperationRow& other) const;
};

class OperationsModel : public RowsModel<OperationRow> {
  Q_OBJECT
 public:
  enum Column { kOperation, kTime, kShare, kCalls, kBytes, kFlops, kIntensity, kGflops, kGbps, kLimit };

  explicit OperationsModel(Session* session, QObject* parent = nullptr);

  // Of the shown step: the last one measured by then, else the first one. Null: not known. Valid until the
  // next event.
  const MachineRoof* roof() const;
  QString roofDevice() const;  // "AVX-512, 2 threads"; empty: not known
  // A forward of a file in place of the session's, under the roof of the machine that it ran on.
  void showForward(ForwardMeasured forward, MachineRoof roof);
  // A measured step is shown, and its roof is not known.
  bool wantsRoof() const { return roof() == nullptr && rowCount() > 0; }
  void wantRoof();  // for another model of the same step: roofWanted(), unless it is known

  // The bandwidth that decides about weights and KV: that of reading as much as the forward does; 0: not
  // known.
  double streamGbps() const;
  QString streamWords() const;  // "61.2 GB/s at 12.3 MiB (third-level cache)"
  // Of each of the roof's ceilings(): "412 GFLOP/s, int8 multiply-adds (AVX-512 VNNI)"; of a roof with one
  // peak "90 GFLOP/s of AVX-512, 2 threads".
  QStringList peakWords() const;

  const ForwardMeasured& forward() const { return m_forward; }  // no time: not measured
  int longest() const;                                          // row; -1: none
  QString name(int row) const;
  QString summary() const;          // "forward 1.8 ms · gate-up 38 %"
  QString describe(int row) const;  // for tooltips and screen readers
  QString emptyText() const;        // empty when there are rows
  QString roofNote() const;         // why the rows stand under no roof; empty when they do

 signals:
  void roofWanted();
  void roofChanged();  // known, or of another run

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  void readStep();
  bool fits(const MachineRoof& roof) const;  // the engine that computed the shown step

  ForwardMeasured m_forward;
  std::optional<MachineRoof> m_given;                // by showForward()
  std::vector<std::pair<int, MachineRoof>> m_roofs;  // each with the step behind which it was measured
};

}  // namespace vitrine
