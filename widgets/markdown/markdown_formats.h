// The formats of a text document for blocks and runs, and a block as stretches of text with one format each.
#pragma once

#include <QString>
#include <QTextCharFormat>
#include <QTextTableFormat>
#include <vector>

#include "widgets/markdown/markdown_block.h"
#include "widgets/markdown/markdown_look.h"

namespace vitrine {

// Property of a text block's format, for a view that paints more than Qt does: how deep in quotes it stands
// (int).
inline constexpr int kQuoteDepthProperty = QTextFormat::UserProperty + 1;
// Of a table's format: its left margin as it is written (double), which a view that scrolls the table
// changes.
inline constexpr int kTableIndentProperty = QTextFormat::UserProperty + 3;

// The fragment of a footnote's number, which is an anchor: a reference leads to its note, and the note to its
// first reference. No address of a message begins so.
inline constexpr char kNoteAnchor[] = "#note-";
inline constexpr char kNoteMarkAnchor[] = "#mark-";
static_assert(sizeof kNoteAnchor == sizeof kNoteMarkAnchor);  // the number stands behind either

struct StyledText {
  QString text;
  QTextCharFormat format;
};

// `afterCode`: a code block ends before it.
QTextBlockFormat blockFormat(const Block& block, bool afterCode, const MarkdownLook& look);
QTextTableFormat tableFormat(const Block& firstCell, bool afterCode, const MarkdownLook& look);
// Neighbours differ in their format. `spans`: of a code line.
std::vector<StyledText> stretchesOf(const Block& block, const std::vector<CodeSpan>& spans,
                                    const MarkdownLook& look);

}  // namespace vitrine
