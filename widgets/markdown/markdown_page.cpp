#include "widgets/markdown/markdown_page.h"

#include <QPalette>

#include "widgets/markdown/footnotes.h"
#include "widgets/markdown/html_writer.h"
#include "widgets/markdown/markdown_look.h"
#include "widgets/markdown/markdown_stream.h"

namespace vitrine {
namespace {

constexpr const char* kPageStyle =
    ".answer { unicode-bidi: isolate; overflow-wrap: anywhere; overflow: auto hidden } .answer p.tight { "
    "margin: 0 }\n"
    ".answer h3 { font-size: 1.4em } .answer h4 { font-size: 1.2em }\n"
    ".answer h3, .answer h4, .answer h5, .answer h6 { line-height: 1.25; margin: 1.2em 0 0.5em }\n"
    ".answer ul, .answer ol { padding-inline-start: 1.6em }\n"
    ".answer li.bare { list-style: none } .answer sup { line-height: 0 }\n"
    ".answer hr { border: 0; border-top: 1px solid var(--line); margin: 1.5em 0 }\n"
    ".answer blockquote { margin: 0.5em 0; padding: 0 1em; border-inline-start: 3px solid var(--line);"
    " color: var(--dim) }\n"
    ".answer pre, .answer code { font-family: ui-monospace, monospace; font-size: 0.9em }\n"
    ".answer pre code { font-size: 1em } .answer .plain { white-space: pre-wrap }\n"
    ".answer p code, .answer li code, .answer td code, .answer th code { background: var(--ground);"
    " border-radius: 4px; padding: 0.1em 0.3em }\n"
    ".answer figure { background: var(--ground); margin: 1em 0; border-radius: 6px; padding: 0.6em 0.9em }\n"
    ".answer figcaption { color: var(--dim); font-size: 0.85em; margin-bottom: 0.3em }\n"
    ".answer pre { margin: 0; overflow-x: auto; overflow-wrap: normal; line-height: 1.45 }\n"
    ".answer .wide { overflow-x: auto; margin: 1em 0 }\n"
    ".answer table { border-collapse: collapse; overflow-wrap: normal }\n"
    ".answer .short { white-space: nowrap } .answer .long { min-width: 12em }\n"
    ".answer td, .answer th { border: 1px solid var(--line); padding: 4px 10px; text-align: start }\n"
    ".answer th { background: var(--ground) } .answer .left { text-align: left }\n"
    ".answer .center { text-align: center } .answer .right { text-align: right }\n"
    ".answer a { color: var(--link) } .answer .aside { color: var(--dim) } .answer .mark { color: "
    "var(--mark) }\n"
    ".answer math[display=block] { overflow-x: auto; overflow-y: hidden; padding: 0.4em 0 }\n"
    ".answer math { font-family: math, \"Latin Modern Math\", \"STIX Two Math\", \"Cambria Math\", \"STIX "
    "Math\","
    " \"TeX Gyre Termes Math\", \"DejaVu Math TeX Gyre\", \"Noto Sans Math\", serif }\n";

// Chromium draws a root's sign from a maths font alone; without one it is small, beside its place, or
// missing, and that is another formula. So where an element of MathML follows `display`, the style draws it:
// the bar is a line, the strokes are diagonals of boxes, on paper and in forced colours too. Other browsers
// draw a root without such a font.
constexpr const char* kRootStyle =
    "@supports (display: math) {\n"
    ".answer msqrt { display: inline-block }\n"
    ".answer mroot { display: inline-flex; align-items: baseline }\n"
    ".answer mroot > :last-child { order: -1; position: relative; top: -0.6em; margin-top: -0.6em;"
    " margin-inline-end: -0.35em }\n"
    ".answer msqrt, .answer mroot > :first-child { margin-top: 0.1em; padding: 0.25em 0.1em 0 0.75em;"
    " -webkit-print-color-adjust: exact; print-color-adjust: exact; background: no-repeat"
    " linear-gradient(currentColor, currentColor) 0.68em 0 / calc(100% - 0.68em) max(1px, 0.06em), no-repeat"
    " linear-gradient(to bottom right, transparent calc(50% - max(0.6px, 0.035em)), currentColor 0"
    " calc(50% + max(0.6px, 0.035em)), transparent 0) 0.3em 0 / 0.4em 100%, no-repeat"
    " linear-gradient(to top right, transparent calc(50% - max(0.6px, 0.05em)), currentColor 0"
    " calc(50% + max(0.6px, 0.05em)), transparent 0) 0.1em 100% / 0.2em 0.5em }\n"
    "@media (forced-colors: active) {\n"
    ".answer msqrt, .answer mroot > :first-child { forced-color-adjust: none; color: CanvasText }\n}\n}\n";

QString colours(const QPalette& palette) {
  const Theme theme(palette);
  const MarkdownLook look = MarkdownLook::of(theme);
  QString all;
  const auto name = [&all](const QString& variable, const QColor& colour) {
    all += QStringLiteral(" --%1: %2;").arg(variable, colour.name());
  };
  name(QStringLiteral("page"), look.base);
  name(QStringLiteral("text"), look.text);
  name(QStringLiteral("dim"), look.dim);
  name(QStringLiteral("line"), look.line);
  name(QStringLiteral("ground"), look.codeBackground);
  name(QStringLiteral("bubble"), mix(look.base, theme.accent(), theme.isDark() ? 0.16 : 0.08));
  name(QStringLiteral("link"), look.link);
  name(QStringLiteral("mark"), look.mark);
  for (std::size_t part = 1; part < look.code.size(); ++part)
    name(QStringLiteral("k%1").arg(part), look.code[part]);
  return QStringLiteral(":root {%1 }\n").arg(all);
}

QPalette paletteOf(QRgb base, QRgb text, QRgb accent) {
  QPalette palette{QColor::fromRgb(base)};
  palette.setColor(QPalette::Base, QColor::fromRgb(base));
  for (const QPalette::ColorRole role : {QPalette::Text, QPalette::WindowText})
    palette.setColor(role, QColor::fromRgb(text));
  palette.setColor(QPalette::Highlight, QColor::fromRgb(accent));
  return palette;
}

}  // namespace

QString markdownPageStyle() {
  QString style = colours(paletteOf(0xffffffff, 0xff1d2025, 0xff1a66d2)) +
                  QStringLiteral("@media (prefers-color-scheme: dark) {\n%1}\n")
                      .arg(colours(paletteOf(0xff1d2025, 0xffe8eaed, 0xff6ba5ff))) +
                  QLatin1String(kPageStyle) + QLatin1String(kRootStyle);
  // A part is more than its colour, as in the window.
  for (int part = 1; part < kCodeParts; ++part) {
    style += QStringLiteral(".answer .k%1 { color: var(--k%1)").arg(part);
    if (static_cast<CodePart>(part) == CodePart::kKeyword) style += QStringLiteral("; font-weight: bold");
    if (static_cast<CodePart>(part) == CodePart::kComment) style += QStringLiteral("; font-style: italic");
    style += QStringLiteral(" }\n");
  }
  return style;
}

QString markdownToHtml(const QString& markdown, const QString& anchors) {
  CodeHighlighter highlighter;
  const std::vector<Block> blocks = parseMarkdown(markdown.toStdString());
  const std::optional<SettledBlocks> settled = settleFootnotes(blocks);
  return QString::fromStdString(
      markdownHtml(settled ? settled->blocks : blocks, anchors.toStdString(), highlighter));
}

}  // namespace vitrine
