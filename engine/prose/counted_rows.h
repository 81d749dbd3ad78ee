// CountedRows: events that come in numbers, such as blocks and decodes, as one row for a sequence or for the
// step. Internal to why.cpp. Thread: any.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "prose/block_rules.h"
#include "prose/in_order.h"
#include "prose/plan_rules.h"
#include "vitrine/prose/why.h"

namespace vitrine::prose {

class CountedRows : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  // What the rest of the step says about a sequence.
  struct Others {
    const MachineState& after;
    const std::map<SequenceId, int>& ends;               // the position behind the last one that is computed
    const std::map<SequenceId, std::size_t>& explained;  // rows that already say why it frees blocks
    const std::set<SequenceId>& replaced;                // beams that took over the tokens of another
  };

  CountedRows(const Names& names, const Language& language)
      : Speaker(names, language), m_rules(names, language) {}

  // `free`: blocks in the pool before the event.
  void count(const Event& event, int section, int free);
  void add(std::vector<WhyRow>& rows, const Others& others) const;

 private:
  struct Count {
    int section = 0, count = 0;
    std::vector<BlockId> blocks = {};

    void add(int where, BlockId block) { section = where, ++count, blocks.push_back(block); }
    void dropLast() {
      --count;
      if (!blocks.empty()) blocks.pop_back();
    }
  };
  struct Allocations : Count {
    int freeThen = 0, held = 0;
  };
  struct Freed : Count {  // `count` freed, `released` still held by other sequences
    int released = 0;
  };
  struct SwappedIn : Count {  // `count` from memory
    int fromFile = 0;
  };
  struct Decodes {
    int section = 0, draftTokens = 0;
    std::vector<SequenceId> sequences = {};
  };

  WhyRow row(const Count& counted, SequenceId id, std::string text, Rule rule) const;
  std::string counted(int count, SequenceId of, const std::vector<BlockId>& which) const;
  WhyRow decodes() const;
  WhyRow allocated(SequenceId id, const Allocations& e, const Others& others) const;
  WhyRow swappedIn(SequenceId id, const SwappedIn& e) const;
  WhyRow freed(SequenceId id, const Freed& e, const Others& others) const;
  String whatIsFreed(SequenceId id, const Freed& e) const;
  void addTold(std::vector<WhyRow>& rows) const;
  WhyRow evicted() const;
  WhyRow cached(int blockSize) const;
  WhyRow demoted() const;

  BlockRules m_rules;
  InOrder<Allocations> m_allocations;
  InOrder<Freed> m_freed;
  InOrder<SwappedIn> m_swappedIn;
  Decodes m_decodes;
  Count m_evicted, m_cached, m_demoted;
};

}  // namespace vitrine::prose
