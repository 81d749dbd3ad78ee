// What a line of Markdown looks like from outside: enough to see where a top-level block begins and ends.
#pragma once

#include <cstddef>
#include <string_view>

namespace vitrine {

struct LineShape {
  explicit LineShape(std::string_view line);  // with or without its line end

  bool isFence() const { return fenceLength > 0; }
  bool isListItem() const { return mark != 0; }

  int indent = 0;  // columns; a tab goes on to the next multiple of four
  bool isBlank = false, isQuote = false, isHeading = false, isRule = false;
  bool isUnderline = false;     // of a setext heading, if a paragraph is above it
  char mark = 0;                // of a list item: '-', '+', '*', '.', ')'; 0: none
  bool mayInterrupt = false;    // a list item that may end a paragraph without an empty line between
  char fence = 0;               // '`' or '~'
  std::size_t fenceLength = 0;  // 0: no line that opens or closes a fence
  std::string_view info;        // after the fence

 private:
  void readMarks(std::string_view text);
  void readFence(std::string_view text);
  void readListMark(std::string_view text);
};

}  // namespace vitrine
