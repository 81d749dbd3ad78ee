// A question with files: what goes to the model, and what is kept, is one text: each file as a fenced block
// with its name, then the question.
//
// Thread: any; no state. Read next: widgets/message/file_chips.h.
#pragma once

#include <QString>
#include <vector>

namespace vitrine {

struct QuestionFile {
  QString name, text;  // the text without the end of its last line

  bool operator==(const QuestionFile&) const = default;
};

// Of the file as a text in UTF-8, the end of its last line included.
qint64 fileBytes(const QuestionFile& file);

struct QuestionParts {
  std::vector<QuestionFile> files = {};
  QString question;

  bool operator==(const QuestionParts&) const = default;
};

// Each fence is longer than every row of backticks in its file, so that the file cannot end its block.
QString questionText(const QuestionParts& parts);
// The way back. A text that was not made so is all question.
QuestionParts questionParts(const QString& text);
// A fence of a block of code that is longer than every row of backticks in the text.
QString codeFence(const QString& text);
// How a sentence names a question: its words without the files, in quotes, 40 characters at most.
QString questionName(const QString& text);

}  // namespace vitrine
