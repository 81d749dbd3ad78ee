// LaneModel: a row for each sequence, a column for each step: what the scheduler did with it.
//
// Shows the whole recording, so that later steps stay visible after going back; the view marks the cursor.
// Source of the idea: the iteration-level schedules drawn in Orca (OSDI '22). Thread: the window's.
#pragma once

#include <map>

#include "widgets/models/session_model.h"

namespace vitrine {

enum class LaneKind : std::uint8_t { kNone, kWaiting, kPrefill, kDecode, kPreempted, kFinished };

// Eight bytes, since there is one for each sequence and step; describe() reads the rest from the recording.
struct LaneCell {
  LaneKind kind = LaneKind::kNone;
  bool sampled : 1 = false, finished : 1 = false;  // finished: the sequence ended in this step
  bool swapped : 1 = false;                        // preempted by swapping
  bool swapFailed : 1 = false;                     // not preempted, but swapping in failed
  bool cached : 1 = false;                         // admitted in this step, partly from the prefix cache
  int tokens = 0;                                  // computed in the step

  bool operator==(const LaneCell&) const = default;
};

struct Lane {
  SequenceId sequence = 0;
  RequestId request = 0;
  QString letter, name;
  int firstStep = 0;            // the step of cells[0]
  std::vector<LaneCell> cells;  // one a step, without gaps
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

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
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

  Computed computedIn(int step, SequenceId sequence) const;
  void takeSequence(const Event& event);
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
  int m_firstStep = 1, m_lastStep = 0;
  int m_columns = 0, m_rows = 0;  // as views have them
  int m_touched = 0;              // the first step whose cells views may not know yet
};

}  // namespace vitrine
