// Terms of the glossary: blocks of KV memory, and what holds them. Internal to glossary.cpp. Thread: any.
#pragma once

#include "prose/glossary_term.h"
#include "prose/speaker.h"

namespace vitrine::prose {

class MemoryTerms : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using Speaker::Speaker;

  std::vector<Term> terms() const {
    return {
        term(tr("block"), tr("block|blocks"),
             tr("A piece of the KV memory with room for a fixed number of tokens, taken from the pool and "
                "given back as a whole."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "one-request"}),
        term(tr("block table"), tr("block table|block tables"),
             tr("The list of a sequence's blocks in the order of its tokens, like the page table of a "
                "process."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "one-request"}),
        term(tr("copy-on-write"), tr("copy-on-write|copies on write"),
             tr("A shared block is copied only when one of its holders writes into it."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "parallel-samples"}),
        term(tr("evict"), tr("evict|evicts|evicted|eviction"),
             tr("To take a cached block for something else; its content can then be found no more."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "six-blocks"}),
        term(tr("free queue"), tr("free queue"),
             tr("The blocks that no sequence holds, in the order in which they are taken; cached ones stay "
                "for as long as possible."),
             {"", "", ""}),
        term(tr("hash"), tr("hash|hashes"),
             tr("A number made of the tokens of a block and of all before it, by which the prefix cache "
                "finds it again."),
             {"", "", ""}),
        term(
            tr("preempt"), tr("preempt|preempts|preempted|preemption"),
            tr("To take the blocks of a running sequence for one that goes before it; it waits, and goes on "
               "later."),
            {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "preemption-recompute"}),
        term(tr("prefix cache"), tr("prefix cache|prefix hit|prefix hits|cached"),
             tr("Full blocks that stay known by their tokens, so that a prompt with the same beginning finds "
                "them computed."),
             {"SGLang, arXiv 2312.07104", "https://arxiv.org/abs/2312.07104", "shared-system-prompt"}),
        term(tr("swap"), tr("swap|swaps|swapped|swapping"),
             tr("To move the blocks of a preempted sequence to the host's memory or a file, and back when it "
                "goes on."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "preemption-swap"}),
    };
  }
};

}  // namespace vitrine::prose
