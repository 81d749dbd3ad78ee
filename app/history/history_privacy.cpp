#include "history_privacy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>

namespace vitrine {

void makePrivateFile(const QString& file) {
  const QByteArray path = QFile::encodeName(file);
  const int made = ::open(path.constData(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (made >= 0) ::close(made);
}

void takeRightsOfOthers(const QString& file) {
  for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
    const QByteArray path = QFile::encodeName(file) + ending;
    struct stat status {};
    if (::stat(path.constData(), &status) != 0 || (status.st_mode & 077) == 0) continue;
    [[maybe_unused]] const int refused = ::chmod(path.constData(), status.st_mode & 0700);
  }
}

}  // namespace vitrine
