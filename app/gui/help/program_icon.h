// The program's icon, as the window's title, task switchers and About show it.
#pragma once

#include <QIcon>

namespace vitrine {

QIcon programIcon();

}  // namespace vitrine
