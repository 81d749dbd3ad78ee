#include "gui/turns/pdf_text.h"

#include "built_with_versions.h"

#ifdef VITRINE_POPPLER
#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-page.h>

#include <exception>
#include <memory>
#endif

namespace vitrine {

bool PdfText::isPdf(std::string_view head) { return head.starts_with("%PDF-"); }

#ifdef VITRINE_POPPLER
namespace {

void keepSilent(const std::string&, void*) {}  // else poppler writes about each damaged object

QString textOf(const poppler::document& document, int place) {
  const std::unique_ptr<poppler::page> page(document.create_page(place));
  if (!page) return {};
  const poppler::byte_array bytes = page->text().to_utf8();
  QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
  text.remove(QChar(u'\0'));
  text.replace(u'\f', u'\n');
  while (!text.isEmpty() && text.back().isSpace()) text.chop(1);
  return text;
}

PdfText read(const poppler::document& document, qint64 mostBytes, const std::stop_token& stop) {
  PdfText read{.pages = document.pages()};
  if (read.pages > PdfText::kMostPages) return {.pages = read.pages, .lack = PdfText::Lack::kFewerPages};
  qint64 bytes = 0;
  for (int place = 0; place < read.pages && !stop.stop_requested(); ++place) {
    const QString page = textOf(document, place);
    if (page.isEmpty()) continue;
    if (!read.text.isEmpty()) read.text += QStringLiteral("\n\n");
    read.text += page;
    bytes += page.toUtf8().size() + 2;
    if (bytes > mostBytes) return {.pages = read.pages, .lack = PdfText::Lack::kShorterText};
  }
  if (read.pages <= 0)
    read.lack = PdfText::Lack::kWholeFile;
  else if (read.text.isEmpty())
    read.lack = PdfText::Lack::kText;
  return read;
}

}  // namespace

PdfText PdfText::from(std::string_view bytes, qint64 mostBytes, const std::stop_token& stop) {
  [[maybe_unused]] static const bool silent = (poppler::set_debug_error_function(keepSilent, nullptr), true);
  try {
    const std::unique_ptr<poppler::document> document(
        poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
    if (!document) return {.lack = Lack::kWholeFile};
    if (document->is_locked()) return {.lack = Lack::kPassword};
    return read(*document, mostBytes, stop);
  } catch (const std::exception&) {
    return {.lack = Lack::kWholeFile};
  }
}
#else
PdfText PdfText::from(std::string_view, qint64, const std::stop_token&) { return {.lack = Lack::kPoppler}; }
#endif

}  // namespace vitrine
