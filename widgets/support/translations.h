// The window's texts in the reader's language. English is one of the translations, since it has plurals.
//
// Source strings write "%n token(s)"; resources/translations/vitrine_en.ts says "1 token" and "2 tokens". A
// window keeps the texts that it was made with: another language takes another window (program_window.h).
// Thread: the window's.
#pragma once

#include <QLocale>
#include <QString>
#include <vector>

class QCoreApplication;

namespace vitrine {

struct OfferedLanguage {
  QString key;   // "zh_CN"
  QString name;  // in that language
};
// Those that the window speaks.
const std::vector<OfferedLanguage>& offeredLanguages();

// For a key of these; the desktop's locale for another one, and where it has that language already.
QLocale localeFor(const QString& language);

// Installs the translation for the locale, or the English one, in place of that of an earlier call.
void installTranslations(QCoreApplication& app, const QLocale& locale = QLocale());

// Whether a font of this computer has the characters of the locale's language.
bool hasLettersOf(const QLocale& locale);

}  // namespace vitrine
