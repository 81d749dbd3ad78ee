#include "widgets/markdown/markdown_page.h"

#include <QPalette>

#include "widgets/markdown/html_writer.h"
#include "widgets/markdown/markdown_look.h"
#include "widgets/markdown/markdown_stream.h"

namespace vitrine {
namespace {

// As a browser shows a page that says nothing else.
MarkdownLook pageLook() {
  QPalette light(QColor(0xf0, 0xf0, 0xf0), Qt::white);
  light.setColor(QPalette::Base, Qt::white);
  for (const QPalette::ColorRole role : {QPalette::Text, QPalette::WindowText})
    light.setColor(role, QColor(0x1a, 0x1a, 0x1a));
  return MarkdownLook::of(Theme(light));
}

constexpr const char* kPageStyle =
    ".answer { unicode-bidi: isolate; overflow-wrap: anywhere } .answer p.tight { margin: 0 }\n"
    ".answer h3 { font-size: 1.4em } .answer h4 { font-size: 1.2em }\n"
    ".answer li.bare { list-style: none } .answer sup { line-height: 0 }\n"
    ".answer blockquote { margin: 0.5em 0; padding: 0 1em; border-left: 3px solid %1; color: %2 }\n"
    ".answer pre, .answer code { font-family: monospace } .answer .plain { white-space: pre-wrap }\n"
    ".answer p code, .answer li code, .answer td code, .answer th code, .answer figure { background: %3 }\n"
    ".answer figure { margin: 0.5em 0; border-radius: 6px; padding: 0.5em 0.7em }\n"
    ".answer figcaption { color: %2; font-size: 0.9em } .answer pre { margin: 0; overflow-x: auto; "
    "overflow-wrap: normal }\n"
    ".answer pre code { background: none } .answer .wide { overflow-x: auto; margin: 0.5em 0 }\n"
    ".answer table { border-collapse: collapse; overflow-wrap: normal }\n"
    ".answer td, .answer th { border: 1px solid %1; padding: 4px 8px; text-align: start }\n"
    ".answer th { background: %3 } .answer .left { text-align: left } .answer .center { text-align: center "
    "}\n"
    ".answer .right { text-align: right } .answer a { color: %4 } .answer .aside { color: %2 }\n"
    ".answer .mark { color: %5 } .answer math[display=block] { overflow-x: auto }\n";

}  // namespace

QString markdownPageStyle() {
  const MarkdownLook look = pageLook();
  QString style = QString::fromLatin1(kPageStyle)
                      .arg(look.line.name(), look.dim.name(), look.codeBackground.name(), look.link.name(),
                           look.mark.name());
  // A part is more than its colour, as in the window.
  for (std::size_t part = 1; part < look.code.size(); ++part) {
    style += QStringLiteral(".answer .k%1 { color: %2").arg(part).arg(look.code[part].name());
    if (static_cast<CodePart>(part) == CodePart::kKeyword) style += QStringLiteral("; font-weight: bold");
    if (static_cast<CodePart>(part) == CodePart::kComment) style += QStringLiteral("; font-style: italic");
    style += QStringLiteral(" }\n");
  }
  return style;
}

QString markdownToHtml(const QString& markdown, const QString& anchors) {
  CodeHighlighter highlighter;
  return QString::fromStdString(
      markdownHtml(parseMarkdown(markdown.toStdString()), anchors.toStdString(), highlighter));
}

}  // namespace vitrine
