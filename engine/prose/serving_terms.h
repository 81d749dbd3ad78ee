// Terms of the glossary: requests and their scheduling. Internal to glossary.cpp. Thread: any.
#pragma once

#include "prose/glossary_term.h"
#include "prose/speaker.h"

namespace vitrine::prose {

class ServingTerms : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using Speaker::Speaker;

  std::vector<Term> terms() const {
    return {
        term(tr("admit"), tr("admit|admits|admitted|admission"),
             tr("A waiting sequence joins the running ones, when there are slots, budget and blocks for all "
                "of its tokens."),
             {"", "", "head-of-line-blocking"}),
        term(tr("aging"), tr("aging|ages|aged"),
             tr("A request that has waited for many steps goes before requests of a higher priority, so that "
                "none waits for ever."),
             {"", "", "priority-inversion"}),
        term(tr("batch"), tr("batch|batches"),
             tr("The sequences that one forward pass computes together, so that every weight is read once "
                "for all of them."),
             {"Orca, OSDI '22", "https://www.usenix.org/conference/osdi22/presentation/yu", "four-together"}),
        term(tr("batching window"), tr("batching window"),
             tr("The time for which an idle machine collects requests before it begins a batch."),
             {"", "", "window-batching"}),
        term(tr("chunked prefill"), tr("chunked prefill|chunk|chunks"),
             tr("A long prompt is computed in pieces over several steps, so that sequences that decode need "
                "not wait for it."),
             {"Sarathi, arXiv 2308.16369", "https://arxiv.org/abs/2308.16369", "chunked-prefill"}),
        term(tr("context"), tr("context|contexts"),
             tr("The tokens that a sequence can see: its prompt, and what it has written."),
             {"", "", "long-context-sinks"}),
        term(
            tr("continuous batching"), tr("continuous batching"),
            tr("Sequences join and leave the batch at every step, and none waits for the end of the others."),
            {"Orca, OSDI '22", "https://www.usenix.org/conference/osdi22/presentation/yu", "four-together"}),
        term(tr("deadline"), tr("deadline|deadlines"),
             tr("The time by which a request should be answered; a policy may put the nearest one first."),
             {"", "", "deadline-misses"}),
        term(tr("decode"), tr("decode|decodes|decoding"),
             tr("Computing one new token of an answer in a step; it reads every weight for little "
                "arithmetic."),
             {"", "", "one-request"}),
        term(
            tr("head-of-line blocking"), tr("head-of-line blocking"),
            tr("The first request of a queue cannot begin, and so none behind it does, although they might."),
            {"", "", "head-of-line-blocking"}),
        term(tr("ITL"), tr("itl|inter-token latency"), tr("Time from one token of an answer to the next."),
             {"", "", ""}),
        term(tr("policy"), tr("policy|policies"),
             tr("The rule by which the scheduler orders requests: by arrival, priority, deadline or length."),
             {"", "", "important-first"}),
        term(tr("prefill"), tr("prefill|prefills"),
             tr("Computing the tokens of a prompt, many at once; it does much arithmetic for every weight "
                "that it reads."),
             {"", "", "chunked-prefill"}),
        term(tr("priority"), tr("priority|priorities"),
             tr("The importance of a request under the priority policy: the highest goes first."),
             {"", "", "important-first"}),
        term(tr("prompt"), tr("prompt|prompts"),
             tr("The text that a request begins with; its tokens are computed in prefill."), {"", "", ""}),
        term(tr("queue"), tr("queue|queues"),
             tr("The requests that are not admitted yet, in the order of the policy."),
             {"", "", "head-of-line-blocking"}),
        term(tr("rank"), tr("rank|ranks"),
             tr("The number by which a policy orders requests: the smallest goes first."), {"", "", ""}),
        term(tr("request"), tr("request|requests"),
             tr("A prompt and its options, which gets one answer or several."), {"", "", "one-request"}),
        term(tr("sequence"), tr("sequence|sequences"),
             tr("One answer of a request while it is computed: its tokens and its blocks."),
             {"", "", "one-request"}),
        term(tr("slot"), tr("slot|slots"),
             tr("The place in the KV memory for one token's keys and values; also a place for a sequence "
                "that may run."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "one-request"}),
        term(
            tr("static batching"), tr("static batching"),
            tr("A batch is closed when it starts, and the next one begins when its last sequence has ended."),
            {"", "", "static-batching"}),
        term(tr("step"), tr("step|steps"),
             tr("One iteration of the scheduler: it admits, plans, allocates, computes one forward pass, "
                "samples and commits."),
             {"Orca, OSDI '22", "https://www.usenix.org/conference/osdi22/presentation/yu", "one-request"}),
        term(tr("throughput"), tr("throughput|tok/s|tokens per second|tokens a second"),
             tr("Tokens of all sequences together that come out in a second."), {"", "", "four-together"}),
        term(tr("token budget"), tr("token budget|budget"),
             tr("The most tokens that one step computes, of prompts and answers together."),
             {"Sarathi, arXiv 2308.16369", "https://arxiv.org/abs/2308.16369", "chunked-prefill"}),
        term(tr("TTFT"), tr("ttft|time to first token"),
             tr("The time from a request's submission to its first token, the queue included."),
             {"", "", ""}),
    };
  }
};

}  // namespace vitrine::prose
