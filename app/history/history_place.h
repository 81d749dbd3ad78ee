// HistoryPlace: where chats are kept: in their file, or in memory while the file does not take them.
//
// When the file fails, all that can be read of it is copied into a database in memory, the work that failed
// is done there, and chats that change are noted. When the file can be written again, those chats are written
// to it, each whole. A file is never made anew or removed. Thread: the one that made it. Read next:
// history_copy.h.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "history_presence.h"
#include "history_store.h"

namespace vitrine {

class HistoryPlace {
 public:
  using Read = std::function<void(HistoryStore& store)>;
  // Adds the chats that it changed to `changed`. It may be called twice, when the first time failed.
  using Write = std::function<void(HistoryStore& store, std::set<ChatId>& changed)>;

  HistoryPlace();  // in memory, without a file

  // Answers that streamed when a program died are stopped, unless another one has the file open: they may be
  // its. Read status() afterwards.
  void open(const QString& file);
  const HistoryStatus& status() const { return m_status; }
  const std::vector<MessageId>& cut() const { return m_cut; }  // the answers that open() has stopped

  // Another number after each write of this program, and when chats are kept in another place.
  std::uint64_t writes() const { return m_writes; }

  // Where memory fails too they throw SqlFailure.
  void read(const Read& work);
  void write(const Write& work);  // in one transaction

  // Tries the file again, or what lies in its place now. True: it has taken everything.
  bool retry();

 private:
  std::unique_ptr<HistoryDatabase> openReady();
  void stopDeadStreams(HistoryDatabase& database);
  void goOnInMemory(const SqlFailure& failure);
  bool copyReadOnly(HistoryTrouble trouble);
  void setTrouble(const SqlFailure& failure, bool keptChatsShown);
  void writeHere(const Write& work);

  std::unique_ptr<HistoryDatabase> m_database;  // the one in use
  HistoryStatus m_status;
  std::set<ChatId> m_changed;  // in memory, and not yet in the file
  std::vector<MessageId> m_cut;
  HistoryPresence m_presence;
  bool m_streamsStopped = false;  // in the file, of the program before
  std::uint64_t m_writes = 0;
};

}  // namespace vitrine
