// HistoryPresence: whether other programs have a file of chats open, so that only answers that no living
// program writes are stopped.
//
// Each program holds a shared lock on an empty file beside it, FILE-open, for as long as it has it open. A
// lock that can be had alone says that there is no other. The system takes the locks of a dead program away.
// The database itself is never locked so: to close it would release SQLite's own locks.
//
// Thread: the one that made it. Read next: history_place.h.
#pragma once

#include <QByteArray>
#include <QString>

namespace vitrine {

class HistoryPresence {
 public:
  HistoryPresence() = default;
  ~HistoryPresence() { leave(); }
  HistoryPresence(const HistoryPresence&) = delete;
  HistoryPresence& operator=(const HistoryPresence&) = delete;

  // True: no other program has it open, and none comes before settle(). In a folder that cannot be written to
  // no program sees another, and it is true.
  bool enter(const QString& file);
  void settle();  // others may come
  void leave();

 private:
  QByteArray m_path;
  int m_lock = -1;  // a descriptor
};

}  // namespace vitrine
