// Downloads that fail: each with its own word, with nothing lost and nothing left that looks like a model.
#include <sys/resource.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "catalog/download_run.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// As long as it lives, no file of this process grows beyond so many bytes: for the program, a full disk.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    rlimit limit = m_before;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }

 private:
  rlimit m_before{};
  void (*m_handler)(int);
};

const QString kName = "m-Q4_K_M.gguf";

}  // namespace

class TestDownloadFailures : public QObject {
  Q_OBJECT

 private:
  static QString place(const QTemporaryDir& folder) { return folder.path() + "/owner/model/"; }
  static QStringList contents(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  static void begin(DownloadRun& run, const HubServer& server, const QTemporaryDir& folder) {
    const HubListing listing = listingOf(server);
    run.download.start(listing, suggestedOf(listing), folder.path());
  }

 private slots:
  void aWrongChecksumLeavesNothing_data() {
    QTest::addColumn<bool>("isCut");
    QTest::newRow("at once") << false;
    QTest::newRow("in two parts") << true;
  }
  void aWrongChecksumLeavesNothing() {
    QFETCH(bool, isCut);
    HubServer hub;
    hub.files = {{kName, {noise(50'000), true, QByteArray(64, 'a'), "etag"}}};
    if (isCut) hub.cutAfter = {20'000};
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(run.fault() == DownloadFault::kChecksum);
    QVERIFY(run.problem.message.contains(kName));
    QCOMPARE(contents(place(folder)), QStringList());
  }

  // Bytes that changed on the disk during a pause are found too.
  void aSpoiledPartIsFound() {
    HubServer hub;
    hub.files = {{kName, {noise(50'000)}}};
    hub.holdAfter = 20'000;
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(QFileInfo(place(folder) + kName + ".part").size() == 20'000);
    run.download.pause();
    VITRINE_TRY(run.isAt(DownloadState::kPaused));
    QFile part(place(folder) + kName + ".part");
    QVERIFY(part.open(QIODevice::ReadWrite) && part.write("spoiled") == 7);
    part.close();
    hub.holdAfter = -1;
    run.download.resume();
    VITRINE_TRY(run.fault() == DownloadFault::kChecksum);
    run.download.resume();
    VITRINE_TRY(!run.model.isEmpty());
    QVERIFY(contentOf(run.model) == noise(50'000));
  }

  void aSmallFileIsCheckedToo() {
    HubServer hub;
    hub.files = {{"config.json", {"{}", false}}, {"model.safetensors", {noise(9000)}}};
    const HubListing listing = listingOf(hub);
    hub.files["config.json"].content = "[]";
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    run.download.start(listing, suggestedOf(listing), folder.path());
    VITRINE_TRY(run.fault() == DownloadFault::kChecksum);
    QCOMPARE(contents(place(folder)), QStringList());
  }

  void tooLittleSpaceIsSaidBeforeAnythingIsAsked() {
    HubServer hub;
    hub.files = {{kName, {noise(50'000)}}};
    QTemporaryDir folder;
    DownloadSettings settings = settingsFor(hub);
    settings.freeBytes = [](const QString&) { return qint64{40'000}; };
    DownloadRun run(settings);
    begin(run, hub, folder);
    VITRINE_TRY(run.fault() == DownloadFault::kNoSpace);
    QCOMPARE(hub.seen.size(), 0);
    QCOMPARE(contents(folder.path()), QStringList());
  }

  void aDiskThatFillsKeepsWhatCame() {
    HubServer hub;
    const QByteArray content = noise(900'000);
    hub.files = {{kName, {content}}};
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    {
      const FileLimit limit(300'000);
      begin(run, hub, folder);
      VITRINE_TRY(run.fault() == DownloadFault::kDiskFull);
    }
    QCOMPARE(QFileInfo(place(folder) + kName + ".part").size(), 300'000);
    run.download.resume();
    VITRINE_TRY(!run.model.isEmpty());
    QVERIFY(contentOf(run.model) == content);
    QCOMPARE(hub.seen.last().headers.value("range"), "bytes=300000-");
  }

  void aFolderThatCannotBeMadeIsNamed() {
    HubServer hub;
    hub.files = {{kName, {noise(1000)}}};
    QTemporaryDir folder;
    QFile inTheWay(folder.path() + "/owner");
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(run.fault() == DownloadFault::kCannotWrite);
    QVERIFY(run.problem.message.contains("owner/model"));
  }

  void anotherFileIsLeftAlone() {
    HubServer hub;
    hub.files = {{kName, {noise(1000)}}};
    QTemporaryDir folder;
    QVERIFY(QDir().mkpath(place(folder)));
    QFile own(place(folder) + kName);
    QVERIFY(own.open(QIODevice::WriteOnly) && own.write(noise(1000, 7)) == 1000);
    own.close();
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(run.fault() == DownloadFault::kFileInTheWay);
    QVERIFY(contentOf(own.fileName()) == noise(1000, 7));
    QCOMPARE(hub.seen.size(), 0);
  }

  void twoDownloadsDoNotShareAFolder() {
    HubServer hub;
    hub.files = {{kName, {noise(1000)}}};
    hub.holdAfter = 500;
    QTemporaryDir folder;
    DownloadRun first(settingsFor(hub)), second(settingsFor(hub));
    begin(first, hub, folder);
    VITRINE_TRY(QFileInfo(place(folder) + kName + ".part").size() == 500);
    begin(second, hub, folder);
    VITRINE_TRY(second.fault() == DownloadFault::kInUse);
    first.download.pause();
    VITRINE_TRY(first.isAt(DownloadState::kPaused));
    hub.holdAfter = -1;
    second.download.resume();
    VITRINE_TRY(!second.model.isEmpty());
  }

  void aFileThatHasChangedIsListedAgain_data() {
    QTest::addColumn<int>("bytes");
    QTest::addColumn<QByteArray>("mark");  // empty: its checksum, as the hub has it
    QTest::newRow("longer") << 60'000 << QByteArray();
    QTest::newRow("other bytes") << 50'000 << QByteArray();
    QTest::newRow("shorter, under a mark that says nothing") << 40'000 << QByteArray("mark");
  }
  void aFileThatHasChangedIsListedAgain() {
    QFETCH(int, bytes);
    QFETCH(QByteArray, mark);
    HubServer hub;
    hub.files = {{kName, {noise(50'000), true, {}, mark}}};
    hub.holdAfter = 20'000;
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(QFileInfo(place(folder) + kName + ".part").size() == 20'000);
    run.download.pause();
    VITRINE_TRY(run.isAt(DownloadState::kPaused));
    const QByteArray newContent = noise(bytes, 9);
    hub.files = {{kName, {newContent, true, {}, mark}}};
    hub.holdAfter = -1;
    run.download.resume();
    VITRINE_TRY(run.fault() == DownloadFault::kChanged);
    const qsizetype requests = hub.seen.size();
    begin(run, hub, folder);
    VITRINE_TRY(!run.model.isEmpty());
    QVERIFY(contentOf(run.model) == newContent);
    QVERIFY(!hub.seen[requests].headers.contains("range"));  // nothing of the old one is taken
  }

  // Without a checksum in its mark, the old bytes are recognised by the mark alone.
  void aNewMarkBeginsAnew() {
    HubServer hub;
    hub.files = {{kName, {noise(50'000), true, {}, "one"}}};
    hub.holdAfter = 20'000;
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(QFileInfo(place(folder) + kName + ".part").size() == 20'000);
    run.download.pause();
    VITRINE_TRY(run.isAt(DownloadState::kPaused));
    hub.files[kName].etag = "two";
    hub.holdAfter = -1;
    run.download.resume();
    VITRINE_TRY(!run.model.isEmpty());
    QVERIFY(hub.seenFor("resolve").size() == 3);
    QVERIFY(!hub.seen.last().headers.contains("range"));
  }

  void offlineIsSaidAtOnce_data() {
    QTest::addColumn<bool>("hasNetwork");
    QTest::newRow("no network") << false;
    QTest::newRow("no host") << true;
  }
  void offlineIsSaidAtOnce() {
    QFETCH(bool, hasNetwork);
    HubServer hub;
    DownloadSettings settings = settingsFor(hub);
    settings.hasNetwork = [hasNetwork] { return hasNetwork; };
    settings.firstWaitMs = settings.longestWaitMs = 1'000'000;  // a second attempt would not end
    if (hasNetwork) hub.close();
    DownloadRun run(settings);
    run.download.list({"owner/model"});
    VITRINE_TRY(run.fault() == DownloadFault::kOffline);
    QCOMPARE(run.waits, QList<int>());
    QCOMPARE(hub.seen.size(), 0);
    QVERIFY(!run.problem.hint.isEmpty());
  }

  void answersHaveTheirWords_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("requests");
    QTest::addColumn<DownloadFault>("fault");
    QTest::newRow("401") << 401 << 1 << DownloadFault::kRefused;
    QTest::newRow("403") << 403 << 1 << DownloadFault::kRefused;
    QTest::newRow("404") << 404 << 1 << DownloadFault::kNotFound;
    QTest::newRow("429") << 429 << 3 << DownloadFault::kBusy;
    QTest::newRow("500") << 500 << 3 << DownloadFault::kServer;
    QTest::newRow("418") << 418 << 1 << DownloadFault::kServer;
    QTest::newRow("204") << 204 << 1 << DownloadFault::kServer;
  }
  void answersHaveTheirWords() {
    QFETCH(int, status);
    QFETCH(int, requests);
    HubServer hub;
    hub.files = {{kName, {noise(1000)}}};
    hub.statusAlways = status;
    DownloadSettings settings = settingsFor(hub);
    settings.attempts = 3;
    QTemporaryDir folder;
    DownloadRun lister(settings), loader(settings);
    lister.download.list({"owner/model"});
    VITRINE_TRY(lister.fault() != DownloadFault::kNone);
    QTEST(lister.fault(), "fault");
    QCOMPARE(hub.seen.size(), requests);
    begin(loader, hub, folder);
    VITRINE_TRY(loader.fault() != DownloadFault::kNone);
    QTEST(loader.fault(), "fault");
    QCOMPARE(hub.seen.size(), 2 * requests);
  }

  void passingTroubleIsWaitedFor() {
    HubServer hub;
    hub.files = {{kName, {noise(1000)}}};
    hub.statuses = {429, 500, 503};
    hub.extraHead = {"Retry-After: 86400"};  // within bounds
    DownloadRun run(settingsFor(hub));
    run.download.list({"owner/model"});
    VITRINE_TRY(run.listing);
    QCOMPARE(run.waits, (QList<int>{4, 4, 4}));
  }

  void aServerThatDoesNotAnswerIsGivenUp() {
    HubServer hub;
    hub.isSilent = true;
    DownloadSettings settings = settingsFor(hub);
    settings.silenceMs = 20;
    settings.attempts = 3;
    DownloadRun run(settings);
    run.download.list({"owner/model"});
    VITRINE_TRY(run.fault() == DownloadFault::kCut);
    QCOMPARE(run.waits.size(), 2);
  }

  void anAnswerThatStopsInTheMidstIsGoneOnWith() {
    HubServer hub;
    hub.files = {{kName, {noise(50'000)}}};
    hub.holdAfter = 20'000;
    QTemporaryDir folder;
    DownloadSettings settings = settingsFor(hub);
    settings.silenceMs = 200;
    settings.attempts = 1000;
    DownloadRun run(settings);
    begin(run, hub, folder);
    VITRINE_TRY(!run.waits.isEmpty());
    hub.holdAfter = -1;
    VITRINE_TRY(!run.model.isEmpty());
    QVERIFY(contentOf(run.model) == noise(50'000));
  }

  void hostileListsAreRefused_data() {
    QTest::addColumn<QByteArray>("listing");
    QTest::addColumn<QByteArray>("link");
    const QByteArray good = R"({"type":"file","path":"a","size":1,"oid":"0"})";
    QTest::newRow("a name upwards") << QByteArray(
                                           R"([{"type":"file","path":"../../.bashrc","size":1,"oid":"0"}])")
                                    << QByteArray();
    QTest::newRow("an absolute name")
        << QByteArray(R"([{"type":"file","path":"/etc/passwd","size":1,"oid":"0"}])") << QByteArray();
    QTest::newRow("one name twice") << "[" + good + "," + good + "]" << QByteArray();
    QTest::newRow("no list") << QByteArray("<html>") << QByteArray();
    QTest::newRow("too long") << "[" + QByteArray(20'000, ' ') + "]" << QByteArray();
    QTest::newRow("a page elsewhere")
        << "[" + good + "]" << QByteArray("<http://127.0.0.1:1/more>; rel=\"next\"");
  }
  void hostileListsAreRefused() {
    QFETCH(QByteArray, listing);
    QFETCH(QByteArray, link);
    HubServer hub;
    hub.listing = listing;
    hub.link = link;
    DownloadSettings settings = settingsFor(hub);
    settings.pageBytes = 10'000;
    DownloadRun run(settings);
    run.download.list({"owner/model"});
    VITRINE_TRY(run.fault() == DownloadFault::kHostile);
    QVERIFY(!run.listing);
    QCOMPARE(hub.seen.size(), 1);
  }

  void aListOfPagesIsReadToItsEnd() {
    HubServer hub;
    hub.files = {{kName, {noise(1000)}}};
    // The second page comes from where the first one says; both have the same files, which is refused.
    hub.link = "</api/models/owner/model/tree/main?recursive=true&cursor=2>; rel=\"next\"";
    DownloadRun run(settingsFor(hub));
    run.download.list({"owner/model"});
    VITRINE_TRY(run.fault() == DownloadFault::kHostile);
    QCOMPARE(hub.seen.size(), 2);
    QVERIFY(hub.seen[1].path.endsWith("cursor=2"));
  }

  void moreBytesThanListedAreNotTaken() {
    HubServer hub;
    hub.files = {{kName, {noise(1000)}}};
    hub.addsBytes = true;
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(run.fault() == DownloadFault::kChanged);
    QVERIFY(QFileInfo(place(folder) + kName + ".part").size() <= 1000);
    QVERIFY(!QFileInfo::exists(place(folder) + kName));
  }

  void redirectsAreFollowedWithinBounds_data() {
    QTest::addColumn<QByteArray>("target");
    QTest::newRow("another host without encryption") << QByteArray("http://localhost:1/x");
    QTest::newRow("a file here") << QByteArray("file:///etc/passwd");
    QTest::newRow("itself") << QByteArray("/owner/model/resolve/main/") + kName.toUtf8();
    QTest::newRow("nowhere") << QByteArray("http:///");
  }
  void redirectsAreFollowedWithinBounds() {
    QFETCH(QByteArray, target);
    HubServer hub;
    hub.files = {{kName, {noise(1000)}}};
    hub.redirectTo = target;
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(run.fault() == DownloadFault::kHostile);
    QVERIFY(hub.seen.size() <= 6);
    QVERIFY(!run.problem.message.isEmpty());
  }

  void aHubWithoutEncryptionIsRefused() {
    HubServer hub;
    DownloadSettings settings = settingsFor(hub);
    settings.plainHosts.clear();
    DownloadRun run(settings);
    run.download.list({"owner/model"});
    VITRINE_TRY(run.fault() == DownloadFault::kHostile);
    QCOMPARE(hub.seen.size(), 0);
  }

  // An order may come from anywhere, not only from a list.
  void namesAreCheckedOnceMoreBeforeTheyBecomePaths() {
    HubServer hub;
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    run.download.start({"owner/model", "main"}, {"x", {{"../../../m.gguf", 10}}}, folder.path());
    VITRINE_TRY(run.fault() == DownloadFault::kHostile);
    run.problem = {};
    run.download.start({"../model", "main"}, {"x", {{"m.gguf", 10}}}, folder.path());
    VITRINE_TRY(run.fault() == DownloadFault::kCannotWrite);
    QCOMPARE(hub.seen.size(), 0);
  }
};

QTEST_GUILESS_MAIN(TestDownloadFailures)
#include "tst_download_failures.moc"
