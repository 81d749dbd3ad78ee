#include "manual.h"

#include <CLI/CLI.hpp>
#include <map>

namespace vitrine::cli {
namespace {

constexpr const char* kEngineGroup = "Engine";

// Text that roff shows unchanged: hyphens stay hyphens, and no line becomes a request.
std::string plain(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) {
      escaped += std::string("\\&") + c;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

// "-n,--n" as two bold names.
std::string namesOf(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "" : ", ") + bold("-" + name);
  for (const std::string& name : option.get_lnames())
    names += (names.empty() ? "" : ", ") + bold("--" + name);
  return names.empty() ? italic(option.get_name()) : names;
}

// The words allowed, or the kind of value: "TEXT:{cpu,cuda}" becomes "cpu|cuda".
std::string valueOf(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return "";
  std::string type = option.get_type_name();
  if (const auto brace = type.find(":{"); brace != std::string::npos) {
    type = type.substr(brace + 2, type.find('}') - brace - 2);
    std::replace(type.begin(), type.end(), ',', '|');
  }
  return type.empty() ? "" : " " + italic(type);
}

std::string entryOf(const CLI::Option& option) {
  std::string entry = ".TP\n" + namesOf(option) + valueOf(option) + "\n" + plain(option.get_description());
  if (const std::string value = option.get_default_str(); !value.empty() && option.get_expected_max() > 0)
    entry += " (default: " + plain(value) + ")";
  if (option.get_required()) entry += " (required)";
  return entry + "\n";
}

using EngineOptionEntries = std::map<std::string, std::string>;  // by name

std::string commandOf(const CLI::App& command, const std::string& before, EngineOptionEntries& engine) {
  const std::string name = before + command.get_name();
  const auto parts = command.get_subcommands([](const CLI::App*) { return true; });
  bool takesEngine = false;
  std::string own;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name(false, true).find("--help") != std::string::npos) continue;
    if (option->get_group() == kEngineGroup) {
      engine.emplace(option->get_name(), entryOf(*option));
      takesEngine = true;
    } else if (!option->get_group().empty()) {  // an option without a group is hidden
      own += entryOf(*option);
    }
  }
  std::string text = ".SS " + bold(name) + "\n" + plain(command.get_description()) + ".\n" + own;
  if (takesEngine) text += ".PP\nIt takes the engine's options, too.\n";
  for (const CLI::App* part : parts) text += commandOf(*part, name + " ", engine);
  return text;
}

}  // namespace

std::string manualOf(const CLI::App& program) {
  EngineOptionEntries engine;
  std::string text = ".SH COMMANDS\n";
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    text += commandOf(*command, "", engine);
  text += ".SH THE ENGINE'S OPTIONS\n";
  for (const auto& [name, entry] : engine) text += entry;
  return text;
}

}  // namespace vitrine::cli
