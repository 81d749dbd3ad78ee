#include "bench_results/bench_results.h"

#include <array>
#include <nlohmann/json.hpp>

#include "bench_results/bench_describer.h"
#include "vitrine/blanks.h"
#include "vitrine/error.h"
#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

// In the order of BenchKind.
constexpr std::array kDescribers = {describeLatency,  describeThroughput,  describeMemory,
                                    describeAblation, describeSpeculative, describeQuantization,
                                    describeRoofline};
static_assert(kDescribers.size() == Names<BenchKind>::list.size());

std::string namesOfKinds() {
  std::string names;
  for (const char* name : Names<BenchKind>::list) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

BenchKind kindOf(const BenchJson& json) {
  if (!json.is_object() || !json.contains("bench")) {
    if (const auto kind = kindByFields(json)) return *kind;
    throw EngineError(ErrorCode::kFileCorrupt, "this is no benchmark's result: it has no field \"bench\"",
                      "Save one with vitrine-cli bench KIND --out FILE.json.");
  }
  const std::string name = BenchFields(json).text("bench");
  if (const auto kind = fromName<BenchKind>(name)) return *kind;
  throw EngineError(ErrorCode::kUnsupported,
                    "\"bench\" is \"" + name + "\", which is none of " + namesOfKinds(),
                    "A newer Vitrine may know this kind.");
}

// What `bench --json` prints when it fails.
void refuseFailure(const BenchJson& json) {
  if (!json.is_object() || !json.contains("error")) return;
  const BenchFields error = BenchFields(json).object("error");
  throw EngineError(ErrorCode::kInvalidArgument,
                    "this benchmark failed: " + error.text("message", BenchFields::kSentence),
                    error.has("hint") ? error.text("hint", BenchFields::kSentence) : std::string());
}

// Settings that several kinds have, in words.
class Common : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using BenchDescriber::BenchDescriber;

  void describe() {
    BenchResults& common = results();
    common.model = fields().text("model");
    common.device = fields().text("device");
    common.backend = fields().has("backend") ? fields().text("backend") : std::string();
    common.weights = fields().has("weights") ? fields().text("weights") : std::string();
    common.threads = fields().has("threads") ? fields().count("threads") : 0;
    addSetting("prompt_tokens", "prompt tokens: %1");
    addSetting("max_tokens", "tokens generated: %1");
    addSetting("requests", "requests: %1");
    addSetting("at_once", "at once: %1");
    addSetting("batch", "requests at once: %1");
    addSetting("num_blocks", "KV blocks: %1");
    addSetting("token_budget", "token budget: %1");
    addSetting("temperature", "temperature: %1");
  }
};

BenchJson parseBench(std::string_view text) {
  constexpr JsonBounds kBounds{.depth = 16, .members = 256, .repeats = JsonBounds::Repeats::kRefused};
  return readJson<BenchJson>(text, kBounds, [](const std::string& fault) {
    throw EngineError(ErrorCode::kFileCorrupt, fault,
                      "Save the result again: vitrine-cli bench KIND --out FILE.json.");
  });
}

}  // namespace

BenchResults describeBench(const BenchJson& json, const prose::Language& language) {
  refuseFailure(json);
  BenchResults results;
  results.kind = kindOf(json);
  const BenchFields fields(json);
  const BenchSource source{fields, language, results};
  Common(source).describe();
  kDescribers.at(static_cast<std::size_t>(results.kind))(source);
  return results;
}

BenchResults readBenchResults(std::string_view text, const std::string& name,
                              const prose::Language& language) {
  try {
    return describeBench(parseBench(text), language);
  } catch (const EngineError& error) {
    throw EngineError(error.code(), name + ": " + error.what(), error.hint());
  }
}

BenchResults readBenchFile(const std::filesystem::path& file, const prose::Language& language,
                           InputKind kind) {
  return readBenchResults(readWholeFile(file, kMostBenchBytes, kind), file.filename().string(), language);
}

// A file that is cut short still begins with its kind.
bool looksLikeBenchResults(std::string_view text) {
  const auto skip = [&text](std::string_view mark) {
    text = withoutBlanksBefore(text);
    const bool found = text.starts_with(mark);
    if (found) text.remove_prefix(mark.size());
    return found;
  };
  const std::string_view whole = text;
  if (skip("{") && (skip("\"bench\"") || skip("\"error\""))) return true;
  try {
    const BenchJson json = parseBench(whole);
    return json.is_object() && (json.contains("bench") || kindByFields(json));
  } catch (const EngineError&) {
    return false;
  }
}

}  // namespace vitrine
