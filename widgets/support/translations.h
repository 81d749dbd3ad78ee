// The window's words in the reader's language; English is one of them, because it has plurals.
//
// Source strings write "%n token(s)"; resources/translations/vitrine_en.ts says "1 token" and "2 tokens".
// Thread: the window's, before the first widget.
#pragma once

#include <QLocale>

class QCoreApplication;

namespace vitrine {

// Installs what there is for the locale, and English where there is nothing.
void installTranslations(QCoreApplication& app, const QLocale& locale = QLocale());

}  // namespace vitrine
