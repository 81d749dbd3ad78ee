#include "widgets/beams/beam_tree_model.h"

#include <algorithm>
#include <utility>

namespace vitrine {

BeamTreeModel::BeamTreeModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  connect(session, &Session::selectionChanged, this, [this] { update(); });
  takeWhatIsThere();
  refresh();
}

void BeamTreeModel::restart() {
  m_searches.clear();
  m_requestOf.clear();
  m_taken = 0;
  m_isOtherRun = true;
}

void BeamTreeModel::addSearch(RequestId request, SequenceId first, Search search) {
  if (search.width < 2) return;
  m_requestOf[first] = request;
  m_searches[request] = std::move(search);
}

// A late joiner knows of the searches in flight. How they began is not recorded.
void BeamTreeModel::takeSnapshot(const MachineState& state) {
  for (const auto& [id, request] : state.requests) {
    if (m_searches.contains(id) || request.sequences.empty()) continue;
    addSearch(id, request.sequences.front(), {m_taken, request.beamWidth, {}, {}, {}});
    if (!m_searches.contains(id)) continue;
    for (const SequenceId sequence : request.sequences) m_requestOf[sequence] = id;
  }
}

void BeamTreeModel::take(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    addSearch(submitted->request, submitted->firstSequence,
              {m_taken, submitted->beamWidth, submitted->lengthPenalty, {}, {}});
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    if (m_searches.contains(forked->request)) m_requestOf[forked->child] = forked->request;
  } else if (const auto* step = bodyOf<BeamStep>(event)) {
    if (const auto found = m_searches.find(step->request); found != m_searches.end())
      found->second.steps.push_back(m_taken);
  } else if (const auto* chosen = bodyOf<BeamChosen>(event)) {
    if (const auto request = m_requestOf.find(chosen->sequence); request != m_requestOf.end())
      m_searches[request->second].chosen.push_back({m_taken, chosen->sequence, chosen->hypothesis});
  } else if (const auto* snapshot = bodyOf<Snapshot>(event)) {
    takeSnapshot(*snapshot->state);
  }
  ++m_taken;
}

const BeamTreeModel::Search* BeamTreeModel::search() const {
  const auto found = m_searches.find(m_request);
  return found == m_searches.end() ? nullptr : &found->second;
}

RequestId BeamTreeModel::wanted(std::int64_t end) const {
  const RequestId selected = session()->names().requestOf(session()->selectedSequence(), session()->state());
  if (const auto found = m_searches.find(selected); found != m_searches.end() && found->second.begin < end)
    return selected;
  RequestId newest = 0;
  for (const auto& [request, search] : m_searches)
    if (search.begin < end) newest = request;
  return newest;
}

void BeamTreeModel::refresh() {
  m_end = std::min(session()->shownEnd(), m_taken);
  const RequestId request = wanted(m_end);
  if (std::exchange(m_isOtherRun, false) || request != m_request) {
    beginResetModel();
    m_request = request;
    m_tree = BeamTree(request == 0 ? 1 : m_searches.at(request).width);
    m_rows = request == 0 ? 0 : m_tree.size();
    ++m_generation;
    endResetModel();
  }
  if (const Search* shown = search()) follow(*shown);
}

void BeamTreeModel::follow(const Search& search) {
  const auto behind = std::ranges::lower_bound(search.steps, m_end);
  const auto steps = static_cast<int>(behind - search.steps.begin());
  const bool same = steps == m_tree.steps();
  if (const int left = m_tree.sizeAfter(steps); left < m_rows) {
    beginRemoveRows({}, left, m_rows - 1);
    m_tree.keep(steps);
    m_rows = left;
    endRemoveRows();
  }
  while (m_tree.steps() < steps && readStep(search.steps[static_cast<std::size_t>(m_tree.steps())])) {
  }
  if (!same) m_tree.settle();
  if (const int now = m_tree.size(); now > m_rows) {
    beginInsertRows({}, m_rows, now - 1);
    m_rows = now;
    endInsertRows();
  }
  // A step changes the fates of earlier nodes, and an answer or a fork the names of sequences.
  emit dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
}

// False when the disk has lost that part of the past: the tree ends before it.
bool BeamTreeModel::readStep(std::int64_t place) {
  try {
    const Event event = session()->recording().event(place);
    const auto* step = bodyOf<BeamStep>(event);
    if (step != nullptr) m_tree.add(*step, event.step);
    return step != nullptr;
  } catch (const EngineError&) {
    return false;
  }
}

SequenceId BeamTreeModel::chosenFor(int hypothesis) const {
  const Search* const shown = search();
  if (shown == nullptr) return 0;
  for (const Chosen& one : shown->chosen)
    if (one.hypothesis == hypothesis && one.place < m_end) return one.sequence;
  return 0;
}

SequenceId BeamTreeModel::sequenceOf(int node) const {
  if (node < 0 || node >= m_rows) return 0;
  if (const int beam = m_tree.at(node).beam; beam > 0) return m_tree.at(beam).sequence;
  if (m_tree.at(node).fate == BeamFate::kFinished)
    if (const SequenceId sequence = chosenFor(m_tree.at(node).hypothesis)) return sequence;
  for (int at = node; at > 0; at = m_tree.at(at).parent)
    if (m_tree.at(at).fate == BeamFate::kKept) return m_tree.at(at).sequence;
  const auto request = session()->state().requests.find(m_request);
  return request == session()->state().requests.end() ? 0 : request->second.sequences.front();
}

std::vector<BlockId> BeamTreeModel::blocksOf(int node) const {
  if (node < 0 || node >= m_rows) return {};
  while (m_tree.at(node).beam < 0) {
    if (node == 0) return {};
    node = m_tree.at(node).parent;
  }
  const MachineState& state = session()->state();
  const auto holder = state.sequences.find(sequenceOf(m_tree.at(node).beam));
  if (holder == state.sequences.end() || state.blockSize < 1) return {};
  const SequenceState& beam = holder->second;
  const int tokens = beam.promptTokens + m_tree.at(node).length;
  const auto blocks = static_cast<std::size_t>((tokens + state.blockSize - 1) / state.blockSize);
  const auto& table = beam.blockTable;
  return {table.begin(), table.begin() + static_cast<std::ptrdiff_t>(std::min(blocks, table.size()))};
}

prose::Target BeamTreeModel::targetOf(int node) const {
  if (node < 0 || node >= m_rows) return {};
  prose::Target target;
  target.request = m_request;
  target.sequence = sequenceOf(node);
  target.blocks = blocksOf(node);
  const auto found = session()->state().sequences.find(target.sequence);
  if (found != session()->state().sequences.end())
    target.position = found->second.promptTokens + m_tree.at(node).length - 1;
  return target;
}

int BeamTreeModel::nodeOf(SequenceId sequence) const {
  if (sequence == 0 || m_rows == 0) return -1;
  if (const Search* const shown = search(); shown && m_tree.hasEnded())
    for (const Chosen& one : shown->chosen)
      if (one.sequence == sequence && one.place < m_end) return m_tree.hypothesis(one.hypothesis);
  return m_tree.beamOf(sequence);
}

int BeamTreeModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

}  // namespace vitrine

#include "moc_beam_tree_model.cpp"
