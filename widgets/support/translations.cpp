#include "widgets/support/translations.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QLibraryInfo>
#include <QTranslator>
#include <algorithm>

namespace vitrine {

namespace {

class InstalledTranslator : public QTranslator {
 public:
  using QTranslator::QTranslator;
};

void install(QCoreApplication& app, const QLocale& locale, const QString& name, const QString& folder,
             const QString& fallback = {}) {
  auto* const translator = new InstalledTranslator(&app);
  if (translator->load(locale, name, QStringLiteral("_"), folder) ||
      (!fallback.isEmpty() && translator->load(fallback, folder)))
    QCoreApplication::installTranslator(translator);
  else
    delete translator;
}

}  // namespace

const std::vector<OfferedLanguage>& offeredLanguages() {
  static const std::vector<OfferedLanguage> kLanguages = {
      {QStringLiteral("en"), QStringLiteral("English")},
      {QStringLiteral("zh_CN"), QStringLiteral("简体中文")},
  };
  return kLanguages;
}

// A desktop in British English keeps its dates and numbers.
QLocale localeFor(const QString& language) {
  const QLocale desktop = QLocale::system();
  const bool isOffered = std::ranges::count(offeredLanguages(), language, &OfferedLanguage::key) > 0;
  const QLocale wanted(language);
  return !isOffered || wanted.language() == desktop.language() ? desktop : wanted;
}

void installTranslations(QCoreApplication& app, const QLocale& locale) {
  for (QObject* const child : app.children())
    if (auto* const earlier = dynamic_cast<InstalledTranslator*>(child)) delete earlier;  // removes itself
  install(app, locale, QStringLiteral("vitrine"), QStringLiteral(":/translations"),
          QStringLiteral("vitrine_en"));
  install(app, locale, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

bool hasLettersOf(const QLocale& locale) {
  return locale.language() != QLocale::Chinese ||
         !QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty();
}

}  // namespace vitrine
