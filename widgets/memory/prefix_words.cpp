// The words of PrefixTreeModel: for rows, tooltips, its table twin and screen readers.
#include "widgets/memory/prefix_tree_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/token_ink.h"

namespace vitrine {
namespace {

constexpr int kMostLetters = 120;  // of a node's text

}  // namespace

QString PrefixTreeModel::summary() const {
  if (m_cached == 0) return {};
  int held = 0;
  for (const BlockState& block : session()->state().blocks)
    held += block.cached && block.refCount > 0 ? 1 : 0;
  return tr("%n cached block(s) · %1 in use", nullptr, m_cached).arg(formatCount(held));
}

QString PrefixTreeModel::textOf(int index) const {
  const PrefixRow& row = at(index);
  const PrefixOrigin* const origin = m_blocks->chains().originOf(row.hash);
  if (origin == nullptr) return tr("tokens from before the recording began");
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
  return row.holders.empty() ? tr("free") : QString();
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
  if (row.evicted)
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
