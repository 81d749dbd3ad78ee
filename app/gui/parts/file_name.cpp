#include "gui/parts/file_name.h"

namespace vitrine {

QString fileNameFor(const QString& title, const QString& nameless) {
  QString name;
  for (const QChar c : title.toLower().simplified()) {
    if (c == u' ')
      name += u'-';
    else if (c.isPrint() && !QStringLiteral("/\\:*?\"<>|").contains(c))
      name += c;
  }
  while (name.startsWith(u'.')) name.remove(0, 1);  // a hidden file
  return name.isEmpty() ? nameless : name;
}

}  // namespace vitrine
