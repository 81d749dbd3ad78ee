// GBNF: what is read, what is refused and with which words, and that a grammar written out reads the same.
#include <QTest>

#include "grammar/derive.h"
#include "grammar/gbnf.h"
#include "vitrine/error.h"

using namespace vitrine;

namespace {

bool takes(const Grammar& grammar, std::string_view text) { return test::Recogniser(grammar).accepts(text); }

}  // namespace

class TestGbnf : public QObject {
  Q_OBJECT

 private slots:
  void textsAreTaken_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArrayList>("taken");
    QTest::addColumn<QByteArrayList>("refused");
    QTest::newRow("text") << QByteArray("root ::= \"a\\n\\\"\\\\\\x41\\u00e9\"")
                          << QByteArrayList{"a\n\"\\Aé"} << QByteArrayList{"", "a"};
    QTest::newRow("choice") << QByteArray("root ::= \"yes\" | \"no\"") << QByteArrayList{"yes", "no"}
                            << QByteArrayList{"", "yesno", "y"};
    QTest::newRow("nothing") << QByteArray("root ::= \"\" | \"a\"") << QByteArrayList{"", "a"}
                             << QByteArrayList{"b"};
    QTest::newRow("class") << QByteArray("root ::= [a-cx-] [^a-z\\]] .")
                           << QByteArrayList{"aA!", "-ék", "x-]"}
                           << QByteArrayList{"dAa", "aaa", "a]a", "aA"};
    QTest::newRow("repeats")
        << QByteArray("root ::= \"a\"* \"b\"+ \"c\"? \"d\"{2} \"e\"{1,} \"f\"{,2}").replace("{,", "{0,")
        << QByteArrayList{"bdde", "aaabbcddeeff", "bddef"} << QByteArrayList{"add", "bde", "bdd", "bddefff"};
    QTest::newRow("rules on several lines")
        << QByteArray(
               "# a list\nroot ::= item\n  (\", \" item)* # more\nitem ::= \"a\"\n  | \"(\" root \")\"\n")
        << QByteArrayList{"a", "a, a", "(a, (a)), a"} << QByteArrayList{"", "a,a", "(a"};
    QTest::newRow("brackets") << QByteArray("root ::= (\"a\" | \"b\" (\"c\" | \"\"))+")
                              << QByteArrayList{"a", "bcab"} << QByteArrayList{"c", ""};
  }
  void textsAreTaken() {
    QFETCH(QByteArray, source);
    QFETCH(QByteArrayList, taken);
    QFETCH(QByteArrayList, refused);
    const Grammar grammar = parseGbnf(source.toStdString());
    const Grammar again = parseGbnf(toGbnf(grammar));
    for (const QByteArray& text : taken) {
      QVERIFY2(takes(grammar, text.toStdString()), text.constData());
      QVERIFY2(takes(again, text.toStdString()), toGbnf(grammar).c_str());
    }
    for (const QByteArray& text : refused) {
      QVERIFY2(!takes(grammar, text.toStdString()), text.constData());
      QVERIFY2(!takes(again, text.toStdString()), toGbnf(grammar).c_str());
    }
  }

  void whatIsWrongIsNamedWithItsLine_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no root") << QByteArray("a ::= \"b\"") << QByteArray("no rule named root");
    QTest::newRow("empty") << QByteArray("") << QByteArray("no rule named root");
    QTest::newRow("no such rule") << QByteArray("root ::= \"a\"\n  | name")
                                  << QByteArray("line 2 of the grammar: there is no rule \"name\"");
    QTest::newRow("twice") << QByteArray("root ::= \"a\"\nroot ::= \"b\"")
                           << QByteArray("line 2 of the grammar: the rule \"root\" is defined a second time");
    QTest::newRow("no ::=") << QByteArray("root = \"a\"") << QByteArray("::= is expected behind \"root\"");
    QTest::newRow("open text") << QByteArray("root ::= \"a\n") << QByteArray("a closing \" is missing");
    QTest::newRow("open class") << QByteArray("root ::= [a") << QByteArray("a closing ] is missing");
    QTest::newRow("empty class") << QByteArray("root ::= []") << QByteArray("an empty class");
    QTest::newRow("no other character")
        << QByteArray("root ::= [^\\x00-\\x7f\\u0080-\\U0010FFFF]") << QByteArray("matches no character");
    QTest::newRow("no other character in one range")
        << QByteArray("root ::= [^\\x00-\\U0010FFFF]") << QByteArray("matches no character");
    QTest::newRow("wrong class") << QByteArray("root ::= [z-a]") << QByteArray("wrong way round");
    QTest::newRow("open bracket") << QByteArray("root ::= (\"a\"")
                                  << QByteArray("a closing bracket is expected");
    QTest::newRow("wrong count") << QByteArray("root ::= \"a\"{3,2}") << QByteArray("wrong way round");
    QTest::newRow("many") << QByteArray("root ::= \"a\"{999999999999}") << QByteArray("too many");
    QTest::newRow("escape") << QByteArray("root ::= \"\\q\"") << QByteArray("behind a backslash");
    QTest::newRow("surrogate") << QByteArray("root ::= \"\\ud800\"") << QByteArray("no character");
    QTest::newRow("rest") << QByteArray("root ::= \"a\" )") << QByteArray("no part of a rule");
    QTest::newRow("not UTF-8") << QByteArray("root ::= \"\xff\"") << QByteArray("not UTF-8");
    QTest::newRow("deep") << "root ::= " + QByteArray(100, '(') + "\"a\"" + QByteArray(100, ')')
                          << QByteArray("deeper than");
    QTest::newRow("long") << "root ::= \"" + QByteArray(70'000, 'a') + "\"" << QByteArray("bytes, more than");
  }
  void whatIsWrongIsNamedWithItsLine() {
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, words);
    try {
      parseGbnf(source.toStdString());
      QFAIL("it was taken");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kInvalidArgument);
      QVERIFY2(QByteArray(error.what()).contains(words), error.what());
    }
  }
};

QTEST_GUILESS_MAIN(TestGbnf)
#include "tst_gbnf.moc"
