// The glossary: every term has one sentence, a paper's address, and a scenario that is there; and sentences
// are searched for terms as a reader would.
#include "vitrine/prose/glossary.h"

#include <QTest>
#include <cctype>
#include <filesystem>
#include <set>

using namespace vitrine::prose;

namespace {

// "block|token budget": the names of the terms in a sentence.
QString found(const char* sentence) {
  static const std::vector<Term> terms = glossary();
  QStringList names;
  for (const TermPlace& place : termsIn(sentence, terms))
    names << QString::fromStdString(terms[place.term].name);
  return names.join(u'|');
}

}  // namespace

class TestGlossary : public QObject {
  Q_OBJECT

 private slots:
  void everyTermIsComplete() {
    std::set<std::string> words;
    std::string before;
    for (const Term& term : glossary()) {
      const QString name = QString::fromStdString(term.name), meaning = QString::fromStdString(term.meaning);
      QVERIFY2(meaning.endsWith(u'.') && !meaning.contains(QLatin1String(". ")), qPrintable(name));
      QVERIFY2(meaning.size() > 20 && meaning.size() < 160, qPrintable(name));
      QVERIFY2(QString::fromStdString(before).compare(name, Qt::CaseInsensitive) < 0, qPrintable(name));
      before = term.name;
      QVERIFY2(term.paper.empty() == term.link.empty(), qPrintable(name));
      QVERIFY2(term.link.empty() || term.link.starts_with("https://"), qPrintable(name));
      const auto scenario =
          std::filesystem::path(VITRINE_SOURCE_DIR) / "resources/scenarios" / (term.scenario + ".json");
      QVERIFY2(term.scenario.empty() || std::filesystem::exists(scenario), qPrintable(name));
      QVERIFY2(!term.words.empty(), qPrintable(name));
      for (const std::string& word : term.words) {
        QVERIFY2(words.insert(word).second, word.c_str());
        for (const char letter : word) QVERIFY2(std::tolower(letter) == letter, word.c_str());
        QCOMPARE(found(word.c_str()), name);  // no other term begins it
      }
    }
    QVERIFY(words.size() > 60);
  }

  void sentencesNameTerms_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("terms");
    const auto row = [](const char* sentence, const char* terms) {
      QTest::newRow(sentence) << QString::fromUtf8(sentence) << QString::fromUtf8(terms);
    };
    row("B is preempted: A needs 1 block, 0 free.", "preempt|block");
    row("the token budget of 16 tokens", "token budget|token");
    row("Copy-on-write: block 3", "copy-on-write|block");
    row("a block-wise copy", "");
    row("blockade, unblock, prefills", "prefill");
    row("HEAD-OF-LINE BLOCKING", "head-of-line blocking");
    row("A samples “␣block” at top-p 0.9", "top-p");  // the text of a token is no term
    row("the beam search keeps 4 beams", "beam search|beam");
    row("", "");
  }
  void sentencesNameTerms() {
    QFETCH(QString, sentence);
    QFETCH(QString, terms);
    QCOMPARE(found(sentence.toUtf8().constData()), terms);
  }

  // Chinese has no blanks between words.
  void aTermStandsAmongIdeographs() {
    std::vector<Term> terms(3);
    terms[0].words = {"块"};
    terms[1].words = {"块表"};
    terms[2].words = {"token"};
    const std::string sentence = "块表有 3 个token，第二块空闲";
    std::vector<std::string> found;
    for (const TermPlace& place : termsIn(sentence, terms))
      found.push_back(sentence.substr(place.begin, place.length));
    QCOMPARE(found, (std::vector<std::string>{"块表", "token", "块"}));
  }

  void placesAreBytesOfTheSentence() {
    const std::string sentence = "“é” fills a block";
    const std::vector<TermPlace> places = termsIn(sentence, glossary());
    QCOMPARE(places.size(), std::size_t{1});
    QCOMPARE(sentence.substr(places[0].begin, places[0].length), std::string("block"));
  }
};

QTEST_APPLESS_MAIN(TestGlossary)
#include "tst_glossary.moc"
