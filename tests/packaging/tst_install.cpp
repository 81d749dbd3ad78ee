// What `cmake --install` gives: it is whole, names no folder of the machine that built it, and runs after it
// was moved, where neither the source nor the build tree is.
#include <QDirIterator>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Result {
  int status = -1;  // -1: it did not start, crashed or never ended
  QByteArray out, err;
};

Result runProgram(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.setWorkingDirectory("/");
  process.start(program, arguments);
  Result result;
  if (process.waitForFinished(50000) && process.exitStatus() == QProcess::NormalExit)
    result.status = process.exitCode();
  else
    process.kill();
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  return result;
}

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestInstall : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    const QString first = m_folder.filePath("first");
    const Result result = runProgram(CMAKE, {"--install", VITRINE_BINARY_DIR, "--prefix", first, "--strip"});
    QVERIFY2(result.status == 0, result.err);
    m_prefix = m_folder.filePath("elsewhere");
    QVERIFY(QDir().rename(first, m_prefix));
  }

  void nothingIsMissing_data() {
    QTest::addColumn<QString>("path");
    for (const char* path :
         {"bin/vitrine", "bin/vitrine-cli", "share/vitrine/model/config.json",
          "share/vitrine/scenarios/six-blocks.json", "share/vitrine/lessons/paging.md",
          "share/applications/" VITRINE_APP_ID ".desktop", "share/metainfo/" VITRINE_APP_ID ".metainfo.xml",
          "share/man/man1/vitrine.1.gz", "share/man/man1/vitrine-cli.1.gz", "share/doc/vitrine/copyright",
          "share/doc/vitrine/changelog.gz", "share/licenses/vitrine/LICENSE",
          "share/icons/hicolor/scalable/apps/" VITRINE_APP_ID ".svg",
          "share/icons/hicolor/symbolic/apps/" VITRINE_APP_ID "-symbolic.svg"})
      QTest::newRow(path) << path;
  }
  void nothingIsMissing() {
    QFETCH(QString, path);
    QVERIFY(QFileInfo(m_prefix + '/' + path).size() > 0);
  }

  void iconsHaveTheSizesOfTheirFolders() {
    for (const int size : {16, 24, 32, 48, 64, 128, 256, 512}) {
      const QString file =
          QStringLiteral("%1/share/icons/hicolor/%2x%2/apps/" VITRINE_APP_ID ".png").arg(m_prefix).arg(size);
      const QImage icon(file);
      QVERIFY2(icon.size() == QSize(size, size), qPrintable(file));
      QCOMPARE(qAlpha(icon.pixel(0, size - 1)), 0);           // round corners
      QCOMPARE(qAlpha(icon.pixel(size / 2, size / 2)), 255);  // and something within
    }
  }

  void noFileNamesTheTreesItCameFrom() {
#if VITRINE_SANITIZED
    QSKIP("AddressSanitizer writes source paths into programs");
#endif
    int seen = 0;
    for (QDirIterator walk(m_prefix, QDir::Files, QDirIterator::Subdirectories); walk.hasNext(); ++seen) {
      const QString path = walk.next();
      const QByteArray bytes = bytesOf(path);
      for (const char* tree : {VITRINE_SOURCE_DIR, VITRINE_BINARY_DIR}) {
        const auto place = bytes.indexOf(tree);
        QVERIFY2(place < 0, qPrintable(path + ": " + bytes.mid(place, 120)));
      }
    }
    QVERIFY(seen > 40);
  }

  void itAnswersWithItsOwnModel() {
    const Result result =
        hidden("vitrine-cli", {"generate", "--prompt", "Hello", "--chat", "--max-tokens", "4", "--json"});
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject answer = QJsonDocument::fromJson(result.out).object()["sequences"][0].toObject();
    QVERIFY(!answer["text"].toString().isEmpty());
  }

  void itKnowsItsScenarios() {
    const Result result = hidden("vitrine-cli", {"run", "--scenario", "six-blocks", "--json"});
    QVERIFY2(result.status == 0, result.err);
    QVERIFY(!QJsonDocument::fromJson(result.out).object()["requests"].toArray().isEmpty());
  }

  // The folder of the module is found, too: unigram models are segmented by it alone.
  void itFindsItsModules() {
    const QString model = m_folder.filePath("unigram");
    QVERIFY(QDir().mkpath(model));
    QVERIFY(QFile::copy(VITRINE_SOURCE_DIR "/tests/golden/tokenizers/sp-unigram/tokenizer.model",
                        model + "/tokenizer.model"));
    const Result result =
        hidden("vitrine-cli", {"tokenize", "--model", model, "--text", "to be or not", "--json"});
    QVERIFY2(result.status == 0, result.err);
    QVERIFY(!QJsonDocument::fromJson(result.out).object()["token_ids"].toArray().isEmpty());
#if VITRINE_HAS_TORCH
    const Result reference = hidden("vitrine-cli", {"generate", "--prompt", "Hello", "--max-tokens", "2",
                                                    "--kernels", "reference", "--json"});
    QVERIFY2(reference.status == 0, reference.err);
#endif
  }

  // The window alone loads it, and reads its text: tst_pdf_text.
  void theReaderOfPdfFilesLiesBesideTheOtherModules() {
#if VITRINE_HAS_POPPLER
    QStringList folders;
    for (QDirIterator walk(m_prefix, {"libvitrine_*.so"}, QDir::Files, QDirIterator::Subdirectories);
         walk.hasNext();)
      if (const QFileInfo module(walk.next());
          module.fileName() == "libvitrine_pdf.so" || module.fileName() == "libvitrine_sentencepiece.so")
        folders << module.path();
    QCOMPARE(folders.size(), 2);
    QCOMPARE(folders.first(), folders.last());
#else
    QSKIP("this build has no poppler");
#endif
  }

  void bothProgramsPrintTheSameVersion() {
    QCOMPARE(hidden("vitrine-cli", {"--version"}).out.trimmed(), QByteArray("vitrine-cli " VITRINE_VERSION));
    qputenv("QT_QPA_PLATFORM", "none of that name");  // no display is needed to say so
    const QByteArray said = hidden("vitrine", {"--version"}).out.trimmed();
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QCOMPARE(said, QByteArray("Vitrine " VITRINE_VERSION));
  }

  void theChangesBeginWithThisVersion() {
    const QByteArray changes = bytesOf(VITRINE_SOURCE_DIR "/CHANGELOG.md");
    const auto first = changes.indexOf("\n## ");
    QVERIFY(first >= 0);
    QCOMPARE(changes.mid(first + 4, changes.indexOf('\n', first + 1) - first - 4),
             QByteArray(VITRINE_VERSION " - " VITRINE_RELEASE_DATE));
    const QByteArray metainfo = bytesOf(m_prefix + "/share/metainfo/" VITRINE_APP_ID ".metainfo.xml");
    QVERIFY(metainfo.contains("<release version=\"" VITRINE_VERSION "\" date=\"" VITRINE_RELEASE_DATE "\">"));
  }

  void theDesktopKnowsWhatToDoWithIt() {
    const QString entry = m_prefix + "/share/applications/" VITRINE_APP_ID ".desktop";
    const Result desktop = runProgram(DESKTOP_FILE_VALIDATE, {entry});
    QVERIFY2(desktop.status == 0 && desktop.out.isEmpty(), desktop.out);
    QVERIFY(bytesOf(entry).contains("\nIcon=" VITRINE_APP_ID "\n"));
    const QString metainfo = m_prefix + "/share/metainfo/" VITRINE_APP_ID ".metainfo.xml";
    const Result appstream = runProgram(APPSTREAMCLI, {"validate", "--no-net", metainfo});
    QVERIFY2(appstream.status == 0, appstream.out);
  }

 private:
  // Runs an installed program where the source and the build tree are empty folders, if this system lets us.
  Result hidden(const QString& name, const QStringList& arguments) const {
    const QString program = m_prefix + "/bin/" + name;
    if (QByteArray(HIDING).isEmpty()) return runProgram(program, arguments);
    const QString script = QStringLiteral(
        "[ ! -d \"$1\" ] || mount -t tmpfs none \"$1\"; [ ! -d \"$2\" ] || mount -t tmpfs none \"$2\";"
        "[ ! -e \"$1/CMakeLists.txt\" ] || exit 99; [ ! -e \"$2/bin\" ] || exit 99; shift 2; exec \"$@\"");
    return runProgram("unshare", QString(HIDING).split(' ') +
                                     QStringList{"sh", "-c", script, "sh", VITRINE_SOURCE_DIR,
                                                 VITRINE_BINARY_DIR, program} +
                                     arguments);
  }

  QTemporaryDir m_folder;
  QString m_prefix;
};

QTEST_GUILESS_MAIN(TestInstall)
#include "tst_install.moc"
