#include "widgets/markdown/block_scanner.h"

#include <algorithm>
#include <utility>

#include "widgets/markdown/block_builder.h"
#include "widgets/markdown/entities.h"
#include "widgets/markdown/footnotes.h"
#include "widgets/markdown/maths_spans.h"
#include "widgets/markdown/piece_parser.h"

namespace vitrine {
namespace {

bool endsAnyPiece(const LineShape& line) { return line.isFence() || line.isHeading || line.isQuote; }

}  // namespace

BlockScanner::Step BlockScanner::stepInLeaf(const LineShape& line) const {
  // A line of a formula may begin with a minus or be an equals sign. Without the formula's end md4c finds
  // what blocks there are.
  if (m_maths != 0) return line.isBlank || line.isFence() ? Step::kEnd : Step::kGoOn;
  const bool isRule = line.isRule && !line.isUnderline;
  return line.isBlank || endsAnyPiece(line) || isRule || line.mayInterrupt ? Step::kEnd : Step::kGoOn;
}

// Items are indented by two columns at least, so a line with less is none of theirs unless it goes on with a
// paragraph (CommonMark's lazy continuation).
BlockScanner::Step BlockScanner::stepInList(const LineShape& line, std::size_t begin) const {
  if (line.isBlank || line.indent >= 2) return Step::kGoOn;
  if (endsAnyPiece(line) || line.isRule) return Step::kEnd;
  if (line.isListItem() && line.mark == m_mark)
    return begin - m_begin > kSoftListBytes ? Step::kCut : Step::kGoOn;
  return m_wasBlank || line.mayInterrupt ? Step::kEnd : Step::kGoOn;
}

BlockScanner::Step BlockScanner::stepOf(const LineShape& line, std::size_t begin) const {
  switch (m_state) {
    case State::kLeaf:
      return stepInLeaf(line);
    case State::kList:
      return stepInList(line, begin);
    case State::kQuote:
      if (line.isQuote) return Step::kGoOn;
      return line.isBlank || endsAnyPiece(line) || line.isRule || line.mayInterrupt ? Step::kEnd
                                                                                    : Step::kGoOn;
    case State::kIndented:
      return line.isBlank || line.indent >= 4 ? Step::kGoOn : Step::kEnd;
    case State::kNone:
    case State::kFence:
      break;
  }
  return Step::kGoOn;
}

void BlockScanner::openFence(const LineShape& line, std::size_t begin) {
  m_state = State::kFence;
  m_fence = line.fence;
  m_fenceLength = line.fenceLength;
  m_fenceIndent = line.indent;
  m_fenceBegin = begin;
  m_codeLines = 0;
  m_codeBytes = 0;
  m_language = codeLanguage(line.info);
}

void BlockScanner::open(const LineShape& line, std::size_t begin) {
  m_begin = m_end = begin;
  m_isPlain = false;
  m_maths = 0;
  m_mark = line.mark;
  m_underNote = std::exchange(m_afterNote, false) && line.indent >= 4;
  if (line.isFence()) return openFence(line, begin);
  m_state = line.indent >= 4    ? State::kIndented
            : line.isQuote      ? State::kQuote
            : line.isListItem() ? State::kList
                                : State::kLeaf;
}

void BlockScanner::close(std::string_view source, std::size_t end, bool growing, std::vector<Block>& blocks) {
  const bool isOpen = m_state != State::kNone && m_state != State::kFence;
  if (isOpen && !m_isPlain && end > m_begin) {
    m_number = parsePiece(source, m_begin, end, m_number, growing, m_underNote, blocks);
    m_parsedBytes += end - m_begin;
    m_afterNote = !blocks.empty() && endsWithNote(blocks.back());
  }
  m_state = State::kNone;
}

void BlockScanner::takeLine(std::string_view source, std::size_t begin, std::size_t end,
                            std::vector<Block>& blocks) {
  if (m_state == State::kFence) return takeFenceLine(source, begin, end, blocks);
  const LineShape line(source.substr(begin, end - begin));
  const Step step = stepOf(line, begin);
  if (step != Step::kGoOn) close(source, begin, false, blocks);
  if (m_state == State::kNone) {
    if (line.isBlank) return;
    if (step != Step::kCut) m_number = -1;
    open(line, begin);
    if (m_state == State::kFence) return;
  } else if (!m_isPlain && end - m_begin > kMaxPieceBytes) {
    const State state = m_state;
    close(source, begin, false, blocks);
    m_state = state;
    m_isPlain = true;
  }
  if (line.isListItem() && line.indent < 2) m_mark = line.mark;
  if (m_isPlain) addPlainLine(source, begin, end, false, blocks);
  m_wasBlank = line.isBlank;
  const bool wasLeaf = m_state == State::kLeaf;
  const bool isUnderline = line.isUnderline && m_end > m_begin;
  const bool inMaths = m_maths != 0;
  if (wasLeaf) m_maths = openMathsAfter(source.substr(begin, end - begin), m_maths);
  m_end = end;
  if (wasLeaf && !inMaths && (line.isHeading || line.isRule || isUnderline))
    close(source, end, false, blocks);
}

void BlockScanner::takeFenceLine(std::string_view source, std::size_t begin, std::size_t end,
                                 std::vector<Block>& blocks) {
  const LineShape line(source.substr(begin, end - begin));
  if (line.fence == m_fence && line.fenceLength >= m_fenceLength && line.info.empty()) {
    m_state = State::kNone;
    return;
  }
  std::size_t codeBegin = begin;
  for (int i = 0; i < m_fenceIndent && codeBegin < end && source[codeBegin] == ' '; ++i) ++codeBegin;
  addCodeLine(source, codeBegin, end, false, blocks);
  ++m_codeLines;
  m_codeBytes += end - codeBegin;
}

void BlockScanner::addCodeLine(std::string_view source, std::size_t begin, std::size_t end, bool continues,
                               std::vector<Block>& blocks) {
  addPlainLine(source, begin, end, continues, blocks);
  Block& code = blocks.back();
  code.kind = BlockKind::kCodeLine;
  code.spaced = m_codeLines == 0 && !continues;
  code.language = m_language;
  code.line = m_codeLines;
  code.codeOffset = m_codeBytes;
  if (m_codeLines == 0 && !continues) code.sourceBegin = m_fenceBegin;
}

void BlockScanner::takeCut(std::string_view source, std::size_t begin, std::size_t end, bool isFirst,
                           std::vector<Block>& blocks) {
  if (m_state != State::kFence) {
    if (isFirst) close(source, begin, false, blocks);
    m_number = -1;
    m_afterNote = false;
    addPlainLine(source, begin, end, !isFirst, blocks);
    return;
  }
  addCodeLine(source, begin, end, !isFirst, blocks);
  m_codeBytes += end - begin;
  if (source[end - 1] == '\n') ++m_codeLines;
}

void BlockScanner::finish(std::string_view source, std::vector<Block>& blocks) {
  close(source, m_end, true, blocks);
}

}  // namespace vitrine
