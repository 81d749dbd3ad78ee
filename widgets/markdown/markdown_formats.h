// The formats of a text document for blocks and runs, and a block as stretches of text with one format each.
#pragma once

#include <QString>
#include <QTextCharFormat>
#include <QTextTableFormat>
#include <vector>

#include "widgets/markdown/markdown_block.h"
#include "widgets/markdown/markdown_look.h"

namespace vitrine {

// Properties of a text block's format, for a view that paints more than Qt does: how deep in quotes it stands
// (int), and whether it is a line of code (bool).
inline constexpr int kQuoteDepthProperty = QTextFormat::UserProperty + 1;
inline constexpr int kCodeLineProperty = QTextFormat::UserProperty + 2;

struct StyledText {
  QString text;
  QTextCharFormat format;
};

QTextBlockFormat blockFormat(const Block& block, const MarkdownLook& look);
QTextTableFormat tableFormat(const Block& firstCell, const MarkdownLook& look);
// Neighbours differ in their format. `spans`: of a code line.
std::vector<StyledText> stretchesOf(const Block& block, const std::vector<CodeSpan>& spans,
                                    const MarkdownLook& look);

}  // namespace vitrine
