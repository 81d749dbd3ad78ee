// Messages on a page for a browser: their HTML, and the style sheet that it needs, in the colours that the
// window has on a light desktop, or on a dark one where the browser is dark. No script, and nothing outside
// the page. Thread: the window's.
#pragma once

#include <QString>

namespace vitrine {

// It names the colours --page, --text, --dim, --line, --ground (behind code) and --bubble for the page, too.
QString markdownPageStyle();
// `anchors`: letters and digits, other ones for each message of the page.
QString markdownToHtml(const QString& markdown, const QString& anchors);

}  // namespace vitrine
