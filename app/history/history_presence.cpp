#include "history_presence.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <chrono>
#include <thread>
#include <utility>

namespace vitrine {

namespace {

constexpr int kTries = 20;  // while another program stops what a dead one left
constexpr std::chrono::milliseconds kBetweenTries{5};

bool lockNow(int descriptor, int kind) { return ::flock(descriptor, kind | LOCK_NB) == 0; }

// The last one to leave takes the file away, so a descriptor may be of one that is gone.
bool isStillThere(int descriptor, const QByteArray& path) {
  struct stat ours {
  }, named{};
  return ::fstat(descriptor, &ours) == 0 && ::stat(path.constData(), &named) == 0 &&
         ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

}  // namespace

bool HistoryPresence::enter(const QString& file) {
  leave();
  m_path = QFile::encodeName(file + QStringLiteral("-open"));
  for (int i = 0; i < kTries; ++i) {
    m_lock = ::open(m_path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (m_lock < 0) return true;
    const bool alone = lockNow(m_lock, LOCK_EX);
    const bool locked = alone || lockNow(m_lock, LOCK_SH);
    if (locked && isStillThere(m_lock, m_path)) return alone;
    ::close(std::exchange(m_lock, -1));
    std::this_thread::sleep_for(kBetweenTries);
  }
  return false;
}

void HistoryPresence::settle() {
  if (m_lock >= 0) lockNow(m_lock, LOCK_SH);
}

void HistoryPresence::leave() {
  if (m_lock < 0) return;
  if (lockNow(m_lock, LOCK_EX)) ::unlink(m_path.constData());
  ::close(std::exchange(m_lock, -1));
}

}  // namespace vitrine
