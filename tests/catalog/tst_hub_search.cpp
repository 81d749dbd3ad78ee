// The hub's own search: what is asked, what is made of the answer, and answers that are late, endless, broken
// or made to do harm.
#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include "catalog/download_run.h"
#include "catalog/hub_search.h"
#include "catalog/hub_search_answer.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

QByteArray modelNamed(const QByteArray& name) { return "[{\"id\":\"" + name + "\"}]"; }

// A search, and what it has said.
struct Search {
  explicit Search(const DownloadSettings& settings) : search(settings) {
    QObject::connect(&search, &HubSearch::found, [this](const QList<HubOffer>& offers) {
      ++answers;
      found = offers;
    });
    QObject::connect(&search, &HubSearch::failed, [this](const DownloadProblem& what) {
      ++answers;
      problem = what;
    });
  }

  HubSearch search;
  int answers = 0;
  QList<HubOffer> found;
  DownloadProblem problem;
};

}  // namespace

class TestHubSearch : public QObject {
  Q_OBJECT

 private slots:
  // In front of all that searches: the network has threads of its own, which stay.
  void noThreadBeginsBeforeTheFirstSearch() {
    const auto threads = [] {
      return QDir("/proc/self/task").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
    };
    HubServer hub;
    const auto before = threads();
    Search run(settingsFor(hub));
    run.search.cancel();
    QCOMPARE(threads(), before);
    run.search.search("fox");
    QVERIFY(threads() > before);
  }

  void anAnswerIsRead() {
    const HubSearchAnswer answer = readHubSearch(R"([
      {"_id":"1","id":"Qwen/Qwen3-4B-GGUF","downloads":5000000000,
       "gguf":{"total":4022468096,"architecture":"qwen3","context_length":40960,"chat_template":"{{ x }}"}},
      {"id":"owner/other","gguf":{"architecture":"gemma3"}},
      {"id":"owner/plain"}])");
    QCOMPARE(answer.problem, QString());
    QCOMPARE(answer.offers.size(), 3);
    const HubOffer& first = answer.offers[0];
    QCOMPARE(first.repository, "Qwen/Qwen3-4B-GGUF");
    QCOMPARE(first.downloads, 5000000000);
    QCOMPARE(first.parameters, 4022468096);
    QCOMPARE(first.contextLength, 40960);
    QCOMPARE(opensHere(first), OpensHere::kYes);
    QCOMPARE(opensHere(answer.offers[1]), OpensHere::kNo);
    QCOMPARE(opensHere(answer.offers[2]), OpensHere::kNotKnown);
    QCOMPARE(answer.offers[2].downloads, -1);
  }

  void whatIsNoListIsAProblem_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("an object") << QByteArray("{\"error\":\"no\"}");
    QTest::newRow("half") << QByteArray("[{\"id\":\"a/b\"");
    QTest::newRow("deep") << QByteArray(100000, '[');
    QTest::newRow("a page") << QByteArray("<html><b>Sign in</b></html>");
  }
  void whatIsNoListIsAProblem() {
    QFETCH(QByteArray, json);
    const HubSearchAnswer answer = readHubSearch(json);
    QVERIFY(!answer.problem.isEmpty());
    QVERIFY(answer.offers.isEmpty());
  }

  void entriesWithoutAGoodNameAreLeftOut_data() {
    QTest::addColumn<QByteArray>("entry");
    const auto named = [](const QByteArray& name) { return QByteArray("{\"id\":\"" + name + "\"}"); };
    QTest::newRow("a number") << QByteArray("7");
    QTest::newRow("a list") << QByteArray("[[]]");
    QTest::newRow("no name") << QByteArray("{}");
    QTest::newRow("a name of another kind") << QByteArray("{\"id\":{\"a\":\"b\"}}");
    QTest::newRow("upwards") << named("../../etc");
    QTest::newRow("absolute") << named("/etc/passwd");
    QTest::newRow("no owner") << named("gpt2");
    QTest::newRow("too many steps") << named("a/b/c");
    QTest::newRow("a line's end") << named("a/b\\nc");
    QTest::newRow("turned around") << named("a/\\u202egpj.b");
    QTest::newRow("a mark of HTML") << named("a/<b>c");
    QTest::newRow("another host") << named("https://a/b");
    QTest::newRow("long") << named("a/" + QByteArray(2000, 'b'));
  }
  void entriesWithoutAGoodNameAreLeftOut() {
    QFETCH(QByteArray, entry);
    const HubSearchAnswer answer = readHubSearch("[" + entry + ",{\"id\":\"a/good\"}]");
    QCOMPARE(answer.problem, QString());
    QCOMPARE(answer.offers.size(), 1);
    QCOMPARE(answer.offers[0].repository, "a/good");
  }

  void figuresThatMakeNoSenseAreNotKnown() {
    const HubSearchAnswer answer = readHubSearch(R"([{"id":"a/b","downloads":-3,
      "gguf":{"total":1e300,"architecture":"<img src=x>","context_length":3000000000}},
      {"id":"a/c","downloads":"many","gguf":[1]}])");
    QCOMPARE(answer.offers.size(), 2);
    for (const HubOffer& offer : answer.offers) {
      QCOMPARE(offer.downloads, -1);
      QCOMPARE(offer.parameters, 0);
      QCOMPARE(offer.contextLength, 0);
      QCOMPARE(offer.family, QString());
    }
  }

  void aLongListIsCut() {
    QByteArray json = "[";
    for (int i = 0; i < 5000; ++i) json += "{\"id\":\"a/m" + QByteArray::number(i) + "\"},";
    QCOMPARE(readHubSearch(json + "{}]").offers.size(), 30);
  }

  void wordsAreAskedForOnceAndAsTheyAre() {
    HubServer hub;
    hub.searches["qwen3 & \"co\" #1"] = modelNamed("owner/model");
    Search run(settingsFor(hub));
    QCOMPARE(hub.connectionCount(), 0);
    run.search.search("qwen3 & \"co\" #1");
    QVERIFY(run.search.isRunning());
    VITRINE_TRY(run.answers == 1);
    QVERIFY(!run.search.isRunning());
    QCOMPARE(run.found.size(), 1);
    QCOMPARE(run.found[0].repository, "owner/model");
    QCOMPARE(hub.seen.size(), 1);
    QVERIFY(hub.seen[0].path.contains("filter=gguf") && hub.seen[0].path.contains("expand%5B%5D=gguf"));
  }

  void anotherSearchEndsTheOneOfBefore() {
    HubServer hub;
    hub.searches["a"] = modelNamed("owner/a");
    hub.searches["b"] = modelNamed("owner/b");
    Search run(settingsFor(hub));
    run.search.search("a");
    run.search.search("b");
    VITRINE_TRY(run.answers == 1);
    QCOMPARE(run.found[0].repository, "owner/b");
    run.search.search("a");
    run.search.cancel();
    QVERIFY(!run.search.isRunning());
    run.search.search("b");
    VITRINE_TRY(run.answers == 2);
    QCOMPARE(run.found[0].repository, "owner/b");
  }

  void failuresAreInWords_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<DownloadFault>("fault");
    QTest::newRow("no search there") << 404 << DownloadFault::kServer;
    QTest::newRow("broken") << 500 << DownloadFault::kServer;
    QTest::newRow("busy") << 429 << DownloadFault::kBusy;
  }
  void failuresAreInWords() {
    QFETCH(int, status);
    HubServer hub;
    hub.statusAlways = status;
    Search run(settingsFor(hub));
    run.search.search("a");
    VITRINE_TRY(run.answers == 1);
    QTEST(run.problem.fault, "fault");
    QVERIFY(!run.problem.message.isEmpty() && !run.problem.hint.isEmpty());
    QCOMPARE(hub.seen.size(), 1);
    hub.statusAlways = 0;
    hub.searches["a"] = modelNamed("owner/a");
    run.search.search("a");
    VITRINE_TRY(run.found.size() == 1);
  }

  // A machine without a network says so, and no hub is asked.
  void offlineIsSaidAtOnce() {
    HubServer hub;
    DownloadSettings settings = settingsFor(hub);
    settings.hasNetwork = [] { return false; };
    Search run(settings);
    run.search.search("a");
    VITRINE_TRY(run.answers == 1);
    QCOMPARE(run.problem.fault, DownloadFault::kOffline);
    QCOMPARE(hub.seen.size(), 0);
  }

  void aHostThatIsNotThereIsSaid() {
    DownloadSettings settings;
    {
      HubServer gone;
      settings = settingsFor(gone);
    }
    Search run(settings);
    run.search.search("a");
    VITRINE_TRY(run.answers == 1);
    QCOMPARE(run.problem.fault, DownloadFault::kOffline);
  }

  void silenceEnds() {
    HubServer hub;
    hub.isSilent = true;
    DownloadSettings settings = settingsFor(hub);
    settings.searchMs = 50;
    Search run(settings);
    run.search.search("a");
    VITRINE_TRY(run.answers == 1);
    QCOMPARE(run.problem.fault, DownloadFault::kCut);
  }

  void anAnswerWithoutEndIsRefused() {
    HubServer hub;
    hub.searches["a"] = "[" + QByteArray(500'000, ' ') + "]";
    DownloadSettings settings = settingsFor(hub);
    settings.pageBytes = 10'000;
    Search run(settings);
    run.search.search("a");
    VITRINE_TRY(run.answers == 1);
    QCOMPARE(run.problem.fault, DownloadFault::kHostile);
  }

  void anUnsafeHubIsNotAsked() {
    HubServer hub;
    DownloadSettings settings = settingsFor(hub);
    settings.plainHosts.clear();
    Search run(settings);
    run.search.search("a");
    VITRINE_TRY(run.answers == 1);
    QCOMPARE(run.problem.fault, DownloadFault::kHostile);
    QCOMPARE(hub.seen.size(), 0);
  }

  void theEndOfTheProgramEndsASearch() {
    HubServer hub;
    hub.isSilent = true;
    {
      Search run(settingsFor(hub));
      run.search.search("a");
      VITRINE_TRY(hub.seen.size() == 1);
    }
    VITRINE_TRY(hub.connectionCount() == 0);
  }
};

QTEST_GUILESS_MAIN(TestHubSearch)
#include "tst_hub_search.moc"
