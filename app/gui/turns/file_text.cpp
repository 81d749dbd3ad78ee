#include "gui/turns/file_text.h"

#include <QFileInfo>

#include "gui/parts/file_head.h"
#include "gui/turns/decoded_text.h"
#include "gui/turns/pdf_text.h"
#include "gui/turns/picture_format.h"
#include "vitrine/files.h"
#include "widgets/message/file_chips.h"
#include "widgets/support/formats.h"

namespace vitrine {
namespace {

constexpr std::size_t kHead = 32;  // bytes by which pictures and PDF files are told

Notice refusalOfPicture(const QString& name, const QString& format) {
  return Notice::problem(
      FileText::tr("%1 is a picture (%2).").arg(name, format),
      FileText::tr("The models that Vitrine runs read text only; a vision model would be needed."));
}

Notice refusalOfSize(const QString& name, qint64 most) {
  return Notice::problem(
      FileText::tr("%1 is larger than %2, the most that goes with a message.").arg(name, fileSize(most)),
      FileText::tr("Put the part that you ask about into a file of its own."));
}

Notice refusalOfBinary(const QString& name) {
  return Notice::problem(
      FileText::tr("%1 is not a text file.").arg(name),
      FileText::tr("Texts in UTF-8, UTF-16, Latin-1 and Windows-1252 can go with a message."));
}

Notice refusalOfPdf(const QString& name, const PdfText& pdf) {
  using Lack = PdfText::Lack;
  switch (pdf.lack) {
    case Lack::kPoppler:
      return Notice::problem(
          FileText::tr("%1 is a PDF, and this build of Vitrine reads none: it was made without poppler.")
              .arg(name),
          FileText::tr("Save the text of the PDF as a text file, and attach that."));
    case Lack::kPassword:
      return Notice::problem(FileText::tr("%1 is encrypted: it opens with a password only.").arg(name),
                             FileText::tr("Save a copy without the password, and attach that."));
    case Lack::kFewerPages:
      return Notice::problem(FileText::tr("%1 has %2 pages, more than the %3 that are read.")
                                 .arg(name, formatCount(pdf.pages), formatCount(PdfText::kMostPages)),
                             FileText::tr("Save the pages that you ask about as a file of their own."));
    case Lack::kShorterText:
      return Notice::problem(FileText::tr("%1 has more text than %2, the most that goes with a message.")
                                 .arg(name, fileSize(kMostTextBytes)),
                             FileText::tr("Save the pages that you ask about as a file of their own."));
    case Lack::kText:
      return Notice::problem(
          FileText::tr("%1 has no text: its pages are pictures, as those of a scan are.").arg(name),
          FileText::tr("A program that recognises text (OCR) can add it."));
    case Lack::kWholeFile:
    case Lack::kNothing:
      break;
  }
  return Notice::problem(
      FileText::tr("%1 is damaged: it begins as a PDF, but its pages cannot be read.").arg(name),
      FileText::tr("Download or save it once more."));
}

void chopLastLineEnd(QString& text) {
  if (text.endsWith(u'\n')) text.chop(1);
  if (text.endsWith(u'\r')) text.chop(1);
}

void readPlain(FileText& read, std::string_view bytes) {
  std::optional<DecodedText> decoded = DecodedText::from(bytes);
  if (!decoded) return void(read.refusal = refusalOfBinary(read.file.name));
  read.file.text = std::move(decoded->text);
  chopLastLineEnd(read.file.text);
  if (decoded->encoding != TextEncoding::kUtf8)
    read.how = FileText::tr("Read as %1").arg(encodingName(decoded->encoding));
}

void readPdf(FileText& read, std::string_view bytes, const std::stop_token& stop) {
  PdfText pdf = PdfText::from(bytes, kMostTextBytes, stop);
  if (pdf.lack != PdfText::Lack::kNothing) return void(read.refusal = refusalOfPdf(read.file.name, pdf));
  read.file.text = std::move(pdf.text);
  read.how = FileText::tr("The text of a PDF of %Ln page(s)", nullptr, pdf.pages);
}

}  // namespace

FileText FileText::of(const QString& path, const std::stop_token& stop) {
  const QFileInfo info(path);
  FileText read{.file = {info.fileName(), {}}};
  const std::string head = fileHead(path, kHead);
  const bool isPdf = PdfText::isPdf(head);
  const qint64 most = isPdf ? PdfText::kMostBytes : kMostTextBytes;
  if (const QString picture = pictureFormat(head); !picture.isEmpty()) {
    read.refusal = refusalOfPicture(read.file.name, picture);
  } else if (info.isFile() && info.size() > most) {
    read.refusal = refusalOfSize(read.file.name, most);
  } else {
    try {
      const std::string bytes = readWholeFile(path.toStdString(), static_cast<std::size_t>(most));
      if (isPdf)
        readPdf(read, bytes, stop);
      else
        readPlain(read, bytes);
    } catch (const EngineError& error) {
      read.refusal = noticeOf(error);
    }
  }
  return read;
}

}  // namespace vitrine
