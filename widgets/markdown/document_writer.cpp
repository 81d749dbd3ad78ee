#include "widgets/markdown/document_writer.h"

#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>

namespace vitrine {
namespace {

// One for the window's thread: the languages' files are read once.
CodeHighlighter& highlighter() {
  static CodeHighlighter only;
  return only;
}

// How many characters of a text block and of what it shall hold are the same, formats included.
int commonLength(const QTextBlock& block, const std::vector<StyledText>& stretches) {
  int common = 0;
  std::size_t stretch = 0;
  qsizetype inStretch = 0;
  for (auto it = block.begin(); !it.atEnd(); ++it) {
    const QString old = it.fragment().text();
    const QTextCharFormat format = it.fragment().charFormat();
    for (qsizetype at = 0; at < old.size();) {
      if (stretch == stretches.size() || stretches[stretch].format != format) return common;
      const QStringView mine = QStringView(stretches[stretch].text).mid(inStretch);
      const qsizetype length = std::min(mine.size(), old.size() - at);
      const auto [end, unused] = std::mismatch(mine.begin(), mine.begin() + length, old.begin() + at);
      const qsizetype same = end - mine.begin();
      common += static_cast<int>(same);
      if (same < length) return common;
      at += same;
      inStretch += same;
      if (inStretch == stretches[stretch].text.size()) ++stretch, inStretch = 0;
    }
  }
  return common;
}

// The rows of the table of a cell that are there from its row on.
int rowsFrom(const std::vector<Block>& blocks, std::size_t index) {
  std::size_t last = index;
  while (last + 1 < blocks.size() && blocks[last + 1].kind == BlockKind::kTableCell &&
         (blocks[last + 1].row > 0 || blocks[last + 1].column > 0))
    ++last;
  return static_cast<int>(blocks[last].row - blocks[index].row) + 1;
}

bool endsCodeBefore(const std::vector<Block>& blocks, std::size_t index) {
  if (index == 0 || blocks[index - 1].kind != BlockKind::kCodeLine) return false;
  const Block& block = blocks[index];
  return block.kind != BlockKind::kCodeLine || (block.line == 0 && !block.continues);
}

}  // namespace

DocumentWriter::DocumentWriter(QTextDocument* document) : m_document(document), m_cursor(document) {
  m_document->setUndoRedoEnabled(false);
  m_document->clear();
}

std::size_t DocumentWriter::write(const std::vector<Block>& blocks, std::size_t first, long work) {
  std::size_t next = std::min(first, m_units.size());
  m_cursor.beginEditBlock();
  while (next < blocks.size() && work > 0) {
    move(next, next + 1);
    if (!staysInPlace(blocks[next], next)) {
      next = truncate(next);
      place(blocks, next);
    }
    work -= writeBlock(blocks, next++);
  }
  move(next, m_units.size());
  m_shift = 0;
  if (next == blocks.size()) truncate(next);
  m_cursor.endEditBlock();
  return next;
}

// Once for all that was written before, so that a change of many blocks costs no square.
void DocumentWriter::move(std::size_t first, std::size_t last) {
  if (m_shift == 0) return;
  for (std::size_t i = first; i < std::min(last, m_units.size()); ++i)
    m_units[i].begin += m_shift, m_units[i].end += m_shift;
}

std::size_t DocumentWriter::at(int position) const {
  const auto after = std::ranges::upper_bound(m_units, position, {}, &Unit::begin);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - m_units.begin() - 1, 0));
}

bool DocumentWriter::staysInPlace(const Block& block, std::size_t index) const {
  if (index >= m_units.size()) return false;
  const Unit& unit = m_units[index];
  if (block.kind != BlockKind::kTableCell) return unit.table == nullptr;
  return unit.table != nullptr && unit.row == block.row && unit.column == block.column &&
         unit.columns == block.columns;
}

long DocumentWriter::writeBlock(const std::vector<Block>& blocks, std::size_t index) {
  const Block& block = blocks[index];
  long work = kBlockWork + static_cast<long>(block.text.size());
  const std::vector<CodeSpan> spans = highlight(block, index, m_units[index], work);
  m_cursor.setPosition(m_units[index].begin);
  const QTextBlockFormat format = blockFormat(block, endsCodeBefore(blocks, index), m_look);
  if (m_cursor.blockFormat() != format) m_cursor.setBlockFormat(format);
  if (QTextTable* const table = m_units[index].table; table && block.row == 0) {
    if (block.column == 0) table->setFormat(tableFormat(block, endsCodeBefore(blocks, index), m_look));
    QTextTableCell cell = table->cellAt(0, static_cast<int>(block.column));
    QTextTableCellFormat head;
    head.setBackground(m_look.codeBackground);
    if (cell.format().background() != head.background()) cell.setFormat(head);
  }
  setText(index, stretchesOf(block, spans, m_look));
  return work;
}

std::vector<CodeSpan> DocumentWriter::highlight(const Block& block, std::size_t index, Unit& unit,
                                                long& work) {
  unit.after.reset();
  if (block.kind != BlockKind::kCodeLine || block.codeOffset > kMaxHighlightedCode) return {};
  const bool isFirst = block.line == 0 && !block.continues;
  const CodeHighlighter::StatePtr before = isFirst || index == 0 ? nullptr : m_units[index - 1].after;
  unit.after = before;
  if (block.continues || block.text.size() > kMaxHighlightedLine) return {};
  constexpr long kLoadingWork = 1 << 20;  // nothing more in this call
  work += highlighter().isLoaded(block.language)
              ? static_cast<long>(block.text.size() * block.text.size() / 16)
              : kLoadingWork;
  CodeHighlighter::Line line = highlighter().highlight(block.language, block.text, before);
  unit.after = std::move(line.after);
  return std::move(line.spans);
}

// Makes room for a block at the end of the document, which holds the blocks before it.
void DocumentWriter::place(const std::vector<Block>& blocks, std::size_t index) {
  const Block& block = blocks[index];
  if (block.kind == BlockKind::kTableCell && (block.row > 0 || block.column > 0))
    return placeCell(blocks, index);
  m_cursor.movePosition(QTextCursor::End);
  if (index > 0) m_cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
  Unit unit;
  if (block.kind == BlockKind::kTableCell) {
    m_units.push_back(unit);
    QTextTable* const table = m_cursor.insertTable(rowsFrom(blocks, index), static_cast<int>(block.columns),
                                                   tableFormat(block, endsCodeBefore(blocks, index), m_look));
    m_units.back().table = table;
    m_units.back().columns = block.columns;
    m_units.back().begin = m_units.back().end = table->cellAt(0, 0).firstPosition();
    return;
  }
  unit.begin = unit.end = m_cursor.position();
  m_units.push_back(std::move(unit));
}

void DocumentWriter::placeCell(const std::vector<Block>& blocks, std::size_t index) {
  const Block& block = blocks[index];
  Unit unit;
  unit.table = m_units.back().table;
  unit.row = block.row;
  unit.column = block.column;
  unit.columns = block.columns;
  if (static_cast<int>(block.row) >= unit.table->rows()) unit.table->appendRows(rowsFrom(blocks, index));
  unit.begin = unit.end =
      unit.table->cellAt(static_cast<int>(block.row), static_cast<int>(block.column)).firstPosition();
  m_units.push_back(std::move(unit));
}

void DocumentWriter::setText(std::size_t index, const std::vector<StyledText>& stretches) {
  Unit& unit = m_units[index];
  const QTextBlock block = m_document->findBlock(unit.begin);
  int common = commonLength(block, stretches);
  if (common > 0 && block.text().at(common - 1).isHighSurrogate()) --common;
  const int oldEnd = unit.end;
  m_cursor.setPosition(unit.begin + common);
  m_cursor.setPosition(unit.begin + block.length() - 1, QTextCursor::KeepAnchor);
  if (m_cursor.hasSelection()) m_cursor.removeSelectedText();
  int at = 0;
  for (const StyledText& stretch : stretches) {
    const int length = static_cast<int>(stretch.text.size());
    const int known = std::clamp(common - at, 0, length);
    if (known < length) m_cursor.insertText(stretch.text.mid(known), stretch.format);
    at += length;
  }
  unit.end = unit.begin + at;
  m_shift += unit.end - oldEnd;
}

std::size_t DocumentWriter::truncate(std::size_t count) {
  if (count >= m_units.size()) return m_units.size();
  count -= m_units[count].column;
  const Unit& unit = m_units[count];
  if (unit.table && unit.row > 0) {
    QTextTable* const table = unit.table;
    table->removeRows(static_cast<int>(unit.row), table->rows() - static_cast<int>(unit.row));
    removeFrom(table->lastPosition() + 1, false);
  } else {
    const int begin = unit.table ? unit.table->firstPosition() - 1 : unit.begin;
    removeFrom(count == 0 ? 0 : begin - 1, count == 0);
  }
  m_units.resize(count);
  return count;
}

// To the end of the document. The block that it begins in keeps its format and tints, whichever of the two
// blocks Qt lets survive; as the first of an empty document it has none.
void DocumentWriter::removeFrom(int position, bool all) {
  m_cursor.setPosition(position);
  const QTextBlockFormat format = all ? QTextBlockFormat() : m_cursor.blockFormat();
  const QList<QTextLayout::FormatRange> tints =
      all ? QList<QTextLayout::FormatRange>() : m_cursor.block().layout()->formats();
  m_cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
  m_cursor.removeSelectedText();
  if (m_cursor.blockFormat() != format) m_cursor.setBlockFormat(format);
  if (m_cursor.block().length() == 1) m_cursor.setBlockCharFormat(QTextCharFormat());
  QTextLayout* const layout = m_cursor.block().layout();
  if (layout->formats() != tints) layout->setFormats(tints);
}

}  // namespace vitrine
