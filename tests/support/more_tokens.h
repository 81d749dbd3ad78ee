// A tokenizer with more tokens than a golden one has, such as the marks of a model's family. Thread: any.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vitrine::test {

struct TokensToAdd {
  std::vector<std::string> special;
  std::vector<std::string> words = {};  // text like any other, though each is one token
};

// Writes the tokenizer.json of `base` with these tokens into `folder`.
inline void writeTokenizer(const std::filesystem::path& base, const TokensToAdd& added,
                           const std::filesystem::path& folder) {
  std::ifstream file(base / "tokenizer.json");
  nlohmann::json json = nlohmann::json::parse(file);
  int id = static_cast<int>(json["model"]["vocab"].size());
  for (const auto& token : json["added_tokens"]) id = std::max(id, token["id"].get<int>() + 1);
  const auto add = [&](const std::string& text, bool special) {
    json["added_tokens"].push_back({{"id", id++},
                                    {"content", text},
                                    {"single_word", false},
                                    {"lstrip", false},
                                    {"rstrip", false},
                                    {"normalized", false},
                                    {"special", special}});
  };
  for (const std::string& text : added.special) add(text, true);
  for (const std::string& text : added.words) add(text, false);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tokenizer.json") << json;
}

// gpt-oss's. The words hold the marks that a ChainModel would otherwise say twice.
inline TokensToAdd channelTokens() {
  return {{"<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|return|>"},
          {"analysis", "assistant<|channel|>", "final<|message|>"}};
}

// A template in the manner of gpt-oss, whose conversations have these tokens.
inline constexpr const char* kChannelTemplate =
    "{%- for m in messages %}{{- '<|start|>' + m.role }}"
    "{%- if m.role == 'assistant' %}"
    "{%- if m.thinking and loop.last and not add_generation_prompt %}"
    "{{- '<|channel|>analysis<|message|>' + m.thinking + '<|end|><|start|>assistant' }}{%- endif %}"
    "{{- '<|channel|>final' }}{%- endif %}"
    "{{- '<|message|>' + m.content + '<|end|>' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}";

}  // namespace vitrine::test
