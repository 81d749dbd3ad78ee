#include "widgets/requests/lane_model.h"

#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/token_ink.h"

namespace vitrine {

LaneModel::LaneModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  followWholeRun();
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
  tellNewRows(m_rows, lanes);
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
    m_asked[submitted->request] = {QString::fromStdString(submitted->asked.name), submitted->asked.sequences};
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
    if (LaneCell* cell = cellFor(sampled->sequence, event.step)) {
      cell->sampled = true;
      if (sampled->token < 0) {  // of an engine that is seen from outside: no plan said that it would come
        cell->kind = LaneKind::kDecode;
        ++cell->tokens;
      }
    }
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

// The texts of LaneModel: of a cell, for tooltips, tables and screen readers, and of the tokens under it.

LaneModel::Computed LaneModel::computedIn(int step, SequenceId sequence) const {
  Computed computed;
  try {
    for (const Event& event : session()->recording().eventsOf(step)) {
      const auto* admitted = bodyOf<SequenceAdmitted>(event);
      if (admitted && admitted->sequence == sequence) computed.cachedTokens = admitted->cachedTokens;
      const auto* sampled = bodyOf<TokenSampled>(event);
      if (sampled && sampled->sequence == sequence)
        computed.text += QString::fromStdString(inkOf(*sampled));  // a draft yields several
    }
  } catch (const EngineError&) {  // a part that the disk has lost cannot be described
  }
  return computed;
}

LaneModel::StepTexts LaneModel::textsIn(int step) const {
  constexpr int kTokensTold = 8;  // of a prompt chunk
  StepTexts chunks, texts;
  try {
    for (const Event& event : session()->recording().eventsOf(step)) {
      if (const auto* sampled = bodyOf<TokenSampled>(event)) {
        texts[sampled->sequence] += visibleToken(inkOf(*sampled));
      } else if (const auto* work = bodyOf<SequenceScheduled>(event);
                 work && work->kind == WorkKind::kPrefill) {
        QString& chunk = chunks[work->sequence];
        for (int i = 0; i < std::min(work->tokens, kTokensTold); ++i)
          chunk += visibleToken(session()->recordedText(work->sequence, work->firstPosition + i));
      }
    }
  } catch (const EngineError&) {  // a part that the disk has lost has no texts
  }
  texts.merge(chunks);  // a chunk that ends the prompt shows the token it led to
  return texts;
}

QString LaneModel::textAt(int lane, int step) const {
  constexpr std::size_t kMostSteps = 512;
  if (cell(lane, step).kind == LaneKind::kNone) return {};
  auto known = m_texts.find(step);
  if (known == m_texts.end()) {
    if (m_texts.size() >= kMostSteps) m_texts.clear();
    known = m_texts.emplace(step, textsIn(step)).first;
  }
  const auto text = known->second.find(m_lanes[static_cast<std::size_t>(lane)].sequence);
  return text == known->second.end() ? QString() : text->second;
}

QString LaneModel::cellText(int lane, int step) const {
  const LaneCell& data = cell(lane, step);
  switch (data.kind) {
    case LaneKind::kNone:
      return {};
    case LaneKind::kWaiting: {
      const LaneWait* wait = waitAt(lane, step);
      if (wait == nullptr) return tr("waits");
      return tr("waits: %1").arg(waitReasonText({0, wait->reason, wait->needed, wait->available}));
    }
    case LaneKind::kPrefill:
      return tr("prefill, %n token(s)", nullptr, data.tokens);
    case LaneKind::kDecode:
      if (data.drafted > 0)
        return tr("decode, %1 of %n draft token(s) accepted", nullptr, data.drafted).arg(data.accepted);
      return tr("decode, %n token(s)", nullptr, data.tokens);
    case LaneKind::kPreempted:
      if (data.swapped) return tr("preempted, swapped out");
      if (data.swapFailed) return tr("swapping in failed, %n computed token(s) lost", nullptr, data.tokens);
      return tr("preempted, %n computed token(s) lost", nullptr, data.tokens);
    case LaneKind::kFinished:
      return tr("finished");
  }
  return {};
}

QString LaneModel::describe(int lane, int step) const {
  if (lane < 0 || lane >= m_rows) return {};
  const Lane& row = m_lanes[static_cast<std::size_t>(lane)];
  const LaneCell& data = cell(lane, step);
  QStringList lines{tr("%1 (%2), step %3").arg(row.letter, row.name, QString::number(step))};
  if (data.kind == LaneKind::kNone)
    lines << tr("nothing to do");
  else
    lines << cellText(lane, step);
  const Computed computed = data.cached || data.sampled ? computedIn(step, row.sequence) : Computed{};
  if (data.cached) lines << tr("%n token(s) from the prefix cache", nullptr, computed.cachedTokens);
  if (data.sampled) {
    lines << (computed.text.isEmpty() ? tr("sampled a token whose text is not complete yet")
                                      : tr("sampled “%1”").arg(visibleToken(computed.text)));
  }
  if (data.finished && data.kind != LaneKind::kFinished) lines << tr("then it finished");
  return lines.join(u'\n');
}

QVariant LaneModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int step = m_firstStep + index.column();
  if (role == Qt::ToolTipRole) return describe(index.row(), step);
  if (role != Qt::DisplayRole) return {};
  return cellText(index.row(), step);
}

QVariant LaneModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || section < 0) return {};
  if (orientation == Qt::Horizontal) return tr("Step %1").arg(m_firstStep + section);
  if (section >= m_rows) return {};
  const Lane& lane = m_lanes[static_cast<std::size_t>(section)];
  return tr("%1 %2").arg(lane.letter, lane.name);
}

}  // namespace vitrine

#include "moc_lane_model.cpp"
