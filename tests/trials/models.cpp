// Trials of model folders: sound ones of the goldens, spoilt, and loaded by every command that loads one.
#include "trials/files.h"
#include "trials/mutations.h"
#include "trials/trial.h"
#include "trials/values.h"

namespace vitrine::trials {
namespace {

namespace fs = std::filesystem;

const fs::path kSources = VITRINE_SOURCE_DIR;

std::vector<fs::path> foldersIn(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

void copyFiles(const fs::path& from, const fs::path& to, bool tokenizerAlone) {
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const std::string name = entry.path().filename().string();
    const bool goldens = name.starts_with("expected") || name == "config_old.json";
    const bool weights = name.ends_with(".safetensors") || name == "config.json";
    if (entry.is_regular_file() && !goldens && !(tokenizerAlone && weights) && name != "README.md")
      fs::copy_file(entry.path(), to / name, fs::copy_options::overwrite_existing);
  }
}

}  // namespace

void copyModel(Dice& dice, const fs::path& folder) {
  static const std::vector<fs::path> kModels = foldersIn(kSources / "tests/golden/models");
  static const std::vector<fs::path> kTokenizers = foldersIn(kSources / "tests/golden/tokenizers");
  const fs::path model = dice.oneOf(kModels);
  copyFiles(model, folder, false);
  if (fs::exists(model / "config_old.json") && dice.chance(20))
    fs::copy_file(model / "config_old.json", folder / "config.json", fs::copy_options::overwrite_existing);
  if (dice.chance(30))
    copyFiles(kSources / "resources/model", folder, true);
  else
    copyFiles(dice.oneOf(kTokenizers), folder, true);
}

Trial mutatedModel(Dice& dice, const fs::path& folder) {
  using Arguments = std::vector<std::string>;
  static const std::vector<Arguments> kCommands = {
      {"generate", "--prompt", "Once upon a time", "--max-tokens", "3", "--json"},
      {"generate", "--token-ids", "1,2,3", "--max-tokens", "3", "--json"},
      {"generate", "--chat", "--prompt", "Hello", "--max-tokens", "2", "--weights", "int8"},
      {"generate", "--token-ids", "3,2,1", "--max-tokens", "2", "--dtype", "f16", "--weights", "int4",
       "--json"},
      {"tokenize", "--text", "  A fox, 12 times \xf0\x9f\xa6\x8a e\xcc\x81!\n", "--json"},
      {"tokenize", "--text", "A fox", "--add-special"},
      {"detokenize", "--token-ids", "0,1,2,3,10,100", "--json"},
      {"logits", "--token-ids", "1,2,3", "--layers", "--json"},
      {"distribution", "--token-ids", "1,2,3", "--temperature", "0.8", "--top-k", "5", "--json"},
      {"chat", "--max-tokens", "2"}};
  Trial trial;
  copyModel(dice, folder);
  for (std::size_t count = 1 + dice.below(2); count > 0; --count)
    trial.story += (trial.story.empty() ? "" : "; ") + mutate(dice, folder);
  trial.arguments = dice.oneOf(kCommands);
  trial.arguments.insert(trial.arguments.end(), {"--model", "."});
  trial.input = "Hello\n/stats\nAnd again\n";
  return trial;
}

}  // namespace vitrine::trials
