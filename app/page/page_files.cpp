#include "page/page_files.h"

#include <algorithm>
#include <array>

namespace vitrine::page {
namespace {

#include "page_texts.inc"

constexpr std::array kFiles = {PageFile{"/", "text/html; charset=utf-8", kDocument},
                               PageFile{"/page.css", "text/css; charset=utf-8", kStyle},
                               PageFile{"/page.js", "text/javascript; charset=utf-8", kScript}};

// The places of the document that its single-file form fills.
constexpr std::string_view kStyleLink = "<link rel=\"stylesheet\" href=\"page.css\">",
                           kScriptLink = "<script src=\"page.js\" defer></script>",
                           kTitle = "<title>Vitrine</title>";
// No network at all.
constexpr std::string_view kOfflinePolicy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n";

// `from` is there: tests/page looks into the result.
void replace(std::string& text, std::string_view from, const std::string& to) {
  const std::size_t at = text.find(from);
  text.replace(at, from.size(), to);
}

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    if (c == '&')
      html += "&amp;";
    else if (c == '<')
      html += "&lt;";
    else
      html += c;
  }
  return html;
}

}  // namespace

const PageFile* pageFile(std::string_view path) {
  const auto file = std::ranges::find(kFiles, path, &PageFile::path);
  return file == kFiles.end() ? nullptr : &*file;
}

PageFrame framedPage(std::string_view title) {
  std::string document(kDocument);
  replace(document, kTitle, std::string(kOfflinePolicy) + "<title>" + escaped(title) + "</title>");
  replace(document, kStyleLink, "<style>\n" + std::string(kStyle) + "</style>");
  replace(document, kScriptLink, "");
  // The script runs where it stands: behind the body's elements and the run.
  const std::size_t end = document.rfind("</body>");
  return {document.substr(0, end) + "<script type=\"application/json\" id=\"run\">\n",
          "</script>\n<script>\n" + std::string(kScript) + "</script>\n" + document.substr(end)};
}

}  // namespace vitrine::page
