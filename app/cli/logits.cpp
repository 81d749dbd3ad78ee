// vitrine-cli logits: the model's logits at every position of a list of tokens. They are compared with other
// programs', so products are in float32 unless the command line says otherwise.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>

#include "request_run.h"
#include "vitrine/engine.h"

namespace vitrine::cli {
namespace {

// The shortest number that reads back as the same float32.
using FloatJson =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;

struct LogitsArguments {
  EngineArguments engine;
  std::string tokenIds;
  bool layers = false;
};

// Printed row by row: a tree of all positions and the whole vocabulary would be large.
void printRows(const std::vector<std::vector<float>>& rows) {
  printText("[");
  for (std::size_t i = 0; i < rows.size(); ++i)
    print("%s%s", i == 0 ? "" : ",", FloatJson(rows[i]).dump().c_str());
  printText("]");
}

// [layer][position]: the length of the hidden state.
std::vector<std::vector<float>> normsOf(const ForwardReport& report, std::size_t positions) {
  std::vector<std::vector<float>> norms;
  for (const std::vector<float>& layer : report.hidden) {
    const std::size_t width = layer.size() / positions;
    std::vector<float>& row = norms.emplace_back();
    for (std::size_t position = 0; position < positions; ++position) {
      double sum = 0;
      for (std::size_t i = position * width; i < (position + 1) * width; ++i) {
        const double value = static_cast<double>(layer[i]);
        sum += value * value;
      }
      row.push_back(static_cast<float>(std::sqrt(sum)));
    }
  }
  return norms;
}

void printForPeople(const Engine& engine, const ForwardReport& report, std::span<const TokenId> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::vector<float>& row = report.logits[i];
    const std::size_t best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    const Tokenizer* tokenizer = engine.tokenizer();
    const auto piece = [&](TokenId id) { return tokenizer == nullptr ? "" : " " + tokenizer->piece(id); };
    print("%4zu  after %d%s: most likely %zu%s (logit %.4f)\n", i, ids[i], piece(ids[i]).c_str(), best,
          piece(static_cast<TokenId>(best)).c_str(), static_cast<double>(row[best]));
  }
}

int logits(const LogitsArguments& arguments, bool json) {
  const std::vector<TokenId> ids = parseTokenIds("--token-ids", arguments.tokenIds);
  RunObserver observer;
  EngineArguments engine = arguments.engine;
  if (engine.options.compute == Compute::kAuto) engine.options.compute = Compute::kF32;
  const LoadedEngine loaded = loadEngine(engine, observer);
  const ForwardReport report = loaded.engine->examine(ids, arguments.layers);
  if (json) {
    printText("{\"logits\":");
    printRows(report.logits);
    if (arguments.layers) {
      printText(",\"layer_norms\":");
      printRows(normsOf(report, ids.size()));
    }
    printText("}\n");
    return 0;
  }
  printForPeople(*loaded.engine, report, ids);
  const auto norms = normsOf(report, ids.size());
  for (std::size_t layer = 0; layer < norms.size(); ++layer)
    print("layer %2zu: norm %.4f at the last position\n", layer, static_cast<double>(norms[layer].back()));
  return 0;
}

}  // namespace

void addLogits(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("logits", "the model's logits at every position");
  const auto arguments = std::make_shared<LogitsArguments>();
  command->add_option("--token-ids", arguments->tokenIds, "the ids: 1,2,3")->required();
  command->add_flag("--layers", arguments->layers, "also the norm of the hidden state after each layer");
  addEngineOptions(*command, arguments->engine);
  addEngineSeed(*command, arguments->engine);
  setWork(*command, program, [arguments](bool json) { return logits(*arguments, json); });
}

}  // namespace vitrine::cli
