#include "history_place.h"

#include <QFileInfo>
#include <utility>

#include "history_copy.h"
#include "history_privacy.h"
#include "history_schema.h"

namespace vitrine {

namespace {

constexpr qint64 kCheckedBytes = qint64{64} << 20;  // a larger file would keep the window waiting

std::unique_ptr<HistoryDatabase> emptyMemory() {
  auto memory = HistoryDatabase::openInMemory();
  try {
    migrate(*memory, migrations());
  } catch (const SqlFailure& failure) {  // an SQLite without FTS5
    throw SqlFailure(HistoryTrouble::kNoDriver, failure.words());
  }
  return memory;
}

// Damage is found now rather than in the middle of a chat, and a damaged file is not written to.
void checkPages(HistoryDatabase& database) {
  const QString verdict = database.value(QStringLiteral("PRAGMA quick_check(1)")).toString();
  if (verdict != QLatin1String("ok")) throw SqlFailure(HistoryTrouble::kBroken, verdict);
}

}  // namespace

HistoryPlace::HistoryPlace() {
  try {
    m_database = emptyMemory();
  } catch (const SqlFailure& failure) {
    setTrouble(failure, true);
  }
}

// Nothing is written before the file is known to be ours and sound.
std::unique_ptr<HistoryDatabase> HistoryPlace::openReady() {
  auto database = HistoryDatabase::openFile(m_status.file, HistoryDatabase::Access::kReadWrite);
  const int version = checkedVersion(*database);
  const bool small = QFileInfo(m_status.file).size() <= kCheckedBytes;
  if (version > 0 && (small || m_status.trouble == HistoryTrouble::kBroken)) checkPages(*database);
  if (version > 0) HistoryStore(*database).checkTables();
  // SQLite would begin a transaction on a read-only file, and fail in the middle of a chat.
  if (!QFileInfo(m_status.file).isWritable()) throw SqlFailure(HistoryTrouble::kReadOnly, {});
  takeRightsOfOthers(m_status.file);
  database->transaction([] {});  // whether another program is writing
  database->value(QStringLiteral("PRAGMA journal_mode = WAL"));
  // After a crash of the machine the last moments may be missing; after one of the program nothing is.
  database->execute(QStringLiteral("PRAGMA synchronous = NORMAL"));
  migrate(*database, migrations());
  stopDeadStreams(*database);
  return database;
}

void HistoryPlace::stopDeadStreams(HistoryDatabase& database) {
  if (m_streamsStopped) return;
  try {
    if (m_presence.enter(m_status.file))
      database.transaction([&] { m_cut = HistoryStore(database).stopStreaming(); });
  } catch (const SqlFailure&) {
    m_presence.leave();
    throw;
  }
  m_presence.settle();
  m_streamsStopped = true;
}

void HistoryPlace::open(const QString& file) {
  ++m_writes;
  m_changed.clear();
  m_cut.clear();
  m_streamsStopped = false;
  m_presence.leave();
  m_status = {.trouble = HistoryTrouble::kNone, .file = file};
  m_database.reset();
  try {
    m_database = openReady();
    m_status.inMemory = false;
  } catch (const SqlFailure& failure) {
    goOnInMemory(failure);
  }
}

void HistoryPlace::goOnInMemory(const SqlFailure& failure) {
  ++m_writes;
  const std::unique_ptr<HistoryDatabase> file = std::exchange(m_database, nullptr);
  try {
    m_database = emptyMemory();
  } catch (const SqlFailure& none) {
    return setTrouble(none, false);
  }
  setTrouble(failure, file ? copyAll(*file, *m_database)
                           : canPass(failure.trouble()) && copyReadOnly(failure.trouble()));
}

// For a file that cannot be written, or whose folder cannot. Whether memory has all of its chats. A locked
// file may change while it is read as it lies.
bool HistoryPlace::copyReadOnly(HistoryTrouble trouble) {
  for (const auto access : {HistoryDatabase::Access::kReadOnly, HistoryDatabase::Access::kAsItLies}) {
    if (access == HistoryDatabase::Access::kAsItLies && trouble == HistoryTrouble::kLocked) return false;
    try {
      if (!QFileInfo::exists(m_status.file)) return true;
      const auto file = HistoryDatabase::openFile(m_status.file, access);
      const int version = checkedVersion(*file);
      if (version != newestSchemaVersion()) return version == 0;
      const bool whole = copyAll(*file, *m_database);
      m_database->transaction([&] { HistoryStore(*m_database).stopStreaming(); });
      return whole;
    } catch (const SqlFailure&) {
      continue;  // the next way
    }
  }
  return false;
}

void HistoryPlace::setTrouble(const SqlFailure& failure, bool keptChatsShown) {
  m_status.trouble = failure.trouble();
  m_status.inMemory = true;
  m_status.keptChatsShown = keptChatsShown;
  m_status = describe(m_status, failure.words());
}

void HistoryPlace::writeHere(const Write& work) {
  if (!m_database) throw SqlFailure(HistoryTrouble::kNoDriver, {});
  ++m_writes;
  std::set<ChatId> changed;
  m_database->transaction([&] {
    HistoryStore store(*m_database);
    work(store, changed);
  });
  if (m_status.inMemory) m_changed.merge(changed);
}

void HistoryPlace::write(const Write& work) {
  if (!m_status.inMemory) {
    try {
      return writeHere(work);
    } catch (const SqlFailure& failure) {
      goOnInMemory(failure);
    }
  }
  writeHere(work);
}

void HistoryPlace::read(const Read& work) {
  const auto here = [&] {
    if (!m_database) throw SqlFailure(HistoryTrouble::kNoDriver, {});
    HistoryStore store(*m_database);
    work(store);
  };
  if (!m_status.inMemory) {
    try {
      return here();
    } catch (const SqlFailure& failure) {
      goOnInMemory(failure);
    }
  }
  here();
}

bool HistoryPlace::retry() {
  if (m_status.ok() || !m_database) return false;
  try {
    auto file = openReady();
    file->transaction([&] {
      for (const ChatId chat : m_changed) replaceChat(*m_database, *file, chat);
    });
    m_database = std::move(file);
    ++m_writes;
  } catch (const SqlFailure& failure) {
    setTrouble(failure, m_status.keptChatsShown);
    return false;
  }
  m_changed.clear();
  m_status = {.trouble = HistoryTrouble::kNone, .file = m_status.file, .inMemory = false};
  return true;
}

}  // namespace vitrine
