// vitrine-cli inspect: what is inside a model, without loading it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "program.h"
#include "vitrine/inspected_figures.h"

namespace vitrine::cli {
namespace {

constexpr int kBins = 32;

struct InspectArguments {
  std::string model, tensor;
  std::int64_t context = 0, row = -1, group = 0;
  bool speed = false;
};

double mebibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::string shapeOf(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

Json asJson(const InspectedTensor& tensor) {
  return {{"name", tensor.name}, {"type", tensor.type}, {"shape", tensor.shape}, {"bytes", tensor.bytes}};
}

Json asJson(const InspectedModel& model) {
  Json json = {{"name", model.name},
               {"container", model.container},
               {"family", model.family},
               {"parameters", model.parameters},
               {"bytes", model.bytes},
               {"layers", model.layers},
               {"hidden_size", model.hiddenSize},
               {"intermediate_size", model.intermediateSize},
               {"heads", model.heads},
               {"kv_heads", model.kvHeads},
               {"head_dim", model.headDim},
               {"vocabulary", model.vocabularySize},
               {"context_length", model.contextLength},
               {"sliding_window", model.slidingWindow},
               {"tied_embeddings", model.tiedEmbeddings},
               {"rope", model.rope},
               {"tokens", model.tokens},
               {"chat_format", model.chatFormat},
               {"chat_template", model.chatTemplate},
               {"kv_bytes_per_token", model.kvBytesPerToken},
               {"bytes_read_per_token", model.bytesReadPerToken}};
  for (const InspectedTensor& tensor : model.tensors) json["tensors"].push_back(asJson(tensor));
  json["keys"] = Json::object();
  for (const auto& [name, value] : model.keys) json["keys"][name] = value;
  return json;
}

void printModel(const InspectedModel& model, std::int64_t context) {
  print("%s: a %s in a %s, %.1f million parameters, %.1f MiB\n", model.name.c_str(), model.family.c_str(),
        model.container.c_str(), static_cast<double>(model.parameters) / 1e6, mebibytes(model.bytes));
  print("%d layers of %d, %d heads over %d KV heads of %d, inner size %d, RoPE %s\n", model.layers,
        model.hiddenSize, model.heads, model.kvHeads, model.headDim, model.intermediateSize,
        model.rope.c_str());
  print("vocabulary %d (%d tokens), context %d%s, chat format %s\n", model.vocabularySize, model.tokens,
        model.contextLength, model.slidingWindow > 0 ? ", sliding window" : "", model.chatFormat.c_str());
  print("memory at a context of %lld: %.1f MiB of weights + %.1f MiB of KV\n",
        static_cast<long long>(context), mebibytes(model.bytes), mebibytes(kvBytesAt(model, context)));
  for (const auto& [name, value] : model.keys)
    print("  %s = %s\n", name.c_str(),
          value.size() > 80 ? (value.substr(0, 77) + "...").c_str() : value.c_str());
  for (const InspectedTensor& tensor : model.tensors)
    print("  %-44s %-7s %16s %12lld bytes\n", tensor.name.c_str(), tensor.type.c_str(),
          shapeOf(tensor.shape).c_str(), static_cast<long long>(tensor.bytes));
}

int inspectWhole(const InspectArguments& arguments, bool json) {
  const InspectedModel model = inspectModel(arguments.model);
  const std::int64_t context = arguments.context > 0 ? arguments.context : model.contextLength;
  Json all = asJson(model);
  all["memory"] = {
      {"context", context}, {"weight_bytes", model.bytes}, {"kv_bytes", kvBytesAt(model, context)}};
  const double speed = arguments.speed ? tokensPerSecondAtMost(model, context, measureRoof(0)) : 0;
  if (arguments.speed) all["tokens_per_second_at_most"] = finite(speed);
  if (json) {
    printJson(all);
    return 0;
  }
  printModel(model, context);
  if (arguments.speed) print("at most %.1f tokens/s of one sequence, by this machine's bandwidth\n", speed);
  return 0;
}

int inspectGroupOf(const InspectArguments& arguments, bool json) {
  const InspectedGroup group =
      inspectGroup(arguments.model, arguments.tensor, arguments.row, arguments.group);
  Json errors = Json::object();
  for (const auto& [type, error] : group.errors) errors[type] = finite(error);
  if (json) {
    printJson({{"type", group.type},
               {"row", group.row},
               {"first_input", group.firstInput},
               {"bits", group.bits},
               {"scale", finite(group.scale)},
               {"minimum", finite(group.minimum)},
               {"values", group.values},
               {"weights", group.weights},
               {"errors", errors}});
    return 0;
  }
  print("%s, row %lld, inputs %lld on: weight = %g * value + %g\n", group.type.c_str(),
        static_cast<long long>(group.row), static_cast<long long>(group.firstInput), group.scale,
        group.minimum);
  for (std::size_t i = 0; i < group.weights.size(); ++i) {
    if (!group.bits.empty()) print("  %02x %5d", static_cast<unsigned>(group.bits[i]), group.values[i]);
    print("  %.8g\n", static_cast<double>(group.weights[i]));
  }
  for (const auto& [type, error] : group.errors)
    print("  in %s: %.3g of their size is lost\n", type.c_str(), error);
  return 0;
}

int inspectTensor(const InspectArguments& arguments, bool json) {
  if (arguments.row >= 0) return inspectGroupOf(arguments, json);
  const InspectedWeights weights = inspectWeights(arguments.model, arguments.tensor, kBins);
  if (json) {
    Json all = asJson(weights.tensor);
    all.update({{"least", finite(weights.least)},
                {"most", finite(weights.most)},
                {"mean", finite(weights.mean)},
                {"deviation", finite(weights.deviation)},
                {"histogram", weights.histogram}});
    printJson(all);
    return 0;
  }
  print("%s %s, %s: %.4g to %.4g, mean %.3g, deviation %.3g\n", weights.tensor.name.c_str(),
        weights.tensor.type.c_str(), shapeOf(weights.tensor.shape).c_str(), weights.least, weights.most,
        weights.mean, weights.deviation);
  const std::int64_t highest = std::ranges::max(weights.histogram);
  for (int bin = 0; bin < kBins; ++bin) {
    const std::int64_t count = weights.histogram[static_cast<std::size_t>(bin)];
    const double from = weights.least + (weights.most - weights.least) * bin / kBins;
    print(
        "%11.4g %10lld %s\n", from, static_cast<long long>(count),
        std::string(static_cast<std::size_t>(50 * count / std::max<std::int64_t>(highest, 1)), '#').c_str());
  }
  return 0;
}

}  // namespace

void addInspect(CLI::App& app, Program& program) {
  CLI::App* command =
      app.add_subcommand("inspect", "what is inside a model: sizes, tensors, a group of weights");
  const auto arguments = std::make_shared<InspectArguments>();
  command->add_option("model", arguments->model, "a Hugging Face model directory or a GGUF file")->required();
  command
      ->add_option("--context", arguments->context, "tokens of KV to count memory for; 0: the whole context")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30));
  command->add_flag("--speed", arguments->speed,
                    "measure the machine, and say how fast the model is at most");
  CLI::Option* tensor = command->add_option("--tensor", arguments->tensor, "a tensor's histogram");
  CLI::Option* row =
      command->add_option("--row", arguments->row, "with --tensor: a group of this output's weights")
          ->check(CLI::NonNegativeNumber)
          ->needs(tensor);
  command->add_option("--group", arguments->group, "with --row: which group, from 0")
      ->check(CLI::NonNegativeNumber)
      ->needs(row);
  setWork(*command, program, [arguments](bool json) {
    return arguments->tensor.empty() ? inspectWhole(*arguments, json) : inspectTensor(*arguments, json);
  });
}

}  // namespace vitrine::cli
