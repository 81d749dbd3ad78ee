#include "gui/window/file_opening.h"

#include <QDropEvent>
#include <QMimeData>
#include <algorithm>
#include <utility>

#include "gui/bench/bench_opening.h"
#include "gui/chat/chat_importing.h"
#include "gui/chat/chats.h"
#include "gui/machine/model_loading.h"
#include "gui/parts/file_drop.h"
#include "gui/runs/run_archive.h"
#include "widgets/chat/chat_view.h"

namespace vitrine {

FileOpening::FileOpening(const Targets& targets, QWidget* window) : QObject(window), m_to(targets) {
  window->setAcceptDrops(true);
  window->installEventFilter(this);
}

// Exports of chats are imported together, and files for the chat are attached together: one report says what
// came of them.
void FileOpening::open(const QStringList& files) {
  emit taking();
  QStringList chats, attached;
  std::vector<std::pair<FileKind, QString>> others;  // one of them may put something else in front
  for (const QString& file : files) {
    const FileKind kind = fileKind(file);
    if (goesToChat(kind, file))
      attached += file;
    else if (kind == FileKind::kChats)
      chats += file;
    else
      others.emplace_back(kind, file);
  }
  if (!attached.isEmpty()) giveToChat(attached);
  if (attached.size() == files.size()) return emit machineWanted();
  for (const auto& [kind, file] : others) openAs(kind, file);
  if (!chats.isEmpty()) import(chats);
  emit ended();
}

void FileOpening::openAs(FileKind kind, const QString& path) {
  switch (kind) {
    case FileKind::kTrace:
      return m_to.archive.openTrace(path);
    case FileKind::kModel:
      return emit modelChosen(path);
    case FileKind::kBenchResults:
      if (m_to.bench.open(path) != nullptr) emit machineWanted();
      return;
    case FileKind::kChats:
      return import({path});
    case FileKind::kScenario:
      return m_to.loading.openScenario(path);
    case FileKind::kLesson:
      emit lessonChosen(path);
      return emit machineWanted();
    case FileKind::kOther:
      return giveToChat({path});
  }
}

void FileOpening::import(const QStringList& files) {
  m_to.chats.importing().import(files);
  emit machineWanted();
}

// Where no conversation is in sight, the file is no word in one that a person has left: it begins another.
void FileOpening::giveToChat(const QStringList& files) {
  if (!m_to.chat.isVisible()) m_to.chats.beginInFront();
  m_to.chats.attach(files);
}

// The chat gets what is of no other kind. In front it also gets a file that only has the name of a scenario
// or trace; beside other panels such a file is opened, which says what is wrong with it.
bool FileOpening::goesToChat(FileKind kind, const QString& path) const {
  return m_to.chats.isAlone() ? isForChat(path) : kind == FileKind::kOther;
}

// One file of any kind, or several that are read beside each other or go to the chat.
bool FileOpening::takesDrop(const QStringList& files) const {
  if (files.size() < 2) return !files.isEmpty();
  return std::ranges::all_of(files, [this](const QString& file) {
    const FileKind kind = fileKind(file);
    return kind == FileKind::kBenchResults || kind == FileKind::kChats || kind == FileKind::kScenario ||
           kind == FileKind::kLesson || goesToChat(kind, file);
  });
}

bool FileOpening::eventFilter(QObject* window, QEvent* event) {
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
    return QObject::eventFilter(window, event);
  auto* drop = static_cast<QDropEvent*>(event);  // a QDragEnterEvent is one, too
  const QStringList files = droppedFiles(*drop->mimeData());
  if (event->type() == QEvent::Drop || takesDrop(files)) drop->acceptProposedAction();
  if (event->type() == QEvent::Drop) open(files);
  return true;
}

}  // namespace vitrine

#include "moc_file_opening.cpp"
