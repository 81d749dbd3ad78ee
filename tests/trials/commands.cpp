// Trials of command lines, made of the program's own options with values that fit, nearly fit, or do not fit.
//
// The options are those of the schema (vitrine/option_schema.h). What would be long or
// large when it is taken seriously (a window of a minute, a context without end) is not asked for.
#include <algorithm>

#include "common/arguments.h"
#include "common/option_words.h"
#include "trials/files.h"
#include "trials/trial.h"
#include "trials/values.h"

namespace vitrine::trials {
namespace {

namespace fs = std::filesystem;

enum class Kind { kFlag, kWord, kNumber, kText, kPath };
struct Option {
  std::string name;
  Kind kind = Kind::kText;
  std::vector<std::string> words;
};

template <typename Value>
Option optionFor(const OptionInfo<Value>& info) {
  Option option{optionName(info), Kind::kText, wordsOf(info)};
  if (Numeric<Value>) option.kind = Kind::kNumber;
  if (std::is_same_v<Value, bool>) option.kind = Kind::kFlag;
  if (!option.words.empty()) option.kind = Kind::kWord;
  if (info.text == TextKind::kFolder) option.kind = Kind::kPath;
  return option;
}

std::vector<Option> requestOptions() {
  std::vector<Option> all;
  forEachRequestArgument([&](const auto& info, const auto&) { all.push_back(optionFor(info)); });
  return all;
}

std::vector<Option> engineOptions() {
  std::vector<Option> all;
  forEachEngineOption([&](const auto& info, const auto&) { all.push_back(optionFor(info)); });
  return all;
}

struct Command {
  std::vector<std::string> words;  // with what it cannot do without
  std::vector<Option> options;     // its own
  bool request = false, engine = true;
};

const Option kJson{"--json", Kind::kFlag, {}};

const std::vector<Command>& commands() {
  const Option counts{"--batch", Kind::kWord, {"1", "1,2", "2,1,2"}};
  const Option batch{"--batch", Kind::kNumber, {}}, requests{"--requests", Kind::kNumber, {}};
  const Option special{"--add-special", Kind::kFlag, {}}, prompts{"--prompts", Kind::kPath, {}};
  const Option plot{"--plot", Kind::kPath, {}};
  static const std::vector<Command> kAll = {
      {{"generate", "--token-ids", "1,2,3"}, {kJson}, true},
      {{"generate", "--prompt", "Hello"}, {kJson}, true},
      {{"generate", "--prompt-file", "prompt.txt"}, {kJson}, true},
      {{"run", "--requests", "requests.jsonl"}, {kJson}},
      {{"run", "--scenario", "scenario.json"}, {kJson}},
      {{"logits", "--token-ids", "1,2,3,4,5,6,7,8"}, {{"--layers", Kind::kFlag, {}}, kJson}},
      {{"distribution", "--token-ids", "1,2,3"}, {{"--generated", Kind::kNumber, {}}, kJson}},
      {{"tokenize", "--text", " A fox\n"}, {special, kJson}, false, false},
      {{"tokenize", "--file", "prompt.txt"}, {special, kJson}, false, false},
      {{"detokenize", "--token-ids", "1,2,3"}, {{"--keep-special", Kind::kFlag, {}}, kJson}, false, false},
      {{"chat"}, {{"--system", Kind::kText, {}}}, true},
      {{"trace", "record", "--scenario", "scenario.json", "--out", "new"},
       {{"--candidates", Kind::kNumber, {}}, kJson}},
      {{"trace", "verify", "trace.vitrine"}, {kJson}, false, false},
      {{"trace", "show", "trace.vitrine"}, {}, false, false},
      {{"make-random-model", "--like", "tiny", "--out", "new"},
       {{"--dtype", Kind::kWord, {"f32", "bf16", "f16"}}, {"--seed", Kind::kNumber, {}}, kJson},
       false,
       false},
      {{"bench", "latency"}, {counts, {"--warm", Kind::kFlag, {}}, plot, kJson}},
      {{"bench", "throughput", "--concurrency", "1,2", "--requests", "2"}, {plot, kJson}},
      {{"bench", "memory"}, {batch, plot, kJson}},
      {{"bench", "ablation", "--requests", "2"},
       {{"--at-once", Kind::kNumber, {}},
        {"--without", Kind::kWord, {"kv-cache", "paging,batching"}},
        plot,
        kJson}},
      {{"bench", "speculative", "--lengths", "1,2"},
       {batch, prompts, {"--exits", Kind::kWord, {"1", "2", "1,1"}}, plot, kJson}},
      {{"bench", "quantization"},
       {batch,
        prompts,
        {"--types", Kind::kWord, {"q8_0", "all", "q4_0,int4"}},
        {"--files", Kind::kPath, {}},
        {"--no-speed", Kind::kFlag, {}},
        plot,
        kJson}}};
  return kAll;
}

const std::vector<std::string> kPaths = {"prompt.txt",
                                         "requests.jsonl",
                                         "scenario.json",
                                         "trace.vitrine",
                                         "out.svg",
                                         "out.png",
                                         "new",
                                         "new/out",
                                         "folder",
                                         "loop",
                                         "dangling",
                                         "/dev/full",
                                         "/dev/null",
                                         "/dev/zero",
                                         "fifo",
                                         ".",
                                         "",
                                         "one-request",
                                         "preemption-swap",
                                         "/dev/null/x.svg"};

// Taken seriously these are a wait, a thousand threads, or rounds without end; refused they are quick.
bool costs(const Option& option, const std::string& number) {
  static const std::vector<std::string> kCostly = {
      "--window-ms", "--repeat",     "--warm-up", "--requests",      "--batch",
      "--at-once",   "--max-tokens", "--threads", "--prompt-tokens", "--num-blocks"};
  const bool costly = std::find(kCostly.begin(), kCostly.end(), option.name) != kCostly.end();
  const std::size_t large = option.name == "--max-tokens" ? 11 : 8;  // with --eviction there is no end
  return costly && number.size() > 2 && number.size() < large;
}

std::string keyOf(std::string name) {
  name.erase(0, name.find_first_not_of('-'));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string valueFor(Dice& dice, const Option& option, bool tame) {
  static const std::vector<std::string> kPlainTexts = {"Hello", "You are brief.", "e", "\xc3\xa9t\xc3\xa9"};
  if (!tame && dice.chance(15)) return anyText(dice);
  switch (option.kind) {
    case Kind::kWord:
      return tame || dice.chance(80) ? dice.oneOf(option.words) : anyNumber(dice);
    case Kind::kPath:
      if (tame)
        return option.name == "--plot" ? "out.svg" : option.name == "--prompts" ? "prompt.txt" : "folder";
      return dice.oneOf(kPaths);
    case Kind::kNumber: {
      if (tame || dice.chance(50)) return fittingNumber(dice, keyOf(option.name));
      const std::string number = anyNumber(dice);
      return costs(option, number) ? "2" : number;
    }
    default:
      return tame ? dice.oneOf(kPlainTexts) : anyText(dice);
  }
}

void add(Dice& dice, const Option& option, bool tame, std::vector<std::string>& arguments) {
  const bool there = std::find(arguments.begin(), arguments.end(), option.name) != arguments.end();
  if (there && (tame || !dice.chance(20))) return;
  if (option.kind == Kind::kFlag) return arguments.push_back(option.name);
  const std::string value = valueFor(dice, option, tame);
  if (dice.chance(20) && option.name.size() > 2) return arguments.push_back(option.name + "=" + value);
  arguments.insert(arguments.end(), {option.name, value});
}

// Some words lost, doubled or changed.
void garble(Dice& dice, std::vector<std::string>& arguments) {
  const auto place = arguments.begin() + static_cast<std::ptrdiff_t>(dice.below(arguments.size()));
  switch (dice.below(4)) {
    case 0:
      arguments.erase(place);
      break;
    case 1:
      arguments.insert(place, std::string(*place));
      break;
    case 2:
      *place = anyText(dice);
      break;
    default:
      *place = dice.oneOf(kPaths);
  }
}

bool has(const std::vector<std::string>& arguments, std::string_view start) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const std::string& one) { return one.starts_with(start); });
}

// What lies in the folder for the paths above.
void furnish(const fs::path& folder) {
  writeBytes(folder / "prompt.txt", "Tell me a story.\n");
  writeBytes(folder / "requests.jsonl",
             "{\"token_ids\":[1,2,3],\"max_tokens\":3}\n{\"prompt\":\"Hello\",\"max_tokens\":2,\"n\":2}\n");
  writeBytes(folder / "scenario.json",
             R"({"requests":[{"token_ids":[1,2,3],"max_tokens":4},{"token_ids":[4],"max_tokens":2}]})");
  fs::create_directory(folder / "folder");
  writeBytes(folder / "folder/file", "x");
  fs::create_symlink("loop", folder / "loop");
  fs::create_symlink("nothing", folder / "dangling");
  const fs::path seeds = fs::path(VITRINE_SOURCE_DIR) / "tests/fuzz/seeds/trace";
  std::vector<fs::path> traces;
  for (const fs::directory_entry& entry : fs::directory_iterator(seeds)) traces.push_back(entry.path());
  std::sort(traces.begin(), traces.end());
  fs::copy_file(traces.front(), folder / "trace.vitrine");
}

}  // namespace

Trial randomCommand(Dice& dice, const fs::path& folder) {
  static const std::vector<Option> kRequest = requestOptions(), kEngine = engineOptions();
  furnish(folder);
  fs::create_directory(folder / "model");
  copyModel(dice, folder / "model");
  const Command& command = dice.oneOf(commands());
  const bool tame = dice.chance(60);  // fits by itself; what options do together is tried
  Trial trial;
  std::vector<std::string>& arguments = trial.arguments;
  arguments = command.words;
  for (const Option& option : command.options)
    if (dice.chance(50)) add(dice, option, tame, arguments);
  for (std::size_t count = dice.below(5); command.request && count > 0; --count)
    add(dice, dice.oneOf(kRequest), tame, arguments);
  for (std::size_t count = dice.below(5); command.engine && count > 0; --count)
    add(dice, dice.oneOf(kEngine), tame, arguments);
  if (!tame && dice.chance(50)) garble(dice, arguments);
  const std::string& first = command.words.front();
  const auto otherwise = [&](const char* name, const char* value) {
    if (!has(arguments, name)) arguments.insert(arguments.end(), {name, value});
  };
  if (first == "bench")  // the defaults are a real measurement
    for (const auto& [name, value] :
         {std::pair("--prompt-tokens", "4"), std::pair("--repeat", "1"), std::pair("--warm-up", "0")})
      otherwise(name, value);
  if (first == "bench" || command.request) otherwise("--max-tokens", "4");
  if (command.engine || first == "tokenize" || first == "detokenize")
    arguments.insert(arguments.end(), {"--model", "model"});
  trial.input = tame ? "Hello\n/set temperature 0.5\n/reset\nAgain\n/quit\n" : anyText(dice) + "\n/stats\n";
  trial.story = "a sound model in model/";
  return trial;
}

}  // namespace vitrine::trials
