// HistoryStatus: whether chats are kept in the file, and if not, why, and what to do.
//
// Thread: values; describe() any. Read next: chat_history.h.
#pragma once

#include <QMetaType>
#include <QString>
#include <cstdint>

namespace vitrine {

enum class HistoryTrouble : std::uint8_t {
  kNone,
  kBroken,      // bytes that are no database, or that contradict themselves
  kForeign,     // another program's database
  kNewer,       // written by a newer version of this program
  kLocked,      // by another program
  kReadOnly,    // the file or its folder
  kFull,        // no room on the disk
  kUnwritable,  // reading or writing failed otherwise
  kUnreadable,  // it cannot be opened: a folder, no permission
  kNoDriver,    // Qt's SQLite driver is not installed, or its SQLite has no FTS5
};

struct HistoryStatus {
  HistoryTrouble trouble = HistoryTrouble::kNone;
  QString file = {};
  bool inMemory = true;        // chats are kept in memory, and lost at the end unless the file takes them
  bool keptChatsShown = true;  // false: the file's chats could not be read, so that lists lack them
  bool retried = false;        // the file is tried again by itself, and takes what is in memory
  QString message = {};        // what happened, with the file's name; empty without trouble
  QString hint = {};           // what to do

  bool ok() const { return trouble == HistoryTrouble::kNone; }
  // Whether a person can have mended it while the program runs: with another file in its place, or room.
  bool canRetry() const { return !ok() && trouble != HistoryTrouble::kNoDriver; }
  bool operator==(const HistoryStatus&) const = default;
};

// Fills in message and hint. `detail` is the database's own word.
HistoryStatus describe(HistoryStatus status, const QString& detail);

// Whether the trouble can pass while the program runs. The others need another file: what is in the file may
// be worth more than what this program would make of it.
bool canPass(HistoryTrouble trouble);

}  // namespace vitrine

Q_DECLARE_METATYPE(vitrine::HistoryStatus)
