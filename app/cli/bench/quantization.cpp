// bench quantization: the gain of narrower weights and a narrower KV cache in memory and speed, and their
// error: how far logits and the distributions over the next token move.
//
// The model as it is, in float32 arithmetic, answers some questions greedily. Along each answer every variant
// is asked for its logits after each token (saying.h). Two errors are told apart. Rounding: float32
// arithmetic over the variant's weights, against the model. Arithmetic: the variant, against float32
// arithmetic over the same weights.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/bench.h"
#include "bench/saying.h"
#include "bench/weight_forms.h"

namespace vitrine::cli {
namespace {

struct QuantizationArguments {
  BenchArguments common;
  WeightFormsAsked forms;
  std::string prompts;
  int batch = 1;
  bool noSpeed = false;
};

// What is compared with something, and with what perplexity it predicts the answers.
struct Compared {
  SayingDifference difference;
  double perplexity = 0, perplexityBefore = 0;
};

struct QuantizationVariant {
  const WeightForm* form = nullptr;
  EngineOptions options;
  Bench bench;
  EngineLoaded engine;
  std::vector<double> tokensRate;
  std::int64_t devicePeakBytes = 0;
  std::string failure;  // why it is not measured
  std::optional<Compared> all = {}, rounding = {}, arithmetic = {};

  std::string name() const {
    return form->name + " weights in " + nameOf(options.compute) + ", " + nameOf(options.kvType) + " KV";
  }
};

// KV in int8 beside the arithmetic that auto chooses, which is never bf16.
Compute usualCompute(const WeightForm& form, Compute asked) {
  if (asked != Compute::kAuto) return form.computes.back();
  return form.computes.back() == Compute::kBf16 ? Compute::kF32 : form.computes.back();
}

std::vector<QuantizationVariant> variantsOf(const QuantizationArguments& arguments,
                                            const std::vector<WeightForm>& forms) {
  const EngineOptions& options = arguments.common.engine.toOptions();
  std::vector<QuantizationVariant> variants;
  for (const WeightForm& form : forms) {
    const auto add = [&](Compute compute, KvType kv) {
      QuantizationVariant& variant = variants.emplace_back();
      variant.form = &form;
      variant.options = options;
      variant.options.prefixCache = false;  // the same prompts in every round must cost the same
      variant.options.weightType = form.weightType;
      variant.options.quantization = form.quantization;
      variant.options.compute = compute;
      variant.options.kvType = kv;
      asUsage([&] { variant.options.validate(); });
    };
    for (const Compute compute : form.computes) add(compute, KvType::kSame);
    const bool isAnotherFloat = form.weightType != options.weightType;
    if (form.isOfEngine() && !isAnotherFloat) add(usualCompute(form, options.compute), KvType::kInt8);
  }
  return variants;
}

// Asks the variants one after another for what they say, in the order of variantsOf().
class Truth {
 public:
  Truth(const QuantizationArguments& arguments) : m_arguments(arguments) {}

  bool hasTexts() const { return !m_texts.empty(); }
  const std::vector<AnsweredPrompt>& texts() const { return m_texts; }
  void setTexts(std::vector<AnsweredPrompt> texts) { m_texts = std::move(texts); }

  void compare(QuantizationVariant& variant) {
    Saying saying = sayingOf(*variant.bench.engine, m_texts);
    const EngineOptions& options = variant.options;
    const bool isInFloats = options.compute == Compute::kF32 && options.kvType == KvType::kSame;
    if (m_model.logits.empty()) m_model = saying;
    variant.all = compared(m_model, saying);
    if (isInFloats) {
      variant.rounding = variant.all;
      m_sameWeights = std::move(saying);
      m_isForInt8 = false;
      return;
    }
    if (variant.form->isRoundedForCompute() && options.compute == Compute::kInt8 && !m_isForInt8) {
      m_sameWeights = sayingInFloats(options);
      m_isForInt8 = true;
      variant.rounding = compared(m_model, m_sameWeights);
    }
    variant.arithmetic = compared(m_sameWeights, saying);
  }

 private:
  Compared compared(const Saying& from, const Saying& to) const {
    return {differenceOf(from, to), perplexityOf(to, m_texts), perplexityOf(from, m_texts)};
  }

  // Of float32 arithmetic over the numbers that products in int8 read.
  Saying sayingInFloats(EngineOptions options) const {
    options.kvType = KvType::kSame;
    Meter meter;
    return sayingOf(*Engine::loadRounded(m_arguments.common.engine.modelDirectory(), options, meter),
                    m_texts);
  }

  const QuantizationArguments& m_arguments;
  std::vector<AnsweredPrompt> m_texts;
  Saying m_model, m_sameWeights;  // of the model; and of the present weights, in float32 arithmetic
  bool m_isForInt8 = false;       // whether those are the numbers that products in int8 read
};

std::vector<TokenId> promptOf(Engine& engine, const Request& request) {
  if (!request.tokenIds.empty()) return request.tokenIds;
  return engine.tokenizer()->encode(request.prompt, request.addSpecialTokens);
}

// False: a float type that does not hold the weights, or arithmetic that they do not come to.
bool open(const QuantizationArguments& arguments, QuantizationVariant& variant) {
  if (!variant.failure.empty()) return false;
  if (variant.bench.engine) return true;
  const EngineArguments& model = arguments.common.engine;
  try {
    variant.bench = openForm(model, *variant.form, variant.options);
  } catch (const EngineError& error) {
    const bool isOurChoice = variant.form->type || variant.options.weightType != model.options.weightType;
    if (!isOurChoice || error.code() != ErrorCode::kInvalidArgument) throw;
    variant.failure = error.what();
    return false;
  }
  variant.engine = variant.bench.engine->description();
  if (variant.engine.options.compute == variant.options.compute) return true;
  variant.failure = "its matrices are in " + variant.engine.model.weightType;
  variant.bench = {};
  return false;
}

// The same tokens for all.
std::vector<Request> requestsOf(const QuantizationArguments& arguments, Engine& engine, const Truth& truth) {
  std::vector<Request> requests = chatRequests(arguments.common, arguments.prompts, engine);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].tokenIds = truth.hasTexts() ? truth.texts()[i].prompt : promptOf(engine, requests[i]);
    requests[i].prompt.clear();
  }
  return requests;
}

void measure(const QuantizationArguments& arguments, std::vector<QuantizationVariant>& variants) {
  BenchArguments rounds = arguments.common;
  if (arguments.noSpeed) {
    rounds.warmUp = 0;
    rounds.repeat = 1;
  }
  std::vector<std::string> names;
  for (const QuantizationVariant& variant : variants) names.push_back(variant.name());
  Truth truth(arguments);
  inRounds("quantization", rounds, names, [&](int round, std::size_t i, bool counts) {
    QuantizationVariant& variant = variants[i];
    if (!open(arguments, variant)) return;
    Engine& engine = *variant.bench.engine;
    if (!arguments.noSpeed || !truth.hasTexts()) {
      const std::vector<Request> requests = requestsOf(arguments, engine, truth);
      const Trial trial = variant.bench.run(requests, arguments.batch);
      if (counts && !arguments.noSpeed) {
        variant.tokensRate.push_back(trial.tokensPerSecond());
        variant.devicePeakBytes = std::max(variant.devicePeakBytes, trial.devicePeakBytes);
      }
      if (!truth.hasTexts()) {
        std::vector<AnsweredPrompt> texts;
        for (std::size_t k = 0; k < requests.size(); ++k)
          texts.push_back({requests[k].tokenIds, trial.answers[k]});
        truth.setTexts(std::move(texts));
      }
    }
    if (round == 0) truth.compare(variant);  // the same in every round
    if (arguments.noSpeed)
      variant.bench = {};
    else
      variant.bench.closeIfLarge();
  });
}

Json differenceToJson(const Compared& compared) {
  const SayingDifference& difference = compared.difference;
  return {{"largest_logit_difference", difference.largest},
          {"mean_logit_difference", difference.mean},
          {"divergence", difference.divergence},
          {"same_choice", difference.sameChoice},
          {"perplexity", compared.perplexity},
          {"perplexity_ratio", compared.perplexity / compared.perplexityBefore}};
}

Json variantToJson(const QuantizationVariant& variant, const QuantizationVariant& plain) {
  Json one = {{"weights", variant.form->name},
              {"type", variant.engine.model.weightType},
              {"compute", nameOf(variant.engine.options.compute)},
              {"kv", nameOf(variant.options.kvType)},
              {"weight_bytes", variant.engine.model.weightBytes},
              {"kv_bytes_per_token", variant.engine.bytesPerBlock / variant.engine.options.blockSize}};
  if (!variant.tokensRate.empty()) {
    one["tokens_per_second"] = toJson(summarise(variant.tokensRate));
    one["speed_up"] = toJson(summarise(ratios(variant.tokensRate, plain.tokensRate)));
  }
  one.update(differenceToJson(*variant.all));
  if (variant.rounding) one["rounding"] = differenceToJson(*variant.rounding);
  if (variant.arithmetic) one["arithmetic"] = differenceToJson(*variant.arithmetic);
  addDevicePeak(one, variant.devicePeakBytes);
  return one;
}

Json resultOf(const QuantizationArguments& arguments, const std::vector<QuantizationVariant>& variants) {
  const QuantizationVariant& plain = variants.front();
  Json json = describe(BenchKind::kQuantization, plain.engine);
  json["max_tokens"] = arguments.common.maxTokens;
  json["batch"] = arguments.batch;
  json["variants"] = Json::array();
  json["remarks"] = Json::array();
  for (const QuantizationVariant& variant : variants)
    if (variant.failure.empty())
      json["variants"].push_back(variantToJson(variant, plain));
    else
      json["remarks"].push_back("Not measured: " + variant.name() + ": " + variant.failure + ".");
  return json;
}

int quantization(const QuantizationArguments& arguments, bool json) {
  checkBench(arguments.common);
  const std::vector<WeightForm> forms = weightFormsOf(arguments.common.engine, arguments.forms);
  std::vector<QuantizationVariant> variants = variantsOf(arguments, forms);
  measure(arguments, variants);
  return finish(resultOf(arguments, variants), arguments.common, json);
}

}  // namespace

void addQuantization(CLI::App& bench, Program& program) {
  CLI::App* command = bench.add_subcommand(
      "quantization", "weights of every form in every arithmetic, and int8 KV: memory, speed, truth");
  const auto arguments = std::make_shared<QuantizationArguments>();
  arguments->common.promptTokens = 64;
  command->add_option("--prompts", arguments->prompts,
                      "a file with a question a line; default: eight of our own");
  command->add_option("--types", arguments->forms.types,
                      "measure the model in these types of a GGUF file, too: q8_0,q4_k or all");
  command->add_option("--files", arguments->forms.files,
                      "measure these GGUF files of the same model, too, several after one --files");
  command->add_flag("--no-speed", arguments->noSpeed, "memory and truth alone, in one round");
  addNumber(*command, arguments->batch, {"--batch", 1, 65536, "requests at once"});
  addBenchOptions(*command, arguments->common);
  setWork(*command, program, [arguments](bool json) { return quantization(*arguments, json); });
}

}  // namespace vitrine::cli
