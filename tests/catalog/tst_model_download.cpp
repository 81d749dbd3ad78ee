// Downloads against a server that behaves like the hub: whole, cut, paused, cancelled and gone on with.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "catalog/download_run.h"

using namespace vitrine;
using namespace vitrine::test;

class TestModelDownload : public QObject {
  Q_OBJECT

 private:
  static constexpr qint64 kBytes = 1'100'000;
  static QString part(const QTemporaryDir& folder) {
    return folder.path() + "/owner/model/m-Q4_K_M.gguf.part";
  }
  static QString whole(const QTemporaryDir& folder) { return folder.path() + "/owner/model/m-Q4_K_M.gguf"; }
  static qint64 sizeOf(const QString& path) { return QFileInfo(path).size(); }
  // Everything in a folder, hidden files too.
  static QStringList contents(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  static void begin(DownloadRun& run, const HubServer& server, const QTemporaryDir& folder) {
    const HubListing listing = listingOf(server);
    run.download.start(listing, suggestedOf(listing), folder.path());
  }

 private slots:
  void aModelComesWhole() {
    HubServer hub, content;
    const QByteArray first = noise(kBytes, 1), second = noise(70'000, 2);
    for (HubServer* server : {&hub, &content}) {
      server->files = {{"m-Q4_K_M-00001-of-00002.gguf", {first}},
                       {"m-Q4_K_M-00002-of-00002.gguf", {second}},
                       {"README.md", {"words", false}}};
    }
    hub.contentHost = content.url();
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    run.download.list({"owner/model"});
    VITRINE_TRY(run.listing);
    QCOMPARE(run.listing->files.size(), 3);
    run.download.start(*run.listing, suggestedOf(*run.listing), folder.path());
    VITRINE_TRY(run.isAt(DownloadState::kFinished) && !run.model.isEmpty());

    const QString place = folder.path() + "/owner/model/";
    QCOMPARE(run.model, place + "m-Q4_K_M-00001-of-00002.gguf");
    QVERIFY(contentOf(run.model) == first);
    QVERIFY(contentOf(place + "m-Q4_K_M-00002-of-00002.gguf") == second);
    QCOMPARE(contents(place).size(), 2);  // no part, no label, no lock
    QCOMPARE(run.progress.last().done, first.size() + second.size());
    QCOMPARE(run.progress.last().bytes, first.size() + second.size());
    QCOMPARE(run.states.mid(0, 4), (QList<DownloadState>{DownloadState::kListing, DownloadState::kListed,
                                                         DownloadState::kChecking, DownloadState::kLoading}));
    // The token is the hub's alone.
    for (const SeenRequest& request : hub.seen)
      QCOMPARE(request.headers.value("authorization"), "Bearer hf_secret");
    QCOMPARE(content.seen.size(), 2);
    for (const SeenRequest& request : content.seen) QVERIFY(!request.headers.contains("authorization"));
  }

  void aFolderComesWithItsSmallFiles() {
    HubServer hub;
    hub.files = {{"config.json", {"{}", false}},
                 {"tokenizer.json", {QByteArray(), false}},
                 {"model.safetensors", {noise(9000)}}};
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(!run.model.isEmpty());
    QCOMPARE(run.model, folder.path() + "/owner/model");
    QCOMPARE(contents(run.model), (QStringList{"config.json", "model.safetensors", "tokenizer.json"}));
    QCOMPARE(contentOf(run.model + "/config.json"), "{}");
  }

  void aDownloadCutTenTimesIsTheSameFile() {
    HubServer hub;
    const QByteArray content = noise(kBytes);
    hub.files = {{"m-Q4_K_M.gguf", {content}}};
    for (int i = 0; i < 10; ++i) hub.cutAfter.append(100'000 - i);
    QTemporaryDir folder;
    DownloadSettings settings = settingsFor(hub);
    settings.attempts = 2;  // in a row without a byte: each of the ten brings some
    DownloadRun run(settings);
    begin(run, hub, folder);
    VITRINE_TRY(!run.model.isEmpty());
    QVERIFY(contentOf(run.model) == content);
    QCOMPARE(run.waits, QList<int>(10, 1));
    // Each begins where the one before has stopped.
    const QList<SeenRequest> requests = hub.seenFor("resolve");
    QCOMPARE(requests.size(), 11);
    qint64 at = 0;
    for (int i = 0; i < 11; at += 100'000 - i, ++i)
      QCOMPARE(requests[i].headers.value("range"),
               i == 0 ? QByteArray() : "bytes=" + QByteArray::number(at) + '-');
  }

  void waitsGrowUntilItIsEnough() {
    HubServer hub;
    hub.files = {{"m-Q4_K_M.gguf", {noise(1000)}}};
    for (int i = 0; i < 100; ++i) hub.cutAfter.append(0);
    QTemporaryDir folder;
    DownloadSettings settings = settingsFor(hub);
    settings.attempts = 5;
    DownloadRun run(settings);
    begin(run, hub, folder);
    VITRINE_TRY(run.fault() == DownloadFault::kCut);
    QCOMPARE(run.waits, (QList<int>{1, 2, 4, 4}));
  }

  void aPauseKeepsWhatCame_data() {
    QTest::addColumn<bool>("isAnotherRun");
    QTest::newRow("the same program") << false;
    QTest::newRow("after a new start") << true;
  }
  void aPauseKeepsWhatCame() {
    QFETCH(bool, isAnotherRun);
    HubServer hub;
    const QByteArray content = noise(kBytes);
    hub.files = {{"m-Q4_K_M.gguf", {content}}};
    hub.holdAfter = 500'000;
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(sizeOf(part(folder)) == 500'000);
    run.download.pause();
    VITRINE_TRY(run.isAt(DownloadState::kPaused) && hub.connectionCount() == 0);
    QCOMPARE(sizeOf(part(folder)), 500'000);

    hub.holdAfter = -1;
    DownloadRun later(settingsFor(hub));
    DownloadRun& second = isAnotherRun ? later : run;
    if (isAnotherRun)
      begin(later, hub, folder);
    else
      run.download.resume();
    VITRINE_TRY(!second.model.isEmpty());
    QVERIFY(contentOf(whole(folder)) == content);
    QCOMPARE(hub.seen.last().headers.value("range"), "bytes=500000-");
  }

  void theEndOfTheProgramKeepsWhatCame() {
    HubServer hub;
    hub.files = {{"m-Q4_K_M.gguf", {noise(kBytes)}}};
    hub.holdAfter = 300'000;
    QTemporaryDir folder;
    {
      DownloadRun run(settingsFor(hub));
      begin(run, hub, folder);
      VITRINE_TRY(sizeOf(part(folder)) == 300'000);
    }
    QCOMPARE(contents(folder.path() + "/owner/model"),
             (QStringList{"m-Q4_K_M.gguf.part", "m-Q4_K_M.gguf.part.json"}));
    VITRINE_TRY(hub.connectionCount() == 0);
  }

  void cancelEndsItAtEachStage_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<bool>("removes");
    for (const char* stage : {"listing", "asking", "loading", "second file", "waiting", "paused", "failed"})
      for (const bool removes : {false, true})
        QTest::addRow("%s, %s", stage, removes ? "removing" : "keeping") << stage << removes;
  }
  void cancelEndsItAtEachStage() {
    QFETCH(QString, stage);
    QFETCH(bool, removes);
    HubServer hub;
    hub.files = {{"a-Q4_K_M-00001-of-00002.gguf", {noise(1000, 1)}},
                 {"a-Q4_K_M-00002-of-00002.gguf", {noise(9000, 2)}}};
    QTemporaryDir folder;
    const QString place = folder.path() + "/owner/model/", first = place + "a-Q4_K_M-00001-of-00002.gguf",
                  second = place + "a-Q4_K_M-00002-of-00002.gguf.part";
    QVERIFY(QDir(folder.path()).mkpath("owner/other"));  // another model's
    DownloadSettings settings = settingsFor(hub);
    settings.attempts = 2;
    if (stage == "waiting") settings.firstWaitMs = settings.longestWaitMs = 1'000'000;
    DownloadRun run(settings);
    hub.isSilent = stage == "listing" || stage == "asking";
    if (stage == "loading" || stage == "paused") hub.holdAfter = 500;
    if (stage == "second file") hub.holdAfter = 2000;
    if (stage == "waiting") hub.cutAfter = {1000, 3000};
    if (stage == "failed") hub.cutAfter = {1000, 3000, 0, 0};

    if (stage == "listing") {
      run.download.list({"owner/model"});
      VITRINE_TRY(hub.seen.size() == 1);
    } else {
      begin(run, hub, folder);
    }
    if (stage == "asking") VITRINE_TRY(hub.seen.size() == 1);
    if (stage == "loading" || stage == "paused") VITRINE_TRY(sizeOf(first + ".part") == 500);
    if (stage == "second file") VITRINE_TRY(sizeOf(second) == 2000);
    if (stage == "waiting") VITRINE_TRY(run.isAt(DownloadState::kWaiting));
    if (stage == "failed") VITRINE_TRY(run.isAt(DownloadState::kFailed));
    if (stage == "paused") {
      run.download.pause();
      VITRINE_TRY(run.isAt(DownloadState::kPaused));
    }
    run.download.cancel(removes);
    VITRINE_TRY(run.isAt(DownloadState::kCancelled) && hub.connectionCount() == 0);

    if (removes || stage == "listing") {
      QCOMPARE(contents(folder.path()), QStringList{"owner"});
      QCOMPARE(contents(folder.path() + "/owner"), QStringList{"other"});
    } else if (stage == "loading" || stage == "paused") {
      QCOMPARE(sizeOf(first + ".part"), 500);
    } else if (stage != "asking") {
      QCOMPARE(sizeOf(first), 1000);
      QCOMPARE(sizeOf(second), stage == "second file" ? 2000 : 3000);
    }
    // It ends for good.
    const qsizetype requests = hub.seen.size();
    run.download.resume();
    run.download.pause();
    run.download.list({"owner/unknown"});  // the answer comes after those
    hub.isSilent = false;
    hub.statusAlways = 404;
    VITRINE_TRY(run.fault() == DownloadFault::kNotFound);
    QCOMPARE(hub.seen.size(), requests + 1);
  }

  // What the order did not bring is not removed.
  void cancelRemovesNoFileThatWasThere() {
    HubServer hub;
    hub.files = {{"a-Q4_K_M-00001-of-00002.gguf", {noise(1000, 1)}},
                 {"a-Q4_K_M-00002-of-00002.gguf", {noise(9000, 2)}}};
    QTemporaryDir folder;
    const QString place = folder.path() + "/owner/model/", first = place + "a-Q4_K_M-00001-of-00002.gguf";
    QVERIFY(QDir().mkpath(place));
    QFile there(first);
    QVERIFY(there.open(QIODevice::WriteOnly) && there.write(noise(1000, 1)) == 1000);
    there.close();
    hub.holdAfter = 2000;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(sizeOf(place + "a-Q4_K_M-00002-of-00002.gguf.part") == 2000);
    QCOMPARE(hub.seen.size(), 1);  // the first was not asked for
    run.download.cancel(true);
    VITRINE_TRY(run.isAt(DownloadState::kCancelled));
    QCOMPARE(contents(place), QStringList{"a-Q4_K_M-00001-of-00002.gguf"});
  }

  void whatIsThereIsNotDownloadedAgain() {
    HubServer hub;
    hub.files = {{"m-Q4_K_M.gguf", {noise(kBytes)}}};
    QTemporaryDir folder;
    DownloadRun first(settingsFor(hub)), second(settingsFor(hub));
    begin(first, hub, folder);
    VITRINE_TRY(!first.model.isEmpty());
    const qsizetype requests = hub.seen.size();
    begin(second, hub, folder);
    VITRINE_TRY(!second.model.isEmpty());
    QCOMPARE(hub.seen.size(), requests);
  }

  void aServerWithoutRangesIsAskedForTheWhole_data() {
    QTest::addColumn<QString>("habit");
    for (const char* habit : {"ignores", "refuses", "shifts"}) QTest::newRow(habit) << habit;
  }
  void aServerWithoutRangesIsAskedForTheWhole() {
    QFETCH(QString, habit);
    HubServer hub;
    const QByteArray content = noise(kBytes);
    hub.files = {{"m-Q4_K_M.gguf", {content}}};
    hub.cutAfter = {400'000};
    hub.ignoresRange = habit == "ignores";
    hub.refusesRange = habit == "refuses";
    hub.shiftsRange = habit == "shifts";
    QTemporaryDir folder;
    DownloadRun run(settingsFor(hub));
    begin(run, hub, folder);
    VITRINE_TRY(!run.model.isEmpty());
    QVERIFY(contentOf(run.model) == content);
  }

  void aProxyIsAskedInsteadOfTheHub() {
    HubServer proxy;
    const QByteArray content = noise(5000);
    proxy.files = {{"m-Q4_K_M.gguf", {content}}};
    DownloadSettings settings = settingsFor(proxy);
    settings.hub = QUrl("http://hub.test");
    settings.plainHosts = QStringList{"hub.test"};
    settings.hasNetwork = [] { return true; };
    settings.proxy = QNetworkProxy(QNetworkProxy::HttpProxy, "127.0.0.1", proxy.port());
    QTemporaryDir folder;
    DownloadRun run(settings);
    begin(run, proxy, folder);
    VITRINE_TRY(!run.model.isEmpty());
    QVERIFY(contentOf(run.model) == content);
    QVERIFY(proxy.seen.first().path.startsWith("http://hub.test/owner/model/resolve/main/"));
  }
};

QTEST_GUILESS_MAIN(TestModelDownload)
#include "tst_model_download.moc"
