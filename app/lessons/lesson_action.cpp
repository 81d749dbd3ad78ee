// A link's address as an action, and back.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "lessons/lesson.h"
#include "lessons/lesson_options.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

constexpr std::size_t kLongestAddress = 2000;
constexpr int kMostSteps = 1000;  // of one action

std::string quotedWord(std::string_view text) { return "\"" + forMessage(text, 60) + "\""; }

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "%20" becomes a blank; another "%" stays.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = i + 2 < text.size() && text[i] == '%' ? hexDigit(text[i + 1]) : -1;
    const int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte != 0x7F && std::string_view("%&?<>()\\").find(c) == std::string_view::npos)
      out += c;
    else
      (out += '%').append({kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return out;
}

void readTarget(std::string_view rest, LessonAction& action) {
  const std::size_t query = std::min(rest.find('?'), rest.size());
  action.target = decoded(rest.substr(0, query));
  if (action.target.empty())
    throw UsageError("the link names no scenario",
                     std::string("write ") + nameOf(action.deed) + ":six-blocks");
  if (action.target.find_first_of("/\\") != std::string::npos || action.target.starts_with('.'))
    throw UsageError(quotedWord(action.target) + " is not the name of a scenario",
                     "name one that ships with Vitrine, or a file beside the lesson, without its folder");
  std::string_view options = rest.substr(std::min(query + 1, rest.size()));
  EngineArguments unused;
  while (!options.empty()) {
    const std::size_t end = std::min(options.find('&'), options.size());
    const std::string_view option = options.substr(0, end);
    options.remove_prefix(std::min(end + 1, options.size()));
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw UsageError(quotedWord(option) + " changes no option", "write num_blocks=8");
    const std::string name = decoded(option.substr(0, equals));
    const auto isNamed = [&](const auto& known) { return known.first == name; };
    if (std::ranges::any_of(action.options, isNamed))
      throw UsageError("the option " + quotedWord(name) + " is there twice", "leave one out");
    action.options.emplace_back(name, decoded(option.substr(equals + 1)));
    changeOption(unused, action.options.back().first, action.options.back().second);
  }
  if (action.deed == LessonDeed::kCompare && action.options.empty())
    throw UsageError("the comparison changes no option",
                     "write compare:" + forMessage(action.target, 60) + "?num_blocks=8");
}

void readMoment(std::string_view rest, LessonAction& action) {
  asUsage([&] { action.moment = breakpointFromText(decoded(rest)); });
}

void readSteps(std::string_view rest, LessonAction& action) {
  if (rest.empty()) return;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), action.steps);
  if (error != std::errc() || end != rest.data() + rest.size() || action.steps < 1 ||
      action.steps > kMostSteps)
    throw UsageError(quotedWord(rest) + " is not a number of steps",
                     "write step:3, or step: for one; at most " + std::to_string(kMostSteps));
}

void readPanel(std::string_view rest, LessonAction& action) {
  const std::vector<std::string>& panels = lessonPanels();
  action.target = decoded(rest);
  if (std::ranges::find(panels, action.target) != panels.end()) return;
  std::string list;
  for (const std::string& panel : panels) list += (list.empty() ? "" : ", ") + panel;
  throw UsageError("there is no panel " + quotedWord(action.target), "write one of " + list);
}

}  // namespace

bool LessonAction::doesTheSameAs(const LessonAction& other) const {
  return deed == other.deed && target == other.target && options == other.options && moment == other.moment &&
         steps == other.steps;
}

std::optional<LessonAction> actionOfLink(std::string_view address) {
  constexpr const char* kSchemes =
      "a lesson's links begin with scenario:, until:, step:, show:, compare:, or https://";
  if (address.starts_with("https://") || address.starts_with("http://")) return std::nullopt;
  const std::size_t colon = address.find(':');
  if (colon == std::string_view::npos)
    throw UsageError("the link to " + quotedWord(address) + " leads nowhere", kSchemes);
  const auto deed = fromName<LessonDeed>(address.substr(0, colon));
  if (!deed)
    throw UsageError("there is no link of the kind " + quotedWord(address.substr(0, colon + 1)), kSchemes);
  if (address.size() > kLongestAddress)
    throw UsageError(
        "the link " + quotedWord(address) + " is longer than " + std::to_string(kLongestAddress) + " bytes",
        "shorten it");
  LessonAction action;
  action.deed = *deed;
  const std::string_view rest = address.substr(colon + 1);
  switch (*deed) {
    case LessonDeed::kScenario:
    case LessonDeed::kCompare:
      readTarget(rest, action);
      break;
    case LessonDeed::kUntil:
      readMoment(rest, action);
      break;
    case LessonDeed::kStep:
      readSteps(rest, action);
      break;
    case LessonDeed::kShow:
      readPanel(rest, action);
      break;
  }
  return action;
}

std::string addressOf(const LessonAction& action) {
  std::string address = std::string(nameOf(action.deed)) + ":";
  if (action.deed == LessonDeed::kUntil) return address + encoded(toText(action.moment));
  if (action.deed == LessonDeed::kStep) return address + std::to_string(action.steps);
  address += encoded(action.target);
  char before = '?';
  for (const auto& [name, value] : action.options) {
    address.append(1, before).append(name).append("=").append(encoded(value));
    before = '&';
  }
  return address;
}

}  // namespace vitrine
