#include "vitrine/prose/glossary.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "prose/speaker.h"

namespace vitrine::prose {
namespace {

const Names kNoNames;

struct Places {
  const char *paper, *link, *scenario;
};

std::vector<std::string> wordsOf(const std::string& joined) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= joined.size();) {
    const std::size_t end = std::min(joined.find('|', begin), joined.size());
    words.push_back(joined.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

Term term(const std::string& name, const std::string& words, const std::string& meaning,
          const Places& places) {
  return {name, wordsOf(words), meaning, places.paper, places.link, places.scenario};
}

// The words of a term are separated by bars.
class Glossary : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  explicit Glossary(const Language& language) : Speaker(kNoNames, language) {}

  std::vector<Term> terms() const {
    return {
        term(tr("acceptance"), tr("acceptance|accepted|accepts"),
             tr("The share of a draft's tokens that the model would have chosen itself, so that they stay."),
             {"Speculative decoding, arXiv 2211.17192", "https://arxiv.org/abs/2211.17192",
              "speculation-pays"}),
        term(tr("aging"), tr("aging|ages|aged"),
             tr("A request that has waited for many steps goes before requests of a higher priority, so that "
                "none waits for ever."),
             {"", "", "priority-inversion"}),
        term(tr("attention"), tr("attention"),
             tr("For each token, a weighted sum over the values of the tokens before it: the weights say "
                "where the token looks."),
             {"Attention Is All You Need, arXiv 1706.03762", "https://arxiv.org/abs/1706.03762", ""}),
        term(tr("attention sink"), tr("attention sink|attention sinks|sink|sinks"),
             tr("The first tokens of a text, which attention leans on whatever they say; a context that "
                "evicts keeps them."),
             {"StreamingLLM, arXiv 2309.17453", "https://arxiv.org/abs/2309.17453", "long-context-sinks"}),
        term(tr("batch"), tr("batch|batches"),
             tr("The sequences that one forward pass computes together, so that every weight is read once "
                "for all of them."),
             {"Orca, OSDI '22", "https://www.usenix.org/conference/osdi22/presentation/yu", "four-together"}),
        term(tr("batching window"), tr("batching window"),
             tr("The time for which an idle machine collects requests before it begins a batch."),
             {"", "", "window-batching"}),
        term(tr("beam"), tr("beam|beams"),
             tr("One of the unfinished answers that a search keeps, the best ones so far."),
             {"", "", "beam-search"}),
        term(tr("beam search"), tr("beam search"),
             tr("A search for the most likely answer: in each step it keeps the best continuations of all "
                "its beams, and drops the others."),
             {"GNMT, arXiv 1609.08144", "https://arxiv.org/abs/1609.08144", "beam-search"}),
        term(tr("block"), tr("block|blocks"),
             tr("A piece of the KV memory with room for a fixed number of tokens, taken from the pool and "
                "given back as a whole."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "one-request"}),
        term(tr("block table"), tr("block table|block tables"),
             tr("The list of a sequence's blocks in the order of its tokens, like the page table of a "
                "process."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "one-request"}),
        term(tr("chunked prefill"), tr("chunked prefill|chunk|chunks"),
             tr("A long prompt is computed in pieces over several steps, so that sequences that decode need "
                "not wait for it."),
             {"Sarathi, arXiv 2308.16369", "https://arxiv.org/abs/2308.16369", "chunked-prefill"}),
        term(tr("copy-on-write"), tr("copy-on-write|copies on write"),
             tr("A shared block is copied only when one of its holders writes into it."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "parallel-samples"}),
        term(tr("deadline"), tr("deadline|deadlines"),
             tr("The time by which a request should be answered; a policy may put the nearest one first."),
             {"", "", "deadline-misses"}),
        term(tr("decode"), tr("decode|decodes|decoding"),
             tr("Computing one new token of an answer in a step; it reads every weight for little "
                "arithmetic."),
             {"", "", "one-request"}),
        term(tr("draft"), tr("draft|drafts|drafted|drafter"),
             tr("Tokens that a cheap method proposes, and that one forward pass of the model verifies "
                "together."),
             {"Speculative decoding, arXiv 2211.17192", "https://arxiv.org/abs/2211.17192",
              "speculation-pays"}),
        term(
            tr("early exit"), tr("early exit|exit layer"),
            tr("Stopping after the first layers of a model: their guess is cheap, and may serve as a draft."),
            {"LayerSkip, arXiv 2404.16710", "https://arxiv.org/abs/2404.16710", "speculation-pays"}),
        term(tr("entropy"), tr("entropy"),
             tr("How uncertain the model is about the next token, in bits: 0 when it is sure."),
             {"", "", ""}),
        term(tr("evict"), tr("evict|evicts|evicted|eviction"),
             tr("To take a cached block for something else; its content can then be found no more."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "six-blocks"}),
        term(tr("forward pass"), tr("forward pass|forward"),
             tr("One run of a batch through all layers of the model."), {"", "", ""}),
        term(tr("greedy"), tr("greedy"), tr("Choosing the most likely token always, with no drawn number."),
             {"", "", ""}),
        term(
            tr("head-of-line blocking"), tr("head-of-line blocking"),
            tr("The first request of a queue cannot begin, and so none behind it does, although they might."),
            {"", "", "head-of-line-blocking"}),
        term(tr("heavy hitter"), tr("heavy hitter|heavy hitters"),
             tr("A token that has received much attention; a context that evicts by score keeps it."),
             {"H2O, arXiv 2306.14048", "https://arxiv.org/abs/2306.14048", ""}),
        term(tr("hypothesis"), tr("hypothesis|hypotheses"),
             tr("A complete answer that a beam search has found."),
             {"GNMT, arXiv 1609.08144", "https://arxiv.org/abs/1609.08144", "beam-search"}),
        term(tr("ITL"), tr("itl|inter-token latency"),
             tr("The time between two tokens of an answer, which a reader waits for each of them."),
             {"", "", ""}),
        term(tr("KV cache"), tr("kv cache|kv memory|kv"),
             tr("The keys and values of the tokens computed so far, kept so that no later step computes them "
                "again."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "one-request"}),
        term(tr("length penalty"), tr("length penalty"),
             tr("The power of an answer's length by which its score is divided, so that short answers do not "
                "always win."),
             {"GNMT, arXiv 1609.08144", "https://arxiv.org/abs/1609.08144", "beam-search"}),
        term(tr("log-probability"), tr("logprob|logprobs|log-probability|log-probabilities"),
             tr("The logarithm of a token's probability; those of an answer add up to the answer's own."),
             {"", "", "beam-search"}),
        term(tr("logit"), tr("logit|logits"),
             tr("The model's raw number for a token; the softmax of all of them gives probabilities."),
             {"", "", ""}),
        term(tr("logit lens"), tr("logit lens"),
             tr("What the model would say if it ended after a layer: the final norm and the head over that "
                "layer's states."),
             {"Tuned lens, arXiv 2303.08112", "https://arxiv.org/abs/2303.08112", ""}),
        term(tr("min-p"), tr("min-p"),
             tr("A stage that removes tokens less likely than a part of the most likely one."),
             {"Min-p sampling, arXiv 2407.01082", "https://arxiv.org/abs/2407.01082", ""}),
        term(tr("penalty"), tr("repetition penalty|presence penalty|frequency penalty|penalties"),
             tr("A stage that makes tokens less likely that the text has already."),
             {"CTRL, arXiv 1909.05858", "https://arxiv.org/abs/1909.05858", ""}),
        term(tr("policy"), tr("policy|policies"),
             tr("The rule by which the scheduler orders requests: by arrival, priority, deadline or length."),
             {"", "", "important-first"}),
        term(
            tr("preempt"), tr("preempt|preempts|preempted|preemption"),
            tr("To take the blocks of a running sequence for one that goes before it; it waits, and goes on "
               "later."),
            {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "preemption-recompute"}),
        term(tr("prefill"), tr("prefill|prefills"),
             tr("Computing the tokens of a prompt, many at once; it does much arithmetic for every weight "
                "that it reads."),
             {"", "", "chunked-prefill"}),
        term(tr("prefix cache"), tr("prefix cache|prefix hit|prefix hits|cached"),
             tr("Full blocks that stay known by their tokens, so that a prompt with the same beginning finds "
                "them computed."),
             {"SGLang, arXiv 2312.07104", "https://arxiv.org/abs/2312.07104", "shared-system-prompt"}),
        term(tr("roofline"), tr("roofline"),
             tr("The most that a machine allows an operation: its bandwidth, or its arithmetic, whichever "
                "ends first."),
             {"Roofline, CACM 52(4)", "https://doi.org/10.1145/1498765.1498785", ""}),
        term(tr("sequence"), tr("sequence|sequences"),
             tr("One answer of a request while it is computed: its tokens and its blocks."),
             {"", "", "one-request"}),
        term(tr("sibling"), tr("sibling|siblings"),
             tr("Another answer to the same prompt; siblings share the prompt's blocks."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "parallel-samples"}),
        term(tr("slot"), tr("slot|slots"),
             tr("The place in the KV memory for one token's keys and values; also a place for a sequence "
                "that may run."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "one-request"}),
        term(tr("speculation"), tr("speculation|speculative decoding"),
             tr("Drafting tokens cheaply and verifying them together: several tokens a step when the draft "
                "is good."),
             {"Speculative decoding, arXiv 2211.17192", "https://arxiv.org/abs/2211.17192",
              "speculation-pays"}),
        term(tr("surprise"), tr("surprise"), tr("How unlikely the chosen token was, in bits."), {"", "", ""}),
        term(tr("swap"), tr("swap|swaps|swapped|swapping"),
             tr("To move the blocks of a preempted sequence to the host's memory or a file, and back when it "
                "goes on."),
             {"PagedAttention, arXiv 2309.06180", "https://arxiv.org/abs/2309.06180", "preemption-swap"}),
        term(tr("temperature"), tr("temperature"),
             tr("What logits are divided by before the draw: above 1 unlikely tokens gain, below 1 they "
                "lose, 0 is greedy."),
             {"", "", ""}),
        term(tr("token"), tr("token|tokens"),
             tr("A piece of text that the model reads and writes as one: a word, a part of it, or a sign."),
             {"", "", ""}),
        term(tr("token budget"), tr("token budget|budget"),
             tr("The most tokens that one step computes, of prompts and answers together."),
             {"Sarathi, arXiv 2308.16369", "https://arxiv.org/abs/2308.16369", "chunked-prefill"}),
        term(tr("top-k"), tr("top-k"), tr("A stage that keeps the k most likely tokens."),
             {"Hierarchical story generation, arXiv 1805.04833", "https://arxiv.org/abs/1805.04833", ""}),
        term(tr("top-p"), tr("top-p"),
             tr("A stage that keeps the most likely tokens whose probabilities together reach p."),
             {"Nucleus sampling, arXiv 1904.09751", "https://arxiv.org/abs/1904.09751", ""}),
        term(tr("TTFT"), tr("ttft|time to first token"),
             tr("The time from a request's submission to its first token, the queue included."),
             {"", "", ""}),
        term(tr("typical"), tr("typical|typical_p"),
             tr("A stage that keeps the tokens whose surprise is nearest to the entropy."),
             {"Locally typical sampling, arXiv 2202.00666", "https://arxiv.org/abs/2202.00666", ""}),
    };
  }
};

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

// Bytes of letters outside ASCII count as letters.
bool isLetter(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 128 || std::isalnum(byte) != 0 || letter == '_';
}

// A word ends where no letter follows, nor a hyphen with a letter: "block-wise" speaks of no block.
bool endsAt(std::string_view sentence, std::size_t place) {
  if (place >= sentence.size()) return true;
  if (sentence[place] == '-') return place + 1 >= sentence.size() || !isLetter(sentence[place + 1]);
  return !isLetter(sentence[place]);
}

bool standsAt(std::string_view sentence, std::size_t begin, std::string_view word) {
  if (word.empty() || sentence.size() - begin < word.size() || !endsAt(sentence, begin + word.size()))
    return false;
  return std::equal(word.begin(), word.end(), sentence.begin() + static_cast<std::ptrdiff_t>(begin),
                    [](char a, char b) { return a == lower(b); });
}

std::optional<TermPlace> longestAt(std::string_view sentence, std::size_t begin,
                                   const std::vector<Term>& terms) {
  std::optional<TermPlace> longest;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (const std::string& word : terms[i].words)
      if (standsAt(sentence, begin, word) && (!longest || word.size() > longest->length))
        longest = {begin, word.size(), i};
  return longest;
}

}  // namespace

std::vector<Term> glossary(const Language& language) { return Glossary(language).terms(); }

std::vector<TermPlace> termsIn(std::string_view sentence, const std::vector<Term>& terms) {
  std::vector<TermPlace> places;
  for (std::size_t at = 0; at < sentence.size();) {
    const bool begins =
        isLetter(sentence[at]) && (at == 0 || (!isLetter(sentence[at - 1]) && sentence[at - 1] != '-'));
    const auto found = begins ? longestAt(sentence, at, terms) : std::nullopt;
    if (found) places.push_back(*found);
    at += found ? found->length : 1;
  }
  return places;
}

}  // namespace vitrine::prose
