// What a program is asked for: a request and the engine's options, as the command line, request lines and
// scenario files give them.
//
// Every option is in the schema (vitrine/option_schema.h). What is here besides is a program's own: the
// model's directory, and whether a prompt is a message of a chat. Read next: option_words.h.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/json_files.h"
#include "vitrine/chat_format.h"
#include "vitrine/option_schema.h"

namespace vitrine {

class Engine;

struct RequestArguments {
  Request request;
  bool chat = false;        // the prompt is a user's message, to be written in the model's chat format
  bool typedMarks = false;  // special tokens that stand in that message count as such
  // With `chat`: a conversation in place of the prompt, and what Dialogue::tools takes.
  std::vector<ChatMessage> messages = {};
  std::string tools = {};

  void validate() const;      // throws UsageError
  Dialogue dialogue() const;  // of a chat
  // The request as the engine takes it, its prompt written in the model's chat format when it is a chat.
  // Throws what chatRequest() throws.
  Request toRequest(const Engine& engine) const;
};

struct EngineArguments {
  std::string model = {};         // a directory or a GGUF file; empty: the built-in one
  std::string chatTemplate = {};  // a file, for the conversations of this run; empty: the model's own
  EngineOptions options = {};

  const EngineOptions& toOptions() const;        // checked; throws UsageError
  std::filesystem::path modelDirectory() const;  // throws EngineError without a built-in model
};

inline constexpr OptionInfo<bool> kChatInfo{
    .key = "chat",
    .label = "C&hat",
    .help = "write the prompt as a user's message in the model's chat format",
    .page = OptionPage::kAnswers};
inline constexpr OptionInfo<bool> kTypedMarksInfo{
    .key = "typed_marks",
    .label = "&Special tokens in it count",
    .help =
        "with --chat: special tokens that stand in the message count as such, as prompt injection wants it",
    .page = OptionPage::kAnswers};
inline constexpr OptionInfo<std::string> kModelInfo{.key = "model",
                                                    .label = "&Model",
                                                    .help = "a Hugging Face model directory or a GGUF file",
                                                    .page = OptionPage::kComputing,
                                                    .text = TextKind::kFolder};

// visit(info, access) for each option; access(arguments) is its value in const or changing arguments.
template <typename Visit>
void forEachRequestArgument(const Visit& visit) {
  visit(
      kChatInfo, [](auto& arguments) -> auto& { return arguments.chat; });
  visit(
      kTypedMarksInfo, [](auto& arguments) -> auto& { return arguments.typedMarks; });
  forEachRequestOption([&](const auto& info, const auto& access) {
    visit(
        info, [access](auto& arguments) -> auto& { return access(arguments.request); });
  });
}
template <typename Visit>
void forEachEngineArgument(const Visit& visit) {
  visit(
      kModelInfo, [](auto& arguments) -> auto& { return arguments.model; });
  forEachEngineOption([&](const auto& info, const auto& access) {
    visit(
        info, [access](auto& arguments) -> auto& { return access(arguments.options); });
  });
}

// Takes a key of a request line or of a scenario's options; false when there is no such key. Throws
// UsageError for a value of the wrong kind.
bool takeRequestKey(RequestArguments& arguments, const std::string& key, const Json& value);
bool takeEngineKey(EngineArguments& arguments, const std::string& key, const Json& value);

}  // namespace vitrine
