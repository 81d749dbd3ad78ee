#include "widgets/message/folded_files.h"

#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/message/file_chips.h"
#include "widgets/message/fold_button.h"
#include "widgets/painting/flow_layout.h"

namespace vitrine {
namespace {
constexpr int kFoldedMostLines = 12;  // of an open file; it scrolls
}  // namespace

FoldedFiles::FoldedFiles(QWidget* parent) : QWidget(parent), m_row(new QWidget(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 2);
  column->setSpacing(2);
  new FlowLayout(m_row);
  column->addWidget(m_row);
  setAccessibleName(tr("Files of this question"));
  hide();
}

void FoldedFiles::setFiles(const std::vector<QuestionFile>& files) {
  setVisible(!files.empty());
  if (files == m_files) return;
  m_files = files;
  qDeleteAll(m_buttons);
  m_buttons.clear();
  delete std::exchange(m_text, nullptr);
  for (std::size_t i = 0; i < m_files.size(); ++i) {
    m_buttons.push_back(makeButton(i));
    m_row->layout()->addWidget(m_buttons.back());
    m_buttons.back()->show();
  }
}

FoldButton* FoldedFiles::makeButton(std::size_t file) {
  auto* button = new FoldButton(m_row);
  button->setText(tr("%1 · %2").arg(m_files[file].name, fileSize(fileBytes(m_files[file]))));
  button->setToolTip(tr("Show the text of this file"));
  connect(button, &FoldButton::toggled, this, [this, file](bool opened) { open(file, opened); });
  return button;
}

void FoldedFiles::open(std::size_t file, bool opened) {
  if (m_text == nullptr) {
    m_text = new QPlainTextEdit(this);
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    layout()->addWidget(m_text);
  }
  m_text->setVisible(opened);
  if (!opened) return;
  for (std::size_t other = 0; other < m_buttons.size(); ++other)
    if (other != file && m_buttons[other]->isChecked()) {
      m_buttons[other]->setChecked(false);  // which hides the box
      m_text->setVisible(true);
    }
  m_text->setAccessibleName(tr("Text of %1").arg(m_files[file].name));
  m_text->setPlainText(m_files[file].text);
  const int lines = std::clamp(m_text->document()->blockCount(), 1, kFoldedMostLines) + 1;  // and the frame
  m_text->setFixedHeight(lines * m_text->fontMetrics().lineSpacing());
}

}  // namespace vitrine

#include "moc_folded_files.cpp"
