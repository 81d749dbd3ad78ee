// BlockedModel: what kept sequences waiting over the whole run: a row for each reason, with the number of
// steps that sequences waited for it. Two sequences that wait in a step count two. Thread: the window's.
#pragma once

#include <array>
#include <map>

#include "widgets/session/session_model.h"

namespace vitrine {

struct BlockedRow {
  WaitReason reason = WaitReason::kBlocks;
  std::int64_t steps = 0;  // of all sequences together
  double share = 0;        // of all rows' steps
  SequenceId longest = 0;  // the sequence that waited longest for it,
  int longestSteps = 0;    // and for so many steps
  int now = 0;             // sequences that waited for it in the last step

  bool operator==(const BlockedRow&) const = default;
};

class BlockedModel : public RowsModel<BlockedRow> {
  Q_OBJECT
 public:
  enum Column { kReason, kSteps, kShare, kLongest, kNow };

  explicit BlockedModel(Session* session, QObject* parent = nullptr);

  static QString reasonName(WaitReason reason);  // "blocks"
  QString describe(int row) const;               // for a tooltip or a screen reader

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  struct Wait {
    WaitReason reason = WaitReason::kBlocks;
    std::int64_t since = 0;  // finished steps when it began
  };
  struct Reason {
    std::int64_t steps = 0;  // of waits before the last finished step
    int now = 0, atLastStep = 0;
    SequenceId longest = 0;
    std::int64_t longestSteps = 0;
  };

  void begin(SequenceId sequence, WaitReason reason);
  void end(SequenceId sequence);
  void finishStep();
  Reason& of(WaitReason reason) { return m_reasons[static_cast<std::size_t>(reason)]; }

  std::array<Reason, kWaitReasonCount> m_reasons{};
  std::map<SequenceId, Wait> m_waits;  // of the sequences that wait now
  std::int64_t m_steps = 0;            // finished
};

}  // namespace vitrine
