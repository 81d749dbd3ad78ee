// What all commands share: registration, errors and JSON output.
//
// A command is one file with one function add...(CLI::App&, Program&) that declares its options and, when its
// subcommand was given, leaves its work in Program::work. Exit 0; 1 for a failure in the work; 2 for wrong
// usage. Standard output is the answer alone, everything else goes to standard error.
// Read next: README.md.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/json_files.h"
#include "output.h"
#include "vitrine/tokenizer.h"

namespace CLI {
class App;
class Option;  // only files that declare options include the library
}  // namespace CLI

namespace vitrine::cli {

struct Program {
  std::function<int()> work;  // returns the exit status
  bool json = false;
};

// Every command, in the order of --help.
using AddCommand = void(CLI::App& app, Program& program);
AddCommand addGenerate, addRun, addLogits, addDistribution, addTokenize, addDetokenize, addTemplate, addChat,
    addServe, addTrace, addLesson, addCompare, addBench, addInspect, addConvert, addQuantize,
    addMakeRandomModel;
inline constexpr AddCommand* kCommands[] = {
    addGenerate, addRun,     addLogits,  addDistribution, addTokenize,       addDetokenize,
    addTemplate, addChat,    addServe,   addTrace,        addLesson,         addCompare,
    addBench,    addInspect, addConvert, addQuantize,     addMakeRandomModel};

// Adds --json, and leaves the work in program.work when the command is given; `json`: whether --json was.
// With `sources`, exactly one of them must be given.
void setWork(CLI::App& command, Program& program, const std::function<int(bool json)>& work,
             const std::vector<const CLI::Option*>& sources = {});

// One object in one line, with its end. Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(const Json& json);
// The same on standard output.
void printJson(const Json& json);
Json errorToJson(const EngineError& error);
// A number JSON can hold; null for NaN and the infinities.
Json finite(double value);

// "1,2,3" as ids, the value of `option`. Throws UsageError.
std::vector<TokenId> parseTokenIds(const std::string& option, const std::string& text);

}  // namespace vitrine::cli
