// MessageInput: the text that is being written. Files that are pasted are no text: the host hears of them.
// What is dropped with files goes to the window around it, which knows what they are. Thread: the window's.
#pragma once

#include <QPlainTextEdit>

namespace vitrine {

class MessageInput : public QPlainTextEdit {
  Q_OBJECT
 public:
  using QPlainTextEdit::QPlainTextEdit;

 signals:
  void filesPasted(const QStringList& files);

 protected:
  bool canInsertFromMimeData(const QMimeData* source) const override;
  void insertFromMimeData(const QMimeData* source) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
};

}  // namespace vitrine
