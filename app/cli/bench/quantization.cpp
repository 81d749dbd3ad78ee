// bench quantization: the gain of narrower weights and a narrower KV cache in memory and speed, and their
// error: how far the distributions over the next token move.
//
// The model as it is answers some questions greedily. Along each answer every variant is asked for its
// distribution after each token, and set against the model's own by the Kullback-Leibler divergence (nats a
// token), by how often both would choose the same token, and by the perplexity of the answer. Answers are not
// compared: after one different token two texts have nothing in common.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/bench.h"

namespace vitrine::cli {
namespace {

struct QuantizationArguments {
  BenchArguments common;
  std::string prompts;
  int batch = 1;
};

// What a model says along one answer: log-probabilities after each token.
using Saying = std::vector<std::vector<float>>;

struct QuantizationVariant {
  std::string weights, kv;
  EngineOptions options;
  Bench bench;
  EngineLoaded engine;
  std::vector<double> tokensRate;
  std::int64_t devicePeakBytes = 0;
  double divergence = 0, agreement = 0, perplexity = 0;  // over all tokens of all answers

  std::string name() const { return weights + " weights, " + kv + " KV"; }
};

std::vector<QuantizationVariant> variantsOf(const QuantizationArguments& arguments) {
  EngineOptions options = arguments.common.engine.toOptions();
  options.prefixCache = false;  // the same prompts in every round must cost the same
  std::vector<QuantizationVariant> variants;
  for (const Quantization quantization : {Quantization::kNone, Quantization::kInt8, Quantization::kInt4})
    for (const KvType kv : {KvType::kSame, KvType::kInt8}) {
      QuantizationVariant& variant = variants.emplace_back();
      variant.weights = nameOf(quantization);
      variant.kv = nameOf(kv);
      variant.options = options;
      variant.options.quantization = quantization;
      variant.options.kvType = kv;
      asUsage([&] { variant.options.validate(); });
    }
  return variants;
}

void toLogProbabilities(std::vector<float>& logits) {
  const double most = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - most);
  const double normalizer = most + std::log(sum);
  for (float& logit : logits) logit = static_cast<float>(logit - normalizer);
}

Saying sayingOf(Engine& engine, const std::vector<TokenId>& prompt, const std::vector<TokenId>& answer) {
  std::vector<TokenId> tokens = prompt;
  tokens.insert(tokens.end(), answer.begin(), answer.end());
  tokens.pop_back();  // what follows the last token is not compared
  Saying saying = engine.examine(tokens, false).logits;
  saying.erase(saying.begin(), saying.end() - static_cast<std::ptrdiff_t>(answer.size()));
  for (std::vector<float>& logits : saying) toLogProbabilities(logits);
  return saying;
}

double divergence(const std::vector<float>& from, const std::vector<float>& to) {
  double sum = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    sum += std::exp(double{from[i]}) * (double{from[i]} - double{to[i]});
  return std::max(sum, 0.0);  // never negative, but for rounding
}

// The model as it is, which every variant is set against.
struct Original {
  std::vector<std::vector<TokenId>> prompts, answers;
  std::vector<Saying> sayings;
};

void compare(const Original& original, QuantizationVariant& variant) {
  std::int64_t tokens = 0, same = 0;
  double sum = 0, likelihood = 0;  // of logarithms
  for (std::size_t i = 0; i < original.answers.size(); ++i) {
    const Saying saying = sayingOf(*variant.bench.engine, original.prompts[i], original.answers[i]);
    for (std::size_t place = 0; place < saying.size(); ++place, ++tokens) {
      const std::vector<float>&as = original.sayings[i][place], &is = saying[place];
      sum += divergence(as, is);
      likelihood += double{is[static_cast<std::size_t>(original.answers[i][place])]};
      same += std::ranges::max_element(as) - as.begin() == std::ranges::max_element(is) - is.begin() ? 1 : 0;
    }
  }
  variant.divergence = sum / static_cast<double>(tokens);
  variant.agreement = static_cast<double>(same) / static_cast<double>(tokens);
  variant.perplexity = std::exp(-likelihood / static_cast<double>(tokens));
}

void askOriginal(Engine& engine, const std::vector<Request>& requests, const Trial& trial,
                 Original& original) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    original.prompts.push_back(request.tokenIds.empty()
                                   ? engine.tokenizer()->encode(request.prompt, request.addSpecialTokens)
                                   : request.tokenIds);
    original.answers.push_back(trial.answers[i]);
    original.sayings.push_back(sayingOf(engine, original.prompts.back(), original.answers.back()));
  }
}

void measure(const QuantizationArguments& arguments, std::vector<QuantizationVariant>& variants) {
  const BenchArguments& common = arguments.common;
  std::vector<std::string> names;
  for (const QuantizationVariant& variant : variants) names.push_back(variant.name());
  Original original;
  inRounds("quantization", common, names, [&](int round, std::size_t i, bool counts) {
    QuantizationVariant& variant = variants[i];
    if (!variant.bench.engine) variant.bench = openBench(common.engine, variant.options);
    Engine& engine = *variant.bench.engine;
    const auto requests = chatRequests(common, arguments.prompts, engine);
    const Trial trial = variant.bench.run(requests, arguments.batch);
    if (counts) {
      variant.tokensRate.push_back(trial.tokensPerSecond());
      variant.devicePeakBytes = std::max(variant.devicePeakBytes, trial.devicePeakBytes);
    }
    if (round == 0) {  // the same in every round
      variant.engine = engine.description();
      if (i == 0) askOriginal(engine, requests, trial, original);
      compare(original, variant);
    }
    variant.bench.closeIfLarge();
  });
}

Json resultOf(const QuantizationArguments& arguments, const std::vector<QuantizationVariant>& variants) {
  const QuantizationVariant& plain = variants.front();
  Json json = describe(BenchKind::kQuantization, plain.engine);
  json["max_tokens"] = arguments.common.maxTokens;
  json["batch"] = arguments.batch;
  json["variants"] = Json::array();
  for (const QuantizationVariant& variant : variants) {
    Json one = {{"weights", variant.weights},
                {"compute", nameOf(variant.engine.options.compute)},
                {"kv", variant.kv},
                {"weight_bytes", variant.engine.model.weightBytes},
                {"kv_bytes_per_token", variant.engine.bytesPerBlock / variant.engine.options.blockSize},
                {"tokens_per_second", toJson(summarise(variant.tokensRate))},
                {"speed_up", toJson(summarise(ratios(variant.tokensRate, plain.tokensRate)))},
                {"divergence", variant.divergence},
                {"same_choice", variant.agreement},
                {"perplexity", variant.perplexity},
                {"perplexity_ratio", variant.perplexity / plain.perplexity}};
    addDevicePeak(one, variant.devicePeakBytes);
    json["variants"].push_back(std::move(one));
  }
  return json;
}

int quantization(const QuantizationArguments& arguments, bool json) {
  checkBench(arguments.common);
  std::vector<QuantizationVariant> variants = variantsOf(arguments);
  measure(arguments, variants);
  return finish(resultOf(arguments, variants), arguments.common, json);
}

}  // namespace

void addQuantization(CLI::App& bench, Program& program) {
  CLI::App* command =
      bench.add_subcommand("quantization", "int8 and int4 weights and int8 KV: memory, speed, truth");
  const auto arguments = std::make_shared<QuantizationArguments>();
  arguments->common.promptTokens = 64;
  command->add_option("--prompts", arguments->prompts,
                      "a file with a question a line; default: eight of our own");
  addNumber(*command, arguments->batch, {"--batch", 1, 65536, "requests at once"});
  addBenchOptions(*command, arguments->common);
  setWork(*command, program, [arguments](bool json) { return quantization(*arguments, json); });
}

}  // namespace vitrine::cli
