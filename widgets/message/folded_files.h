// FoldedFiles: the files of a question that was sent, folded: a button for each, and the text of the one that
// is opened in a box that scrolls. Thread: the window's. Read next: widgets/conversation/question_files.h.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/conversation/question_files.h"

class QPlainTextEdit;

namespace vitrine {

class FoldButton;

class FoldedFiles : public QWidget {
  Q_OBJECT
 public:
  explicit FoldedFiles(QWidget* parent = nullptr);

  void setFiles(const std::vector<QuestionFile>& files);

 private:
  FoldButton* makeButton(std::size_t file);
  void open(std::size_t file, bool opened);

  std::vector<QuestionFile> m_files;
  std::vector<FoldButton*> m_buttons;
  QWidget* m_row;
  QPlainTextEdit* m_text = nullptr;  // made when a file is opened
};

}  // namespace vitrine
