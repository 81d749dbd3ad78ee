// PdfText: the text of a PDF, page after page, by poppler, which is loaded with the first one. A build
// without poppler, or an installation without its module, has none and says so.
//
// Thread: any but the window's: many pages take long. Never throws. Read next: file_text.h.
#pragma once

#include <QString>
#include <stop_token>
#include <string_view>

namespace vitrine {

struct PdfText {
  enum class Lack { kNothing, kPoppler, kWholeFile, kPassword, kFewerPages, kShorterText, kText };

  static constexpr qint64 kMostBytes = 50'000'000;  // of the file
  static constexpr int kMostPages = 500;

  QString text = {};
  int pages = 0;
  Lack lack = Lack::kNothing;  // why there is no text

  static bool isPdf(std::string_view head);  // by its beginning
  // At most `mostBytes` of text, in UTF-8. Ends early, with the text so far, when it is told to stop.
  static PdfText from(std::string_view bytes, qint64 mostBytes, const std::stop_token& stop);
};

}  // namespace vitrine
