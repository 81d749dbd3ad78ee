#include "widgets/chat/message_input.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QUrl>

namespace vitrine {
namespace {

// Empty unless all of it are files of this computer.
QStringList filesIn(const QMimeData& data) {
  QStringList files;
  for (const QUrl& url : data.urls()) {
    if (!url.isLocalFile()) return {};
    files << url.toLocalFile();
  }
  return files;
}

}  // namespace

bool MessageInput::canInsertFromMimeData(const QMimeData* source) const {
  return QPlainTextEdit::canInsertFromMimeData(source) || !filesIn(*source).isEmpty();
}

void MessageInput::insertFromMimeData(const QMimeData* source) {
  if (const QStringList files = filesIn(*source); !files.isEmpty()) return void(emit filesPasted(files));
  QPlainTextEdit::insertFromMimeData(source);
}

// An event that is ignored goes to the widget around this one.
void MessageInput::dragEnterEvent(QDragEnterEvent* event) {
  if (!filesIn(*event->mimeData()).isEmpty()) return event->ignore();
  QPlainTextEdit::dragEnterEvent(event);
}

void MessageInput::dragMoveEvent(QDragMoveEvent* event) {
  if (!filesIn(*event->mimeData()).isEmpty()) return event->ignore();
  QPlainTextEdit::dragMoveEvent(event);
}

}  // namespace vitrine

#include "moc_message_input.cpp"
