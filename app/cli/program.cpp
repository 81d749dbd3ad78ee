#include "program.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <sstream>

#include "vitrine/message_text.h"

namespace vitrine::cli {
namespace {

// CLI11's option groups are subcommands without a name, which 2.1 takes an empty argument for, and never
// comes back.
void requireOneOf(const std::vector<const CLI::Option*>& options) {
  std::string names;
  std::size_t given = 0;
  for (const CLI::Option* option : options) {
    names += (names.empty() ? "" : option == options.back() ? " or " : ", ") + option->get_name();
    given += option->count() > 0 ? 1 : 0;
  }
  if (given != 1) throw CLI::RequiredError(names + " (one of them alone)");
}

}  // namespace

void setWork(CLI::App& command, Program& program, const std::function<int(bool json)>& work,
             const std::vector<const CLI::Option*>& sources) {
  command.add_flag("--json", program.json, "print one JSON object on standard output and nothing else there");
  command.callback([&program, work, sources] {
    if (!sources.empty()) requireOneOf(sources);
    program.work = [&program, work] { return work(program.json); };
  });
}

std::string jsonText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void printJson(const Json& json) { printText(jsonText(json)); }

Json errorToJson(const EngineError& error) {
  return {{"code", errorCodeName(error.code())}, {"message", error.what()}, {"hint", error.hint()}};
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::vector<TokenId> parseTokenIds(const std::string& option, const std::string& text) {
  std::vector<TokenId> ids;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const auto first = item.find_first_not_of(' ');
    const auto last = item.find_last_not_of(' ');
    item = first == std::string::npos ? "" : item.substr(first, last - first + 1);
    TokenId id = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), id);
    if (item.empty() || error != std::errc() || end != item.data() + item.size())
      throw UsageError(option + ": \"" + forMessage(item, 60) +
                       "\" is not a token id; ids are written 1,2,3");
    ids.push_back(id);
  }
  if (ids.empty()) throw UsageError(option + " must name at least one id");
  return ids;
}

}  // namespace vitrine::cli
