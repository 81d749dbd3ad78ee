#include "trials/verdict.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

namespace vitrine::trials {
namespace {

constexpr std::size_t kLongestLine = 2000;

// Words of libraries, of the language and of crashes.
constexpr std::string_view kForeign[] = {"json.exception", "terminate called", "std::",    "basic_string",
                                         "Parse error",    "filesystem error", "vector::", "bad_alloc",
                                         "VITRINE_CHECK",  "check failed"};

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string faultOfWords(const std::string& err) {
  if (err.find_first_not_of(" \n") == std::string::npos) return "no word on standard error";
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > kLongestLine)
      return "a line of " + std::to_string(line.size()) + " bytes on standard error";
  for (const std::string_view words : kForeign)
    if (holds(err, words)) return "a library's words on standard error: " + std::string(words);
  return {};
}

std::string faultOfJson(const Ending& ending) {
  if (ending.out.empty()) return ending.status == 0 ? "exit 0, and nothing on standard output" : "";
  const auto json = nlohmann::json::parse(ending.out, nullptr, false);
  if (!json.is_object()) return "standard output is not one JSON object";
  if (json.contains("error") != (ending.status != 0) && !json.contains("requests") &&
      !json.contains("sequences"))
    return "an error in the JSON goes with an exit status above 0";
  return {};
}

// Not where the word is another option's value: a text, or the name of a file to write.
bool asksForJson(const std::vector<std::string>& arguments) {
  constexpr std::string_view kAnyWord[] = {"--text", "--prompt", "--stop", "--system", "--plot", "--out"};
  const std::string& command = arguments.front();
  if (command == "chat" || command == "make-random-model") return false;  // have no such option
  const auto found = std::ranges::find(arguments, "--json");
  return found != arguments.end() && std::ranges::find(kAnyWord, *std::prev(found)) == std::end(kAnyWord);
}

}  // namespace

std::string faultOf(const Trial& trial, const Ending& ending, const Limits& limits) {
  if (ending.late) return "not done after " + std::to_string(limits.time.count()) + " s";
  // A warning that memory ran out is none: the program hears of that, as without sanitizers.
  if (holds(ending.err, "ERROR: AddressSanitizer") || holds(ending.err, "ERROR: LeakSanitizer") ||
      holds(ending.err, "runtime error:"))
    return "a sanitizer's report";
  if (ending.signal != 0)
    return "signal " + std::to_string(ending.signal) + ", " + ::strsignal(ending.signal);
  if (ending.status > 2 || ending.status < 0) return "exit status " + std::to_string(ending.status);
  if (ending.residentBytes > limits.residentBytes)
    return std::to_string(ending.residentBytes >> 20) + " MiB resident";
  if (asksForJson(trial.arguments))
    if (const std::string fault = faultOfJson(ending); !fault.empty()) return fault;
  return ending.status == 0 ? "" : faultOfWords(ending.err);
}

}  // namespace vitrine::trials
