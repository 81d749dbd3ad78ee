// BlockBuilder: the parser's events, in the order of the text, become blocks.
//
// Offsets are those of the whole source. Nothing here depends on md4c. Read next: piece_parser.h.
#pragma once

#include <string_view>

#include "widgets/markdown/markdown_block.h"

namespace vitrine {

class BlockBuilder {
 public:
  // Appends to `blocks`. The first block begins at `begin`. A list goes on with `number` unless that is
  // negative: then it is the piece's own.
  BlockBuilder(std::string_view source, std::size_t begin, long long number, std::vector<Block>& blocks);

  void enterQuote();
  void leaveQuote();
  void enterList(bool ordered, unsigned start, char delimiter, bool tight);
  void leaveList();
  void enterItem(bool isTask, bool ticked);
  void leaveItem();

  void openBlock(BlockKind kind, int level = 0);
  void closeBlock() { m_isOpen = m_afterDisplay = false; }
  void addRule();
  void openCode(std::string_view language, bool fenced);
  void endCodeLine();
  void closeCode() { m_isOpen = m_inCode = false; }
  void openTable(std::uint32_t columns) { m_columns = columns, m_row = 0, m_column = 0; }
  void nextRow() { ++m_row, m_column = 0; }
  void openCell(CellAlign align);

  void addStyle(std::uint8_t bit);
  void removeStyle(std::uint8_t bit);
  void enterLink(std::string_view href);
  void leaveLink() { leaveAddress(); }
  void enterImage(std::string_view address);
  void leaveImage() { leaveAddress(); }

  void addSource(std::size_t begin, std::size_t end);  // shown character by character
  // A formula, or a `partial` line of one, which is shown as it is written. So is one that cannot be set.
  void addMaths(std::size_t begin, std::size_t end, bool display, bool partial);
  void addText(std::string_view shown);  // made of what stood after the text before
  void addEntity(std::size_t begin, std::size_t end, std::string_view shown);

  long long nextNumber() const { return m_nextNumber; }  // after the last top-level list; negative: none
  std::size_t size() const { return m_blocks.size() - m_first; }

 private:
  struct List {
    bool ordered, tight, isFirst;
    long long number;
    char delimiter;
  };
  struct Link {
    std::string address;
    bool allowed, isImage;
  };

  void addFormula(std::size_t begin, std::size_t end, bool display);
  Block& block();
  Block& addBlock(BlockKind kind);
  void addRun(std::string_view text, std::size_t source, std::size_t bytes, bool verbatim,
              std::uint8_t style);
  void addSource(std::size_t begin, std::size_t end, std::uint8_t style);
  void leaveAddress();
  std::string marker(bool isTask, bool ticked);
  int linkIndex();

  const std::string_view m_source;
  const std::size_t m_first;
  long long m_firstNumber, m_nextNumber = -1;
  std::vector<Block>& m_blocks;
  std::vector<List> m_lists;
  std::vector<Link> m_links;
  std::string m_marker;  // of an item whose first block has not come yet
  std::string m_language;
  int m_quotes = 0, m_styles[8] = {};
  bool m_isOpen = false, m_inCode = false, m_spaceNext = true;
  bool m_afterDisplay = false;  // the paragraph goes on after a display formula
  std::uint32_t m_columns = 0, m_row = 0, m_column = 0, m_line = 0;
  std::size_t m_codeBytes = 0, m_place;  // m_place: the source up to here has been shown
};

}  // namespace vitrine
