// CodeHighlighter: the parts of a line of code (keywords, strings, comments, ...), by libsource-highlight.
//
// Line by line: a line begins in the state that the line before it left, so a program that grows costs its
// new lines. Without the library's files, for a language it does not know, for a long line, or when an
// expression takes too many steps, a line has no parts and is shown plain. Nothing throws. One thread at a
// time, and one highlighter at a time uses a language: the library keeps its own state.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

enum class CodePart : std::uint8_t {
  kPlain,
  kKeyword,
  kType,
  kString,
  kComment,
  kNumber,
  kPreprocessor,
  kFunction,
  kSymbol,
  kAdded,    // of a patch
  kRemoved,  // of a patch
};
inline constexpr int kCodeParts = 11;

struct CodeSpan {
  std::uint32_t begin = 0, end = 0;  // bytes of the line
  CodePart part = CodePart::kPlain;

  bool operator==(const CodeSpan&) const = default;
};

// Bounds in bytes: a longer line has no parts, and no line of a program has that begins after so many.
inline constexpr std::size_t kMaxHighlightedLine = 160;
inline constexpr std::size_t kMaxHighlightedCode = 64 * 1024;

class CodeHighlighter {
 public:
  struct State;  // what a line leaves to the next
  using StatePtr = std::shared_ptr<const State>;
  struct Line {
    std::vector<CodeSpan> spans;  // ascending, without kPlain
    StatePtr after;
  };

  // `dataFolder` holds lang.map and the languages' files; empty or without them: all code is plain.
  explicit CodeHighlighter(std::string dataFolder = findDataFolder());
  ~CodeHighlighter();
  CodeHighlighter(const CodeHighlighter&) = delete;
  CodeHighlighter& operator=(const CodeHighlighter&) = delete;

  // The first folder "source-highlight" with a lang.map in $XDG_DATA_DIRS or where the library was installed;
  // empty: none.
  static std::string findDataFolder();

  // The file of a language, by the names of lang.map and a few that it lacks ("c++", "rs"); empty: unknown.
  const std::string& fileOf(const std::string& language);
  // Whether the language's file was read already: to read one takes some ten milliseconds.
  bool isLoaded(const std::string& language);
  // The parts of a line without its end. `before`: what the line before left; null for the first one.
  Line highlight(const std::string& language, std::string_view line, const StatePtr& before);

 private:
  struct Languages;
  std::unique_ptr<Languages> m_languages;
};

}  // namespace vitrine
