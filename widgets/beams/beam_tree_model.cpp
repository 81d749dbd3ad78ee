#include "widgets/beams/beam_tree_model.h"

#include <algorithm>
#include <utility>

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

constexpr int kDigits = 2, kTableDigits = 4, kMostDigits = 6;

QString number(double value) { return formatDecimal(value, kDigits); }

// Two numbers with as many digits as tell them apart.
std::pair<QString, QString> apart(double one, double other) {
  for (int digits = kDigits;; ++digits) {
    const std::pair texts{formatDecimal(one, digits), formatDecimal(other, digits)};
    if (texts.first != texts.second || digits == kMostDigits) return texts;
  }
}

}  // namespace

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
              {m_taken, submitted->asked.beamWidth, submitted->asked.lengthPenalty, {}, {}});
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
  tellNewRows(m_rows, m_tree.size());
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

// The words of BeamTreeModel: for boxes, tooltips, its table twin and screen readers.

QString BeamTreeModel::summary() const {
  const Search* const shown = search();
  if (shown == nullptr || m_rows == 0) return {};
  const QString width = tr("%1 · width %2").arg(requestLetter(m_request)).arg(shown->width);
  return shown->lengthPenalty
             ? tr("%1 · length penalty %2").arg(width, formatDecimal(*shown->lengthPenalty, 1))
             : width;
}

QString BeamTreeModel::textOf(int node) const {
  const BeamNode& one = m_tree.at(node);
  if (node > 0) {
    if (!one.recorded) return QStringLiteral("…");
    return one.text.isEmpty() ? QStringLiteral("#%1").arg(one.token) : visibleToken(one.text);
  }
  const auto request = session()->state().requests.find(m_request);
  if (request == session()->state().requests.end()) return tr("prompt");
  const SequenceId first = request->second.sequences.front();
  const auto sequence = session()->state().sequences.find(first);
  const QString last = sequence == session()->state().sequences.end()
                           ? QString()
                           : session()->tokenText(first, sequence->second.promptTokens - 1);
  return last.isEmpty() ? tr("prompt") : visibleToken(last);
}

QString BeamTreeModel::fateWord(int node) const {
  const BeamNode& one = m_tree.at(node);
  if (node == 0) return tr("prompt");
  if (node == m_tree.best()) return tr("best");
  switch (one.fate) {
    case BeamFate::kKept:
      return one.alive ? QString() : tr("dead end");
    case BeamFate::kFinished:
      return one.place > 0 ? tr("rank %1").arg(one.place) : tr("beaten");
    case BeamFate::kWorse:
      return tr("worse");
    case BeamFate::kTooLow:
      return tr("too low");
    case BeamFate::kPruned:
      return tr("pruned");
  }
  return {};
}

// Of a continuation that is neither a beam nor a hypothesis.
QString BeamTreeModel::whyNotKept(int node) const {
  const BeamNode& one = m_tree.at(node);
  const BeamColumn& column = m_tree.columnOf(node);
  if (one.fate == BeamFate::kWorse)
    return tr("worse: complete with score %1, the worst of the %n hypothesis(es) has %2", nullptr,
              column.finished)
        .arg(number(one.score), number(column.worstFinished));
  if (one.fate == BeamFate::kTooLow)
    return tr("too low: complete, but at place %1, and only the first %n continuation(s) count", nullptr,
              m_tree.width())
        .arg(one.rank + 1);
  if (column.kept == 0) return tr("pruned: the search ended with this step");
  const auto [own, lastKept] = apart(one.score, column.lastKept);
  return tr("pruned: score %1, the last kept one has %2").arg(own, lastKept);
}

// Of a beam that was kept and that nothing continues now: since which step, and what the others had. It has
// not ended as an answer does.
QString BeamTreeModel::whyDeadEnd(int node) const {
  const int last = m_tree.endColumnOf(node);
  const BeamColumn& column = m_tree.columns()[static_cast<std::size_t>(last)];
  if (last > m_tree.columnIndexOf(node) + 1)
    return tr("a dead end: kept, but in step %1 its last beam had no continuation that was kept")
        .arg(column.step);
  const QString dead = tr("a dead end: kept, but no continuation of it was kept in step %1").arg(column.step);
  for (int i = column.first; i < column.end && column.kept > 0; ++i) {
    const BeamNode& one = m_tree.at(i);
    if (one.parent != node || one.fate != BeamFate::kPruned) continue;
    const auto [own, lastKept] = apart(one.score, column.lastKept);
    return tr("%1; the best of them had score %2, the last kept one %3").arg(dead, own, lastKept);
  }
  return column.kept == 0 ? dead
                          : tr("%1; the last kept one had score %2").arg(dead, number(column.lastKept));
}

QString BeamTreeModel::whyOf(int node) const {
  const BeamNode& one = m_tree.at(node);
  if (node == 0) return tr("all answers continue it");
  if (!one.recorded) return tr("the tokens up to here are from before the recording began");
  if (one.fate == BeamFate::kFinished) {
    if (one.place == 0)
      return tr("finished as hypothesis %1; better ones have pushed it out").arg(one.hypothesis);
    const QString rank = tr("finished: hypothesis %1, rank %2 of %3")
                             .arg(one.hypothesis)
                             .arg(one.place)
                             .arg(m_tree.numHypotheses());
    const SequenceId answer = chosenFor(one.hypothesis);
    return answer == 0
               ? rank
               : tr("%1; the answer of %2").arg(rank, session()->names().letter(answer, session()->state()));
  }
  if (one.fate != BeamFate::kKept) return whyNotKept(node);
  if (!one.alive) return whyDeadEnd(node);
  const QString by = session()->names().letter(sequenceOf(node), session()->state());
  if (node == m_tree.best()) return tr("kept: the best beam, carried on by %1").arg(by);
  return one.leaf ? tr("kept: a beam, carried on by %1").arg(by) : tr("kept: %1 continues it").arg(by);
}

QString BeamTreeModel::endOf(const BeamColumn& column) const {
  switch (column.verdict) {
    case BeamEnd::kNone:
      return {};
    case BeamEnd::kEnough:
      return tr("the search ends: it has as many hypotheses as beams");
    case BeamEnd::kNoImprovement:
      return tr("the search ends: the best beam can reach %1, the worst hypothesis has %2")
          .arg(number(column.bestPossible), number(column.worstFinished));
    case BeamEnd::kNothingLeft:
      return tr("the search ends: all continuations are complete");
  }
  return {};
}

QString BeamTreeModel::describe(int node) const {
  if (node < 0 || node >= m_rows) return {};
  const BeamNode& one = m_tree.at(node);
  QStringList lines;
  if (node == 0)
    lines << tr("The prompt, up to “%1”").arg(textOf(0));
  else
    lines << tr("“%1”, token %2 of the answer").arg(textOf(node)).arg(one.length);
  if (node > 0 && one.recorded)
    lines << tr("logprob %1, sum %2, score %3")
                 .arg(number(one.logprob), number(one.cumulative), number(one.score));
  lines << whyOf(node);
  if (node > 0 && m_tree.columnOf(node).step > 0) lines << tr("step %1").arg(m_tree.columnOf(node).step);
  return lines.join(u'\n');
}

QString BeamTreeModel::describeStep(int col) const {
  if (col <= 0 || col >= static_cast<int>(m_tree.columns().size())) return {};
  const BeamColumn& column = m_tree.columns()[static_cast<std::size_t>(col)];
  if (column.step == 0) return tr("token %1: from before the recording began").arg(column.length);
  QStringList lines{
      tr("token %1, chosen in step %2").arg(column.length).arg(column.step),
      tr("%n continuation(s), %1 kept", nullptr, column.end - column.first + column.left).arg(column.kept)};
  if (column.left > 0) lines << tr("%n worse continuation(s) not shown", nullptr, column.left);
  if (column.finished > 0) lines << tr("%n hypothesis(es) so far", nullptr, column.finished);
  if (const QString end = endOf(column); !end.isEmpty()) lines << end;
  return lines.join(u'\n');
}

const TableColumns& BeamTreeModel::columns() const {
  using Model = BeamTreeModel;
  // What the event says of a node; empty for the prompt and for tokens that are not recorded.
  const auto told = [](auto of) {
    return [of](const BeamNode& one) { return cellIf(one.length > 0 && one.recorded, of(one)); };
  };
  const auto score = [&](double BeamNode::*of) {
    return told([of](const BeamNode& one) { return formatDecimal(one.*of, kTableDigits); });
  };
  static const ColumnsOf<Model> kColumns = {
      {QT_TR_NOOP("Node"), [](const Model&, int node) { return node; }},
      {QT_TR_NOOP("Length"), &BeamNode::length},
      {QT_TR_NOOP("Token"), told([](const BeamNode& one) { return one.token; })},
      {QT_TR_NOOP("Text"), &Model::textOf},
      {QT_TR_NOOP("Continues node"), [](const BeamNode& one) { return cellIf(one.parent >= 0, one.parent); }},
      {QT_TR_NOOP("Logprob"), score(&BeamNode::logprob)},
      {QT_TR_NOOP("Sum of logprobs"), score(&BeamNode::cumulative)},
      {QT_TR_NOOP("Score"), score(&BeamNode::score)},
      {QT_TR_NOOP("Fate"),
       [](const Model& model, int node) {
         const QString word = model.fateWord(node);
         return word.isEmpty() ? tr("kept") : word;
       }},
      {QT_TR_NOOP("Rank"), [](const BeamNode& one) { return cellIf(one.place > 0, one.place); }},
      {QT_TR_NOOP("Sequence"),
       [](const Model& model, int node) {
         const SequenceId sequence = model.sequenceOf(node);
         const Session& session = *model.session();
         return sequence == 0 ? QString() : session.names().letter(sequence, session.state());
       }},
      {QT_TR_NOOP("Step"),
       [](const Model& model, int node) {
         const BeamNode& one = model.at(node);
         return cellIf(one.length > 0 && one.recorded, model.tree().columnOf(node).step);
       }},
  };
  return kColumns;
}

QVariant BeamTreeModel::otherData(const QModelIndex& index, int role) const {
  if (role == Qt::ToolTipRole) return describe(index.row());
  return role == Qt::AccessibleTextRole ? inOneLine(describe(index.row())) : QVariant();
}

}  // namespace vitrine

#include "moc_beam_tree_model.cpp"
