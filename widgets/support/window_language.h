// The window's side of the hook in vitrine/prose/language.h: texts through Qt's translators, numbers as the
// current locale writes them. Thread: the window's.
#pragma once

#include "vitrine/prose/language.h"

namespace vitrine {

const prose::Language& windowLanguage();

}  // namespace vitrine
