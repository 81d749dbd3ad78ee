#include "option_listing.h"

#include <limits>
#include <set>
#include <sstream>

#include "common/option_words.h"
#include "vitrine/option_schema.h"

namespace vitrine::cli {
namespace {

// "1 to 256 tokens"
template <Numeric Value>
std::string takenBy(const OptionInfo<Value>& info) {
  using Bound = typename OptionInfo<Value>::Bound;
  const bool fromBelow = info.least == std::numeric_limits<Bound>::lowest() && !std::is_unsigned_v<Value>;
  const bool upward = info.most == std::numeric_limits<Bound>::max();
  std::ostringstream text;
  if (fromBelow && upward) return std::is_integral_v<Value> ? "a whole number" : "a number";
  text << (info.above ? "above " : "") << (std::is_unsigned_v<Value> ? 0 : info.least);
  if (!upward)
    text << " to " << info.most;
  else if (!info.above)
    text << " or more";
  if (*info.unit != '\0') text << ' ' << info.unit;
  return text.str();
}
std::string takenBy(const OptionInfo<bool>&) { return "a flag"; }
std::string takenBy(const OptionInfo<std::vector<std::string>>&) { return "texts"; }
template <typename Value>
std::string takenBy(const OptionInfo<Value>& info) {
  std::string list;
  for (const std::string& word : wordsOf(info)) list += (list.empty() ? "`" : ", `") + word + "`";
  return !list.empty() ? list : info.text == TextKind::kFolder ? "a folder" : "a text";
}

template <typename Value>
std::string defaultOf(const Value& value) {
  std::ostringstream text;
  if constexpr (Named<Value>)
    text << '`' << nameOf(value) << '`';
  else if constexpr (Numeric<Value>)
    text << value;
  return text.str();
}

template <typename Options, typename ForEach>
void addTable(std::string& text, OptionPage page, const ForEach& forEach) {
  const Options defaults;
  std::string rows;
  forEach([&](const auto& info, const auto& access) {
    if (info.page != page) return;
    rows += "| `" + optionName(info) + "` | " + takenBy(info) + " | " + defaultOf(access(defaults)) + " | " +
            helpOf(info) + " |\n";
  });
  if (rows.empty()) return;
  text += (text.empty() ? "| " : "\n| ") + std::string(nameOf(page)) +
          " | takes | default | what it does |\n|---|---|---|---|\n" + rows;
}

}  // namespace

std::string optionTables() {
  std::string text;
  for (std::size_t page = 0; page < Names<OptionPage>::list.size(); ++page) {
    addTable<EngineOptions>(text, static_cast<OptionPage>(page),
                            [](const auto& visit) { forEachEngineOption(visit); });
    addTable<Request>(text, static_cast<OptionPage>(page),
                      [](const auto& visit) { forEachRequestOption(visit); });
  }
  return text;
}

std::string optionTexts() {
  std::set<std::string> texts(kOptionPageLabels.begin(), kOptionPageLabels.end());
  const auto collect = [&](const auto& info, const auto&) {
    for (const char* text : {info.label, info.help, info.unit, info.zero}) texts.insert(text);
    texts.insert(info.labels.begin(), info.labels.end());
  };
  forEachEngineOption(collect);
  forEachRequestOption(collect);
  texts.erase("");
  std::string lines;
  for (const std::string& text : texts) lines += "QT_TRANSLATE_NOOP(\"Options\", \"" + text + "\");\n";
  return lines;
}

}  // namespace vitrine::cli
