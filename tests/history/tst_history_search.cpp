// Search as one types: what is found, where the hits are, and that no query is an error.
#include <QTest>
#include <random>

#include "history/history_files.h"
#include "history/history_schema.h"
#include "history/search_text.h"

using namespace vitrine;

namespace {

// The hits as they stand in the snippets.
QStringList hitsOf(const std::vector<SearchHit>& found) {
  QStringList hits;
  for (const SearchHit& hit : found)
    for (const HitRange& range : hit.ranges) hits += hit.snippet.mid(range.start, range.length);
  return hits;
}

QString u(const char* text) { return QString::fromUtf8(text); }

}  // namespace

class TestHistorySearch : public QObject {
  Q_OBJECT

 private slots:
  void whatIsFound_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("query");
    QTest::addColumn<QStringList>("hits");  // empty: not found
    const auto row = [](const char* name, const char* text, const char* query, const QStringList& hits) {
      QTest::newRow(name) << u(text) << u(query) << hits;
    };
    row("a word", "The paged cache.", "cache ", {"cache"});
    row("the last word begins one", "The paged cache.", "pag", {"paged"});
    row("a blank ends it", "The paged cache.", "pag ", {});
    row("all words in any order", "The paged cache.", "cache pag", {"paged", "cache"});
    row("not all words", "The paged cache.", "cache swap", {});
    row("only the last is a beginning", "The paged cache.", "pag cache", {});
    row("case", "The PAGED cache.", "paged", {"PAGED"});
    row("a phrase", "one two three", "\"two three\"", {"two three"});
    row("no phrase", "one two three", "\"one three\"", {});
    row("an open phrase goes on", "one two three", "\"two thr", {"two three"});
    row("a phrase and a word", "one two three", "\"two three\" on", {"one", "two three"});
    row("accents in the text", "Café crème, Größe", "cafe creme", {"Café", "crème"});
    row("accents in the query", "Grosse cafe", "café", {"cafe"});
    row("a combining accent", "Cafe\u0301!", "café", {"Cafe\u0301"});
    row("Cyrillic", "Привет, мир", "прив", {"Привет"});
    row("Greek", "Καλημέρα ΚΌΣΜΕ", "κόσμ", {"ΚΌΣΜΕ"});
    row("signs are passed over", "std::vector<int>", "vector<in", {"vector<int"});
    row("a hyphen is a phrase", "a well-known fact", "well-kno", {"well-known"});
    row("an underscore", "kv_cache size", "kv_ca", {"kv_cache"});
    row("C++", "I like C++ a lot", "c++", {"C"});
    row("Chinese, within", "我想学习机器学习的基础知识", "机器", {"机器"});
    row("Chinese, one character", "我想学习机器学习的基础知识", "基", {"基"});
    row("Chinese, not adjacent", "我想学习机器学习的基础知识", "机学", {});
    row("Chinese, two words", "我想学习机器学习的基础知识", "知识 机器", {"机器", "知识"});
    row("Japanese", "カタカナとひらがな。", "とひら", {"とひら"});
    row("Korean, within a word", "학교에서 공부한다", "교에", {"교에"});
    row("Thai", "ฉันเรียนภาษาไทย", "ภาษา", {"ภาษา"});
    row("Han beyond the basic plane", "古字\U00020bb7野家", "\U00020bb7野", {"\U00020bb7野"});
    row("Latin beside Chinese", "用Python写代码", "pyth", {"Python"});
    row("both in one query", "用Python写代码", "python写", {"Python写"});
    row("emoji alone", "well 😀 done", "😀", {});
    row("emoji beside a word", "well 😀 done", "😀 done", {"done"});
  }
  void whatIsFound() {
    QFETCH(QString, text);
    QFETCH(QString, query);
    QFETCH(QStringList, hits);
    ChatHistory history;
    const ChatId chat = smallChat(history, "?!", text);
    history.rename(chat, "");
    const std::vector<SearchHit> found = history.search(query);
    QCOMPARE(found.empty(), hits.empty());
    QCOMPARE(hitsOf(found), hits);
    if (found.empty()) return;
    QCOMPARE(found.size(), 1U);
    QCOMPARE(found[0].snippet, text);
    QCOMPARE(found[0].chat, chat);
    QCOMPARE(found[0].message, history.chat(chat)->shownLeaf);
    QVERIFY(found[0].role == MessageRole::kAssistant && found[0].createdMs > 0);
  }

  void titlesFirstThenTheNewest() {
    ChatHistory history;
    const ChatId one = smallChat(history, "Zebras and horses", "no");
    nextMoment();
    const ChatId two = smallChat(history, "Birds", "a zebra");
    nextMoment();
    const ChatId three = smallChat(history, "Zebra again", "zebras");
    history.rename(one, "Animals with zebra stripes");
    history.rename(three, "Other");
    std::vector<std::pair<ChatId, bool>> places;
    for (const SearchHit& hit : history.search("zebra")) places.emplace_back(hit.chat, hit.message == 0);
    QCOMPARE(places, (std::vector<std::pair<ChatId, bool>>{
                         {one, true}, {three, false}, {three, false}, {two, false}, {one, false}}));
    QCOMPARE(history.search("zebra", 2).size(), 2U);
    QCOMPARE(history.search("zebra", 1).at(0).title, "Animals with zebra stripes");
    QVERIFY(history.search("zebra", 0).empty());
    history.setArchived(two, true);
    QVERIFY(history.search("\"a zebra\"").at(0).archived);
    history.remove(three);
    QCOMPARE(history.search("zebra").size(), 3U);
  }

  void whatChangesIsFoundAsItIs() {
    ChatHistory history;
    const ChatId chat = history.createChat();
    const MessageId answer = history.beginAnswer(chat, 0, {});
    history.append(answer, {.text = "An elephant", .thinking = "rhinoceros"});
    QVERIFY(history.search("elephant").empty());  // it streams
    history.finish(answer, {});
    QCOMPARE(history.search("elephant").size(), 1U);
    QVERIFY(history.search("rhinoceros").empty());
    history.rename(chat, "Old title");
    history.rename(chat, "New title");
    QVERIFY(history.search("old").empty());
    QCOMPARE(history.search("new").size(), 1U);
    history.edit(answer, "A giraffe");
    QCOMPARE(history.search("elephant").size(), 1U);  // the other branch is there too
    QCOMPARE(history.search("giraffe").size(), 1U);
  }

  void aLongTextIsCutAroundTheHit() {
    ChatHistory history;
    smallChat(history, "?!",
              QString("before \n").repeated(5000) + "needle" + QString("\n after").repeated(5000));
    smallChat(history, "?!", QString("\U0001f600").repeated(3000) + " needle");
    const std::vector<SearchHit> found = history.search("needl");
    QCOMPARE(found.size(), 2U);
    QCOMPARE(hitsOf(found), (QStringList{"needle", "needle"}));
    for (const SearchHit& hit : found) {
      QVERIFY(hit.snippet.size() <= 202 && hit.snippet.startsWith(QChar(0x2026)) &&
              !hit.snippet.contains('\n'));
      QCOMPARE(QString::fromUtf8(hit.snippet.toUtf8()), hit.snippet);  // no half characters
    }
    // Very many hits in one text.
    smallChat(history, "?!", QString("thread ").repeated(20000));
    QVERIFY(history.search("thr").at(0).ranges.size() > 10);
  }

  void noQueryIsAnError_data() {
    QTest::addColumn<QString>("query");
    int count = 0;
    for (const char* query : {"",
                              " ",
                              "\"",
                              "\"\"",
                              "\"\"\"",
                              "*",
                              "a*",
                              "\"a",
                              "a\"",
                              "a\"b",
                              "(",
                              ")",
                              "(a",
                              "a)",
                              "a AND",
                              "AND",
                              "OR b",
                              "NOT",
                              "a NOT",
                              "NEAR",
                              "NEAR(",
                              "NEAR(a b, 2)",
                              "text:a",
                              "text : a",
                              "{text}:a",
                              "- a",
                              "-text:a",
                              "^a",
                              "a + b",
                              "+",
                              ":",
                              "{",
                              "}",
                              "'",
                              "';DROP TABLE chats;--",
                              "%",
                              "_",
                              "\\",
                              "a\\",
                              "a,b",
                              "a;b",
                              "?",
                              "?1",
                              ":a",
                              "@a",
                              "$a",
                              "\x1d",
                              "\x1e\x1f",
                              "\xef\xbf\xbe",
                              "rank",
                              "message_index",
                              "a* b*",
                              "\"a\"*",
                              "* *"})
      QTest::addRow("%d", count++) << u(query);
    QTest::newRow("NUL") << QString(QLatin1String("a\0b", 3));
    QTest::newRow("half a character") << QString(QChar(0xd800));
    QTest::newRow("long") << QString("word ").repeated(100000);
    QTest::newRow("quotes") << QString("\"a\" ").repeated(10000);
    QTest::newRow("one long word") << QString(1000000, 'a');
  }
  void noQueryIsAnError() {
    QFETCH(QString, query);
    ChatHistory history;
    smallChat(history, "a rank text", "and b near a");
    history.search(query);
    QVERIFY2(history.status().ok(), qPrintable(history.status().message));
    // A failure in memory shows in the database itself.
    const auto database = HistoryDatabase::openInMemory();
    migrate(*database, migrations());
    HistoryStore(*database).search(query, 10);
  }

  void noRandomQueryIsAnError() {
    const auto database = HistoryDatabase::openInMemory();
    migrate(*database, migrations());
    HistoryStore store(*database);
    const QString letters =
        u("ab\"\"'*()^-+:{}, \tANDORNT日本あกé\u0301\U0001f600\\%_") + QChar(0) + QChar(0x1d) + QChar(0xdc00);
    std::mt19937 random(3);
    for (int i = 0; i < 3000; ++i) {
      QString query;
      for (auto length = random() % 14; length > 0; --length)
        query += letters.at(random() % std::size_t(letters.size()));
      try {
        store.search(query, 10);
      } catch (const SqlFailure& failure) {
        QFAIL(qPrintable(query + ": " + failure.words()));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestHistorySearch)
#include "tst_history_search.moc"
