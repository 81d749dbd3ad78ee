// ChatImporting: takes chats out of files that other programs exported, on a thread of the program's pool,
// and says of each file what came of it.
//
// Files are read one after the other; one that cannot be read does not keep the others back. Chats are in the
// list when all are read, none when the import is cancelled. One import at a time: a second one waits for the
// first. Destroying it waits for nothing. Thread: the window's. Read next: app/history/chat_import.h.
#pragma once

#include <QObject>
#include <QStringList>
#include <atomic>
#include <memory>
#include <vector>

#include "desk/desk.h"
#include "history/import_report.h"
#include "widgets/support/notice.h"

namespace vitrine {

// The result of one file.
struct ImportedFile {
  QString name = {};
  ImportReport report = {};
  std::vector<ChatRecord> chats = {};
  Notice error = {};  // without a code: there is none
};

class ChatImporting : public QObject {
  Q_OBJECT

 public:
  ChatImporting(Desk& desk, QObject* parent) : QObject(parent), m_desk(desk) {}
  ~ChatImporting() override { cancel(); }

  void import(const QStringList& files);  // noticed() follows, unless it is cancelled
  void cancel();
  bool isUnderWay() const { return m_cancelled != nullptr; }

 signals:
  void progressed(double fraction, const QString& what);
  void ended();
  void imported(int chats);
  void noticed(const vitrine::Notice& notice);

 private:
  void begin();
  void finish(std::vector<ImportedFile> files);
  void tell(const std::vector<ImportedFile>& files, int chats);

  Desk& m_desk;
  std::vector<QStringList> m_waiting;
  std::shared_ptr<std::atomic<bool>> m_cancelled;  // of the import under way
};

}  // namespace vitrine
