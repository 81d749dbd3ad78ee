// The window's language as files name it: "zh_CN". Thread: the window's. Read next: translations.h.
#pragma once

#include <QLocale>
#include <string>

namespace vitrine {

inline std::string localeName() { return QLocale().name().toStdString(); }

}  // namespace vitrine
