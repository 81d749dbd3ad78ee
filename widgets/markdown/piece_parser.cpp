#include "widgets/markdown/piece_parser.h"

#include <md4c.h>
#include <algorithm>

#include "widgets/markdown/autolinks.h"
#include "widgets/markdown/block_builder.h"
#include "widgets/markdown/entities.h"
#include "widgets/markdown/footnotes.h"
#include "widgets/markdown/maths_spans.h"
#include "widgets/markdown/shown_text.h"

namespace vitrine {
namespace {

constexpr unsigned kDialect =
    MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_NOHTMLBLOCKS | MD_FLAG_NOHTMLSPANS;
constexpr char kMask = '\x7f';  // a character that addresses may not hold, and that is no space
constexpr char kFormula = 'x';  // instead of each byte of a formula: a word, in addresses, too

std::string masked(std::string_view piece, const std::vector<MathsSpan>& maths) {
  std::string text(piece);
  bool inHost = false;  // of an address such as http://[::1]:80/
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool lineEnd = c == '\n' || (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n');
    if (c < 0x20 && c != '\t' && !lineEnd) text[i] = kMask;
    if (c == '[') inHost = i >= 2 && text[i - 1] == '/' && text[i - 2] == '/';
    if (c == ':' && i > 0 && text[i - 1] == ']' && !inHost) text[i] = kMask;
  }
  for (const MathsSpan& span : maths)
    std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(span.begin), span.end - span.begin, kFormula);
  return text;
}

// A text without some of its bytes, with the way back.
struct Unindented {
  std::string text;
  // Of lines, in their order: where they begin in `text`, and how many bytes are missing before.
  std::vector<std::pair<std::size_t, std::size_t>> lines = {};

  std::size_t before(std::size_t at) const {
    const auto after = std::ranges::upper_bound(lines, at, {}, &std::pair<std::size_t, std::size_t>::first);
    return after == lines.begin() ? at : at + std::prev(after)->second;
  }
};

// Lines without the four columns that set what belongs to a footnote off.
Unindented unindented(std::string_view text) {
  constexpr std::size_t kColumns = 4;
  Unindented made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    for (std::size_t column = 0; column < kColumns && at < text.size(); ++at) {
      if (text[at] == '\t')
        column = kColumns;
      else if (text[at] == ' ')
        ++column;
      else
        break;
    }
    const std::size_t missing = (made.lines.empty() ? 0 : made.lines.back().second) + at - begin;
    made.lines.emplace_back(made.text.size(), missing);
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    made.text += text.substr(at, end - at);
    at = end;
  }
  return made;
}

std::string attributeText(const MD_ATTRIBUTE& attribute) {
  std::string text;
  if (attribute.text == nullptr) return text;
  for (int i = 0; attribute.substr_offsets[i] < attribute.size; ++i) {
    const std::string_view part(attribute.text + attribute.substr_offsets[i],
                                attribute.substr_offsets[i + 1] - attribute.substr_offsets[i]);
    text += attribute.substr_types[i] == MD_TEXT_ENTITY ? entityText(part) : std::string(part);
  }
  return text;
}

CellAlign alignOf(MD_ALIGN align) {
  switch (align) {
    case MD_ALIGN_LEFT:
      return CellAlign::kLeft;
    case MD_ALIGN_CENTER:
      return CellAlign::kCenter;
    case MD_ALIGN_RIGHT:
      return CellAlign::kRight;
    case MD_ALIGN_DEFAULT:
      break;
  }
  return CellAlign::kDefault;
}

struct Parsing {
  BlockBuilder builder;
  Unindented text;  // masked
  std::size_t begin;
  const std::vector<MathsSpan>& maths;
  std::vector<bool> shown = std::vector<bool>(maths.size());  // of the formulas
  bool inCode = false;

  // Offset in the piece of what md4c points at; none for what it made itself.
  bool offsetOf(const char* at, std::size_t& offset) const {
    const auto address = reinterpret_cast<std::uintptr_t>(at),
               base = reinterpret_cast<std::uintptr_t>(text.text.data());
    if (address < base || address >= base + text.text.size()) return false;
    offset = begin + text.before(address - base);
    return true;
  }
  // Text of the source, in which formulas may stand. What is code or an address to md4c is no formula.
  void addSource(std::size_t from, std::size_t to) {
    std::size_t at = from;
    auto span = std::ranges::lower_bound(maths, from - begin, {}, &MathsSpan::begin);
    for (; span != maths.end() && begin + span->end <= to; ++span) {
      if (at < begin + span->begin) builder.addSource(at, begin + span->begin);
      at = begin + span->end;
      builder.addMaths(begin + span->begin, at, span->display, span->partial);
      shown[static_cast<std::size_t>(span - maths.begin())] = true;
    }
    if (at < to) builder.addSource(at, to);
  }
  int verdict() const { return builder.size() > kMaxPieceBlocks ? 1 : 0; }
};

void enterCode(Parsing& parsing, const MD_BLOCK_CODE_DETAIL& detail) {
  parsing.inCode = true;
  parsing.builder.openCode(codeLanguage(attributeText(detail.lang)), detail.fence_char != 0);
}

int enterBlock(MD_BLOCKTYPE type, void* detail, void* user) {
  auto& parsing = *static_cast<Parsing*>(user);
  BlockBuilder& builder = parsing.builder;
  if (type == MD_BLOCK_QUOTE) builder.enterQuote();
  if (type == MD_BLOCK_UL)
    builder.enterList(false, 0, ' ', static_cast<MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0);
  if (type == MD_BLOCK_OL) {
    const auto& list = *static_cast<MD_BLOCK_OL_DETAIL*>(detail);
    builder.enterList(true, list.start, list.mark_delimiter, list.is_tight != 0);
  }
  if (type == MD_BLOCK_LI) {
    const auto& item = *static_cast<MD_BLOCK_LI_DETAIL*>(detail);
    builder.enterItem(item.is_task != 0, item.is_task != 0 && item.task_mark != ' ');
  }
  if (type == MD_BLOCK_HR) builder.addRule();
  if (type == MD_BLOCK_H)
    builder.openBlock(BlockKind::kHeading, static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
  if (type == MD_BLOCK_P) builder.openBlock(BlockKind::kParagraph);
  if (type == MD_BLOCK_CODE) enterCode(parsing, *static_cast<MD_BLOCK_CODE_DETAIL*>(detail));
  if (type == MD_BLOCK_TABLE) builder.openTable(static_cast<MD_BLOCK_TABLE_DETAIL*>(detail)->col_count);
  if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
    builder.openCell(alignOf(static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align));
  return parsing.verdict();
}

int leaveBlock(MD_BLOCKTYPE type, void*, void* user) {
  auto& parsing = *static_cast<Parsing*>(user);
  BlockBuilder& builder = parsing.builder;
  if (type == MD_BLOCK_QUOTE) builder.leaveQuote();
  if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) builder.leaveList();
  if (type == MD_BLOCK_LI) builder.leaveItem();
  if (type == MD_BLOCK_CODE) builder.closeCode(), parsing.inCode = false;
  if (type == MD_BLOCK_TR) builder.nextRow();
  if (type == MD_BLOCK_P || type == MD_BLOCK_H || type == MD_BLOCK_TH || type == MD_BLOCK_TD)
    builder.closeBlock();
  return parsing.verdict();
}

std::uint8_t styleOf(MD_SPANTYPE type) {
  return type == MD_SPAN_EM       ? kEmphasis
         : type == MD_SPAN_STRONG ? kStrong
         : type == MD_SPAN_DEL    ? kStrike
         : type == MD_SPAN_CODE   ? kCode
                                  : std::uint8_t{0};
}

int enterSpan(MD_SPANTYPE type, void* detail, void* user) {
  auto& parsing = *static_cast<Parsing*>(user);
  if (const std::uint8_t style = styleOf(type)) parsing.builder.addStyle(style);
  if (type == MD_SPAN_A)
    parsing.builder.enterLink(attributeText(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
  if (type == MD_SPAN_IMG)
    parsing.builder.enterImage(attributeText(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src));
  return 0;
}

int leaveSpan(MD_SPANTYPE type, void*, void* user) {
  auto& parsing = *static_cast<Parsing*>(user);
  if (const std::uint8_t style = styleOf(type)) parsing.builder.removeStyle(style);
  if (type == MD_SPAN_A) parsing.builder.leaveLink();
  if (type == MD_SPAN_IMG) parsing.builder.leaveImage();
  return 0;
}

int addText(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  auto& parsing = *static_cast<Parsing*>(user);
  const std::string_view shown(text, size);
  std::size_t at = 0;
  const bool inSource = parsing.offsetOf(text, at);
  if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)  // a poem and an address keep their lines
    parsing.builder.addText("\n");
  else if (type == MD_TEXT_ENTITY && inSource)
    parsing.builder.addEntity(at, at + size, entityText(shown));
  else if (parsing.inCode && shown == "\n")
    parsing.builder.endCodeLine();
  else if (inSource && (parsing.inCode || type == MD_TEXT_CODE))
    parsing.builder.addSource(at, at + size);
  else if (inSource)
    parsing.addSource(at, at + size);
  else if (!shown.empty())
    parsing.builder.addText(shownText(shown));
  return parsing.verdict();
}

// Whether md4c may see it. Its marks are what its inline parser stores and resolves.
bool isWithinBounds(std::string_view piece) {
  const auto marks = std::ranges::count_if(
      piece, [](char c) { return std::string_view("*_`~[]!<&\\").find(c) != std::string_view::npos; });
  return piece.size() <= kMaxPieceBytes && static_cast<std::size_t>(marks) <= kMaxPieceMarks;
}

void addPlainLines(std::string_view source, std::size_t begin, std::size_t end, std::vector<Block>& blocks) {
  while (begin < end) {
    const std::size_t lineEnd = std::min(source.find('\n', begin), end - 1) + 1;
    addPlainLine(source, begin, lineEnd, false, blocks);
    begin = lineEnd;
  }
}

// False: a bound was exceeded. Formulas that md4c did not show as text are taken out of `maths`: they stand
// in code or in an address, and the piece has to be parsed again.
bool parseWith(std::string_view source, std::size_t begin, std::size_t end, long long& number, bool underNote,
               std::vector<MathsSpan>& maths, std::vector<Block>& blocks) {
  std::string text = masked(source.substr(begin, end - begin), maths);
  Parsing parsing{BlockBuilder(source, begin, number, blocks),
                  underNote ? unindented(text) : Unindented{std::move(text)}, begin, maths};
  const MD_PARSER parser{0,         kDialect, enterBlock, leaveBlock, enterSpan,
                         leaveSpan, addText,  nullptr,    nullptr};
  const std::string& shown = parsing.text.text;
  if (md_parse(shown.data(), static_cast<MD_SIZE>(shown.size()), &parser, &parsing) != 0) return false;
  std::size_t i = 0;
  if (std::erase_if(maths, [&](const MathsSpan&) { return !parsing.shown[i++]; }) == 0)
    number = parsing.builder.nextNumber();
  return true;
}

bool mayHoldAddress(const Run& run) {
  return run.link < 0 && run.note == NoteMark::kNone &&
         (run.style & (kCode | kMarker | kReplaced | kAside | kMaths)) == 0;
}

// The part of a run between two bytes of the text. A verbatim run without replacements has as many bytes in
// the source as in the text.
Run partOf(const Run& run, std::uint32_t begin, std::uint32_t end, int link) {
  Run part = run;
  part.begin = std::max(run.begin, begin);
  part.end = std::min(run.end, end);
  part.link = link;
  if (!run.verbatim || (run.style & kReplaced)) return part;
  part.source = run.source + (part.begin - run.begin);
  part.sourceBytes = part.end - part.begin;
  return part;
}

class Relinker {
 public:
  explicit Relinker(Block& block) : m_block(block) {}

  void relink() {
    std::size_t at = 0;
    while (at < m_block.runs.size()) {
      std::size_t end = at;
      while (end < m_block.runs.size() && mayHoldAddress(m_block.runs[end])) ++end;
      if (end > at) relink(at, end);
      if (end < m_block.runs.size()) m_runs.push_back(m_block.runs[end++]);
      at = end;
    }
    m_block.runs = std::move(m_runs);
  }

 private:
  // Runs that stand side by side are searched as one text: an address goes on through an entity.
  void relink(std::size_t first, std::size_t last) {
    const std::uint32_t begin = m_block.runs[first].begin, end = m_block.runs[last - 1].end;
    std::size_t run = first;
    const auto copyUpTo = [&](std::uint32_t from, std::uint32_t to, int link) {
      for (; run < last && m_block.runs[run].begin < to; ++run) {
        if (m_block.runs[run].end > from) m_runs.push_back(partOf(m_block.runs[run], from, to, link));
        if (m_block.runs[run].end > to) break;
      }
    };
    std::uint32_t done = begin;
    for (FoundAddress& found : findAddresses(std::string_view(m_block.text).substr(begin, end - begin))) {
      const auto from = static_cast<std::uint32_t>(begin + found.begin);
      const auto to = static_cast<std::uint32_t>(begin + found.end);
      copyUpTo(done, from, -1);
      m_block.links.push_back(std::move(found.href));
      copyUpTo(from, to, static_cast<int>(m_block.links.size()) - 1);
      done = to;
    }
    copyUpTo(done, end, -1);
  }

  Block& m_block;
  std::vector<Run> m_runs;
};

std::size_t lineBegin(std::string_view source, std::size_t at, std::size_t least) {
  while (at > least && source[at - 1] != '\n') --at;
  return at;
}

std::size_t nextLine(std::string_view source, std::size_t at) {
  const std::size_t end = source.find('\n', at);
  return end == std::string_view::npos ? source.size() : end + 1;
}

const Run* firstShown(const Block& block) {
  const auto found = std::ranges::find_if(block.runs, [](const Run& run) { return !(run.style & kMarker); });
  return found == block.runs.end() ? nullptr : &*found;
}

// Of addresses without markup.
void linkAddresses(Block& block) {
  if (block.kind == BlockKind::kCodeLine || block.kind == BlockKind::kPlain || block.runs.empty()) return;
  Relinker(block).relink();
}

// Where the part of the source begins of each block from `first` on, the first of which begins at `begin`.
// Every byte belongs to one block: blocks begin where a line does, and only cells of one row share a line.
void divideSource(std::string_view source, std::size_t begin, std::vector<Block>& blocks, std::size_t first) {
  std::size_t place = begin;  // no block before ends later than here
  for (std::size_t i = first; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    const Run* const shown = firstShown(block);
    const bool beginsCode = block.kind == BlockKind::kCodeLine && block.line == 0;  // with the fence above it
    if (i > first && shown && !beginsCode)
      place = lineBegin(source, shown->source, place);
    else if (i > first && (block.kind != BlockKind::kTableCell || block.column == 0))
      place = nextLine(source, place);
    block.sourceBegin = place;
    if (shown) place = block.runs.back().source + block.runs.back().sourceBytes;
    if (shown) block.sourceBegin = std::min(block.sourceBegin, shown->source);
  }
  // A block without a text stands where it was guessed, and not after the text that follows it.
  std::size_t most = source.size();
  for (std::size_t i = blocks.size(); i-- > first;) {
    Block& block = blocks[i];
    most = block.sourceBegin = std::min(most, block.sourceBegin);
    for (Run& run : block.runs)
      if (run.style & kMarker) run.source = block.sourceBegin;
  }
}

}  // namespace

long long parsePiece(std::string_view source, std::size_t begin, std::size_t end, long long number,
                     bool growing, bool underNote, std::vector<Block>& blocks) {
  const std::string_view piece = source.substr(begin, end - begin);
  const std::size_t first = blocks.size();
  if (isWithinBounds(piece)) {
    std::vector<MathsSpan> maths = findMaths(piece, growing);
    std::size_t formulas = maths.size();
    bool isParsed = parseWith(source, begin, end, number, underNote, maths, blocks);
    if (isParsed && maths.size() < formulas) {
      blocks.resize(first);
      formulas = maths.size();
      isParsed = parseWith(source, begin, end, number, underNote, maths, blocks);
    }
    if (isParsed && maths.size() < formulas) {
      blocks.resize(first);
      maths.clear();
      isParsed = parseWith(source, begin, end, number, underNote, maths, blocks);
    }
    if (isParsed) {
      divideSource(source, begin, blocks, first);
      markFootnotes(source, blocks, first, underNote);
      for (std::size_t i = first; i < blocks.size(); ++i) linkAddresses(blocks[i]);
      return number;
    }
    blocks.resize(first);
  }
  addPlainLines(source, begin, end, blocks);
  return -1;
}

void addPlainLine(std::string_view source, std::size_t begin, std::size_t end, bool continues,
                  std::vector<Block>& blocks) {
  std::size_t shownEnd = end;
  if (shownEnd > begin && source[shownEnd - 1] == '\n') --shownEnd;
  if (shownEnd < end && shownEnd > begin && source[shownEnd - 1] == '\r') --shownEnd;
  const bool follows = !blocks.empty() && blocks.back().kind == BlockKind::kPlain;
  BlockBuilder builder(source, begin, -1, blocks);
  builder.openBlock(BlockKind::kPlain);
  blocks.back().spaced = !follows;
  blocks.back().continues = continues;
  blocks.back().sourceBegin = begin;
  builder.addSource(begin, shownEnd);
}

}  // namespace vitrine
