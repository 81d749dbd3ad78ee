// A message's blocks as HTML: what the window shows, for a page without a script and without a picture.
//
// The blocks are those of the window's parser, so the page shows nothing that the window does not: HTML in a
// message is text, links are http, https and mailto. Colours are classes; their style sheet comes from
// markdown_page.h. Qt-free. One thread at a time.
#pragma once

#include <string>

#include "widgets/markdown/code_highlighter.h"
#include "widgets/markdown/markdown_block.h"

namespace vitrine {

// The blocks of a whole message, its footnotes settled. `anchors`: letters and digits that the ids of these
// footnotes begin with on the page.
std::string markdownHtml(const std::vector<Block>& blocks, const std::string& anchors,
                         CodeHighlighter& highlighter);

}  // namespace vitrine
