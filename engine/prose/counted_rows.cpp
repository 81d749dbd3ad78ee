#include "prose/counted_rows.h"

namespace vitrine::prose {
namespace {

constexpr BlockId kNoBlock = -1;

}  // namespace

void CountedRows::count(const Event& event, int section, int free) {
  if (const auto* decode = bodyOf<SequenceScheduled>(event)) {
    m_decodes.section = section;
    m_decodes.sequences.push_back(decode->sequence);
    m_decodes.draftTokens += decode->draftTokens;
  } else if (const auto* allocated = bodyOf<BlockAllocated>(event)) {
    Allocations& allocations = m_allocations[allocated->sequence];
    if (allocations.count == 0) allocations.freeThen = free, allocations.held = allocated->index;
    allocations.add(section, allocated->block);
  } else if (const auto* freed = bodyOf<BlockFreed>(event)) {
    Freed& all = m_freed[freed->sequence];
    all.add(section, freed->block);
    if (freed->refCount > 0) --all.count, ++all.released;
  } else if (const auto* evicted = bodyOf<BlockEvicted>(event)) {
    m_evicted.add(section, evicted->block);
  } else if (const auto* cached = bodyOf<BlockCached>(event)) {
    m_cached.add(section, cached->block);
  } else if (isA<BlockDemoted>(event)) {
    m_demoted.add(section, kNoBlock);
  } else if (const auto* swapped = bodyOf<BlockSwappedIn>(event)) {
    SwappedIn& all = m_swappedIn[swapped->sequence];
    all.add(section, swapped->block);
    if (swapped->tier == SwapTier::kDisk) --all.count, ++all.fromFile;
    m_allocations[swapped->sequence].dropLast();  // the block it is read into
  } else if (const auto* failed = bodyOf<SwapFailed>(event); failed && failed->move == SwapMove::kIn) {
    m_allocations[failed->sequence].dropLast();  // its block is freed at once
  }
}

void CountedRows::add(std::vector<WhyRow>& rows, const Others& others) const {
  if (!m_decodes.sequences.empty()) rows.push_back(decodes());
  for (const auto& [sequence, swapped] : m_swappedIn) rows.push_back(swappedIn(sequence, swapped));
  if (m_demoted.count > 0) rows.push_back(demoted());
  for (const auto& [sequence, allocations] : m_allocations)
    if (allocations.count > 0) rows.push_back(allocated(sequence, allocations, others));
  if (others.after.isFromOutside()) return addTold(rows);
  if (m_evicted.count > 0) rows.push_back(evicted());
  if (m_cached.count > 0) rows.push_back(cached(others.after.blockSize));
  for (const auto& [sequence, all] : m_freed) {
    const auto explained = others.explained.find(sequence);
    if (explained == others.explained.end())
      rows.push_back(freed(sequence, all, others));
    else
      rows[explained->second].blocks.insert(rows[explained->second].blocks.end(), all.blocks.begin(),
                                            all.blocks.end());
  }
}

WhyRow CountedRows::row(const Count& counted, SequenceId id, std::string text, Rule rule) const {
  return {counted.section, id, std::move(text), false, {}, counted.blocks, {std::move(rule)}};
}

// "2 blocks", linked to them.
std::string CountedRows::counted(int count, SequenceId of, const std::vector<BlockId>& which) const {
  return linked(blocks(count), {.sequence = of, .blocks = which});
}

WhyRow CountedRows::decodes() const {
  const std::vector<SequenceId>& all = m_decodes.sequences;
  std::string list;
  for (const SequenceId id : all) list += (list.empty() ? "" : ", ") + sequence(id);
  const bool one = all.size() == 1;
  const int drafts = m_decodes.draftTokens;
  const std::string text =
      one           ? drafts == 0
                          ? tr("%1 decodes its newest token, to sample the next one.").arg(list)
                          : tr("%1 decodes its newest token and verifies %n draft token(s).", nullptr, drafts).arg(list)
                : drafts == 0 ? tr("%1 decode one token each, in one batch.").arg(list)
                    : tr("%1 decode one token each and verify %n draft token(s).", nullptr, drafts).arg(list);
  Rule rule = PlanRules(m_names, m_language).decodes(static_cast<int>(all.size()), drafts);
  return {m_decodes.section, one ? all.front() : 0, text, false, {}, {}, {std::move(rule)}};
}

WhyRow CountedRows::allocated(SequenceId id, const Allocations& e, const Others& others) const {
  const auto found = others.ends.find(id);
  const int size = others.after.blockSize, end = found == others.ends.end() ? 0 : found->second;
  const auto state = others.after.sequences.find(id);
  const bool evicts = state != others.after.sequences.end() && state->second.evictedTokens > 0;
  std::string what = tr("%1 allocates %2").arg(sequence(id), counted(e.count, id, e.blocks));
  if (end > 0) {
    const int first = ((end + size - 1) / size - e.count) * size;  // evicted tokens are whole blocks
    what = tr("%1 of %2 for %3").arg(what, tokens(size), positions(first, end - first, id));
  }
  if (e.held > 0) what = tr("%1, behind the %n block(s) that it holds", nullptr, e.held).arg(what);
  return row(e, id, tr("%1; free before: %2.").arg(what, blocks(e.freeThen)),
             m_rules.allocation(e.count, evicts ? 0 : end, size, e.freeThen));
}

WhyRow CountedRows::swappedIn(SequenceId id, const SwappedIn& e) const {
  const std::string all = counted(e.count + e.fromFile, id, e.blocks), subject = sequence(id);
  return row(e, id,
             e.fromFile == 0 ? tr("%1 swaps in %2 from host memory.").arg(subject, all)
             : e.count == 0  ? tr("%1 swaps in %2 from the file.").arg(subject, all)
                             : tr("%1 swaps in %2, %3 of them from the file.").arg(subject, all, e.fromFile),
             m_rules.swapIn(e.count + e.fromFile));
}

// "frees 2 blocks", linked to them.
String CountedRows::whatIsFreed(SequenceId id, const Freed& e) const {
  const std::string which = counted(e.count == 0 ? e.released : e.count, id, e.blocks);
  if (e.released == 0) return tr("frees %1").arg(which);
  if (e.count == 0) return tr("releases %1 that other sequences hold").arg(which);
  return tr("frees %1 and releases %2 that other sequences hold").arg(which, e.released);
}

WhyRow CountedRows::freed(SequenceId id, const Freed& e, const Others& others) const {
  const auto state = others.after.sequences.find(id);
  const bool hasEnded =
      state != others.after.sequences.end() && state->second.status == SequenceStatus::kFinished;
  const bool isReplaced = others.replaced.contains(id);
  return row(e, id,
             (isReplaced ? tr("%1 gives up its former tokens: it %2.")
              : hasEnded ? tr("%1 has ended: it %2.")
                         : tr("%1 %2."))
                 .arg(sequence(id), whatIsFreed(id, e)),
             m_rules.release(e.count, e.released));
}

// Of the prefix cache of another program's engine, which tells no reasons.
void CountedRows::addTold(std::vector<WhyRow>& rows) const {
  const auto add = [&](const Count& all, const Pattern& text) {
    if (all.count == 0) return;
    rows.push_back({all.section, 0, text.arg(counted(all.count, 0, all.blocks)), false, {}, all.blocks, {}});
  };
  add(m_evicted, tr("The server evicts %1 from its prefix cache."));
  add(m_cached, tr("The server puts %1 into its prefix cache."));
}

WhyRow CountedRows::evicted() const {
  return row(m_evicted, 0,
             tr("The prefix index evicts %1, the least recently used first: new tokens need the memory.")
                 .arg(counted(m_evicted.count, 0, m_evicted.blocks)),
             m_rules.indexEviction(m_evicted.count));
}

WhyRow CountedRows::cached(int blockSize) const {
  const std::string full = tr("%n full block(s)", nullptr, m_cached.count);
  return row(
      m_cached, 0,
      tr("The prefix index registers %1, so that a later prompt with the same beginning can share the KV.")
          .arg(linked(full, {.blocks = m_cached.blocks})),
      m_rules.registration(m_cached.count, blockSize));
}

WhyRow CountedRows::demoted() const {
  WhyRow told = row(m_demoted, 0,
                    tr("The host memory for swapping is full: the engine moves %n block(s) on to the file, "
                       "the oldest first.",
                       nullptr, m_demoted.count),
                    m_rules.demotion(m_demoted.count));
  told.blocks.clear();  // none of them is in the pool
  return told;
}

}  // namespace vitrine::prose
