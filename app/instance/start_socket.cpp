#include "instance/start_socket.h"

#include <unistd.h>

#include <QCryptographicHash>
#include <QStandardPaths>

namespace vitrine {

QString startSocket(const QStringList& kept) {
  constexpr int kHashLetters = 16;  // a socket's path has at most 107 bytes
  QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
  if (folder.isEmpty()) return {};
  // A Flatpak's starts have runtime folders of their own; this one they share.
  if (const QString flatpak = qEnvironmentVariable("FLATPAK_ID"); !flatpak.isEmpty())
    folder += QStringLiteral("/app/") + flatpak;
  QCryptographicHash hash(QCryptographicHash::Sha256);
  for (const QString& file : kept) hash.addData(file.toUtf8() + '\n');
  for (const char* display : {"WAYLAND_DISPLAY", "DISPLAY"}) hash.addData(qgetenv(display) + '\n');
  return folder + QStringLiteral("/vitrine-") + QString::number(::getuid()) + QLatin1Char('-') +
         QString::fromLatin1(hash.result().toHex().left(kHashLetters));
}

}  // namespace vitrine
