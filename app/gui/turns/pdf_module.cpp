#include "gui/turns/pdf_module.h"

#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-page.h>

#include <exception>
#include <memory>

namespace vitrine {
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

PdfText pagesOf(const poppler::document& document, qint64 mostBytes, const std::stop_token& stop) {
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

PdfText textFrom(std::string_view bytes, qint64 mostBytes, const std::stop_token& stop) {
  [[maybe_unused]] static const bool silent = (poppler::set_debug_error_function(keepSilent, nullptr), true);
  try {
    const std::unique_ptr<poppler::document> document(
        poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
    if (!document) return {.lack = PdfText::Lack::kWholeFile};
    if (document->is_locked()) return {.lack = PdfText::Lack::kPassword};
    return pagesOf(*document, mostBytes, stop);
  } catch (const std::exception&) {
    return {.lack = PdfText::Lack::kWholeFile};
  }
}

}  // namespace
}  // namespace vitrine

extern "C" {

__attribute__((visibility("default"))) const char* vitrineModuleVersion() { return VITRINE_VERSION; }

__attribute__((visibility("default"))) void vitrineReadPdf(std::string_view bytes, qint64 mostBytes,
                                                           const std::stop_token& stop,
                                                           vitrine::PdfText& read) {
  read = vitrine::textFrom(bytes, mostBytes, stop);
}
}
