// What the tests of engine/text share: golden files, folders of goldens, small tokenizers written with ' for
// ".
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "text/tokenizer_json.h"
#include "vitrine/error.h"
#include "vitrine/tokenizer.h"

namespace vitrine::test {

inline const std::filesystem::path kGolden = VITRINE_SOURCE_DIR "/tests/golden";

inline std::string readFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A golden file; an empty object when it is missing or not one.
inline nlohmann::json readGolden(const std::filesystem::path& path) {
  const auto document = nlohmann::json::parse(readFile(path), nullptr, false);
  const bool sound = document.is_object() && document.value("magic", "") == "vitrine-golden" &&
                     document.value("version", 0) == 1;
  return sound ? document : nlohmann::json::object();
}

inline std::vector<std::filesystem::path> goldenTokenizers() {
  std::vector<std::filesystem::path> folders;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(kGolden / "tokenizers", missing))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

inline std::string quoted(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

// A tokenizer.json of a model over single letters, with the parts given, each written with ' for ".
inline std::string tokenizerJson(const std::string& model, const std::string& further = "") {
  return quoted("{'version':'1.0','model':" + model + (further.empty() ? "" : "," + further) + "}");
}

inline std::unique_ptr<Tokenizer> parse(const std::string& bytes) {
  return parseTokenizerJson(bytes, "tokenizer.json");
}

// The error that something throws, as "code: message", or "" when it throws none.
template <typename Work>
std::string errorOf(Work work) {
  try {
    work();
  } catch (const EngineError& error) {
    return std::string(errorCodeName(error.code())) + ": " + error.what();
  }
  return {};
}

}  // namespace vitrine::test
