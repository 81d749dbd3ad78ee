// vitrine-cli tokenize and detokenize: text to ids and back. They read only the tokenizer's files.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "command_options.h"

namespace vitrine::cli {
namespace {

struct TokenizeArguments {
  EngineArguments engine;  // for the model's directory alone
  std::string text, file, tokenIds;
  bool addSpecial = false, skipSpecial = false, keepSpecial = false;
};

int tokenize(const TokenizeArguments& arguments, bool json) {
  const std::string text = arguments.file.empty() ? arguments.text : readFile(arguments.file);
  const auto tokenizer = loadTokenizer(arguments.engine.modelDirectory());
  const std::vector<TokenId> ids = tokenizer->encode(text, arguments.addSpecial);
  std::vector<std::string> pieces;
  for (TokenId id : ids) pieces.push_back(tokenizer->piece(id));
  if (json) {
    printJson({{"token_ids", ids}, {"pieces", pieces}});
    return 0;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) print("%6d  %s\n", ids[i], pieces[i].c_str());
  return 0;
}

void requireKnown(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  const int size = tokenizer.vocabularySize();
  for (const TokenId id : ids)
    if (id < 0 || id >= size)
      throw EngineError(ErrorCode::kInvalidArgument,
                        "token id " + std::to_string(id) + " is outside the tokenizer's vocabulary of " +
                            std::to_string(size),
                        "use ids from 0 to " + std::to_string(size - 1));
}

int detokenize(const TokenizeArguments& arguments, bool json) {
  const std::vector<TokenId> ids = parseTokenIds("--token-ids", arguments.tokenIds);
  const auto tokenizer = loadTokenizer(arguments.engine.modelDirectory());
  requireKnown(*tokenizer, ids);
  const std::string text = tokenizer->decode(ids, arguments.skipSpecial);
  if (json)
    printJson({{"text", text}});
  else
    printText(text + "\n");  // whole, also behind a NUL
  return 0;
}

}  // namespace

void addTokenize(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("tokenize", "text to token ids");
  const auto arguments = std::make_shared<TokenizeArguments>();
  const std::vector<const CLI::Option*> source = {
      command->add_option("--text", arguments->text, "the text"),
      command->add_option("--file", arguments->file, "a file that holds the text")};
  command->add_flag("--add-special", arguments->addSpecial,
                    "add the special tokens the model expects around a text");
  command->add_option("--model", arguments->engine.model, "a Hugging Face model directory or a GGUF file");
  setWork(
      *command, program, [arguments](bool json) { return tokenize(*arguments, json); }, source);
}

void addDetokenize(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("detokenize", "token ids to text");
  const auto arguments = std::make_shared<TokenizeArguments>();
  command->add_option("--token-ids", arguments->tokenIds, "the ids: 1,2,3")->required();
  command->add_flag("--skip-special", arguments->skipSpecial, "leave special tokens out of the text");
  command->add_flag("--keep-special", arguments->keepSpecial, "write special tokens out, as without it");
  command->add_option("--model", arguments->engine.model, "a Hugging Face model directory or a GGUF file");
  setWork(*command, program, [arguments](bool json) { return detokenize(*arguments, json); });
}

}  // namespace vitrine::cli
