#include "widgets/support/translations.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

namespace vitrine {

void installTranslations(QCoreApplication& app, const QLocale& locale) {
  const QString folder = QStringLiteral(":/translations"), name = QStringLiteral("vitrine");
  auto* ours = new QTranslator(&app);
  if (ours->load(locale, name, QStringLiteral("_"), folder) ||
      ours->load(QStringLiteral("vitrine_en"), folder)) {
    QCoreApplication::installTranslator(ours);
  }
  auto* qts = new QTranslator(&app);  // of Qt's own dialogs
  if (qts->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
    QCoreApplication::installTranslator(qts);
  }
}

}  // namespace vitrine
