// ChatFiles: text files that go with the next message of a chat. Each chat has its own, as it has its draft,
// as long as the program runs. A file that has no text (file_text.h), or more tokens than the model's
// context, is refused in words.
//
// Thread: the window's. Files are read on another thread and counted on the engine's. Read next: file_text.h,
// widgets/conversation/question_files.h, widgets/message/file_chips.h.
#pragma once

#include <QObject>
#include <map>
#include <stop_token>

#include "desk/desk.h"
#include "gui/machine/engine_host.h"
#include "widgets/conversation/question_files.h"
#include "widgets/message/file_chips.h"
#include "widgets/session/session.h"

namespace vitrine {

class FileText;

class ChatFiles : public QObject {
  Q_OBJECT

 public:
  ChatFiles(EngineHost& host, const Session& session, QObject* parent = nullptr);
  ~ChatFiles() override { m_stop.request_stop(); }

  // They are shown when they have been read. 0: the chat that is not begun.
  void attach(ChatId chat, const QStringList& paths);
  void attach(ChatId chat, const std::vector<QuestionFile>& files);  // back from a message
  void remove(qint64 id);
  std::vector<FileChip> of(ChatId chat) const;
  bool isReading() const { return m_reading > 0; }
  void sayReading();  // of a message that would have gone without them

  // The message with the chat's files.
  QString with(ChatId chat, const QString& question) const;
  // The same; it takes them out of here.
  QString takeInto(ChatId chat, const QString& question);

 signals:
  void changed();
  void taking();  // files will be read; what was said of those before is over
  void noticed(const vitrine::Notice& notice);

 private:
  struct Held {
    ChatId chat = 0;
    QuestionFile file;
    FileChip chip;
    Question count = {};
  };

  void onRead(ChatId chat, const FileText& read);
  void refuse(const Notice& refusal);
  void add(ChatId chat, const QuestionFile& file, const QString& how);
  void count(Held& held);
  void onCounted(qint64 id, int tokens);
  int room() const;

  EngineHost& m_host;
  const Session& m_session;
  std::vector<Held> m_files;
  std::vector<Notice> m_refusals;  // of the files that were taken last
  std::stop_source m_stop;         // of what is read when the window goes
  int m_reading = 0;
  qint64 m_lastId = 0;
};

}  // namespace vitrine
