// MarkdownStream: a message that grows, as blocks. Appending costs the size of the last open block.
//
// A block that ended never changes again; of the open ones `advance()` says which is the first that differs.
// The blocks depend on the text alone, not on how it was cut into parts. Any bytes are welcome. Time is
// bounded too: advance() takes a bounded number of bytes, so a host spreads a huge text over frames. No part
// of this library throws (memory aside), loads, or follows an address. Not for two threads at once.
//
// Differences from GitHub's Markdown, on purpose: HTML is text; link reference definitions are text, since
// they would change paragraphs that were finished before; e-mail addresses are no links without markup; the
// bounds of markdown_block.h. Read next: markdown_text.h, which shows the blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "widgets/markdown/block_scanner.h"
#include "widgets/markdown/markdown_block.h"

namespace vitrine {

class MarkdownStream {
 public:
  void append(std::string_view utf8) { m_source += utf8; }
  // Takes up to `bytes` of the text appended, and returns the index of the first block that differs from
  // before: the blocks' number if none does.
  std::size_t advance(std::size_t bytes);
  bool pending() const { return m_taken < m_source.size(); }
  void clear() { *this = MarkdownStream(); }

  const std::string& source() const { return m_source; }
  const std::vector<Block>& blocks() const { return m_blocks; }
  std::size_t closed() const { return m_closed; }  // blocks that never change again
  // Where the part of the source of a block ends.
  std::size_t sourceEnd(std::size_t block) const;
  // Bytes given to the parser so far, those of open blocks each time: what a test counts instead of time.
  std::uint64_t parsedBytes() const { return m_scanner.parsedBytes() + m_openBytes; }

 private:
  void takeLines();
  void takeLongLine(std::string_view text);
  void addOpenBlocks();

  std::string m_source;
  std::vector<Block> m_blocks;
  std::size_t m_closed = 0;
  std::size_t m_taken = 0;     // of the source: what advance() has seen
  std::size_t m_line = 0;      // where the line begins that is not complete
  std::size_t m_searched = 0;  // no line end between m_line and here
  std::size_t m_cut = 0;       // of a long line: what its cuts hold already; 0: the line is not long
  BlockScanner m_scanner;
  std::uint64_t m_openBytes = 0;
};

// All at once.
std::vector<Block> parseMarkdown(std::string_view utf8);

}  // namespace vitrine
