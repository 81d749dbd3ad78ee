// Code by its parts: line by line, without the library's files, and within bounds.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "widgets/markdown/code_highlighter.h"

using namespace vitrine;

namespace {

QString partsOf(const std::string& line, const CodeHighlighter::Line& found) {
  QString text;
  for (const CodeSpan& span : found.spans)
    text += QString("%1[%2]")
                .arg(static_cast<int>(span.part))
                .arg(QString::fromStdString(line.substr(span.begin, span.end - span.begin)));
  return text;
}

}  // namespace

class TestCodeHighlighter : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY2(!CodeHighlighter::findDataFolder().empty(), "the library's languages are missing");
  }

  void aLineHasParts() {
    CodeHighlighter highlighter;
    const std::string line = "return \"a b\"; // why";
    const QString parts = partsOf(line, highlighter.highlight("cpp", line, nullptr));
    QVERIFY2(parts.contains("1[return]") && parts.contains("3[\"a b\"]") && parts.contains("4[// why]"),
             qPrintable(parts));
  }

  void aStateGoesFromLineToLine() {
    CodeHighlighter highlighter;
    const auto first = highlighter.highlight("c", "int a; /* begins", nullptr);
    const std::string second = "return here */ return";
    QVERIFY(first.after);
    QCOMPARE(partsOf(second, highlighter.highlight("c", second, first.after)), "4[return here */]1[return]");
    QCOMPARE(partsOf(second, highlighter.highlight("c", second, nullptr)).left(9), "1[return]");
    // A state is a value: the same line after it is the same however often it is asked for.
    QCOMPARE(partsOf(second, highlighter.highlight("c", second, first.after)), "4[return here */]1[return]");
    QVERIFY(!highlighter.highlight("c", "int b;", nullptr).after);
  }

  void languagesHaveTheNamesOfTheMapAndAFewMore() {
    CodeHighlighter highlighter;
    QCOMPARE(highlighter.fileOf("py"), "python.lang");
    for (const char* name : {"cpp", "c++", "rs", "rust", "bash", "js", "typescript", "json"})
      QVERIFY2(!highlighter.fileOf(name).empty(), name);
    for (const char* name : {"", "no-such-language", "../../etc/passwd", "cpp.lang"})
      QVERIFY2(highlighter.fileOf(name).empty(), name);
    QVERIFY(highlighter.highlight("no-such-language", "return 1;", nullptr).spans.empty());
    // More names than it remembers.
    for (int i = 0; i < 3000; ++i) QVERIFY(highlighter.fileOf("x" + std::to_string(i)).empty());
    QCOMPARE(highlighter.fileOf("py"), "python.lang");
  }

  void withoutItsFilesCodeIsPlain() {
    QTemporaryDir folder;
    for (const QString& place : {QString(), folder.path(), folder.path() + "/none"}) {
      CodeHighlighter highlighter(place.toStdString());
      QVERIFY(highlighter.highlight("cpp", "return 1;", nullptr).spans.empty());
    }
    // A map that names a file which is not there, and one which is broken.
    QFile map(folder.filePath("lang.map")), broken(folder.filePath("broken.lang"));
    QVERIFY(map.open(QIODevice::WriteOnly) && broken.open(QIODevice::WriteOnly));
    map.write("a = none.lang\nb = broken.lang\n");
    broken.write("state \"( include [");
    map.close(), broken.close();
    CodeHighlighter highlighter(folder.path().toStdString());
    QCOMPARE(highlighter.fileOf("b"), "broken.lang");
    QVERIFY(highlighter.highlight("a", "return 1;", nullptr).spans.empty());
    QVERIFY(highlighter.highlight("b", "return 1;", nullptr).spans.empty());
  }

  void aFolderIsFoundByTheEnvironment() {
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir("source-highlight"));
    QFile map(folder.filePath("source-highlight/lang.map"));
    QVERIFY(map.open(QIODevice::WriteOnly));
    const QByteArray before = qgetenv("XDG_DATA_DIRS");
    qputenv("XDG_DATA_DIRS", "relative::" + folder.path().toUtf8());
    const std::string found = CodeHighlighter::findDataFolder();
    before.isNull() ? qunsetenv("XDG_DATA_DIRS") : qputenv("XDG_DATA_DIRS", before);
    QCOMPARE(QString::fromStdString(found), folder.path() + "/source-highlight");
  }

  void aLongLineIsPlainAndLeavesTheStateAlone() {
    CodeHighlighter highlighter;
    const auto open = highlighter.highlight("c", "/* begins", nullptr);
    const auto line = highlighter.highlight("c", std::string(kMaxHighlightedLine + 1, 'x'), open.after);
    QVERIFY(line.spans.empty() && line.after == open.after);
  }

  void anyBytesAreALine() {
    CodeHighlighter highlighter;
    for (const char* language : {"cpp", "python", "sh", "json", "diff", "html", "perl"})
      for (const char* line :
           {"", "\xff\xfe", "((((((((((((((((((((((", "\\\\\\\\\\", "\"\"\"\"\"'''''", "日本語 \"日\""}) {
        for (const CodeSpan& span : highlighter.highlight(language, line, nullptr).spans)
          QVERIFY(span.begin < span.end && span.end <= std::strlen(line));
      }
  }
};

QTEST_APPLESS_MAIN(TestCodeHighlighter)
#include "tst_code_highlighter.moc"
