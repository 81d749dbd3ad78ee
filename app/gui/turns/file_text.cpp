#include "gui/turns/file_text.h"

#include <QFileInfo>

#include "gui/parts/file_head.h"
#include "gui/turns/decoded_text.h"
#include "gui/turns/picture_format.h"
#include "vitrine/files.h"
#include "widgets/message/file_chips.h"

namespace vitrine {
namespace {

Notice refusalOfPicture(const QString& name, const QString& format) {
  return Notice::problem(
      FileText::tr("%1 is a picture (%2).").arg(name, format),
      FileText::tr("The models that Vitrine runs read text only; a vision model would be needed."));
}

Notice refusalOfSize(const QString& name) {
  return Notice::problem(FileText::tr("%1 is larger than %2, the most that goes with a message.")
                             .arg(name, fileSize(kMostTextBytes)),
                         FileText::tr("Put the part that you ask about into a file of its own."));
}

Notice refusalOfBinary(const QString& name) {
  return Notice::problem(
      FileText::tr("%1 is not a text file.").arg(name),
      FileText::tr("Texts in UTF-8, UTF-16, Latin-1 and Windows-1252 can go with a message."));
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

}  // namespace

FileText FileText::of(const QString& path) {
  const QFileInfo info(path);
  FileText read{.file = {info.fileName(), {}}, .bytes = info.size()};
  const std::string head = fileHead(path, kPictureHead);
  if (const QString picture = pictureFormat(head); !picture.isEmpty()) {
    read.refusal = refusalOfPicture(read.file.name, picture);
  } else if (info.isFile() && read.bytes > kMostTextBytes) {
    read.refusal = refusalOfSize(read.file.name);
  } else {
    try {
      readPlain(read, readWholeFile(path.toStdString(), kMostTextBytes));
    } catch (const EngineError& error) {
      read.refusal = noticeOf(error);
    }
  }
  return read;
}

}  // namespace vitrine
