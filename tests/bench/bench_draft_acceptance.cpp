// How often the first token of a draft is accepted, by the rule with which drafter and model draw: what the
// default of --draft-acceptance and the order of the sampler's draw rest on.
//
//   bench_draft_acceptance [--seeds N] [--max-tokens N]
//
// The built-in model answers eight questions, N times each, at three temperatures. At each position of the
// answers p is the model's distribution and q the drafter's, after all stages of the sampler. From p and q
// the probability that both draw the same token is computed, not sampled: exact for the positions visited,
// and the same in every run on the same kind of processor. Rules:
//   rank     inverse CDF with one number, tokens in order of probability: the sampler's own draw
//   id       inverse CDF with one number, tokens in order of their ids in both distributions
//   gumbel   argmax of log p + G with one Gumbel number for each token (arXiv 2408.07978)
//   greedy   the drafter proposes its most likely token instead of drawing
//   most     sum of min(p, q): what rejection sampling accepts, and the most that any rule can (2211.17192)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "models/checkpoint.h"
#include "runtime/engine_parts.h"
#include "sampling/sampler.h"
#include "speculation/ngram_drafter.h"

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;
using Distribution = std::vector<double>;  // [vocabulary]

struct Arguments {
  int seeds = 4, maxTokens = 64;
};

class NullSink : public EventSink {
 public:
  void publish(const Event&) override {}
};

constexpr const char* kQuestions[] = {"What is a KV cache?",
                                      "Tell me a short story about a fox and a lighthouse.",
                                      "What is a token?",
                                      "What is continuous batching?",
                                      "Why does the scheduler preempt a request?",
                                      "Who are you?",
                                      "What is a prefix cache?",
                                      "How does speculative decoding work?"};

struct Answer {
  Tokens tokens;  // prompt and answer
  std::size_t promptTokens;
};

SamplingOptions at(double temperature, std::uint64_t seed = 0) {
  SamplingOptions sampling;
  sampling.temperature = temperature;
  sampling.seed = seed;
  return sampling;
}

std::vector<Answer> answersAt(Engine& engine, const Arguments& arguments, double temperature) {
  std::vector<Answer> answers;
  std::vector<RequestId> ids;
  for (const char* question : kQuestions) {
    const std::string prompt = engine.chatFormat().render({{{ChatRole::kUser, question}}}).text;
    const Tokens tokens = engine.tokenizer()->encode(prompt, engine.chatFormat().addsSpecialTokens());
    for (int seed = 0; seed < arguments.seeds; ++seed) {
      Request request;
      request.tokenIds = tokens;
      request.maxTokens = arguments.maxTokens;
      request.sampling = at(temperature, static_cast<std::uint64_t>(seed));
      ids.push_back(engine.submit(request));
      answers.push_back({tokens, tokens.size()});
    }
  }
  engine.run();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Tokens drawn = engine.takeResult(ids[i]).sequences[0].tokenIds;
    answers[i].tokens.insert(answers[i].tokens.end(), drawn.begin(), drawn.end());
  }
  return answers;
}

// A model, or the first layers of one, that gives the logits after every token of a text.
class Reader {
 public:
  Reader(Backend& backend, Decoder& decoder, int layers)
      : m_backend(backend), m_decoder(decoder), m_layers(layers) {}

  // [tokens, vocabulary]
  std::vector<float> logits(const Tokens& tokens) const {
    constexpr int kBlockSize = 16;
    const int count = static_cast<int>(tokens.size());
    const int blocks = (count + kBlockSize - 1) / kBlockSize;
    const auto cache = m_backend.allocateKv(m_decoder.kvShape(blocks, kBlockSize));
    std::vector<BlockId> table(static_cast<std::size_t>(blocks));
    std::iota(table.begin(), table.end(), 0);
    BatchBuilder batch(kBlockSize);
    batch.clear();
    batch.add(tokens, 0, table);
    batch.wantAllLogits();
    Tensor hidden = m_backend.allocate(DType::kF32, {count, m_decoder.config().hiddenSize});
    m_decoder.embed(batch.tokens(), hidden.view());
    m_decoder.runLayers({0, m_layers}, batch.finish(), *cache, hidden.view());
    const TensorView view = m_decoder.head(batch.logitRows());
    std::vector<float> logits(static_cast<std::size_t>(view.elements()));
    m_backend.download(view, logits.data());
    return logits;
  }

 private:
  Backend& m_backend;
  Decoder& m_decoder;
  const int m_layers;
};

// Inverse CDF over tokens in these orders: the length of the numbers for which both draw the same token.
double sameByInverse(const Distribution& p, const std::vector<std::size_t>& orderP, const Distribution& q,
                     const std::vector<std::size_t>& orderQ) {
  std::vector<double> endQ(q.size());
  double reached = 0;
  for (const std::size_t token : orderQ) endQ[token] = reached += q[token];
  double same = 0, begin = 0;
  for (const std::size_t token : orderP) {
    const double end = begin + p[token];
    same += std::max(0.0, std::min(end, endQ[token]) - std::max(begin, endQ[token] - q[token]));
    begin = end;
  }
  return same;
}

std::vector<std::size_t> idsOf(const Distribution& p) {
  std::vector<std::size_t> ids(p.size());
  std::iota(ids.begin(), ids.end(), std::size_t{0});
  return ids;
}

std::vector<std::size_t> ranksOf(const Distribution& p) {
  std::vector<std::size_t> ids = idsOf(p);
  std::ranges::stable_sort(ids, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  return ids;
}

// Both choose token t with probability 1 / sum over s of max(p[s] / p[t], q[s] / q[t]). The first is the
// larger where p[s] / q[s] is at least p[t] / q[t], so one pass in the order of that ratio gives all sums.
double sameByGumbel(const Distribution& p, const Distribution& q) {
  std::vector<std::pair<double, std::size_t>> ratios;
  for (std::size_t token = 0; token < p.size(); ++token)
    if (p[token] > 0 || q[token] > 0) ratios.emplace_back(p[token] / q[token], token);  // infinite for q = 0
  std::ranges::sort(ratios, std::greater<>());
  double restOfQ = std::accumulate(q.begin(), q.end(), 0.0), reachedP = 0, same = 0;
  for (const auto& [ratio, token] : ratios) {
    reachedP += p[token];
    restOfQ -= q[token];
    if (p[token] > 0 && q[token] > 0) same += 1 / (reachedP / p[token] + std::max(0.0, restOfQ) / q[token]);
  }
  return same;
}

struct Sums {
  std::int64_t positions = 0;
  double rank = 0, id = 0, gumbel = 0, greedy = 0, most = 0;

  void add(const Distribution& p, const Distribution& q) {
    const std::vector<std::size_t> ids = idsOf(p), ranksP = ranksOf(p), ranksQ = ranksOf(q);
    ++positions;
    rank += sameByInverse(p, ranksP, q, ranksQ);
    id += sameByInverse(p, ids, q, ids);
    gumbel += sameByGumbel(p, q);
    greedy += p[ranksQ.front()];
    for (std::size_t token = 0; token < p.size(); ++token) most += std::min(p[token], q[token]);
  }
};

class Comparison {
 public:
  explicit Comparison(const Arguments& arguments) : m_arguments(arguments) {
    const std::filesystem::path folder = builtinModelDirectory();
    EngineOptions options;
    options.numBlocks = 1024;
    m_engine = Engine::load(folder, options, m_sink);
    const ModelConfig config = loadModelConfig(folder);
    const auto weights = openCheckpoint(folder);
    m_model = std::make_unique<Decoder>(*m_backend, config, *weights, config.storedType);
    m_int4 = std::make_unique<Decoder>(*m_backend, config, *weights,
                                       WeightStorage(config.storedType, Quantization::kInt4));
  }

  void run() {
    std::printf("drafter       temperature  positions    rank      id  gumbel  greedy    most\n");
    for (const double temperature : {0.5, 0.8, 1.0}) {
      std::map<std::string, Sums> sums;
      for (const Answer& answer : answersAt(*m_engine, m_arguments, temperature))
        compare(answer, temperature, sums);
      for (const auto& [drafter, one] : sums) print(drafter, temperature, one);
    }
  }

 private:
  void compare(const Answer& answer, double temperature, std::map<std::string, Sums>& sums) {
    const int layers = m_model->config().layers, exit = m_model->config().recommendedExitLayer;
    const auto rows = [&](Decoder& decoder, int depth) {
      return distributions(Reader(*m_backend, decoder, depth).logits(answer.tokens), answer, temperature);
    };
    const std::vector<Distribution> p = rows(*m_model, layers);
    const std::map<std::string, std::vector<Distribution>> drafters = {
        {"exit 1", rows(*m_model, 1)},
        {"exit " + std::to_string(exit), rows(*m_model, exit)},
        {"model (int4)", rows(*m_int4, layers)}};
    for (const auto& [name, q] : drafters)
      for (std::size_t i = 0; i < p.size(); ++i) sums[name].add(p[i], q[i]);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const std::span<const TokenId> known = std::span(answer.tokens).first(answer.promptTokens + i);
      const std::size_t next = NgramDrafter::findContinuation(known, SpeculationOptions().ngramLength);
      if (next == 0) continue;
      Distribution q(p[i].size());
      q[static_cast<std::size_t>(known[next])] = 1;
      sums["n-gram"].add(p[i], q);
    }
  }

  // What each token of the answer is drawn from.
  std::vector<Distribution> distributions(const std::vector<float>& logits, const Answer& answer,
                                          double temperature) {
    const std::size_t vocabulary = logits.size() / answer.tokens.size();
    const SamplingOptions sampling = at(temperature);
    std::vector<Distribution> all;
    for (std::size_t next = answer.promptTokens; next < answer.tokens.size(); ++next) {
      const SamplerInput input{std::span(logits).subspan((next - 1) * vocabulary, vocabulary), {}, sampling};
      m_sampler.probabilities(input, all.emplace_back(vocabulary));
    }
    return all;
  }

  void print(const std::string& drafter, double temperature, const Sums& sums) const {
    const auto share = [&](double sum) { return sum / static_cast<double>(sums.positions); };
    std::printf("%-13s %11.1f %10lld", drafter.c_str(), temperature, static_cast<long long>(sums.positions));
    for (const double sum : {sums.rank, sums.id, sums.gumbel, sums.greedy, sums.most})
      std::printf("  %.4f", share(sum));
    std::printf("\n");
    std::fflush(stdout);
  }

  const Arguments m_arguments;
  NullSink m_sink;
  std::unique_ptr<Engine> m_engine;
  const std::unique_ptr<Backend> m_backend = makeCpuBackend(0);
  std::unique_ptr<Decoder> m_model, m_int4;
  Sampler m_sampler;
};

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const bool hasValue = i + 1 < argc;
    if (std::strcmp(argv[i], "--seeds") == 0 && hasValue)
      arguments.seeds = std::max(1, std::atoi(argv[++i]));
    else if (std::strcmp(argv[i], "--max-tokens") == 0 && hasValue)
      arguments.maxTokens = std::max(1, std::atoi(argv[++i]));
    else
      return std::fputs("usage: bench_draft_acceptance [--seeds N] [--max-tokens N]\n", stderr), 2;
  }
  Comparison(arguments).run();
  return 0;
}
