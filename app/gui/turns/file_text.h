// FileText: the text of a file that goes with a message, or the words with which it is refused: a picture,
// bytes that are no text, a PDF without one, too much of it.
//
// Thread: any but the window's. Read next: decoded_text.h, pdf_text.h.
#pragma once

#include <QCoreApplication>
#include <optional>
#include <stop_token>

#include "widgets/conversation/question_files.h"
#include "widgets/support/notice.h"

namespace vitrine {

inline constexpr qint64 kMostTextBytes = 1'000'000;  // of one file

class FileText {
  Q_DECLARE_TR_FUNCTIONS(FileText)

 public:
  QuestionFile file = {};
  QString how = {};                    // it was read, unless as UTF-8: "Read as Latin-1"
  std::optional<Notice> refusal = {};  // there is no text

  static FileText of(const QString& path, const std::stop_token& stop = {});  // which ends a long PDF early
};

}  // namespace vitrine
