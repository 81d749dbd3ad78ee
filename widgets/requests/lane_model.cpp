#include "widgets/requests/lane_model.h"

#include <algorithm>

#include "widgets/support/request_style.h"

namespace vitrine {

LaneModel::LaneModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  connect(session, &Session::appended, this, [this, session] {
    if (!session->isLive()) update();
  });
  takeWhatIsThere();
  refresh();
}

void LaneModel::restart() {
  beginResetModel();
  m_lanes.clear();
  m_status.clear();
  m_laneOf.clear();
  m_asked.clear();
  m_open.clear();
  m_alive.clear();
  m_texts.clear();
  m_firstStep = 1;
  m_lastStep = m_columns = m_rows = m_touched = 0;
  endResetModel();
}

void LaneModel::refresh() {
  const int lanes = static_cast<int>(m_lanes.size()), columns = std::max(0, m_lastStep - m_firstStep + 1);
  if (m_rows > 0 && m_columns > 0) {
    const int from = std::clamp(m_touched - m_firstStep, 0, m_columns - 1);
    emit dataChanged(index(0, from), index(m_rows - 1, m_columns - 1));
  }
  if (lanes > m_rows) {
    beginInsertRows({}, m_rows, lanes - 1);
    m_rows = lanes;
    endInsertRows();
  }
  if (columns > m_columns) {
    beginInsertColumns({}, m_columns, columns - 1);
    m_columns = columns;
    endInsertColumns();
  }
  m_texts.erase(m_texts.lower_bound(m_touched), m_texts.end());
  m_touched = m_lastStep;
}

void LaneModel::take(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    m_asked[submitted->request] = {QString::fromStdString(submitted->name), submitted->sequences};
    addLane(submitted->firstSequence, submitted->request, 0, event.step + 1);
  } else if (const auto* forked = std::get_if<SequenceForked>(&event.body)) {
    addLane(forked->child, forked->request, forked->index, std::max(event.step, m_firstStep));
    setStatus(forked->child, Status::kRunning);
  } else if (std::holds_alternative<StepStarted>(event.body)) {
    m_lastStep = std::max(m_lastStep, event.step);
    while (static_cast<int>(m_alive.size()) * kAliveInterval <= m_lastStep - m_firstStep)
      m_alive.emplace_back(m_open.begin(), m_open.end());
  } else if (std::holds_alternative<StepFinished>(event.body)) {
    finishStep(event.step);
  } else if (const auto* snapshot = std::get_if<Snapshot>(&event.body)) {
    if (snapshot->state && m_lanes.empty()) takeSnapshot(*snapshot->state);
  } else {
    takeSequence(event);
  }
}

void LaneModel::takeSnapshot(const MachineState& state) {
  m_firstStep = state.step + 1;
  m_lastStep = state.step;
  for (const auto& [id, request] : state.requests) {
    m_asked[id] = {QString::fromStdString(request.name), static_cast<int>(request.sequences.size())};
  }
  for (const auto& [id, sequence] : state.sequences) {
    if (sequence.status == SequenceStatus::kFinished) continue;
    addLane(id, sequence.request, sequence.index, m_firstStep);
    setStatus(id, sequence.status == SequenceStatus::kRunning   ? Status::kRunning
                  : sequence.status == SequenceStatus::kWaiting ? Status::kWaiting
                                                                : Status::kPreempted);
    if (sequence.wait)
      m_lanes.back().waits.push_back(
          {m_firstStep, sequence.wait->reason, sequence.wait->needed, sequence.wait->available});
  }
}

void LaneModel::takeSequence(const Event& event) {
  const auto& body = event.body;
  if (const auto* waiting = std::get_if<SequenceWaiting>(&body)) {
    if (const auto lane = m_laneOf.find(waiting->sequence); lane != m_laneOf.end())
      m_lanes[lane->second].waits.push_back(
          {event.step, waiting->reason, waiting->needed, waiting->available});
    // Preempted and not admitted again in one step: the loss matters more than the wait.
    if (LaneCell* cell = cellFor(waiting->sequence, event.step); cell && cell->kind == LaneKind::kNone) {
      cell->kind = LaneKind::kWaiting;
    }
  } else if (const auto* admitted = std::get_if<SequenceAdmitted>(&body)) {
    setStatus(admitted->sequence, Status::kRunning);
    if (LaneCell* cell = cellFor(admitted->sequence, event.step)) cell->cached = admitted->cachedTokens > 0;
  } else if (const auto* preempted = std::get_if<SequencePreempted>(&body)) {
    setStatus(preempted->sequence, Status::kPreempted);
    if (LaneCell* cell = cellFor(preempted->sequence, event.step)) {
      *cell = {};
      cell->kind = LaneKind::kPreempted;
      cell->tokens = preempted->lostTokens;
      cell->swapped = preempted->how == Preemption::kSwap;
    }
  } else if (const auto* failed = bodyOf<SwapFailed>(body); failed && failed->move == SwapMove::kIn) {
    if (LaneCell* cell = cellFor(failed->sequence, event.step)) {
      *cell = {};
      cell->kind = LaneKind::kPreempted;
      cell->tokens = failed->lostTokens;
      cell->swapFailed = true;
    }
  } else if (const auto* finished = std::get_if<SequenceFinished>(&body)) {
    setStatus(finished->sequence, Status::kFinished);
    if (LaneCell* cell = cellFor(finished->sequence, event.step)) {
      cell->finished = true;
      if (cell->kind == LaneKind::kNone) cell->kind = LaneKind::kFinished;
      m_lanes[m_laneOf.at(finished->sequence)].cells.shrink_to_fit();
    }
  } else {
    takeWork(event);
  }
}

void LaneModel::takeWork(const Event& event) {
  if (const auto* scheduled = std::get_if<SequenceScheduled>(&event.body)) {
    if (LaneCell* cell = cellFor(scheduled->sequence, event.step)) {
      cell->kind = scheduled->kind == WorkKind::kPrefill ? LaneKind::kPrefill : LaneKind::kDecode;
      cell->tokens = scheduled->tokens;
    }
  } else if (const auto* sampled = std::get_if<TokenSampled>(&event.body)) {
    if (LaneCell* cell = cellFor(sampled->sequence, event.step)) cell->sampled = true;
  } else if (const auto* verified = std::get_if<DraftVerified>(&event.body)) {
    if (LaneCell* cell = cellFor(verified->sequence, event.step)) {
      const auto small = [](std::size_t count) {
        return static_cast<std::uint8_t>(std::min<std::size_t>(count, 255));
      };
      cell->drafted = small(verified->judgements.size());
      cell->accepted = small(static_cast<std::size_t>(verified->accepted));
    }
  }
}

// A sequence without events in the step waited in the queue.
void LaneModel::finishStep(int step) {
  std::erase_if(m_open, [this](std::size_t i) { return m_status[i] == Status::kFinished; });
  for (const std::size_t i : m_open) {
    if (m_status[i] != Status::kWaiting && m_status[i] != Status::kPreempted) continue;
    if (LaneCell* cell = cellFor(m_lanes[i].sequence, step); cell && cell->kind == LaneKind::kNone) {
      cell->kind = LaneKind::kWaiting;
    }
  }
}

void LaneModel::addLane(SequenceId sequence, RequestId request, int index, int step) {
  if (m_laneOf.contains(sequence)) return;
  const Asked& asked = m_asked[request];
  m_laneOf[sequence] = m_lanes.size();
  m_lanes.push_back({sequence,
                     request,
                     sequenceLetter(request, index, asked.answers),
                     asked.name,
                     std::max(step, m_firstStep),
                     {},
                     {}});
  m_status.push_back(Status::kWaiting);
  m_open.push_back(m_lanes.size() - 1);
}

LaneCell* LaneModel::cellFor(SequenceId sequence, int step) {
  const auto found = m_laneOf.find(sequence);
  if (found == m_laneOf.end()) return nullptr;
  Lane& lane = m_lanes[found->second];
  // A request that is cancelled before any step has no column.
  if (step < lane.firstStep || step > m_lastStep) return nullptr;
  const auto place = static_cast<std::size_t>(step - lane.firstStep);
  if (place >= lane.cells.size()) lane.cells.resize(place + 1);
  return &lane.cells[place];
}

void LaneModel::setStatus(SequenceId sequence, Status status) {
  const auto found = m_laneOf.find(sequence);
  if (found != m_laneOf.end()) m_status[found->second] = status;
}

const LaneCell& LaneModel::cell(int lane, int step) const {
  static const LaneCell kEmpty;
  if (lane < 0 || lane >= static_cast<int>(m_lanes.size())) return kEmpty;
  const Lane& row = m_lanes[static_cast<std::size_t>(lane)];
  const int place = step - row.firstStep;
  if (place < 0 || place >= static_cast<int>(row.cells.size())) return kEmpty;
  return row.cells[static_cast<std::size_t>(place)];
}

bool LaneModel::livesIn(int lane, int step) const {
  const auto place = static_cast<std::size_t>(lane);
  const Lane& row = m_lanes[place];
  return m_status[place] != Status::kFinished || row.firstStep + static_cast<int>(row.cells.size()) > step;
}

// Lanes come in the order of their first steps. Those that began before `from` and still lived are in
// m_alive.
std::vector<int> LaneModel::lanesIn(int first, int last) const {
  std::vector<int> lanes;
  int from = m_firstStep;
  if (!m_alive.empty()) {
    const int newest = static_cast<int>(m_alive.size()) - 1;
    const int chunk = std::clamp((first - m_firstStep) / kAliveInterval, 0, newest);
    from += chunk * kAliveInterval;
    for (const int lane : m_alive[static_cast<std::size_t>(chunk)])
      if (lane < m_rows && m_lanes[static_cast<std::size_t>(lane)].firstStep < from && livesIn(lane, first))
        lanes.push_back(lane);
  }
  const auto begin = std::ranges::lower_bound(m_lanes, from, {}, &Lane::firstStep);
  for (int lane = static_cast<int>(begin - m_lanes.begin()); lane < m_rows; ++lane) {
    if (m_lanes[static_cast<std::size_t>(lane)].firstStep > last) break;
    if (livesIn(lane, first)) lanes.push_back(lane);
  }
  return lanes;
}

const LaneWait* LaneModel::waitAt(int lane, int step) const {
  if (cell(lane, step).kind != LaneKind::kWaiting) return nullptr;
  const std::vector<LaneWait>& waits = m_lanes[static_cast<std::size_t>(lane)].waits;
  const auto behind = std::ranges::upper_bound(waits, step, {}, &LaneWait::step);
  return behind == waits.begin() ? nullptr : &*std::prev(behind);
}

int LaneModel::laneOf(SequenceId sequence) const {
  const auto found = m_laneOf.find(sequence);
  return found == m_laneOf.end() ? -1 : static_cast<int>(found->second);
}

int LaneModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }
int LaneModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_columns; }

}  // namespace vitrine

#include "moc_lane_model.cpp"
