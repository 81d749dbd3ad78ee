#include "widgets/markdown/markdown_formats.h"

#include <QTextLength>
#include <algorithm>

#include "widgets/markdown/maths_object.h"
#include "widgets/markdown/maths_spans.h"

namespace vitrine {
namespace {

bool isCode(const Block& block) {
  return block.kind == BlockKind::kCodeLine || block.kind == BlockKind::kPlain;
}

void makeFixed(QTextCharFormat& format, const MarkdownLook& look) {
  format.setFontFamilies(look.codeFamilies);
  format.setFontFixedPitch(true);
  format.setFontStyleHint(QFont::Monospace);
}

QColor inkOf(const Block& block, const Run& run, const MarkdownLook& look) {
  if (run.style & kReplaced) return look.mark;
  if (run.link >= 0 || run.footnote >= 0) return look.link;
  if ((run.style & kAside) || block.quoteDepth > 0) return look.dim;
  return look.text;
}

QTextCharFormat charFormat(const Block& block, const Run& run, const MarkdownLook& look) {
  QTextCharFormat format;
  format.setForeground(inkOf(block, run, look));
  const bool isHead = block.kind == BlockKind::kTableCell && block.row == 0;
  if ((run.style & kStrong) || isHead || block.kind == BlockKind::kHeading) format.setFontWeight(QFont::Bold);
  if (run.style & kEmphasis) format.setFontItalic(true);
  if (run.style & kStrike) format.setFontStrikeOut(true);
  if (isCode(block) || (run.style & kCode)) makeFixed(format, look);
  if (run.style & kCode) format.setBackground(look.codeBackground);
  if (block.kind == BlockKind::kHeading)
    format.setProperty(QTextFormat::FontSizeAdjustment, block.level < 4 ? 4 - block.level : 0);
  if (run.link >= 0) {
    format.setAnchor(true);
    format.setAnchorHref(QString::fromStdString(block.links[static_cast<std::size_t>(run.link)]));
    format.setFontUnderline(true);
  }
  if (run.footnote >= 0) {
    const bool isNote = run.note == NoteMark::kNote;
    format.setVerticalAlignment(QTextCharFormat::AlignSuperScript);
    format.setAnchor(true);
    format.setAnchorHref(QLatin1String(isNote ? kNoteMarkAnchor : kNoteAnchor) +
                         QString::fromStdString(block.text.substr(run.begin, run.end - run.begin)));
  }
  return format;
}

// A part is more than its colour: keywords are bold, comments slanted.
QTextCharFormat partFormat(QTextCharFormat format, CodePart part, const MarkdownLook& look) {
  format.setForeground(look.code[static_cast<std::size_t>(part)]);
  if (part == CodePart::kKeyword) format.setFontWeight(QFont::Bold);
  if (part == CodePart::kComment) format.setFontItalic(true);
  return format;
}

void add(std::vector<StyledText>& stretches, std::string_view text, const QTextCharFormat& format) {
  if (text.empty()) return;
  QString shown = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  shown.replace(u'\n', QChar::LineSeparator);
  if (!stretches.empty() && stretches.back().format == format)
    stretches.back().text += shown;
  else
    stretches.push_back({shown, format});
}

void addCode(std::vector<StyledText>& stretches, const Block& block, const Run& run,
             const std::vector<CodeSpan>& spans, const MarkdownLook& look) {
  const QTextCharFormat plain = charFormat(block, run, look);
  const std::string_view text = block.text;
  std::uint32_t at = run.begin;
  for (const CodeSpan& span : spans) {
    const std::uint32_t begin = std::max(span.begin, at), end = std::min(span.end, run.end);
    if (begin >= end) continue;
    add(stretches, text.substr(at, begin - at), plain);
    add(stretches, text.substr(begin, end - begin), partFormat(plain, span.part, look));
    at = end;
  }
  add(stretches, text.substr(at, run.end - at), plain);
}

// Nothing but formulas, after the mark of a list's item.
bool isMathsAlone(const Block& block) {
  return std::ranges::all_of(block.runs, [&block](const Run& run) {
    const std::string_view text = std::string_view(block.text).substr(run.begin, run.end - run.begin);
    return run.formula >= 0 || (run.style & kMarker) ||
           text.find_first_not_of(" \n") == std::string_view::npos;
  });
}

}  // namespace

QTextBlockFormat blockFormat(const Block& block, bool afterCode, const MarkdownLook& look) {
  QTextBlockFormat format;
  format.setTopMargin((block.spaced ? look.gapPx : 0) + (afterCode ? look.codeFootPx : 0));
  format.setLeftMargin(look.indentPx * (block.quoteDepth + block.listDepth));
  if (block.quoteDepth > 0) format.setProperty(kQuoteDepthProperty, static_cast<int>(block.quoteDepth));
  if (!block.runs.empty() && (block.runs.front().style & kMarker)) {
    format.setTextIndent(-look.indentPx);
    format.setTabPositions({QTextOption::Tab(look.indentPx, QTextOption::LeftTab)});
  }
  if (block.kind == BlockKind::kHeading) format.setHeadingLevel(block.level);
  if (block.kind == BlockKind::kCodeLine) {
    format.setNonBreakableLines(true);
    format.setLayoutDirection(Qt::LeftToRight);
    format.setLeftMargin(format.leftMargin() + look.codePadPx);
    if (block.line == 0 && !block.continues) format.setTopMargin(format.topMargin() + look.codeHeadPx);
  }
  if (block.kind == BlockKind::kRule)
    format.setProperty(QTextFormat::BlockTrailingHorizontalRulerWidth,
                       QTextLength(QTextLength::PercentageLength, 100));
  const bool isDisplay =
      block.formulas.size() == 1 && block.runs.size() == 1 && isDisplayMaths(block.formulas[0]);
  if (block.kind == BlockKind::kParagraph && isDisplay) format.setAlignment(Qt::AlignHCenter);
  if (block.kind != BlockKind::kTableCell) return format;
  format.setTopMargin(0);
  format.setLeftMargin(0);
  const Qt::Alignment aligns[] = {Qt::AlignLeft, Qt::AlignLeft, Qt::AlignHCenter, Qt::AlignRight};
  format.setAlignment(aligns[static_cast<std::size_t>(block.align)]);
  return format;
}

QTextTableFormat tableFormat(const Block& firstCell, bool afterCode, const MarkdownLook& look) {
  QTextTableFormat format;
  format.setBorder(1);
  format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
  format.setBorderBrush(look.line);
  format.setBorderCollapse(true);
  format.setCellPadding(4);
  format.setCellSpacing(0);
  format.setTopMargin(look.gapPx + (afterCode ? look.codeFootPx : 0));
  format.setLeftMargin(look.indentPx * (firstCell.quoteDepth + firstCell.listDepth));
  format.setProperty(kTableIndentProperty, format.leftMargin());
  format.setHeaderRowCount(1);
  return format;
}

std::vector<StyledText> stretchesOf(const Block& block, const std::vector<CodeSpan>& spans,
                                    const MarkdownLook& look) {
  std::vector<StyledText> stretches;
  const bool alone = !block.formulas.empty() && isMathsAlone(block);
  for (const Run& run : block.runs) {
    if (run.formula >= 0)
      add(stretches, std::string_view(block.text).substr(run.begin, run.end - run.begin),
          mathsFormat(charFormat(block, run, look), block.formulas[static_cast<std::size_t>(run.formula)],
                      alone));
    else if (!spans.empty() && !(run.style & kReplaced))
      addCode(stretches, block, run, spans, look);
    else
      add(stretches, std::string_view(block.text).substr(run.begin, run.end - run.begin),
          charFormat(block, run, look));
  }
  return stretches;
}

}  // namespace vitrine
