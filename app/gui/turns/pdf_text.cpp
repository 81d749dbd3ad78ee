#include "gui/turns/pdf_text.h"

#include "gui/turns/pdf_module.h"
#include "vitrine/error.h"
#include "vitrine/module.h"

namespace vitrine {

bool PdfText::isPdf(std::string_view head) { return head.starts_with("%PDF-"); }

// The words of a refusal are FileText's, so those of the module's loader are not needed.
PdfText PdfText::from(std::string_view bytes, qint64 mostBytes, const std::stop_token& stop) {
  PdfText read;
  try {
    Module::open("libvitrine_pdf.so", "the reader of PDF files is", "")
        .symbol<ReadPdf>(kReadPdf)(bytes, mostBytes, stop, read);
  } catch (const EngineError&) {
    read.lack = Lack::kPoppler;
  }
  return read;
}

}  // namespace vitrine
