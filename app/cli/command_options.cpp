#include "command_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <concepts>
#include <limits>
#include <map>
#include <type_traits>
#include <vector>

#include "common/message_list.h"
#include "common/option_words.h"

namespace vitrine::cli {
namespace {

constexpr std::string_view kSeed = "seed";  // a request's or the engine's: addEngineSeed()

// As the library takes them: "--token-budget"; "-n,--n".
template <typename Value>
std::string namesOf(const OptionInfo<Value>& info) {
  const std::string name = optionName(info);
  return name.starts_with("--") ? name : name + ",-" + name;
}

// The library reads "-1" as the largest number without a sign there is, and what is too large as the largest.
template <std::integral T>
CLI::Option* addWhole(CLI::App& command, T& value, const WholeNumber<T>& option) {
  const auto check = [least = option.least, most = option.most](std::string& text) -> std::string {
    T read = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && read >= least && read <= most) return "";
    return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", not " +
           text;
  };
  return command.add_option(option.name, value, option.help)
      ->capture_default_str()
      ->check(CLI::Validator(check, ""));
}

template <Numeric T>  // validate() knows the range
CLI::Option* declare(CLI::App& command, const OptionInfo<T>& info, T& value) {
  const std::string name = namesOf(info), help = helpOf(info);
  if constexpr (std::is_integral_v<T>)
    return addWhole<T>(command, value,
                       {name, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), help});
  else
    return command.add_option(name, value, help)->capture_default_str();
}
CLI::Option* declare(CLI::App& command, const OptionInfo<bool>& info, bool& value) {
  const bool given = *info.off == '\0';
  return command.add_flag_callback(
      namesOf(info), [&value, given] { value = given; }, helpOf(info));
}
CLI::Option* declare(CLI::App& command, const OptionInfo<std::vector<std::string>>& info,
                     std::vector<std::string>& value) {
  return command.add_option(namesOf(info), value, helpOf(info))->allow_extra_args(false);
}
CLI::Option* declare(CLI::App& command, const OptionInfo<std::string>& info, std::string& value) {
  CLI::Option* option = command.add_option(namesOf(info), value, helpOf(info))->capture_default_str();
  if (const auto words = wordsOf(info); !words.empty()) option->check(CLI::IsMember(words));
  return option;
}
template <Named T>
CLI::Option* declare(CLI::App& command, const OptionInfo<T>& info, T& value) {
  const auto take = [&info, &value](const std::string& word) { value = valueOf(info, word); };
  return command.add_option_function<std::string>(namesOf(info), take, helpOf(info))
      ->default_str(nameOf(value))
      ->check(CLI::IsMember(wordsOf(info)));
}

// Declares the engine's options whose keys are wanted, and returns what copies those that were given.
std::function<void(EngineArguments&)> addEngineArguments(CLI::App& command, EngineArguments& arguments,
                                                         bool (*isWanted)(std::string_view key)) {
  std::map<std::string, CLI::Option*> declared;
  forEachEngineArgument([&](const auto& info, const auto& access) {
    if (isWanted(info.key)) declared[info.key] = declare(command, info, access(arguments))->group("Engine");
  });
  return [declared, &arguments](EngineArguments& target) {
    forEachEngineArgument([&](const auto& info, const auto& access) {
      const auto option = declared.find(info.key);
      if (option != declared.end() && option->second->count() > 0) access(target) = access(arguments);
    });
  };
}

}  // namespace

CLI::Option* addNumber(CLI::App& command, int& value, const WholeNumber<int>& option) {
  return addWhole(command, value, option);
}

CLI::Option* addSeed(CLI::App& command, std::uint64_t& value, const char* help) {
  using Limits = std::numeric_limits<std::uint64_t>;
  return addWhole(command, value, {"--seed", Limits::min(), Limits::max(), help});
}

void addRequestOptions(CLI::App& command, RequestArguments& arguments) {
  forEachRequestArgument(
      [&](const auto& info, const auto& access) { declare(command, info, access(arguments)); });
}

void addSamplingOptions(CLI::App& command, RequestArguments& arguments) {
  visitSamplingOptions(arguments.request.sampling, [&](const auto& info, auto& value) {
    if (std::string_view(info.key) != kSeed) declare(command, info, value);
  });
}

std::function<void(EngineArguments&)> addEngineOptions(CLI::App& command, EngineArguments& arguments) {
  return addEngineArguments(command, arguments, [](std::string_view key) { return key != kSeed; });
}

void addTemplateOption(CLI::App& command, EngineArguments& arguments) {
  command.add_option("--template", arguments.chatTemplate,
                     "a file with another chat template, in Jinja, in place of the model's own");
}

void addToolsOption(CLI::App& command, std::string& file) {
  command.add_option("--tools", file,
                     "a JSON file with tools that the model may call, as OpenAI's API has them");
}

std::string readTools(const std::string& file) {
  if (file.empty()) return {};
  try {
    return toolsFromJson(parseJson(readFile(file)));
  } catch (const UsageError& error) {
    throw error.at(file + ": ");
  }
}

std::function<void(EngineArguments&)> addEngineSeed(CLI::App& command, EngineArguments& arguments) {
  return addEngineArguments(command, arguments, [](std::string_view key) { return key == kSeed; });
}

}  // namespace vitrine::cli
