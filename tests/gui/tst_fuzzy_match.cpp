// How a command palette finds entries: by words in any order, by beginnings, by initials, by a part of a
// word.
#include "gui/commands/fuzzy_match.h"

#include <QTest>
#include <algorithm>

using namespace vitrine;

namespace {

// The text with its hits in brackets; "no" when it does not match.
QString lit(const QString& text, const QString& query) {
  const auto match = fuzzyMatch(text, query);
  if (!match) return QStringLiteral("no");
  QString out;
  for (int i = 0; i < text.size(); ++i) {
    const bool hit = match->hits.contains(i), before = match->hits.contains(i - 1);
    if (hit && !before) out += u'[';
    if (!hit && before) out += u']';
    out += text[i];
  }
  return match->hits.contains(static_cast<int>(text.size()) - 1) ? out + u']' : out;
}

}  // namespace

class TestFuzzyMatch : public QObject {
  Q_OBJECT

 private slots:
  void hits_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("expected");
    const QString options = QStringLiteral("Machine › Machine options");
    QTest::newRow("a word") << options << "options"
                            << "Machine › Machine [options]";
    QTest::newRow("a beginning") << options << "opt"
                                 << "Machine › Machine [opt]ions";
    QTest::newRow("the case") << options << "OPT"
                              << "Machine › Machine [opt]ions";
    QTest::newRow("initials") << "Save the run"
                              << "str"
                              << "[S]ave [t]he [r]un";
    QTest::newRow("beginnings of two words") << "Restore default layout"
                                             << "redela"
                                             << "[Re]store [de]fault [la]yout";
    QTest::newRow("words in another order") << "Open a trace"
                                            << "trace open"
                                            << "[Open] a [trace]";
    QTest::newRow("a part of a word") << "Breakpoints"
                                      << "point"
                                      << "Break[point]s";
    QTest::newRow("no letter is skipped inside a word") << "Breakpoints"
                                                        << "bkp"
                                                        << "no";
    QTest::newRow("each word must be there") << "Open a trace"
                                             << "open model"
                                             << "no";
    QTest::newRow("the order of letters") << "Open"
                                          << "poe"
                                          << "no";
    QTest::newRow("too long") << "Open"
                              << "openopen"
                              << "no";
    QTest::newRow("nothing asked") << "Open"
                                   << "  "
                                   << "Open";
    QTest::newRow("nothing there") << ""
                                   << "a"
                                   << "no";
    QTest::newRow("other letters") << QStringLiteral("Übersicht öffnen") << QStringLiteral("üÖ")
                                   << QStringLiteral("[Ü]bersicht [ö]ffnen");
    QTest::newRow("a letter is not two")
        << QStringLiteral("Straße") << QStringLiteral("strasse") << QStringLiteral("no");
    QTest::newRow("places stay") << QStringLiteral("Straße frei") << QStringLiteral("sßf") << "no";
    QTest::newRow("places behind it")
        << QStringLiteral("Straße frei") << "SF" << QStringLiteral("[S]traße [f]rei");
    QTest::newRow("outside of the first plane")
        << QStringLiteral("a 🦊 story") << QStringLiteral("🦊") << QStringLiteral("a [🦊] story");
    QTest::newRow("digits") << "Text size › 150 %"
                            << "150"
                            << "Text size › [150] %";
  }
  void hits() {
    QFETCH(QString, text);
    QFETCH(QString, query);
    QTEST(lit(text, query), "expected");
  }

  // The first of two must be the better match.
  void order_data() {
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("better");
    QTest::addColumn<QString>("worse");
    QTest::newRow("a beginning before a part") << "step"
                                               << "Step"
                                               << "Misstep";
    QTest::newRow("a whole word before a beginning") << "run"
                                                     << "Run"
                                                     << "Runs";
    QTest::newRow("a word before initials") << "rt"
                                            << "rt"
                                            << "Run to";
    QTest::newRow("initials before letters inside") << "rt"
                                                    << "Run to"
                                                    << "Artist";
  }
  void order() {
    QFETCH(QString, query);
    QFETCH(QString, better);
    QFETCH(QString, worse);
    const auto first = fuzzyMatch(better, query), second = fuzzyMatch(worse, query);
    QVERIFY(first && second);
    QVERIFY2(first->score > second->score,
             qPrintable(QStringLiteral("%1 and %2").arg(first->score).arg(second->score)));
  }

  void theMainPartCountsForMore() {
    const auto inMenu = fuzzyMatch("Run - Save", "run", 6), inTitle = fuzzyMatch("Save - Run", "run", 7);
    QVERIFY(inMenu && inTitle && inTitle->score > inMenu->score);
  }

  // Time and memory are bounded by the text and the first letters of the query.
  void aPastedPageEnds() {
    const auto match = fuzzyMatch(QString(20000, u'a'), QString(1 << 20, u'a'));
    QVERIFY(match && match->hits.size() == 64 && std::ranges::is_sorted(match->hits));
  }
};

QTEST_APPLESS_MAIN(TestFuzzyMatch)
#include "tst_fuzzy_match.moc"
