// DocumentWriter: keeps a QTextDocument equal to a list of blocks, and touches only what differs.
//
// A block is one text block, a cell's in its table. What is equal stays: of a block that grew only its new
// end is inserted, so a selection in it holds and nothing flickers. Thread: the window's. Read next:
// markdown_text.h.
#pragma once

#include <QTextCursor>

#include "widgets/markdown/markdown_formats.h"

class QTextTable;

namespace vitrine {

class DocumentWriter {
 public:
  // The document belongs to the writer's owner. Only the writer changes its text.
  explicit DocumentWriter(QTextDocument* document);

  void setLook(const MarkdownLook& look) { m_look = look; }
  const MarkdownLook& look() const { return m_look; }

  // Writes blocks from `first` on until about `work` is spent: a byte of text costs 1, a block kBlockWork, a
  // line of code the square of its bytes / 16. Returns the index of the first block that is not written yet.
  std::size_t write(const std::vector<Block>& blocks, std::size_t first, long work);
  static constexpr long kBlockWork = 64;
  // Removes the blocks from `count` on, and those before it in its row of a table: returns how many are left.
  std::size_t truncate(std::size_t count);

  std::size_t size() const { return m_units.size(); }                  // blocks in the document
  int begin(std::size_t block) const { return m_units[block].begin; }  // a document position
  int end(std::size_t block) const { return m_units[block].end; }
  // The block at a position, or the last one before it.
  std::size_t at(int position) const;
  QTextDocument* document() const { return m_document; }

 private:
  struct Unit {
    int begin = 0, end = 0;
    QTextTable* table = nullptr;
    std::uint32_t row = 0, column = 0, columns = 0;
    CodeHighlighter::StatePtr after;  // of a code line
  };

  long writeBlock(const std::vector<Block>& blocks, std::size_t index);
  std::vector<CodeSpan> highlight(const Block& block, std::size_t index, Unit& unit, long& work);
  bool staysInPlace(const Block& block, std::size_t index) const;
  void place(const std::vector<Block>& blocks, std::size_t index);
  void placeCell(const std::vector<Block>& blocks, std::size_t index);
  void setText(std::size_t index, const std::vector<StyledText>& stretches);
  void removeFrom(int position, bool all);
  void move(std::size_t first, std::size_t last);

  QTextDocument* const m_document;
  QTextCursor m_cursor;
  MarkdownLook m_look;
  std::vector<Unit> m_units;
  int m_shift = 0;  // of what stands behind the block that is written
};

}  // namespace vitrine
