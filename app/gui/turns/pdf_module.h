// The interface of the module that reads PDF files with poppler, between its user (pdf_text.cpp) and its
// implementation (pdf_module.cpp). A module, since poppler brings twenty libraries and few starts read a PDF.
#pragma once

#include "gui/turns/pdf_text.h"

namespace vitrine {

// What PdfText::from() returns, in `read`. Never throws.
using ReadPdf = void (*)(std::string_view bytes, qint64 mostBytes, const std::stop_token& stop,
                         PdfText& read);
constexpr const char* kReadPdf = "vitrineReadPdf";

}  // namespace vitrine
