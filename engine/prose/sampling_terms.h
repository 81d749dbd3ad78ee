// Terms of the glossary: how tokens are chosen, guessed and searched. Internal to glossary.cpp. Thread: any.
#pragma once

#include "prose/glossary_term.h"
#include "prose/speaker.h"

namespace vitrine::prose {

class SamplingTerms : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using Speaker::Speaker;

  std::vector<Term> terms() const {
    return {
        term(tr("acceptance"), tr("acceptance|accepted|accepts"),
             tr("The share of a draft's tokens that the model would have chosen itself, so that they stay."),
             {"Speculative decoding, arXiv 2211.17192", "https://arxiv.org/abs/2211.17192",
              "speculation-pays"}),
        term(tr("beam"), tr("beam|beams"),
             tr("One of the unfinished answers that a search keeps, the best ones so far."),
             {"", "", "beam-search"}),
        term(tr("beam search"), tr("beam search"),
             tr("A search for the most likely answer: in each step it keeps the best continuations of all "
                "its beams, and drops the others."),
             {"GNMT, arXiv 1609.08144", "https://arxiv.org/abs/1609.08144", "beam-search"}),
        term(tr("best-of"), tr("best-of"),
             tr("A request writes more answers than it returns, and the ones with the best scores are "
                "returned."),
             {"", "", ""}),
        term(tr("break-even"), tr("break-even|breaks even|break even"),
             tr("The acceptance at which drafting costs as much time as it saves."),
             {"", "", "speculation-does-not-pay"}),
        term(tr("candidate"), tr("candidate|candidates"),
             tr("A token that may still be chosen at a position."), {"", "", ""}),
        term(
            tr("grammar"), tr("grammar|grammars"),
            tr("Rules that say what an answer may be, such as JSON of a certain form: the sampler draws only "
               "tokens that they allow."),
            {"XGrammar, arXiv 2411.15100", "https://arxiv.org/abs/2411.15100", "structured-output"}),
        term(tr("draft"), tr("draft|drafts|drafted|drafter"),
             tr("Tokens that a cheap method proposes, and that one forward pass of the model verifies "
                "together."),
             {"Speculative decoding, arXiv 2211.17192", "https://arxiv.org/abs/2211.17192",
              "speculation-pays"}),
        term(tr("entropy"), tr("entropy"),
             tr("How uncertain the model is about the next token, in bits: 0 when it is sure."),
             {"", "", ""}),
        term(tr("greedy"), tr("greedy"), tr("Choosing the most likely token always, with no drawn number."),
             {"", "", ""}),
        term(tr("hypothesis"), tr("hypothesis|hypotheses"),
             tr("A complete answer that a beam search has found."),
             {"GNMT, arXiv 1609.08144", "https://arxiv.org/abs/1609.08144", "beam-search"}),
        term(tr("length penalty"), tr("length penalty"),
             tr("The power of an answer's length by which its score is divided, so that short answers do not "
                "always win."),
             {"GNMT, arXiv 1609.08144", "https://arxiv.org/abs/1609.08144", "beam-search"}),
        term(tr("log-probability"), tr("logprob|logprobs|log-probability|log-probabilities"),
             tr("The logarithm of a token's probability; those of an answer add up to the answer's own."),
             {"", "", "beam-search"}),
        term(tr("min-p"), tr("min-p"),
             tr("A stage that removes tokens less likely than a part of the most likely one."),
             {"Min-p sampling, arXiv 2407.01082", "https://arxiv.org/abs/2407.01082", ""}),
        term(tr("n-gram"), tr("n-gram|n-grams"),
             tr("A few tokens in a row: where they come again, what followed them the last time is proposed "
                "as a draft."),
             {"Inference with Reference, arXiv 2304.04487", "https://arxiv.org/abs/2304.04487", ""}),
        term(tr("penalty"), tr("repetition penalty|presence penalty|frequency penalty|penalties"),
             tr("A stage that makes tokens less likely that the text has already."),
             {"CTRL, arXiv 1909.05858", "https://arxiv.org/abs/1909.05858", ""}),
        term(tr("seed"), tr("seed|seeds"),
             tr("The number that the random numbers of a request follow from: the same seed gives the same "
                "tokens."),
             {"", "", ""}),
        term(tr("sibling"), tr("sibling|siblings"),
             tr("Another answer to the same prompt; siblings share the prompt's blocks."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "parallel-samples"}),
        term(tr("speculation"), tr("speculation|speculative decoding"),
             tr("Drafting tokens cheaply and verifying them together: several tokens a step when the draft "
                "is good."),
             {"Speculative decoding, arXiv 2211.17192", "https://arxiv.org/abs/2211.17192",
              "speculation-pays"}),
        term(tr("surprise"), tr("surprise"), tr("How unlikely the chosen token was, in bits."), {"", "", ""}),
        term(tr("temperature"), tr("temperature"),
             tr("What logits are divided by before the draw: above 1 unlikely tokens gain, below 1 they "
                "lose, 0 is greedy."),
             {"", "", ""}),
        term(tr("top-k"), tr("top-k"), tr("A stage that keeps the k most likely tokens."),
             {"Hierarchical story generation, arXiv 1805.04833", "https://arxiv.org/abs/1805.04833", ""}),
        term(tr("top-p"), tr("top-p"),
             tr("A stage that keeps the most likely tokens whose probabilities together reach p."),
             {"Nucleus sampling, arXiv 1904.09751", "https://arxiv.org/abs/1904.09751", ""}),
        term(tr("typical"), tr("typical|typical_p"),
             tr("A stage that keeps the tokens whose surprise is nearest to the entropy."),
             {"Locally typical sampling, arXiv 2202.00666", "https://arxiv.org/abs/2202.00666", ""}),
    };
  }
};

}  // namespace vitrine::prose
