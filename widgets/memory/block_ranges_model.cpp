#include "widgets/memory/block_ranges_model.h"

#include "widgets/support/formats.h"

namespace vitrine {
namespace {

// Whether `next` can be one row with `range`: neighbours without anything of their own.
bool continues(const BlockRange& range, const BlockRange& next) {
  if (next.first != range.last + 1 || range.row.cached || next.row.cached) return false;
  if (range.row.owners != next.row.owners || range.row.filled != next.row.filled) return false;
  if (range.row.refCount != next.row.refCount || range.row.change != next.row.change) return false;
  return range.row.refCount > 0 || next.freePlace == range.lastFreePlace + 1;
}

QString rangeText(int first, int last) {
  return first == last ? QString::number(first) : BlockRangesModel::tr("%1 to %2").arg(first).arg(last);
}

QString stateText(const BlockRange& range) {
  if (range.tier) return BlockRangesModel::tr("swapped out");
  if (range.row.refCount == 0)
    return range.row.cached ? BlockRangesModel::tr("free, still cached") : BlockRangesModel::tr("free");
  return range.row.refCount > 1 ? BlockRangesModel::tr("shared") : BlockRangesModel::tr("in use");
}

}  // namespace

BlockRangesModel::BlockRangesModel(const BlockMapModel* blocks, QObject* parent)
    : RowsModel(blocks->session(), parent), m_blocks(blocks) {
  refresh();
}

// From the state: the block map rests while its view is hidden, and this table may be open meanwhile.
void BlockRangesModel::refresh() {
  std::vector<BlockRange> ranges;
  addBlocks(ranges);
  addShelves(ranges);
  setRows(std::move(ranges));
}

void BlockRangesModel::addBlocks(std::vector<BlockRange>& ranges) const {
  BlockRows rows;
  rows.follow(*session());
  std::vector<int> places(rows.all().size(), -1);
  int place = 0;
  for (const BlockId free : session()->state().freeQueue) places.at(static_cast<std::size_t>(free)) = place++;
  for (std::size_t i = 0; i < rows.all().size(); ++i) {
    BlockRange range;
    range.first = range.last = static_cast<int>(i);
    range.row = rows.all()[i];
    range.row.turn = -1;
    range.freePlace = range.lastFreePlace = places[i];
    if (range.row.cached) range.parent = m_blocks->parentOf(range.row.hash);
    if (!ranges.empty() && continues(ranges.back(), range)) {
      ranges.back().last = range.last;
      ranges.back().lastFreePlace = range.lastFreePlace;
    } else {
      ranges.push_back(std::move(range));
    }
  }
}

void BlockRangesModel::addShelves(std::vector<BlockRange>& ranges) const {
  for (const SwapShelf& shelf : swapShelves(*session())) {
    for (const ShelfBlock& block : shelf.blocks) {
      BlockRange range;
      range.first = range.last = block.slot;
      range.tier = shelf.tier;
      range.row.owners = {block.sequence};
      range.row.requests = {block.request};
      range.row.letters = block.letter;
      range.row.filled = block.filled;
      ranges.push_back(std::move(range));
    }
  }
}

const TableColumns& BlockRangesModel::columns() const {
  using Row = BlockRange;
  static const ColumnsOf<BlockRangesModel> kColumns = {
      {QT_TR_NOOP("Block"),
       [](const Row& one) {
         return one.tier ? tr("%1 slot %2").arg(swapTierName(*one.tier)).arg(one.first)
                         : rangeText(one.first, one.last);
       }},
      {QT_TR_NOOP("State"), stateText},
      {QT_TR_NOOP("Held by"), [](const Row& one) { return one.row.letters; }},
      {QT_TR_NOOP("Filled"), [](const Row& one) { return one.row.filled; }},
      {QT_TR_NOOP("References"), [](const Row& one) { return one.row.refCount; }},
      {QT_TR_NOOP("Free queue"),
       [](const Row& one) {
         return cellIf(one.freePlace >= 0, rangeText(one.freePlace, one.lastFreePlace));
       }},
      {QT_TR_NOOP("Hash"), [](const Row& one) { return cellIf(one.row.cached, formatHash(one.row.hash)); }},
      {QT_TR_NOOP("Hash before it"),
       [](const Row& one) { return cellIf(one.parent != 0, formatHash(one.parent)); }},
      {QT_TR_NOOP("In this step"), [](const Row& one) { return blockChangeName(one.row.change); }},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_block_ranges_model.cpp"
