// vitrine-cli: the engine without a window. One file a command; README.md says how to add one.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

#include "manual.h"
#include "program.h"
#include "vitrine/program_files.h"

namespace vitrine::cli {
namespace {

int fail(const Program& program, const EngineError& error, int status) {
  std::fflush(stdout);  // what was streamed comes before the complaint
  std::fprintf(stderr, "vitrine-cli: %s\n", error.what());
  if (!error.hint().empty()) std::fprintf(stderr, "  %s\n", error.hint().c_str());
  if (program.json) printJson({{"error", errorToJson(error)}});
  return status;
}

int runWork(const Program& program) {
  try {
    const int status = program.work();
    if (std::fflush(stdout) != 0) throw EngineError(ErrorCode::kIo, "cannot write to standard output");
    return status;
  } catch (const UsageError& error) {
    return fail(program, EngineError(ErrorCode::kInvalidArgument, error.what()), 2);
  } catch (const EngineError& error) {
    return fail(program, error, 1);
  } catch (const std::bad_alloc&) {
    return fail(program, EngineError(ErrorCode::kOutOfMemory, "there is not enough memory"), 1);
  } catch (const std::exception& error) {
    return fail(program, EngineError(ErrorCode::kIo, error.what()), 1);
  }
}

}  // namespace
}  // namespace vitrine::cli

int main(int argc, char** argv) {
  using namespace vitrine::cli;
  CLI::App app("Vitrine's engine on the command line. Without --model, the built-in model.", "vitrine-cli");
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "the options of every command");
  app.set_version_flag("--version", std::string("vitrine-cli ") + vitrine::version());
  const auto printManual = [&app] {
    std::fputs(manualOf(app).c_str(), stdout);
    throw CLI::Success();
  };
  app.add_flag_callback("--manual", printManual)->group("");  // hidden: the build makes the manual page of it
  Program program;
  for (const auto add : {addGenerate, addRun, addLogits, addDistribution, addTokenize, addDetokenize, addChat,
                         addTrace, addBench, addMakeRandomModel})
    add(app, program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string first = argc > 1 ? argv[1] : "-";
    const auto isFirst = [&](const CLI::App* command) { return command->get_name() == first; };
    if (!first.starts_with('-') && std::ranges::none_of(app.get_subcommands({}), isFirst))
      std::fprintf(stderr, "vitrine-cli: there is no command %s\n", first.c_str());
    return app.exit(error) == 0 ? 0 : 2;  // asking for help is no error
  }
  return runWork(program);
}
