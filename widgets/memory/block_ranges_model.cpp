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

int BlockRangesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant BlockRangesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole) return {};
  const BlockRange& range = at(index.row());
  switch (index.column()) {
    case kBlocks:
      return range.tier ? tr("%1 slot %2").arg(swapTierName(*range.tier)).arg(range.first)
                        : rangeText(range.first, range.last);
    case kState:
      return stateText(range);
    case kOwners:
      return range.row.letters;
    case kFilled:
      return range.row.filled;
    case kReferences:
      return range.row.refCount;
    case kFreePlace:
      return range.freePlace < 0 ? QString() : rangeText(range.freePlace, range.lastFreePlace);
    case kHash:
      return range.row.cached ? formatHash(range.row.hash) : QString();
    case kParent:
      return range.parent != 0 ? formatHash(range.parent) : QString();
    case kChange:
      return blockChangeName(range.row.change);
    default:
      return {};
  }
}

QVariant BlockRangesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  switch (section) {
    case kBlocks:
      return tr("Block");
    case kState:
      return tr("State");
    case kOwners:
      return tr("Held by");
    case kFilled:
      return tr("Filled");
    case kReferences:
      return tr("References");
    case kFreePlace:
      return tr("Free queue");
    case kHash:
      return tr("Hash");
    case kParent:
      return tr("Hash before it");
    case kChange:
      return tr("In this step");
    default:
      return {};
  }
}

}  // namespace vitrine

#include "moc_block_ranges_model.cpp"
