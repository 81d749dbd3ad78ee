#include "widgets/markdown/markdown_stream.h"

#include <algorithm>
#include <iterator>

#include "widgets/markdown/shown_text.h"

namespace vitrine {

std::size_t MarkdownStream::advance(std::size_t bytes) {
  m_taken += std::min(bytes, m_source.size() - m_taken);
  const std::size_t closedBefore = m_closed;
  const std::vector<Block> open(
      std::make_move_iterator(m_blocks.begin() + static_cast<std::ptrdiff_t>(m_closed)),
      std::make_move_iterator(m_blocks.end()));
  m_blocks.resize(m_closed);
  takeLines();
  m_closed = m_blocks.size();
  addOpenBlocks();
  std::size_t first = closedBefore;
  while (first < m_blocks.size() && first - closedBefore < open.size() &&
         m_blocks[first] == open[first - closedBefore])
    ++first;
  return first;
}

void MarkdownStream::takeLines() {
  const std::string_view text = std::string_view(m_source).substr(0, m_taken);
  while (true) {
    const std::size_t lineEnd = text.find('\n', m_searched);
    const bool isComplete = lineEnd != std::string_view::npos;
    m_searched = isComplete ? lineEnd + 1 : m_taken;
    if (m_cut > 0 || (isComplete ? lineEnd : m_taken) - m_line > kMaxLineBytes)
      takeLongLine(text.substr(0, m_searched));
    else if (isComplete)
      m_scanner.takeLine(text, m_line, m_searched, m_blocks);
    if (!isComplete) return;
    m_line = m_searched;
    m_cut = 0;
  }
}

// `text` ends with the line, or with what is there of it. Without the line's end the last cut waits for more
// than it can hold, so that the cuts do not depend on when the text came.
void MarkdownStream::takeLongLine(std::string_view text) {
  const bool isComplete = text.back() == '\n';
  std::size_t begin = std::max(m_cut, m_line);
  while (begin < text.size()) {
    if (!isComplete && text.size() - begin < kPlainCutBytes + 8) break;
    // The line's end is no cut of its own.
    const bool isLast = text.size() - begin <= kPlainCutBytes + 1;
    const std::size_t end = isLast && isComplete ? text.size() : cutAtCharacter(text, begin, kPlainCutBytes);
    m_scanner.takeCut(text, begin, end, begin == m_line, m_blocks);
    begin = end;
  }
  m_cut = begin;
}

// What the text would be if it ended here, by a copy of the scanner.
void MarkdownStream::addOpenBlocks() {
  BlockScanner scanner = m_scanner;
  const std::string_view text = std::string_view(m_source).substr(0, m_taken);
  if (m_cut > 0 && m_cut < m_taken)
    scanner.takeCut(text, m_cut, m_taken, false, m_blocks);
  else if (m_cut == 0 && m_line < m_taken)
    scanner.takeLine(text, m_line, m_taken, m_blocks);
  scanner.finish(text, m_blocks);
  m_openBytes += scanner.parsedBytes() - m_scanner.parsedBytes();
}

std::size_t MarkdownStream::sourceEnd(std::size_t block) const {
  return block + 1 < m_blocks.size() ? m_blocks[block + 1].sourceBegin : m_source.size();
}

std::vector<Block> parseMarkdown(std::string_view utf8) {
  MarkdownStream stream;
  stream.append(utf8);
  stream.advance(utf8.size());
  return stream.blocks();
}

}  // namespace vitrine
