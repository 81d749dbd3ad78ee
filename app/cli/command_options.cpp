#include "command_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <concepts>
#include <limits>
#include <map>
#include <set>

namespace vitrine::cli {
namespace {

std::string optionName(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key.size() == 1 ? "-" + key + ",--" + key : "--" + key;
}

CLI::Option* declare(CLI::App& command, const std::string& name, bool& value, const char* help) {
  return command.add_flag(name, value, help);
}
CLI::Option* declare(CLI::App& command, const std::string& name, std::vector<std::string>& value,
                     const char* help) {
  return command.add_option(name, value, help)->allow_extra_args(false);
}
// The library reads "-1" as the largest number without a sign there is, and what is too large as the largest.
template <std::integral T>
CLI::Option* addWhole(CLI::App& command, const std::string& name, T& value, T least, T most,
                      const std::string& help) {
  const auto check = [least, most](std::string& text) -> std::string {
    T read = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && read >= least && read <= most) return "";
    return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", not " +
           text;
  };
  return command.add_option(name, value, help)->capture_default_str()->check(CLI::Validator(check, ""));
}

template <std::integral T>  // what the engine's own validate() bounds further
CLI::Option* declare(CLI::App& command, const std::string& name, T& value, const char* help) {
  return addWhole(command, name, value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), help);
}
template <typename T>
CLI::Option* declare(CLI::App& command, const std::string& name, T& value, const char* help) {
  return command.add_option(name, value, help)->capture_default_str();
}

template <typename T>
void assign(EngineArguments& target, const std::string& key, const T& value) {
  visitEngineOptions(target, [&](const char* name, auto& destination, const char*, const auto&) {
    if constexpr (std::is_same_v<decltype(destination), T&>)
      if (key == name) destination = value;
  });
}

}  // namespace

CLI::Option* addNumber(CLI::App& command, const std::string& name, int& value, int least, int most,
                       const std::string& help) {
  return addWhole(command, name, value, least, most, help);
}

CLI::Option* addSeed(CLI::App& command, std::uint64_t& value, const char* help) {
  return declare(command, "--seed", value, help);
}

void requireOneOf(const std::vector<const CLI::Option*>& options) {
  std::string names;
  std::size_t given = 0;
  for (const CLI::Option* option : options) {
    names += (names.empty() ? "" : option == options.back() ? " or " : ", ") + option->get_name();
    given += option->count() > 0 ? 1 : 0;
  }
  if (given != 1) throw CLI::RequiredError(names + " (one of them alone)");
}

void addRequestOptions(CLI::App& command, RequestArguments& arguments) {
  visitRequestOptions(arguments, [&](const char* key, auto& value, const char* help) {
    declare(command, optionName(key), value, help);
  });
}

void addSamplingOptions(CLI::App& command, RequestArguments& arguments) {
  static const std::set<std::string> kShaping = {
      "temperature",      "top_k", "top_p", "min_p", "repetition_penalty", "presence_penalty",
      "frequency_penalty"};
  visitRequestOptions(arguments, [&](const char* key, auto& value, const char* help) {
    if (kShaping.contains(key)) declare(command, optionName(key), value, help);
  });
}

std::function<void(EngineArguments&)> addEngineOptions(CLI::App& command, EngineArguments& arguments) {
  std::map<std::string, CLI::Option*> declared;
  visitEngineOptions(arguments, [&](const char* key, auto& value, const char* help, const auto& words) {
    CLI::Option* option = declare(command, optionName(key), value, help)->group("Engine");
    if (!words.empty()) option->check(CLI::IsMember(words));
    declared[key] = option;
  });
  return [declared, &arguments](EngineArguments& target) {
    visitEngineOptions(arguments, [&](const char* key, auto& value, const char*, const auto&) {
      if (declared.at(key)->count() > 0) assign(target, key, value);
    });
  };
}

std::function<void(EngineArguments&)> addEngineSeed(CLI::App& command, EngineArguments& arguments) {
  const CLI::Option* option =
      addSeed(command, arguments.options.seed, "mixed into every request's own seed")->group("Engine");
  return [option, &arguments](EngineArguments& target) {
    if (option->count() > 0) target.options.seed = arguments.options.seed;
  };
}

}  // namespace vitrine::cli
