#include "gui/help/built_with.h"

#include <qcustomplot.h>
#include <QCoreApplication>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVersionNumber>

#include "built_with_versions.h"

namespace vitrine {

namespace {

// What a library is for, in the reader's words.
struct BuiltWith {
  Q_DECLARE_TR_FUNCTIONS(vitrine::BuiltWith)
};

// Of the library that Qt's driver is linked with: a database in memory knows.
QString sqliteVersion() {
  const QString name = QStringLiteral("built-with");
  QString version;
  {
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
    database.setDatabaseName(QStringLiteral(":memory:"));
    QSqlQuery query(database);
    if (database.open() && query.exec(QStringLiteral("SELECT sqlite_version()")) && query.next())
      version = query.value(0).toString();
  }
  QSqlDatabase::removeDatabase(name);
  return version;
}

QString atBuild(const char* version) { return QString::fromLatin1(version); }

// It changed with 4.3.5.
QString licenceOfZeroMq() {
  if (QVersionNumber::fromString(atBuild(VITRINE_ZEROMQ)) < QVersionNumber(4, 3, 5))
    return QStringLiteral("LGPL-3.0-or-later WITH LGPL-3.0-linking-exception");
  return QStringLiteral("MPL-2.0");
}

}  // namespace

std::vector<UsedLibrary> builtWith() {
  const QString bsd = QStringLiteral("BSD-3-Clause"), mit = QStringLiteral("MIT"),
                gpl = QStringLiteral("GPL-3.0-or-later"), apache = QStringLiteral("Apache-2.0");
#ifdef VITRINE_POPPLER
  const QString poppler = atBuild(VITRINE_POPPLER);
#else
  const QString poppler;
#endif
  return {
      {QStringLiteral("Qt"), QString::fromLatin1(qVersion()), QStringLiteral("LGPL-3.0-only"),
       BuiltWith::tr("the window")},
      {QStringLiteral("QCustomPlot"), atBuild(QCUSTOMPLOT_VERSION_STR), gpl, BuiltWith::tr("plots")},
      {QStringLiteral("SQLite"), sqliteVersion(), QStringLiteral("blessing"),
       BuiltWith::tr("the file of the chats")},
      {QStringLiteral("MD4C"), atBuild(VITRINE_MD4C), mit, BuiltWith::tr("Markdown of answers")},
      {QStringLiteral("GNU Source-highlight"), atBuild(VITRINE_SOURCE_HIGHLIGHT), gpl,
       BuiltWith::tr("colours of code")},
      {QStringLiteral("SentencePiece"), atBuild(VITRINE_SENTENCEPIECE), apache, BuiltWith::tr("tokenizers")},
      {QStringLiteral("PCRE2"), atBuild(VITRINE_PCRE2), bsd, BuiltWith::tr("how tokenizers split a text")},
      {QStringLiteral("utf8proc"), atBuild(VITRINE_UTF8PROC), mit, BuiltWith::tr("Unicode in tokenizers")},
      {QStringLiteral("Highway"), atBuild(VITRINE_HIGHWAY), apache,
       BuiltWith::tr("the kernels' vector instructions")},
      {QStringLiteral("nlohmann-json"), atBuild(VITRINE_NLOHMANN_JSON), mit, BuiltWith::tr("JSON files")},
      {QStringLiteral("Zstandard"), atBuild(VITRINE_ZSTD), bsd, BuiltWith::tr("traces")},
      {QStringLiteral("libzip"), atBuild(VITRINE_LIBZIP), bsd, BuiltWith::tr("chats in ZIP archives")},
      {QStringLiteral("Poppler"), poppler, QStringLiteral("GPL-2.0-only OR GPL-3.0-only"),
       BuiltWith::tr("the text of PDF files"), true},
      {QStringLiteral("CLI11"), atBuild(VITRINE_CLI11), bsd, BuiltWith::tr("the command line vitrine-cli"),
       true},
      {QStringLiteral("Boost"), atBuild(VITRINE_BOOST), QStringLiteral("BSL-1.0"),
       BuiltWith::tr("the network of vitrine-cli serve"), true},
      {QStringLiteral("prometheus-cpp"), atBuild(VITRINE_PROMETHEUS), mit,
       BuiltWith::tr("the metrics of vitrine-cli serve"), true},
      {QStringLiteral("ZeroMQ"), atBuild(VITRINE_ZEROMQ), licenceOfZeroMq(),
       BuiltWith::tr("the KV-cache events of other servers")},
      {QStringLiteral("libtorch"), {}, bsd, BuiltWith::tr("the reference backend"), true},
  };
}

}  // namespace vitrine
