// vitrine-cli chat: a conversation in the terminal. Also works on a pipe, one message a line.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "terminal.h"
#include "terminal_chat.h"

namespace vitrine::cli {
namespace {

struct ChatArguments {
  RequestArguments request;
  EngineArguments engine;
  std::string system, tools;
};

constexpr const char* kHelp =
    "/help                      this list\n"
    "/reset                     forget all messages\n"
    "/system TEXT               set the system message, which comes first; empty removes it\n"
    "/set OPTION VALUE          an option of `generate`: /set temperature 0.7\n"
    "/stats                     tokens and times so far\n"
    "/quit                      leave (so does Ctrl-D)\n"
    "Ctrl-C stops an answer. A line that begins with // is sent without its first slash.\n";

// Carries out a command; false leaves the chat.
bool obey(TerminalChat& conversation, const std::string& line) {
  const std::size_t space = line.find(' ');
  const std::string name = line.substr(0, space);
  const std::string rest = space == std::string::npos
                               ? ""
                               : line.substr(line.find_first_not_of(' ', space) == std::string::npos
                                                 ? line.size()
                                                 : line.find_first_not_of(' ', space));
  if (name == "/quit" || name == "/exit") return false;
  if (name == "/help") {
    std::fputs(kHelp, stderr);
  } else if (name == "/reset") {
    conversation.reset();
    std::fputs("The conversation is forgotten.\n", stderr);
  } else if (name == "/system") {
    conversation.setSystem(rest);
    std::fputs("The conversation starts again.\n", stderr);
  } else if (name == "/set") {
    const std::size_t gap = rest.find(' ');
    if (gap == std::string::npos) throw UsageError("/set needs an option and a value: /set temperature 0.7");
    conversation.set(rest.substr(0, gap), rest.substr(gap + 1));
  } else if (name == "/stats") {
    std::fprintf(stderr, "%s\n", conversation.stats().c_str());
  } else {
    throw UsageError("there is no command " + name + "; /help lists them");
  }
  return true;
}

void complain(const char* message, const std::string& hint) {
  std::fprintf(stderr, "%s\n%s%s", message, hint.c_str(), hint.empty() ? "" : "\n");
}

int chat(const ChatArguments& arguments) {
  arguments.request.validate();
  TerminalChat conversation(arguments.engine, arguments.request, readTools(arguments.tools));
  if (!arguments.system.empty()) conversation.setSystem(arguments.system);
  const Terminal terminal;
  if (terminal.isInteractive()) std::fprintf(stderr, "%s\n", conversation.greeting().c_str());
  for (std::string line; terminal.readLine("> ", line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      if (line.starts_with("//"))
        line.erase(0, 1);
      else if (line.starts_with('/')) {
        if (!obey(conversation, line)) break;
        continue;
      }
      conversation.answer(line, terminal);
    } catch (const UsageError& error) {
      complain(error.what(), error.hint());
    } catch (const EngineError& error) {
      if (!terminal.isInteractive()) throw;  // a pipe cannot ask again
      complain(error.what(), error.hint());
    }
    requireOutput();
  }
  return 0;
}

}  // namespace

void addChat(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("chat", "talk with the model in the terminal");
  const auto arguments = std::make_shared<ChatArguments>();
  arguments->request.request.maxTokens = 0;  // until the model ends, or the context is full
  command->add_option("--system", arguments->system, "a system message: what the model reads first");
  addRequestOptions(*command, arguments->request);
  addEngineOptions(*command, arguments->engine);
  addTemplateOption(*command, arguments->engine);
  addToolsOption(*command, arguments->tools);
  command->callback([arguments, &program] { program.work = [arguments] { return chat(*arguments); }; });
}

}  // namespace vitrine::cli
