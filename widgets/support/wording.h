// Where the window's functions that belong to no class have their words translated. Thread: any.
#pragma once

#include <QCoreApplication>

namespace vitrine {

struct Wording {
  Q_DECLARE_TR_FUNCTIONS(vitrine::Wording)
};

}  // namespace vitrine
