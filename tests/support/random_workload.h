// RandomWorkload: requests and engine options drawn at random, with arrivals and cancellations, for tests of
// what must hold whatever happens. Each is hard: few blocks, small budgets, common beginnings.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "support/replaying_sink.h"
#include "support/tiny_engine.h"

namespace vitrine {

struct Life {
  Request request;
  int arrival = 0;
  int cancelAt = -1;    // the step before which it is cancelled
  bool atGate = false;  // or in the middle of that step
  RequestId id = 0;
};

// One of a few hundred ways to be unlucky.
class Workload {
 public:
  // With grammars: the engine needs a LetterTokenizer.
  Workload(std::uint32_t seed, int slidingWindow, bool grammars = false)
      : m_hasGrammars(grammars), m_random(seed), m_beginnings(seed + 1), m_grammars(seed + 2) {
    options.threads = 1;
    options.blockSize = pick({1, 2, 4, 4, 8, 16});
    options.numBlocks = 6 + below(18);
    options.maxSequences = 1 + below(8);
    options.tokenBudget = pick({1, 2, 3, 7, 16, 64});
    options.batching = static_cast<Batching>(pick({0, 0, 0, 0, 1, 2, 3, 3}));
    options.windowMs = below(8);
    const int policies = static_cast<int>(Names<Policy>::list.size());
    options.policy = static_cast<Policy>(below(policies + 1) % policies);  // fcfs twice as often
    options.agingSteps = pick({0, 1, 4, 20});
    options.prefixCache = below(4) > 0;
    options.chunkedPrefill = below(4) > 0;
    options.seed = below(2) == 0 ? 0 : 99;
    options.speculation.drafter = static_cast<DraftMethod>(pick({0, 0, 1, 2, 3}));
    options.speculation.draftLength = 1 + below(6);
    options.speculation.adaptive = below(2) == 0;
    options.speculation.exitLayer = 1;
    options.speculation.draftModel = "the other one";
    options.speculation.ngramLength = 1 + below(3);
    if (seed % 6 == 0) options.speculation.acceptance = DraftAcceptance::kRejection;
    draftsLikeTheModel = below(2) == 0;
    options.attention = std::array{"reference", "flash", "bf16"}[static_cast<std::size_t>(below(3))];
    options.quantization = static_cast<Quantization>(pick({0, 0, 0, 1, 2}));
    options.kvType = static_cast<KvType>(pick({0, 0, 0, 1, 2, 2}));
    options.compute = options.kvType == KvType::kInt8 ? Compute::kInt8 : Compute::kF32;
    if (options.compute == Compute::kF32 && options.quantization == Quantization::kNone && seed % 2 == 0) {
      options.weightType = WeightType::kBf16;
      options.compute = Compute::kBf16;
    }
    options.kvCache = below(8) > 0;
    drawSwap();
    if (!options
             .kvCache) {  // there is nothing to draft behind, and steps for every token of a prompt are many
      options.speculation.drafter = DraftMethod::kNone;
      options.preemption = Preemption::kRecompute;
      options.tokenBudget = std::max(options.tokenBudget, 7);
    }
    if (slidingWindow == 0 && below(4) == 0) {
      options.eviction = below(2) == 0 ? Eviction::kSinks : Eviction::kHeavyHitters;
      options.heavyTokens = below(options.blockSize + 1);
      if (options.eviction == Eviction::kHeavyHitters) options.attention = "reference";
      options.sinkTokens = below(2 * options.blockSize + 1);
      options.windowTokens = 1 + below(2 * options.blockSize + 1);
      options.chunkedPrefill = true;
      options.speculation.drafter = DraftMethod::kNone;
      options.preemption = Preemption::kRecompute;
    }
    const int count = 3 + below(6);
    for (int i = 0; i < count; ++i) addLife();
    if (below(6) > 0) tighten();
  }

  // What arrives before a step is submitted, and what is to be cancelled before it is cancelled.
  void begin(Engine& engine, int step) {
    for (Life& life : lives) {
      if (life.arrival == step) life.id = engine.submit(life.request);
      if (life.cancelAt == step) engine.cancel(life.id);
    }
  }

  EngineOptions options;
  std::vector<Life> lives;
  bool draftsLikeTheModel = false;  // the second model is the first one

 private:
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  int pick(const std::vector<int>& values) { return values[m_random() % values.size()]; }

  // Room for a few blocks, and a folder that can be written to or not.
  void drawSwap() {
    if (below(3) == 0) return;
    constexpr int kBytesPerToken = 2 * 2 * 2 * 8 * 4;  // keys and values, layers, heads, their size, float32
    options.preemption = Preemption::kSwap;
    options.hostSwapBytes = pick({0, 0, 1, 1, 2, 20}) * kBytesPerToken * options.blockSize;
    options.diskSwapBytes = pick({0, 1, 8, 40, 40}) * kBytesPerToken * options.blockSize;
    if (options.hostSwapBytes + options.diskSwapBytes == 0) options.hostSwapBytes = 1 << 20;
    if (below(2) == 0) options.swapFolder = "/dev/null/no folder";
  }

  void addLife() {
    Life life;
    Request& request = life.request;
    request.maxTokens = 1 + below(options.eviction == Eviction::kNone ? 12 : 40);
    const int room = std::min(options.numBlocks * options.blockSize - request.maxTokens, 28);
    if (room < 1) return;
    const int length = 1 + below(room);
    // A common beginning, then one of two letters: prefixes overlap in every way.
    const int common = below(3) * length / 2;
    for (int i = 0; i < length; ++i) request.tokenIds.push_back(i < common ? 10 + i : 8 + below(2));
    request.sequences = std::min(pick({1, 1, 1, 2, 3}), options.maxSequences);
    if (below(5) == 0) request.bestOf = std::min(request.sequences + below(2), options.maxSequences);
    request.ignoreEos = below(2) == 0;
    request.logprobs = 2;
    if (below(6) == 0) request.cacheSalt = 1;
    if (below(3) > 0) {
      request.sampling.temperature = pick({1, 3}) * 0.7;
      request.sampling.seed = m_random();
      request.sampling.topK = pick({0, 0, 5});
      request.sampling.topP = pick({1, 2}) * 0.5;
      request.sampling.repetitionPenalty = pick({1, 1, 2});
      request.sampling.frequencyPenalty = pick({0, 0, 1});
    }
    request.priority = below(4) - 1;
    request.deadlineMs = pick({0, 0, 1}) * (0.5 + below(30));
    const bool mayShare = options.kvCache && options.eviction == Eviction::kNone;
    if (mayShare && below(3) > 0) searchBeams(request);
    forceBeginning(request);
    if (m_hasGrammars && request.outputIds.empty() && m_grammars() % 3 == 0) askForStructure(request);
    life.arrival = below(8);
    if (below(5) == 0) life.cancelAt = life.arrival + below(12);
    life.atGate = below(2) == 0;
    lives.push_back(std::move(life));
  }

  // What a request needs by itself; beams surely share their prompt's full blocks and no others.
  int blocksOf(const Request& request, int width) const {
    const int prompt = static_cast<int>(request.tokenIds.size());
    const int shared = prompt / options.blockSize;
    const int all = (prompt + request.maxTokens + options.blockSize - 1) / options.blockSize;
    return shared + width * (all - shared);
  }
  // The least pool in which each can be done by itself, or a little more.
  void tighten() {
    int least = 1;
    for (const Life& life : lives) least = std::max(least, blocksOf(life.request, life.request.beamWidth));
    options.numBlocks = std::min(options.numBlocks, least + below(2));
  }

  // Some answers begin with tokens that are given. An end token among them would have ended the answer.
  void forceBeginning(Request& request) {
    if (request.beamWidth > 1 || request.maxTokens < 2 || !request.ignoreEos || m_beginnings() % 4 > 0)
      return;
    constexpr TokenId kFirst = 8;
    const auto count = 1 + m_beginnings() % static_cast<unsigned>(std::min(request.maxTokens - 1, 6));
    for (unsigned i = 0; i < count; ++i)
      request.outputIds.push_back(kFirst + static_cast<TokenId>(m_beginnings() % 40));
  }

  void searchBeams(Request& request) {
    constexpr int kMore = 4;  // long enough to be short of blocks
    request.maxTokens += kMore;
    int width = std::min(pick({2, 3, 4, 5}), options.maxSequences);
    while (width > 1 && blocksOf(request, width) > options.numBlocks) --width;
    if (width < 2) {
      request.maxTokens -= kMore;
      return;
    }
    request.beamWidth = width;
    request.sequences = 1 + below(width);
    request.bestOf = 0;
    request.sampling.temperature = 0;
    request.lengthPenalty = pick({-1, 0, 1, 2});
    request.earlyStopping = static_cast<EarlyStopping>(below(3));
  }

  // In the letters of LetterTokenizer: without an end, of one length, with brackets, as a few texts.
  void askForStructure(Request& request) {
    static const std::vector<std::string> grammars = {"root ::= ([A-F] [a-f]+ | [0-9]{2,4})*",
                                                      "root ::= [A-Za-z]{3} [0-9]+ \"X\"",
                                                      "root ::= \"A\" root \"B\" | \"a\" root \"b\" | [x-z]*",
                                                      "root ::= word (\"0\" word)*\nword ::= [A-Za-z]{1,5}"};
    const std::size_t which = m_grammars() % (grammars.size() + 1);
    if (which < grammars.size())
      request.grammar = grammars[which];
    else
      request.choice = {"Yes", "No", "Nothing0", "Perhaps"};
  }

  const bool m_hasGrammars;
  std::mt19937 m_random, m_beginnings, m_grammars;
};

// A request alone in an engine with room for everything, in one piece, with nothing to hit. How weights, keys
// and values are stored is a part of the model, not of the company.
template <class Model>
RequestResult alone(const Model& model, const Request& request, const EngineOptions& company) {
  EngineOptions options = tinyOptions(128, 16, 512);
  if (company.eviction != Eviction::kNone) {  // by blocks, so their size is a part of the model too
    options.blockSize = company.blockSize;
    options.eviction = company.eviction;
    options.sinkTokens = company.sinkTokens;
    options.windowTokens = company.windowTokens;
    options.heavyTokens = company.heavyTokens;
  }
  options.prefixCache = false;
  options.seed = company.seed;
  options.kvType = company.kvType;
  options.compute = company.compute;
  options.weightType = company.weightType;
  options.quantization = company.quantization;
  options.attention = company.attention;
  ReplayingSink sink;
  const auto engine = model.engine(options, sink);
  const RequestId id = engine->submit(request);
  engine->run();
  return engine->takeResult(id);
}

inline bool sameLogprobs(const SequenceResult& a, const SequenceResult& b) {
  return std::ranges::equal(a.logprobs, b.logprobs, [](const TokenLogprob& x, const TokenLogprob& y) {
    return x.token == y.token && x.logprob == y.logprob && x.top == y.top;
  });
}

// Tokens and log-probabilities, these to the bit.
inline bool isSameResult(const RequestResult& a, const RequestResult& b) {
  return std::ranges::equal(a.sequences, b.sequences, [](const SequenceResult& x, const SequenceResult& y) {
    return x.tokenIds == y.tokenIds && sameLogprobs(x, y) && x.cumulativeLogprob == y.cumulativeLogprob;
  });
}

}  // namespace vitrine
