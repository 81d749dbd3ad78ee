// The text of PDF files, which are written here byte by byte, and why there is none.
#include "gui/turns/pdf_text.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "gui/help/built_with.h"

using namespace vitrine;

namespace {

// A PDF with a page for each text; without a table of its objects, as a damaged one that is repaired has
// none.
std::string pdfOf(const std::vector<std::string>& pages, const std::string& trailer = {}) {
  std::string objects = "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n", kids;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::string page = std::to_string(10 + 2 * i), contents = std::to_string(11 + 2 * i);
    const std::string drawn =
        pages[i].empty() ? "0 0 9 9 re f" : "BT /F1 12 Tf 72 700 Td (" + pages[i] + ") Tj ET";
    kids += page + " 0 R ";
    objects += page + " 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents " + contents +
               " 0 R /Resources <</Font <</F1 3 0 R>>>>>> endobj\n" + contents + " 0 obj <</Length " +
               std::to_string(drawn.size()) + ">> stream\n" + drawn + "\nendstream endobj\n";
  }
  objects += "2 0 obj <</Type /Pages /Kids [" + kids + "] /Count " + std::to_string(pages.size()) +
             ">> endobj\n3 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj\n";
  return objects + "trailer <</Root 1 0 R " + trailer + ">>\n%%EOF\n";
}

PdfText read(const std::string& bytes, qint64 mostBytes = 1000) {
  return PdfText::from(bytes, mostBytes, {});
}

bool hasPoppler() {
  for (const UsedLibrary& one : builtWith())
    if (one.name == QLatin1String("Poppler")) return !one.version.isEmpty();
  return false;
}

bool isPopplerLoaded() {
  QFile maps("/proc/self/maps");
  return maps.open(QIODevice::ReadOnly) && maps.readAll().contains("libpoppler");
}

}  // namespace

class TestPdfText : public QObject {
  Q_OBJECT
  using Lack = PdfText::Lack;

 private slots:
  void init() {
    if (!hasPoppler() &&
        QLatin1String(QTest::currentTestFunction()) != QLatin1String("withoutPopplerThereIsAWord"))
      QSKIP("this build has no poppler");
  }

  // In front of all that reads one.
  void popplerIsLoadedWithTheFirstPdf() {
    QVERIFY(!isPopplerLoaded());
    QVERIFY(!PdfText::isPdf("a text"));
    QVERIFY(!isPopplerLoaded());
    QCOMPARE(read(pdfOf({"A fox."})).text, QString("A fox."));
    QVERIFY(isPopplerLoaded());
  }

  void anInstallationWithoutTheModuleIsAsABuildWithoutPoppler() {
    const QTemporaryDir empty;
    qputenv("VITRINE_MODULE_PATH", empty.path().toUtf8());
    const PdfText pdf = read(pdfOf({"A fox."}));
    qunsetenv("VITRINE_MODULE_PATH");
    QCOMPARE(pdf.lack, Lack::kPoppler);
    QVERIFY(pdf.text.isEmpty());
    QCOMPARE(read(pdfOf({"A fox."})).text, QString("A fox."));
  }

  void withoutPopplerThereIsAWord() {
    QVERIFY(PdfText::isPdf(pdfOf({"A fox."})));
    QVERIFY(!PdfText::isPdf("a text about %PDF-1.4") && !PdfText::isPdf(""));
    QCOMPARE(read(pdfOf({"A fox."})).lack == Lack::kPoppler, !hasPoppler());
  }

  void pagesFollowEachOther() {
    const PdfText pdf = read(pdfOf({"A fox lives here.", "", "And an owl."}));
    QCOMPARE(pdf.lack, Lack::kNothing);
    QCOMPARE(pdf.text, QString("A fox lives here.\n\nAnd an owl."));
    QCOMPARE(pdf.pages, 3);
  }

  void whyThereIsNone() {
    QCOMPARE(read(pdfOf({"", ""})).lack, Lack::kText);
    QCOMPARE(read("%PDF-1.7\nnothing more").lack, Lack::kWholeFile);
    QCOMPARE(read(pdfOf({})).lack, Lack::kWholeFile);
    QCOMPARE(read(pdfOf({"A fox lives here."}), 10).lack, Lack::kShorterText);
    const PdfText tooLong = read(pdfOf(std::vector<std::string>(PdfText::kMostPages + 1, "p")), 100000);
    QCOMPARE(tooLong.lack, Lack::kFewerPages);
    QCOMPARE(tooLong.pages, PdfText::kMostPages + 1);
    QCOMPARE(read(pdfOf(std::vector<std::string>(PdfText::kMostPages, "p")), 100000).lack, Lack::kNothing);
    const std::string key(64, 'a');
    QCOMPARE(read(pdfOf({"A fox."}, "/ID [<00><00>] /Encrypt <</Filter /Standard /V 1 /R 2 /P -4 /O <" + key +
                                        "> /U <" + key + ">>>"))
                 .lack,
             Lack::kPassword);
  }

  void aStopEndsItEarly() {
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(PdfText::from(pdfOf({"A fox."}), 1000, stop.get_token()).text.isEmpty());
  }

  // Cut at each place, and with each byte changed: no crash.
  void damageIsSafe() {
    const std::string whole = pdfOf({"A fox lives here."});
    for (std::size_t i = 0; i < whole.size(); i += 3) {
      read(whole.substr(0, i));
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ 0x15);
      read(changed);
    }
  }
};

QTEST_GUILESS_MAIN(TestPdfText)
#include "tst_pdf_text.moc"
