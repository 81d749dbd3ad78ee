#include "gui/parts/process_figures.h"

#include <time.h>
#include <unistd.h>

#include <QByteArrayList>
#include <QFile>

namespace vitrine {

namespace {

QByteArray contentOf(const char* file) {
  QFile source(QString::fromLatin1(file));
  return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
}

}  // namespace

double msSinceProcessStart() {
  const QByteArray all = contentOf("/proc/self/stat");
  const QByteArrayList fields = all.mid(all.lastIndexOf(')') + 2).split(' ');  // from the third on
  constexpr int kStartTime = 22 - 3;                                           // in ticks since the boot
  if (fields.size() <= kStartTime) return 0;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double startedMs = 1e3 * fields[kStartTime].toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
  return 1e3 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e6 - startedMs;
}

double residentMiB() {
  const QByteArrayList pages = contentOf("/proc/self/statm").split(' ');
  return pages.size() < 2 ? 0 : pages[1].toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

}  // namespace vitrine
