#include "gui/chat/chat_importing.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <iterator>
#include <new>
#include <ranges>
#include <utility>

#include "history/chat_import.h"

namespace vitrine {

namespace {

ImportedFile readFile(const QString& path, const std::atomic<bool>& cancelled) {
  ImportedFile file{.name = QFileInfo(path).fileName()};
  try {
    file.chats = readChatFile(path.toStdString(), &file.report, &cancelled);
  } catch (const EngineError& error) {
    file.error = noticeOf(error);
  } catch (const std::bad_alloc&) {
    file.error = noticeOf(ErrorCode::kOutOfMemory,
                          ChatImporting::tr("There is not enough memory to read %1.").arg(file.name),
                          ChatImporting::tr("Close other programs, then import it once more."));
  }
  return file;
}

QString wordsOf(ImportNote note, int times) {
  switch (note) {
    case ImportNote::kPicture:
      return ChatImporting::tr("%n picture(s) marked", nullptr, times);
    case ImportNote::kFile:
      return ChatImporting::tr("%n file(s) marked", nullptr, times);
    case ImportNote::kSound:
      return ChatImporting::tr("%n sound(s) or video(s) marked", nullptr, times);
    case ImportNote::kTool:
      return ChatImporting::tr("%n request(s) of tools marked", nullptr, times);
    case ImportNote::kReference:
      return ChatImporting::tr("%n reference(s) written as links", nullptr, times);
    case ImportNote::kHidden:
      return ChatImporting::tr("%n hidden message(s) left out", nullptr, times);
    case ImportNote::kEmpty:
      return ChatImporting::tr("%n empty message(s) or chat(s) left out", nullptr, times);
    case ImportNote::kStranger:
      return ChatImporting::tr("%n entry(s) of another kind left out", nullptr, times);
  }
  return {};
}

// "export.zip, ChatGPT: 3 chats; 2 pictures marked; 1 hidden message left out"
QString lineOf(const ImportedFile& file) {
  if (!file.error.message.isEmpty()) return file.error.message;
  QStringList parts;
  parts += ChatImporting::tr("%1, %2: %3")
               .arg(file.name, QString::fromStdString(file.report.format),
                    ChatImporting::tr("%n chat(s)", nullptr, static_cast<int>(file.report.chats)));
  for (const ImportNote note :
       {ImportNote::kPicture, ImportNote::kFile, ImportNote::kSound, ImportNote::kTool,
        ImportNote::kReference, ImportNote::kHidden, ImportNote::kEmpty, ImportNote::kStranger})
    if (const int times = file.report.notes.of(note); times > 0) parts += wordsOf(note, times);
  for (const std::string& unread : file.report.unread)
    parts += ChatImporting::tr("not read: %1").arg(QString::fromStdString(unread));
  return parts.join(QStringLiteral("; "));
}

}  // namespace

void ChatImporting::import(const QStringList& files) {
  if (files.isEmpty()) return;
  m_waiting.push_back(files);
  if (!isUnderWay()) begin();
}

void ChatImporting::begin() {
  const QStringList files = m_waiting.front();
  m_waiting.erase(m_waiting.begin());
  m_cancelled = std::make_shared<std::atomic<bool>>(false);
  emit progressed(-1, tr("Importing chats"));
  QThreadPool::globalInstance()->start([self = QPointer(this), cancelled = m_cancelled, files] {
    auto read = std::make_shared<std::vector<ImportedFile>>();
    for (const QString& file : files)
      if (!*cancelled) read->push_back(readFile(file, *cancelled));
    QMetaObject::invokeMethod(qApp, [self, cancelled, read] {
      if (self && self->m_cancelled == cancelled) self->finish(std::move(*read));
    });
  });
}

void ChatImporting::cancel() {
  m_waiting.clear();
  const auto cancelled = std::exchange(m_cancelled, nullptr);
  if (!cancelled) return;
  cancelled->store(true);
  emit ended();
}

void ChatImporting::finish(std::vector<ImportedFile> files) {
  m_cancelled = nullptr;
  emit ended();
  std::vector<ChatRecord> chats;
  for (ImportedFile& file : files) chats.insert(chats.end(), file.chats.begin(), file.chats.end());
  const int count = static_cast<int>(m_desk.history().insert(chats).size());
  if (!chats.empty()) emit m_desk.listChanged();
  tell(files, count);
  if (!m_waiting.empty()) begin();
}

void ChatImporting::tell(const std::vector<ImportedFile>& files, int chats) {
  const auto refused =
      std::ranges::count_if(files, [](const ImportedFile& file) { return !file.error.code.isEmpty(); });
  if (refused == std::ssize(files)) {
    Notice all = files.front().error;
    for (const ImportedFile& file : files | std::views::drop(1)) all.message += u'\n' + file.error.message;
    return emit noticed(all);
  }
  QStringList lines;
  for (const ImportedFile& file : files) lines += lineOf(file);
  emit noticed(Notice::note(tr("%n chat(s) were imported.", nullptr, chats), lines.join(u'\n')));
  emit imported(chats);
}

}  // namespace vitrine

#include "moc_chat_importing.cpp"
