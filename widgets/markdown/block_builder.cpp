#include "widgets/markdown/block_builder.h"

#include <algorithm>
#include <array>
#include <bit>

#include "widgets/markdown/autolinks.h"
#include "widgets/markdown/maths_parser.h"
#include "widgets/markdown/shown_text.h"

namespace vitrine {
namespace {

constexpr std::size_t kMostAddressShown = 200;  // bytes

std::uint8_t shownDepth(std::size_t depth) {
  return static_cast<std::uint8_t>(std::min<std::size_t>(depth, kMaxDepth));
}

}  // namespace

BlockBuilder::BlockBuilder(std::string_view source, std::size_t begin, long long number,
                           std::vector<Block>& blocks)
    : m_source(source),
      m_first(blocks.size()),
      m_firstNumber(number),
      m_blocks(blocks),
      m_spaceNext(number < 0),
      m_place(begin) {}

void BlockBuilder::enterQuote() {
  closeBlock();
  ++m_quotes;
}

void BlockBuilder::leaveQuote() {
  closeBlock();
  --m_quotes;
}

void BlockBuilder::enterList(bool ordered, unsigned start, char delimiter, bool tight) {
  closeBlock();
  const bool goesOn = m_lists.empty() && m_firstNumber >= 0;
  m_lists.push_back({ordered, tight, !goesOn, goesOn ? m_firstNumber : start, delimiter});
  if (goesOn) m_firstNumber = -1;
}

void BlockBuilder::leaveList() {
  closeBlock();
  if (m_lists.size() == 1) m_nextNumber = m_lists.front().number;
  m_lists.pop_back();
  m_spaceNext = m_lists.empty() || !m_lists.back().tight;
}

std::string BlockBuilder::marker(bool isTask, bool ticked) {
  if (isTask) return ticked ? "☑\t" : "☐\t";
  const List& list = m_lists.back();
  if (list.ordered) return std::to_string(list.number) + list.delimiter + '\t';
  static constexpr std::array<const char*, 3> kBullets = {"•\t", "◦\t", "▪\t"};
  return kBullets[(m_lists.size() - 1) % kBullets.size()];
}

void BlockBuilder::enterItem(bool isTask, bool ticked) {
  closeBlock();
  List& list = m_lists.back();
  m_marker = marker(isTask, ticked);
  m_spaceNext = !list.tight || (list.isFirst && m_lists.size() == 1);
  list.isFirst = false;
  ++list.number;
}

void BlockBuilder::leaveItem() {
  if (!m_marker.empty()) openBlock(BlockKind::kParagraph);  // an item without a text
  closeBlock();
  m_spaceNext = !m_lists.back().tight;
}

Block& BlockBuilder::addBlock(BlockKind kind) {
  m_afterDisplay = false;
  Block& added = m_blocks.emplace_back();
  added.kind = kind;
  added.quoteDepth = shownDepth(static_cast<std::size_t>(m_quotes));
  added.listDepth = shownDepth(m_lists.size());
  added.spaced = m_spaceNext;
  m_spaceNext = m_lists.empty() || !m_lists.back().tight;
  return added;
}

void BlockBuilder::openBlock(BlockKind kind, int level) {
  closeBlock();
  addBlock(kind).level = static_cast<std::uint8_t>(level);
  m_isOpen = true;
  if (m_marker.empty()) return;
  addRun(m_marker, m_place, 0, false, kMarker);
  m_marker.clear();
}

void BlockBuilder::addRule() {
  openBlock(BlockKind::kRule);
  closeBlock();
}

void BlockBuilder::openCode(std::string_view language, bool fenced) {
  if (!m_marker.empty()) openBlock(BlockKind::kParagraph);
  closeBlock();
  m_language = fenced ? language : std::string_view();
  m_inCode = true;
  m_line = 0;
  m_codeBytes = 0;
}

void BlockBuilder::endCodeLine() {
  block();
  m_codeBytes += m_blocks.back().text.size() + 1;
  ++m_line;
  m_isOpen = false;
}

void BlockBuilder::openCell(CellAlign align) {
  openBlock(BlockKind::kTableCell);
  Block& cell = m_blocks.back();
  cell.align = align;
  cell.row = m_row;
  cell.column = m_column++;
  cell.columns = m_columns;
}

// The open block; text without one belongs to an item of a tight list, or begins a line of code.
Block& BlockBuilder::block() {
  if (m_isOpen) return m_blocks.back();
  if (!m_inCode) {
    openBlock(BlockKind::kParagraph);
    return m_blocks.back();
  }
  Block& code = addBlock(BlockKind::kCodeLine);
  code.spaced = code.spaced && m_line == 0;
  code.language = m_language;
  code.line = m_line;
  code.codeOffset = m_codeBytes;
  m_isOpen = true;
  return code;
}

void BlockBuilder::addStyle(std::uint8_t bit) { ++m_styles[std::countr_zero(bit)]; }
void BlockBuilder::removeStyle(std::uint8_t bit) {
  if (m_styles[std::countr_zero(bit)] > 0) --m_styles[std::countr_zero(bit)];
}

void BlockBuilder::enterLink(std::string_view href) {
  m_links.push_back({std::string(href), isAllowedAddress(href), false});
}

void BlockBuilder::enterImage(std::string_view address) {
  m_links.push_back({std::string(address), isAllowedAddress(address), true});
}

// What a picture would show and where a link leads that is none stands there to be read.
void BlockBuilder::leaveAddress() {
  if (m_links.empty()) return;  // md4c 0.4.8 may leave a span of hostile text that it did not enter
  Link link = std::move(m_links.back());
  m_links.pop_back();
  if ((link.allowed && !link.isImage) || link.address.empty()) return;
  std::string shown = shownText(link.address);
  if (shown.size() > kMostAddressShown)
    shown = shown.substr(0, cutAtCharacter(shown, 0, kMostAddressShown)) + "…";
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  m_links.push_back({link.address, link.allowed, false});
  addRun(" (" + shown + ")", m_place, 0, false, kAside);
  m_links.pop_back();
}

// The innermost address around the text, as an index in the open block.
int BlockBuilder::linkIndex() {
  if (m_links.empty() || !m_links.back().allowed) return -1;
  std::vector<std::string>& links = block().links;
  if (links.empty() || links.back() != m_links.back().address) links.push_back(m_links.back().address);
  return static_cast<int>(links.size()) - 1;
}

void BlockBuilder::addRun(std::string_view text, std::size_t source, std::size_t bytes, bool verbatim,
                          std::uint8_t style) {
  Block& open = block();
  for (int bit = 0; bit < 8; ++bit)
    if (m_styles[bit] > 0) style |= static_cast<std::uint8_t>(1u << bit);
  const int link = style & kMarker ? -1 : linkIndex();
  const auto begin = static_cast<std::uint32_t>(open.text.size());
  open.text += text;
  const auto end = static_cast<std::uint32_t>(open.text.size());
  if (!open.runs.empty()) {
    Run& last = open.runs.back();
    const bool joins = verbatim && last.verbatim && last.style == style && last.link == link;
    if (joins && last.source + last.sourceBytes == source) {
      last.end = end;
      last.sourceBytes += static_cast<std::uint32_t>(bytes);
      return;
    }
  }
  open.runs.push_back({begin, end, source, static_cast<std::uint32_t>(bytes), verbatim, style, link});
}

void BlockBuilder::addSource(std::size_t begin, std::size_t end) { addSource(begin, end, 0); }

void BlockBuilder::addMaths(std::size_t begin, std::size_t end, bool display, bool partial) {
  if (!partial && parseMaths(m_source.substr(begin, end - begin)))
    addFormula(begin, end, display);
  else
    addSource(begin, end, kMaths);
}

// A display formula of a paragraph is a block of its own, so that it stands in the middle of its line.
void BlockBuilder::addFormula(std::size_t begin, std::size_t end, bool display) {
  const bool inParagraph = block().kind == BlockKind::kParagraph;
  if (display && inParagraph && !block().runs.empty() && !(block().runs.back().style & kMarker)) {
    Block& before = block();
    if (const Run& last = before.runs.back(); !last.verbatim && last.sourceBytes == 0 && last.formula < 0) {
      before.text.resize(last.begin);  // the line's end
      before.runs.pop_back();
    }
    if (!before.runs.empty()) closeBlock();
  }
  addRun("\uFFFC", begin, end - begin, false, kMaths);
  Block& open = block();
  open.runs.back().formula = static_cast<std::int32_t>(open.formulas.size());
  open.formulas.emplace_back(m_source.substr(begin, end - begin));
  m_place = std::max(m_place, end);
  if (!display || !inParagraph) return;
  closeBlock();
  m_afterDisplay = true;
}

void BlockBuilder::addSource(std::size_t begin, std::size_t end, std::uint8_t style) {
  const std::string_view text = m_source.substr(0, end);
  for (std::size_t at = begin; at < end;) {
    const std::size_t from = at;
    const bool replaced = shownCharacter(text, at).replaced;
    std::string shown;
    while (at < end) {
      const ShownCharacter character = shownCharacter(text, at);
      if (character.replaced != replaced) break;
      appendUtf8(shown, character.code);
      at += character.sourceBytes;
    }
    addRun(shown, from, at - from, true, static_cast<std::uint8_t>(style | (replaced ? kReplaced : 0)));
  }
  m_place = std::max(m_place, end);
}

void BlockBuilder::addText(std::string_view shown) {
  const bool isLineEnd = shown == " " || shown == "\n";
  if (m_afterDisplay && !m_isOpen && isLineEnd) return;
  addRun(shown, m_place, 0, false, 0);
}

void BlockBuilder::addEntity(std::size_t begin, std::size_t end, std::string_view shown) {
  addRun(shown, begin, end - begin, false, 0);
  m_place = std::max(m_place, end);
}

}  // namespace vitrine
