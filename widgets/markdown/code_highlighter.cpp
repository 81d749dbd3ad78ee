#include "widgets/markdown/code_highlighter.h"

#include <srchilite/formatter.h>
#include <srchilite/formattermanager.h>
#include <srchilite/formatterparams.h>
#include <srchilite/langdefmanager.h>
#include <srchilite/langmap.h>
#include <srchilite/regexrulefactory.h>
#include <srchilite/settings.h>
#include <srchilite/sourcehighlighter.h>

#include <boost/make_shared.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

namespace vitrine {
namespace {

constexpr const char* kMap = "lang.map";

// What models write after a fence and lang.map does not have: another name that it may have.
const std::map<std::string, std::string> kOtherNames = {
    {"c++", "cpp"},       {"c#", "cs"},         {"python3", "python"}, {"rust", "rs"},   {"golang", "go"},
    {"typescript", "js"}, {"ts", "js"},         {"jsx", "js"},         {"tsx", "js"},    {"console", "sh"},
    {"shell", "sh"},      {"zsh", "sh"},        {"make", "makefile"},  {"ocaml", "ml"},  {"kotlin", "java"},
    {"jsonc", "json"},    {"objective-c", "c"}, {"svg", "xml"},        {"json5", "json"}};

// The library's names of parts.
const std::map<std::string, CodePart> kParts = {
    {"keyword", CodePart::kKeyword},      {"type", CodePart::kType},
    {"usertype", CodePart::kType},        {"classname", CodePart::kType},
    {"string", CodePart::kString},        {"specialchar", CodePart::kString},
    {"regexp", CodePart::kString},        {"comment", CodePart::kComment},
    {"todo", CodePart::kComment},         {"number", CodePart::kNumber},
    {"preproc", CodePart::kPreprocessor}, {"label", CodePart::kPreprocessor},
    {"function", CodePart::kFunction},    {"symbol", CodePart::kSymbol},
    {"cbracket", CodePart::kSymbol},      {"predef_var", CodePart::kType},
    {"predef_func", CodePart::kFunction}, {"variable", CodePart::kType},
    {"attribute", CodePart::kType},       {"value", CodePart::kString},
    {"path", CodePart::kString},          {"url", CodePart::kString},
    {"date", CodePart::kNumber},          {"time", CodePart::kNumber},
    {"file", CodePart::kFunction},        {"newfile", CodePart::kAdded},
    {"oldfile", CodePart::kRemoved},      {"difflines", CodePart::kPreprocessor},
    {"property", CodePart::kType},        {"selector", CodePart::kKeyword},
    {"section", CodePart::kPreprocessor}, {"argument", CodePart::kType},
    {"meta", CodePart::kPreprocessor}};

struct Collector {
  std::size_t size = 0;  // of the line
  std::vector<CodeSpan> spans;

  void add(std::size_t begin, std::size_t length, CodePart part) {
    const auto first = static_cast<std::uint32_t>(std::min(begin, size));
    const auto last = static_cast<std::uint32_t>(std::min(begin + length, size));
    if (first >= last || (!spans.empty() && spans.back().end > first)) return;
    const bool joins = !spans.empty() && spans.back().part == part && spans.back().end == first;
    if (joins)
      spans.back().end = last;
    else
      spans.push_back({first, last, part});
  }
};

class PartFormatter : public srchilite::Formatter {
 public:
  PartFormatter(CodePart part, Collector* collector) : m_part(part), m_collector(collector) {}
  void format(const std::string& text, const srchilite::FormatterParams* params) override {
    if (m_part != CodePart::kPlain && params && params->start >= 0)
      m_collector->add(static_cast<std::size_t>(params->start), text.size(), m_part);
  }

 private:
  const CodePart m_part;
  Collector* const m_collector;
};

}  // namespace

struct CodeHighlighter::State {
  srchilite::HighlightStatePtr current;
  srchilite::HighlightStateStack stack;

  bool operator==(const State&) const = default;
};

struct CodeHighlighter::Languages {
  explicit Languages(std::string dataFolder)
      : folder(std::move(dataFolder)),
        definitions(&rules),
        formatters(boost::make_shared<PartFormatter>(CodePart::kPlain, &collector)) {
    for (const auto& [name, part] : kParts)
      formatters.addFormatter(name, boost::make_shared<PartFormatter>(part, &collector));
    try {
      if (folder.empty()) return;
      map.emplace(folder, kMap);
      map->open();
    } catch (...) {
      map.reset();
    }
  }

  // The beginning of a language's rules; null: unknown or unreadable. A file is read once.
  srchilite::HighlightStatePtr rulesOf(const std::string& file) {
    const auto [place, isNew] = mains.try_emplace(file);
    if (!isNew || file.empty()) return place->second;
    try {
      place->second = definitions.getHighlightState(folder, file);
    } catch (...) {  // a file is missing or broken: the library throws several types, not all std::exception
    }
    return place->second;
  }

  std::string folder;
  srchilite::RegexRuleFactory rules;
  srchilite::LangDefManager definitions;
  Collector collector;
  srchilite::FormatterManager formatters;
  std::optional<srchilite::LangMap> map;
  std::map<std::string, std::string> files;  // by language
  std::map<std::string, srchilite::HighlightStatePtr> mains;
};

CodeHighlighter::CodeHighlighter(std::string dataFolder)
    : m_languages(std::make_unique<Languages>(std::move(dataFolder))) {}

CodeHighlighter::~CodeHighlighter() = default;

std::string CodeHighlighter::findDataFolder() {
  const char* const given = std::getenv("XDG_DATA_DIRS");
  std::string folders = given && *given ? given : "/usr/local/share:/usr/share";
  folders += ":/app/share";  // a Flatpak
  std::error_code ignored;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::filesystem::path folder =
        std::filesystem::path(folders.substr(begin, end - begin)) / "source-highlight";
    if (folder.is_absolute() && std::filesystem::is_regular_file(folder / kMap, ignored))
      return folder.string();
    begin = end + 1;
  }
  const std::filesystem::path installed = srchilite::Settings::getDefaultDataDir();
  return std::filesystem::is_regular_file(installed / kMap, ignored) ? installed.string() : std::string();
}

const std::string& CodeHighlighter::fileOf(const std::string& language) {
  constexpr std::size_t kMostNames = 1024;  // a hostile text invents languages
  if (m_languages->files.size() > kMostNames) m_languages->files.clear();
  const auto [place, isNew] = m_languages->files.try_emplace(language);
  if (!isNew || !m_languages->map || language.empty()) return place->second;
  place->second = m_languages->map->getMappedFileName(language);
  const auto other = kOtherNames.find(language);
  if (place->second.empty() && other != kOtherNames.end())
    place->second = m_languages->map->getMappedFileName(other->second);
  return place->second;
}

bool CodeHighlighter::isLoaded(const std::string& language) {
  const std::string& file = fileOf(language);
  return file.empty() || m_languages->mains.contains(file);
}

CodeHighlighter::Line CodeHighlighter::highlight(const std::string& language, std::string_view line,
                                                 const StatePtr& before) {
  if (line.size() > kMaxHighlightedLine) return {{}, before};
  const srchilite::HighlightStatePtr main = m_languages->rulesOf(fileOf(language));
  if (!main) return {{}, nullptr};
  Collector& collector = m_languages->collector;
  collector = {line.size(), {}};
  try {
    srchilite::SourceHighlighter highlighter(main);
    srchilite::FormatterParams params;
    params.start = 0;
    highlighter.setFormatterManager(&m_languages->formatters);
    highlighter.setFormatterParams(&params);
    highlighter.setOptimize(false);
    if (before) {
      highlighter.setCurrentState(before->current);
      highlighter.setStateStack(boost::make_shared<srchilite::HighlightStateStack>(before->stack));
    }
    highlighter.highlightParagraph(std::string(line));
    State after{highlighter.getCurrentState(), *highlighter.getStateStack()};
    const bool same = before ? after == *before : after.stack.empty() && after.current == main;
    return {std::move(collector.spans), same ? before : std::make_shared<const State>(std::move(after))};
  } catch (...) {  // an expression took too many steps
    return {{}, before};
  }
}

}  // namespace vitrine
