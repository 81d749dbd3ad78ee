// LaneModel: a row for each sequence, a column for each step: what the scheduler did with it.
//
// Shows the whole recording, so that later steps stay visible after going back; the view marks the cursor.
// A step costs eight bytes for each sequence that lives in it; texts are read from the recording. Source of
// the idea: the iteration-level schedules drawn in Orca (OSDI '22). Thread: the window's.
#pragma once

#include <map>

#include "widgets/session/session_model.h"

namespace vitrine {

enum class LaneKind : std::uint8_t { kNone, kWaiting, kPrefill, kDecode, kPreempted, kFinished };

// Eight bytes, since there is one for each sequence and step; describe() reads the rest from the recording.
struct LaneCell {
  LaneKind kind = LaneKind::kNone;
  bool sampled : 1 = false, finished : 1 = false;  // finished: the sequence ended in this step
  bool swapped : 1 = false;                        // preempted by swapping
  bool swapFailed : 1 = false;                     // not preempted, but swapping in failed
  bool cached : 1 = false;                         // admitted in this step, partly from the prefix cache
  std::uint8_t drafted = 0, accepted = 0;          // draft tokens that were verified, and those accepted
  int tokens = 0;                                  // computed in the step

  bool operator==(const LaneCell&) const = default;
};

// Why a sequence waits from this step on, until the next one or its admission.
struct LaneWait {
  int step = 0;
  WaitReason reason = WaitReason::kBlocks;
  int needed = 0, available = 0;
};

struct Lane {
  SequenceId sequence = 0;
  RequestId request = 0;
  QString letter, name;
  int firstStep = 0;            // the step of cells[0]
  std::vector<LaneCell> cells;  // one a step, without gaps
  std::vector<LaneWait> waits;  // by step
};

class LaneModel : public SessionModel {
  Q_OBJECT
 public:
  explicit LaneModel(Session* session, QObject* parent = nullptr);

  const std::vector<Lane>& lanes() const { return m_lanes; }
  const LaneCell& cell(int lane, int step) const;  // an empty one outside
  int firstStep() const { return m_firstStep; }    // the step of column 0
  int steps() const { return m_columns; }
  int laneOf(SequenceId sequence) const;  // -1 for none
  // Lanes of the sequences that live in one of the steps first .. last, in order. Costs as much for the last
  // hour of a run as for the first.
  std::vector<int> lanesIn(int first, int last) const;
  const LaneWait* waitAt(int lane, int step) const;  // null unless the sequence waits in that step
  // What the step sampled for the sequence, or the first tokens of the prompt chunk that it computed; read
  // from the recording and remembered for the steps in sight.
  QString textAt(int lane, int step) const;

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_columns; }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  QString describe(int lane, int step) const;

 protected:
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  enum class Status : std::uint8_t { kWaiting, kRunning, kPreempted, kFinished };
  struct Computed {
    int cachedTokens = 0;
    QString text;  // sampled
  };
  struct Asked {
    QString name;
    int answers = 1;
  };

  static constexpr int kAliveInterval = 64;  // steps

  using StepTexts = std::map<SequenceId, QString>;

  Computed computedIn(int step, SequenceId sequence) const;
  StepTexts textsIn(int step) const;
  bool livesIn(int lane, int step) const;  // or later
  QString cellText(int lane, int step) const;
  void takeSequence(const Event& event);
  void takeWork(const Event& event);
  void takeSnapshot(const MachineState& state);
  void finishStep(int step);
  void addLane(SequenceId sequence, RequestId request, int index, int step);
  LaneCell* cellFor(SequenceId sequence, int step);  // null for an unknown sequence
  void setStatus(SequenceId sequence, Status status);

  std::vector<Lane> m_lanes;
  std::vector<Status> m_status;  // of each lane
  std::map<SequenceId, std::size_t> m_laneOf;
  std::map<RequestId, Asked> m_asked;
  std::vector<std::size_t> m_open;  // lanes whose sequence has not finished
  std::vector<std::vector<int>>
      m_alive;  // lanes of unfinished sequences, before every kAliveInterval-th step
  mutable std::map<int, StepTexts> m_texts;
  int m_firstStep = 1, m_lastStep = 0;
  int m_columns = 0, m_rows = 0;  // as views have them
  int m_touched = 0;              // the first step whose cells views may not know yet
};

}  // namespace vitrine
