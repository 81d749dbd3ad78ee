#include "gui/turns/chat_files.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>

#include "gui/questions/token_counter.h"
#include "gui/turns/file_text.h"

namespace vitrine {
ChatFiles::ChatFiles(EngineHost& host, const Session& session, QObject* parent)
    : QObject(parent), m_host(host), m_session(session) {
  // Another model has another tokenizer.
  connect(&host, &EngineHost::loaded, this, [this] {
    for (Held& held : m_files) count(held);
  });
}

void ChatFiles::attach(ChatId chat, const QStringList& paths) {
  m_refusals.clear();
  emit taking();
  for (const QString& path : paths) {
    ++m_reading;
    QThreadPool::globalInstance()->start([self = QPointer(this), chat, path, stop = m_stop.get_token()] {
      const FileText read = FileText::of(path, stop);
      QMetaObject::invokeMethod(qApp, [self, chat, read] {
        if (self) self->onRead(chat, read);
      });
    });
  }
}

void ChatFiles::onRead(ChatId chat, const FileText& read) {
  --m_reading;
  if (read.refusal) return refuse(*read.refusal);
  add(chat, read.file, read.how);
}

// Of several files that were taken together each refusal is told.
void ChatFiles::refuse(const Notice& refusal) {
  m_refusals.push_back(refusal);
  if (m_refusals.size() == 1) return emit noticed(refusal);
  QStringList all;
  for (const Notice& one : m_refusals) all << one.text();
  emit noticed(Notice::problem(all.join(u'\n'), {}));
}

void ChatFiles::sayReading() {
  emit noticed(Notice::problem(tr("The message was not sent: a file that goes with it is still being read."),
                               tr("Send the message again when the file is listed above the input.")));
}

void ChatFiles::attach(ChatId chat, const std::vector<QuestionFile>& files) {
  for (const QuestionFile& file : files) add(chat, file, {});
}

void ChatFiles::add(ChatId chat, const QuestionFile& file, const QString& how) {
  Held held{chat, file, {++m_lastId, file.name, fileBytes(file), -1, how}};
  count(held);
  m_files.push_back(std::move(held));
  emit changed();
}

void ChatFiles::remove(qint64 id) {
  if (std::erase_if(m_files, [id](const Held& held) { return held.chip.id == id; }) > 0) emit changed();
}

std::vector<FileChip> ChatFiles::of(ChatId chat) const {
  std::vector<FileChip> chips;
  for (const Held& held : m_files)
    if (held.chat == chat) chips.push_back(held.chip);
  return chips;
}

QString ChatFiles::with(ChatId chat, const QString& question) const {
  QuestionParts parts{{}, question};
  for (const Held& held : m_files)
    if (held.chat == chat) parts.files.push_back(held.file);
  return parts.files.empty() ? question : questionText(parts);
}

QString ChatFiles::takeInto(ChatId chat, const QString& question) {
  QString message = with(chat, question);
  if (std::erase_if(m_files, [chat](const Held& held) { return held.chat == chat; }) > 0) emit changed();
  return message;
}

void ChatFiles::count(Held& held) {
  held.count = countTokens(m_host, held.file.text, this,
                           [this, id = held.chip.id](int tokens) { onCounted(id, tokens); });
}

// Tokens of a prompt that leaves room for one token of an answer; 0: no limit is known.
int ChatFiles::room() const {
  const auto& engine = m_session.engine();
  if (!engine || engine->options.eviction != Eviction::kNone) return 0;
  return std::min(engine->options.numBlocks * engine->options.blockSize, engine->model.contextLength) - 1;
}

// A file that does not fit beside those before it is refused now: the engine would refuse the whole message.
void ChatFiles::onCounted(qint64 id, int tokens) {
  const auto held = std::ranges::find(m_files, id, [](const Held& one) { return one.chip.id; });
  if (held == m_files.end()) return;
  held->chip.tokens = tokens;
  int together = 0;
  for (const Held& one : m_files)
    if (one.chat == held->chat) together += std::max(one.chip.tokens, 0);
  if (const int most = room(); most > 0 && together > most) {
    const QString name = held->file.name;
    m_files.erase(held);
    const bool poolIsSmaller = most < m_session.engine()->model.contextLength - 1;
    const QString said = poolIsSmaller
                             ? tr("%1 has %Ln token(s). The KV memory has room for %2, other files of the "
                                  "message included.",
                                  nullptr, tokens)
                             : tr("%1 has %Ln token(s). The context of this model has room for %2, other "
                                  "files of the message included.",
                                  nullptr, tokens);
    refuse(Notice::problem(said.arg(name, QLocale().toString(most)),
                           poolIsSmaller
                               ? tr("Give the machine more KV blocks, or attach a shorter file.")
                               : tr("Attach a shorter file, or ask a model with a larger context.")));
  }
  emit changed();
}

}  // namespace vitrine

#include "moc_chat_files.cpp"
