#include "gui/window/file_opening.h"

#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <algorithm>

#include "gui/bench/bench_opening.h"
#include "gui/chat/chat_importing.h"
#include "gui/chat/chats.h"
#include "gui/machine/model_loading.h"
#include "gui/parts/file_drop.h"
#include "gui/runs/run_archive.h"
#include "widgets/chat/chat_view.h"

namespace vitrine {

namespace {

std::vector<FileKind> kindsOf(const QStringList& files) {
  std::vector<FileKind> kinds;
  for (const QString& file : files) kinds.push_back(fileKind(file));
  return kinds;
}

}  // namespace

FileOpening::FileOpening(const Targets& targets, QWidget* window) : QObject(window), m_to(targets) {
  window->setAcceptDrops(true);
  window->installEventFilter(this);
}

void FileOpening::open(const QString& path) {
  emit taking();
  openAs(fileKind(path), path);
  emit ended();
}

// Exports of chats are imported together: one report says what came of them.
void FileOpening::openHanded(const QStringList& files) {
  emit taking();
  const std::vector<FileKind> kinds = kindsOf(files);
  if (areForChat(kinds)) {
    m_to.chats.attach(files);
    return emit machineWanted();
  }
  QStringList chats;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (const QString& file = files[static_cast<int>(i)]; kinds[i] == FileKind::kChats)
      chats += file;
    else
      openAs(kinds[i], file);
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
    case FileKind::kOther:
      break;
  }
  emit noticed(Notice::problem(
      tr("Vitrine cannot open %1.").arg(QDir::toNativeSeparators(path)),
      tr("It opens traces (.vitrine), scenarios and bench results (.json), exported chats (.json, "
         ".jsonl, .zip), models (.gguf), and their folders.")));
}

void FileOpening::import(const QStringList& files) {
  m_to.chats.importing().import(files);
  emit machineWanted();
}

bool FileOpening::areForChat(const std::vector<FileKind>& kinds) const {
  return m_to.chat.isVisible() &&
         std::ranges::all_of(kinds, [](FileKind kind) { return kind == FileKind::kOther; });
}

// One file of any kind, several that are read beside each other, or several for the chat.
bool FileOpening::takesDrop(const QStringList& files) const {
  if (files.size() < 2) return !files.isEmpty();
  const std::vector<FileKind> kinds = kindsOf(files);
  return areForChat(kinds) || std::ranges::all_of(kinds, [](FileKind kind) {
           return kind == FileKind::kBenchResults || kind == FileKind::kChats || kind == FileKind::kScenario;
         });
}

bool FileOpening::eventFilter(QObject* window, QEvent* event) {
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
    return QObject::eventFilter(window, event);
  auto* drop = static_cast<QDropEvent*>(event);  // a QDragEnterEvent is one, too
  const QStringList files = droppedFiles(*drop->mimeData());
  if (event->type() == QEvent::Drop || takesDrop(files)) drop->acceptProposedAction();
  if (event->type() == QEvent::Drop) openHanded(files);
  return true;
}

}  // namespace vitrine

#include "moc_file_opening.cpp"
