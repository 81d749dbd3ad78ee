// Where the functions of this folder that belong to no class have their words translated. Thread: any.
#pragma once

#include <QCoreApplication>

namespace vitrine {

struct CatalogWording {
  Q_DECLARE_TR_FUNCTIONS(vitrine::CatalogWording)
};

}  // namespace vitrine
