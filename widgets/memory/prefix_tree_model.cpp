#include "widgets/memory/prefix_tree_model.h"

#include <algorithm>
#include <utility>

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/token_ink.h"

namespace vitrine {
namespace {

constexpr int kMostLines = 64;  // depths with a bit in PrefixRow::through

constexpr int kMostLetters = 120;  // of a node's text

}  // namespace

PrefixTreeModel::PrefixTreeModel(const BlockMapModel* blocks, QObject* parent)
    : RowsModel(blocks->session(), parent), m_blocks(blocks) {
  takeWhatIsThere();
  refresh();
}

void PrefixTreeModel::restart() {
  m_hits.clear();
  m_isOther = true;
}

void PrefixTreeModel::take(const Event& event) {
  if (const auto* hit = bodyOf<BlockHit>(event)) m_hits[hit->hash].push_back(event.step);
  if (isA<BlockCached>(event) || isA<BlockEvicted>(event) || isA<Snapshot>(event)) m_isOther = true;
}

int PrefixTreeModel::hitsOf(std::uint64_t hash) const {
  const auto found = m_hits.find(hash);
  if (found == m_hits.end()) return 0;
  const std::vector<std::int32_t>& steps = found->second;
  if (session()->isLive()) return static_cast<int>(steps.size());
  return static_cast<int>(std::ranges::upper_bound(steps, session()->step()) - steps.begin());
}

int PrefixTreeModel::rowOf(BlockId block) const {
  const auto at = static_cast<std::size_t>(block);
  return block >= 0 && at < m_rowOf.size() ? m_rowOf[at] : -1;
}

// The cached blocks, and those that the step shown has evicted, in the order of their first registration, so
// that a node stays where it is among its siblings.
std::vector<PrefixTreeModel::Node> PrefixTreeModel::nodes() const {
  const MachineState& state = session()->state();
  std::vector<Node> nodes;
  const auto add = [&](BlockId block, std::uint64_t hash, bool evicted) {
    const PrefixOrigin* const origin = m_blocks->chains().originOf(hash);
    nodes.push_back({block, hash, evicted, origin ? origin->serial : -1});
  };
  for (std::size_t i = 0; i < state.blocks.size(); ++i)
    if (state.blocks[i].cached) add(static_cast<BlockId>(i), state.blocks[i].hash, false);
  for (const Event& event : session()->stepEvents())
    if (const auto* gone = bodyOf<BlockEvicted>(event); gone && event.step == session()->step())
      add(gone->block, gone->hash, true);
  std::ranges::stable_sort(nodes, {}, &Node::serial);
  link(nodes);
  return nodes;
}

void PrefixTreeModel::link(std::vector<Node>& nodes) const {
  std::unordered_map<std::uint64_t, int> nodeOf;
  nodeOf.reserve(nodes.size());
  for (const bool evicted : {false, true})  // what is there again has not gone
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].evicted == evicted)
        nodes[i].isBack = !nodeOf.try_emplace(nodes[i].hash, static_cast<int>(i)).second && evicted;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Node& node = nodes[i];
    const PrefixOrigin* const origin = m_blocks->chains().originOf(node.hash);
    if (origin == nullptr) node.before = PrefixBefore::kUnknown;
    if (node.isBack || origin == nullptr || origin->parent == 0) continue;
    const auto parent = nodeOf.find(origin->parent);
    if (parent == nodeOf.end()) {
      node.before = PrefixBefore::kEvicted;
      continue;
    }
    node.parent = parent->second;
    Node& above = nodes[static_cast<std::size_t>(node.parent)];
    (above.lastChild < 0 ? above.firstChild : nodes[static_cast<std::size_t>(above.lastChild)].next) =
        static_cast<int>(i);
    above.lastChild = static_cast<int>(i);
  }
}

// Depth first; a chain without branches becomes one row.
std::vector<PrefixRow> PrefixTreeModel::rowsOf(const std::vector<Node>& nodes) const {
  struct Pending {
    int node, parent;
    bool isLast;
  };
  const auto at = [&](int node) -> const Node& { return nodes[static_cast<std::size_t>(node)]; };
  std::vector<PrefixRow> rows;
  std::vector<Pending> pending;
  for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i)
    if (at(i).parent < 0 && !at(i).isBack) pending.push_back({i, -1, true});
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    PrefixRow row =
        rowAt(at(next.node), next.parent < 0 ? nullptr : &rows[static_cast<std::size_t>(next.parent)]);
    row.parent = next.parent;
    row.isLast = next.isLast;
    int end = next.node;
    row.blocks.push_back(at(end).block);
    while (at(end).firstChild >= 0 && at(end).firstChild == at(end).lastChild &&
           at(at(end).firstChild).evicted == row.evicted) {
      end = at(end).firstChild;
      row.blocks.push_back(at(end).block);
    }
    const std::size_t before = pending.size();
    for (int child = at(end).firstChild; child >= 0; child = at(child).next)
      pending.push_back({child, static_cast<int>(rows.size()), child == at(end).lastChild});
    std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(before), pending.end());
    rows.push_back(std::move(row));
  }
  return rows;
}

PrefixRow PrefixTreeModel::rowAt(const Node& node, const PrefixRow* parent) const {
  PrefixRow row;
  row.hash = node.hash;
  row.evicted = node.evicted;
  row.before = node.before;
  row.hits = hitsOf(node.hash);
  if (parent == nullptr) return row;
  row.depth = parent->depth + 1;
  row.through = parent->through;
  if (parent->depth > 0 && parent->depth <= kMostLines && !parent->isLast)
    row.through |= std::uint64_t{1} << (parent->depth - 1);
  return row;
}

void PrefixTreeModel::refresh() {
  const bool wasLive = std::exchange(m_isLive, session()->isLive());
  const bool isSame = m_isLive && wasLive && !m_isOther;
  std::vector<PrefixRow> rows;
  if (isSame) {
    rows = this->rows();
    for (PrefixRow& row : rows) {
      row.holders.clear();
      row.hitNow = row.newNow = false;
      row.hits = hitsOf(row.hash);
    }
  } else {
    rows = rowsOf(nodes());
    noteRows(rows);
  }
  addHolders(rows);
  markStep(rows);
  setRows(std::move(rows));
}

void PrefixTreeModel::noteRows(const std::vector<PrefixRow>& rows) {
  m_rowOf.assign(session()->state().blocks.size(), -1);
  m_cached = m_depth = 0;
  m_isOther = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    m_depth = std::max(m_depth, rows[i].depth);
    m_isOther = m_isOther || rows[i].evicted;  // the next step has not evicted it
    if (rows[i].evicted) continue;
    m_cached += static_cast<int>(rows[i].blocks.size());
    for (const BlockId block : rows[i].blocks) m_rowOf[static_cast<std::size_t>(block)] = static_cast<int>(i);
  }
}

// Siblings of a request count as one, also where they hold the same block.
void PrefixTreeModel::addHolders(std::vector<PrefixRow>& rows) const {
  const MachineState& state = session()->state();
  std::vector<RequestId> lastHolder(state.blocks.size(), 0);
  for (const auto& [id, request] : state.requests)
    for (const SequenceId sequence : request.sequences) {
      const auto found = state.sequences.find(sequence);
      if (found == state.sequences.end()) continue;
      for (const BlockId block : found->second.blockTable) {
        const int row = rowOf(block);
        if (row < 0 || std::exchange(lastHolder[static_cast<std::size_t>(block)], id) == id) continue;
        std::vector<PrefixHolder>& holders = rows[static_cast<std::size_t>(row)].holders;
        if (holders.empty() || holders.back().request != id) holders.push_back({id, 0});
        ++holders.back().blocks;
      }
    }
}

void PrefixTreeModel::markStep(std::vector<PrefixRow>& rows) const {
  const MachineState& state = session()->state();
  const auto rowWith = [&](BlockId block, std::uint64_t hash) -> PrefixRow* {
    const int row = rowOf(block);
    if (row < 0 || state.blocks[static_cast<std::size_t>(block)].hash != hash) return nullptr;
    return &rows[static_cast<std::size_t>(row)];
  };
  for (const Event& event : session()->stepEvents()) {
    if (event.step != session()->step()) continue;
    if (const auto* hit = bodyOf<BlockHit>(event))
      if (PrefixRow* const row = rowWith(hit->block, hit->hash)) row->hitNow = true;
    if (const auto* cached = bodyOf<BlockCached>(event))
      if (PrefixRow* const row = rowWith(cached->block, cached->hash)) row->newNow = true;
  }
}

// The words of PrefixTreeModel: for rows, tooltips, its table twin and screen readers.

QString PrefixTreeModel::summary() const {
  if (m_cached == 0) return {};
  if (session()->state().isFromOutside()) return tr("cached blocks: %1").arg(formatCount(m_cached));
  int held = 0;
  for (const BlockState& block : session()->state().blocks)
    held += block.cached && block.refCount > 0 ? 1 : 0;
  return tr("%n cached block(s) · %1 in use", nullptr, m_cached).arg(formatCount(held));
}

QString PrefixTreeModel::textOf(int index) const {
  const PrefixRow& row = at(index);
  const PrefixOrigin* const origin = m_blocks->chains().originOf(row.hash);
  if (origin == nullptr) return tr("tokens from before the recording began");
  if (session()->state().isFromOutside()) return tr("tokens without their text");
  if (origin->sequence == 0) return tr("tokens of a beam");
  const int first = origin->index * blockSize(),
            end = first + static_cast<int>(row.blocks.size()) * blockSize();
  QString text;
  for (int position = first; position < end && text.size() < kMostLetters; ++position)
    text += session()->recordedText(origin->sequence, position);
  if (text.isEmpty()) return tr("tokens without text");
  text = flowingToken(text);
  return text.size() > kMostLetters ? text.left(kMostLetters) + QChar(0x2026) : text;
}

QString PrefixTreeModel::sizeText(int index) const {
  const auto blocks = static_cast<int>(at(index).blocks.size());
  return tr("%n block(s)", nullptr, blocks) + QStringLiteral(" · ") +
         tr("%n token(s)", nullptr, blocks * blockSize());
}

QString PrefixTreeModel::changeText(int index) const {
  const PrefixRow& row = at(index);
  if (row.evicted) return tr("evicted");
  if (row.hitNow) return tr("hit now");
  if (row.newNow) return tr("new");
  return row.holders.empty() && !session()->state().isFromOutside() ? tr("free") : QString();
}

QString PrefixTreeModel::holdersText(int index) const {
  const PrefixRow& row = at(index);
  QStringList texts;
  for (const PrefixHolder& holder : row.holders) {
    const auto blocks = static_cast<int>(row.blocks.size());
    texts << (holder.blocks == blocks
                  ? requestLetter(holder.request)
                  : tr("%1 %2 of %3").arg(requestLetter(holder.request)).arg(holder.blocks).arg(blocks));
  }
  return texts.join(QStringLiteral(", "));
}

QString PrefixTreeModel::describe(int index) const {
  constexpr std::size_t kTold = 8;
  if (index < 0 || index >= rowCount()) return {};
  const PrefixRow& row = at(index);
  QStringList numbers;
  for (std::size_t i = 0; i < std::min(kTold, row.blocks.size()); ++i)
    numbers << QString::number(row.blocks[i]);
  if (row.blocks.size() > kTold) numbers << QStringLiteral("…");
  QStringList lines{tr("“%1”").arg(textOf(index)),
                    tr("%1: %2").arg(sizeText(index), numbers.join(QStringLiteral(" → ")))};
  if (session()->state().isFromOutside())
    lines << (row.evicted ? tr("evicted in this step") : tr("whether a request holds it is not told"));
  else if (row.evicted)
    lines << tr("evicted in this step: the memory was needed for other tokens");
  else if (row.holders.empty())
    lines << tr("held by no request: free, and still cached");
  else
    lines << tr("held by %1").arg(holdersText(index));
  if (row.hits > 0) lines << tr("found %n time(s) in the cache", nullptr, row.hits);
  if (row.hitNow) lines << tr("found in this step");
  if (row.newNow) lines << tr("registered in this step");
  if (row.before == PrefixBefore::kEvicted)
    lines << tr("the blocks before it were evicted, so no prompt finds it");
  if (row.before == PrefixBefore::kUnknown) lines << tr("the blocks before it are not recorded");
  return lines.join(u'\n');
}

const TableColumns& PrefixTreeModel::columns() const {
  using Model = PrefixTreeModel;
  using Row = PrefixRow;
  static const ColumnsOf<Model> kColumns = {
      {QT_TR_NOOP("Node"), [](const Model&, int row) { return row; }},
      {QT_TR_NOOP("Continues node"), [](const Row& row) { return cellIf(row.parent >= 0, row.parent); }},
      {QT_TR_NOOP("Text"), &Model::textOf},
      {QT_TR_NOOP("Blocks"), [](const Row& row) { return std::ssize(row.blocks); }},
      {QT_TR_NOOP("Tokens"),
       [](const Model& model, const Row& row) { return std::ssize(row.blocks) * model.blockSize(); }},
      {QT_TR_NOOP("Hits"), &Row::hits},
      {QT_TR_NOOP("Held by"), &Model::holdersText},
      {QT_TR_NOOP("State"), &Model::changeText},
  };
  return kColumns;
}

QVariant PrefixTreeModel::otherData(const QModelIndex& index, int role) const {
  if (role == Qt::ToolTipRole) return describe(index.row());
  return role == Qt::AccessibleTextRole ? inOneLine(describe(index.row())) : QVariant();
}

}  // namespace vitrine

#include "moc_prefix_tree_model.cpp"
