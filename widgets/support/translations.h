// The window's texts in the reader's language. English is one of the translations, since it has plurals.
//
// Source strings write "%n token(s)"; resources/translations/vitrine_en.ts says "1 token" and "2 tokens".
// Thread: the window's, before the first widget.
#pragma once

#include <QLocale>

class QCoreApplication;

namespace vitrine {

// Installs the translation for the locale, or the English one.
void installTranslations(QCoreApplication& app, const QLocale& locale = QLocale());

}  // namespace vitrine
