// vitrine-cli: the engine without a window. Each command is one file; README.md says how to add one.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <sstream>

#include "manual.h"
#include "option_listing.h"
#include "program.h"
#include "vitrine/message_text.h"
#include "vitrine/program_files.h"

namespace vitrine::cli {
namespace {

constexpr std::size_t kLongestMessage = 1000;  // a path and a sentence
constexpr std::size_t kLongestEcho = 60;       // of an argument that was not understood

int fail(const Program& program, const EngineError& error, int status) {
  flushOutput();  // streamed text comes before the error
  const std::string message = forMessage(error.what(), kLongestMessage);
  std::fprintf(stderr, "vitrine-cli: %s\n", message.c_str());
  if (!error.hint().empty()) std::fprintf(stderr, "  %s\n", error.hint().c_str());
  if (program.json) printJson({{"error", errorToJson(EngineError(error.code(), message, error.hint()))}});
  flushOutput();
  return status;
}

// Runs `work` and completes its output. Returns the exit status.
int finished(const Program& program, const std::function<int()>& work) {
  try {
    const int status = work();
    finishOutput();
    return status;
  } catch (const ReaderGone&) {
    return 1;
  } catch (const UsageError& error) {
    return fail(program, EngineError(ErrorCode::kInvalidArgument, error.what(), error.hint()), 2);
  } catch (const EngineError& error) {
    return fail(program, error, 1);
  } catch (const std::bad_alloc&) {
    return fail(program, EngineError(ErrorCode::kOutOfMemory, "there is not enough memory"), 1);
  } catch (const std::exception& error) {
    return fail(program, EngineError(ErrorCode::kIo, error.what()), 1);
  }
}

// The library's message about the command line, with long arguments cut.
std::string complaint(const CLI::ParseError& error, std::span<char*> given) {
  std::string text = error.what();
  for (const std::string_view argument : given) {
    const std::string_view value = argument.substr(argument.starts_with('-') ? argument.find('=') + 1 : 0);
    if (value.size() <= kLongestEcho) continue;
    const std::string shown = forMessage(value, kLongestEcho);
    for (std::size_t at = 0; (at = text.find(value, at)) != std::string::npos; at += shown.size())
      text.replace(at, value.size(), shown);
  }
  return text;
}

// Help is printed; anything else is wrong usage.
int answerParser(const CLI::App& app, const CLI::ParseError& error, std::span<char*> given) {
  std::ostringstream help, ignored;
  if (app.exit(error, help, ignored) == 0) {
    printText(help.str());
    return 0;
  }
  const std::string first = given.empty() ? "-" : given.front();
  const auto isFirst = [&](const CLI::App* command) { return command->get_name() == first; };
  const bool unknown = !first.starts_with('-') && std::ranges::none_of(app.get_subcommands({}), isFirst);
  throw UsageError(
      (unknown ? "there is no command " + forMessage(first, kLongestEcho) : complaint(error, given)) +
      " (--help lists what there is)");
}

}  // namespace
}  // namespace vitrine::cli

int main(int argc, char** argv) {
  using namespace vitrine::cli;
  guardStandardStreams();
  CLI::App app("Vitrine's engine on the command line. Without --model, the built-in model.", "vitrine-cli");
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "the options of every command");
  app.set_version_flag("--version", std::string("vitrine-cli ") + vitrine::version());
  // Hidden: what the build and maintainers make documents of.
  const auto addDocument = [&app](const char* name, const std::function<std::string()>& write) {
    app.add_flag_callback(name,
                          [write] {
                            std::fputs(write().c_str(), stdout);
                            throw CLI::Success();
                          })
        ->group("");
  };
  addDocument("--manual", [&app] { return manualOf(app); });
  addDocument("--option-tables", optionTables);
  addDocument("--option-texts", optionTexts);
  Program program;
  for (AddCommand* const add : kCommands) add(app, program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::span<char*> given(argv + 1, argv + std::max(argc, 1));
    program.json = std::ranges::find(given, std::string_view("--json")) != given.end();
    return finished(program, [&] { return answerParser(app, error, given); });
  }
  return finished(program, program.work);
}
