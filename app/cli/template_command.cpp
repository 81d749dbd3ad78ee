// vitrine-cli template: a conversation as the model's chat template writes it. Reads only the tokenizer's
// files.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "command_options.h"
#include "vitrine/prompt_spans.h"
#include "vitrine/prompt_template.h"

namespace vitrine::cli {
namespace {

struct TemplateArguments {
  EngineArguments engine;  // for the model's directory alone
  std::string file, messages, tools, variables;
  bool noGenerationPrompt = false, typedMarks = false;

  // Written out, or in a file. Not checked as tools: some templates take other shapes than OpenAI's.
  std::string toolsJson() const { return tools.starts_with('[') || tools.empty() ? tools : readFile(tools); }
};

// The model whose tokens the prompt has; none for a template alone.
std::optional<std::filesystem::path> modelOf(const TemplateArguments& arguments) {
  if (!arguments.file.empty() && arguments.engine.model.empty()) return std::nullopt;
  return arguments.engine.modelDirectory();
}

PromptTemplate templateOf(const TemplateArguments& arguments,
                          const std::optional<std::filesystem::path>& model) {
  if (!arguments.file.empty()) {
    const std::string text = readFile(arguments.file);
    return model ? PromptTemplate::ofModel(*model, text) : PromptTemplate(text);
  }
  auto found = PromptTemplate::ofModel(*model);
  if (!found)
    throw EngineError(ErrorCode::kFileNotFound, model->string() + " has no chat template",
                      "Name a template's file with --template.");
  return *std::move(found);
}

// The role of each message, and of the answer that follows them.
std::string roleOf(const PromptSpan& span, const PromptText& prompt, bool isGenerationPrompt) {
  if (span.message >= 0) return prompt.roles[static_cast<std::size_t>(span.message)];
  return isGenerationPrompt ? "assistant" : "";
}

int writePrompt(const TemplateArguments& arguments, bool json) {
  Conversation conversation;
  conversation.messages = readFile(arguments.messages);
  conversation.tools = arguments.toolsJson();
  conversation.variables = arguments.variables;
  conversation.addGenerationPrompt = !arguments.noGenerationPrompt;
  conversation.date = TemplateDate::today();
  const auto model = modelOf(arguments);
  const PromptText prompt = templateOf(arguments, model).render(conversation);
  if (!json) {
    printText(prompt.text);
    return 0;
  }
  std::vector<TokenId> ids;
  Json spans = Json::array();
  if (model) {
    const auto tokenizer = loadTokenizer(*model);
    ids = tokenizer->encode(prompt.text, false,
                            arguments.typedMarks ? std::vector<TextRange>() : prompt.written());
    const auto found = promptSpans(prompt, tokenRanges(*tokenizer, prompt.text, ids));
    for (const PromptSpan& span : found)
      spans.push_back(
          {{"role", roleOf(span, prompt, conversation.addGenerationPrompt && &span == &found.back())},
           {"first", span.firstToken},
           {"tokens", span.tokens},
           {"template", !span.written}});
  }
  printJson({{"text", prompt.text}, {"token_ids", ids}, {"spans", spans}});
  return 0;
}

}  // namespace

void addTemplate(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("template", "a conversation as the model's chat template writes it");
  const auto arguments = std::make_shared<TemplateArguments>();
  command->add_option("--model", arguments->engine.model,
                      "a Hugging Face model directory or a GGUF file: its template and its tokens");
  command->add_option("--template", arguments->file,
                      "a file with another template, in Jinja; without --model there are no tokens");
  command
      ->add_option("--messages", arguments->messages,
                   "a JSON file with the messages, as OpenAI's API has them")
      ->required();
  command->add_option("--tools", arguments->tools,
                      "tools that the model may call: a JSON file, or the JSON itself, [{...}]");
  command->add_option("--variables", arguments->variables,
                      "what else the template asks for, as a JSON object: {\"enable_thinking\": false}");
  command->add_flag("--no-generation-prompt", arguments->noGenerationPrompt,
                    "end after the last message, without the beginning of an answer");
  command->add_flag("--typed-marks", arguments->typedMarks,
                    "special tokens that stand in a message count as such; otherwise they are text");
  setWork(*command, program, [arguments](bool json) { return writePrompt(*arguments, json); });
}

}  // namespace vitrine::cli
