// BlockScanner: line by line, where the top-level pieces of a message end. A piece that ended is parsed, and
// its blocks never change again.
//
// A piece ends where CommonMark leaves no doubt: at an empty line after a paragraph or quote, at a heading,
// rule or fence, before a line that no list can hold. Where there is doubt it goes on; md4c then finds the
// blocks in it. Lines of a fence are blocks at once, so a long program costs a line at a time. A scanner is a
// small value: a copy of it looks at a line that is not yet complete.
#pragma once

#include <string>
#include <string_view>

#include "widgets/markdown/line_shape.h"
#include "widgets/markdown/markdown_block.h"

namespace vitrine {

class BlockScanner {
 public:
  // The line source[begin, end), its line end included if it is there.
  void takeLine(std::string_view source, std::size_t begin, std::size_t end, std::vector<Block>& blocks);
  // A part of a line longer than kMaxLineBytes: its first one, or not.
  void takeCut(std::string_view source, std::size_t begin, std::size_t end, bool isFirst,
               std::vector<Block>& blocks);
  // As if the text ended here.
  void finish(std::string_view source, std::vector<Block>& blocks);

  std::uint64_t parsedBytes() const { return m_parsedBytes; }  // given to the parser of pieces so far

 private:
  enum class State : std::uint8_t { kNone, kFence, kLeaf, kList, kQuote, kIndented };
  enum class Step : std::uint8_t { kGoOn, kEnd, kCut };

  Step stepOf(const LineShape& line, std::size_t begin) const;
  Step stepInLeaf(const LineShape& line) const;
  Step stepInList(const LineShape& line, std::size_t begin) const;
  void open(const LineShape& line, std::size_t begin);
  void openFence(const LineShape& line, std::size_t begin);
  void close(std::string_view source, std::size_t end, bool growing, std::vector<Block>& blocks);
  void takeFenceLine(std::string_view source, std::size_t begin, std::size_t end, std::vector<Block>& blocks);
  void addCodeLine(std::string_view source, std::size_t begin, std::size_t end, bool continues,
                   std::vector<Block>& blocks);

  State m_state = State::kNone;
  bool m_wasBlank = false;   // the line before
  char m_maths = 0;          // what ends the display formula that is open in a paragraph; 0: none is
  bool m_isPlain = false;    // the piece exceeded its bound; its lines are plain from here
  bool m_afterNote = false;  // the piece before ends with a footnote
  bool m_underNote = false;  // the piece goes on with it
  std::size_t m_begin = 0, m_end = 0;
  char m_mark = 0;          // of the list's items
  long long m_number = -1;  // of the next item of a list that was cut; negative: a list begins anew
  char m_fence = 0;
  std::size_t m_fenceLength = 0, m_fenceBegin = 0, m_codeBytes = 0;
  int m_fenceIndent = 0;
  std::uint32_t m_codeLines = 0;
  std::string m_language;
  std::uint64_t m_parsedBytes = 0;
};

}  // namespace vitrine
