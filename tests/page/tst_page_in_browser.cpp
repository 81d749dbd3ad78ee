// The page in a real browser: a file steps through the states of its run, without a network; a server is
// watched live, by pages that come early and late.
//
// Skipped where there is no Chromium. With VITRINE_PAGE_PICTURES=FOLDER it leaves screenshots there.
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include "page/browser.h"
#include "page/crowded_run.h"
#include "page/page_writer.h"
#include "server/model_service.h"
#include "server/raw_socket.h"
#include "support/word_machine.h"
#include "vitrine/state_digest.h"
#include "vitrine/trace.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr QSize kWindow(1366, 768), kPhone(390, 844);
const char* const kDigest = "document.getElementById('digest').dataset.whole";

}  // namespace

class TestPageInBrowser : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (!browser.isThere()) QSKIP(qPrintable(browser.complaint()));
    QVERIFY(folder.isValid());
  }

  void aFileStepsThroughTheStatesOfItsRun() {
    const std::vector<Event> events = crowdedRun();
    const QString url = exported(events);
    browser.show(kWindow);
    QVERIFY(browser.open(url));
    QVERIFY(browser.waitFor("document.querySelectorAll('#cards li').length == 3"));
    QCOMPARE(browser.value("document.title").toString(), QString("crowded · Vitrine"));
    std::vector<MachineState> states;
    MachineState state;
    for (const Event& event : events) {
      if (isA<StepStarted>(event) && states.empty()) states.push_back(state);
      state.apply(event);
      if (isA<StepFinished>(event)) states.push_back(state);
    }
    QVERIFY(states.size() > 20);
    for (std::size_t step = 0; step < states.size(); ++step) {
      if (step > 0) browser.key("ArrowRight");
      showsState(states[step]);
    }
    for (const std::size_t back : {states.size() - 2, states.size() - 3}) {
      browser.key("PageUp");
      showsState(states[back]);
    }
    browser.key("Home");
    showsState(states.front());
    // To the first preemption, by its key.
    browser.key("n");
    QVERIFY(browser.waitFor("document.querySelector('#reasons li.warning') !== null"));
    QVERIFY(browser.value("document.querySelectorAll('#lanes .swapped').length").toInt() > 0);
    const QString fits =
        "[...document.querySelectorAll('section')].every(one => one.scrollWidth <= one.clientWidth)";
    QVERIFY(browser.value(fits).toBool());
    picture("file");
    QCOMPARE(browser.value("document.querySelectorAll('img').length").toInt(), 0);
    QCOMPARE(browser.requests(), QStringList{url});
    QCOMPARE(browser.faults(), QStringList());
  }

  void aRunOfFiveHundredStepsOpensFast() {
    WordMachine machine(200, 16, 64, 4);
    for (int i = 0; i < 4; ++i) machine.submit("R" + std::to_string(i + 1), 40, 490, i / 2);
    machine.run();
    browser.show(kWindow);
    QVERIFY(browser.open(exported(machine.all())));
    QVERIFY(browser.waitFor("document.querySelectorAll('#cards li').length == 4"));
    const double ms = browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd").toDouble();
    qInfo("500 steps were open after %.0f ms", ms);
    browser.key("End");
    QVERIFY(browser.waitFor("document.getElementById('last').disabled"));
  }

  void itFitsAPhoneAndTheDark() {
    for (const bool dark : {false, true}) {
      browser.show(kPhone, dark);
      QVERIFY(browser.open(exported(crowdedRun())));
      QVERIFY(browser.waitFor("document.querySelectorAll('#cards li').length == 3"));
      browser.key("n");
      QVERIFY(browser.waitFor("document.querySelector('#reasons li.warning') !== null"));
      QVERIFY(browser.value("document.documentElement.scrollWidth <= innerWidth").toBool());
      const QString ground = browser.value("getComputedStyle(document.body).backgroundColor").toString();
      QCOMPARE(ground, dark ? QString("rgb(20, 22, 26)") : QString("rgb(243, 244, 246)"));
      picture(dark ? "phone-dark" : "phone");
    }
    browser.show(kWindow, true);
    QVERIFY(browser.waitFor("document.querySelectorAll('#cards li').length == 3"));
    picture("dark");
  }

  void aServerIsWatchedLive() {
    Service service;
    RawSocket events(service.port(), "/v1/events");
    browser.show(kWindow);
    const QString url = QString("http://127.0.0.1:%1/").arg(service.port());
    QVERIFY(browser.open(url));
    QVERIFY(browser.waitFor("document.getElementById('mode').textContent.startsWith('LIVE')"));
    QCOMPARE(
        service.post("/v1/completions", R"({"prompt":"A block is","max_tokens":60,"ignore_eos":true,"n":3})")
            .status,
        200);
    const QString last = hexOf(stateDigest(stateOf(events)));
    QVERIFY(browser.waitFor(QString("%1 == '%2'").arg(kDigest, last)));
    QVERIFY(browser.value("document.querySelectorAll('#lanes tbody tr').length").toInt() > 0);
    // A page that comes late shows the same, and so does one that is loaded again.
    browser.reload();
    QVERIFY(browser.waitFor(QString("%1 == '%2'").arg(kDigest, last)));
    // A reader that goes back stays there, and comes back to what is now.
    RawClient busy(service.port());
    QVERIFY(busy.send(postText("/v1/completions",
                               R"({"prompt":"Go","max_tokens":900,"ignore_eos":true,"n":2,"stream":true})")));
    // However fast that is over, the page has seen something of it.
    QVERIFY(browser.waitFor(QString("%1 != '%2'").arg(kDigest, last)));
    picture("live");
    browser.key("ArrowLeft");
    QVERIFY(browser.waitFor("document.getElementById('mode').textContent.startsWith('BACK')"));
    browser.key("End");
    QVERIFY(browser.waitFor("document.getElementById('mode').textContent.startsWith('LIVE')"));
    busy.close();
    QCOMPARE(browser.faults(), QStringList());
    for (const QString& asked : browser.requests())
      QVERIFY2(asked.startsWith(url) || asked.startsWith("data:") || asked.startsWith("ws://127.0.0.1"),
               qPrintable(asked));
  }

 private:
  QString exported(const std::vector<Event>& events) {
    const QString file = folder.filePath("run.html");
    page::PageWriter writer(file.toStdString(), "crowded");
    for (const Event& event : events) writer.add(event);
    writer.finish();
    return QUrl::fromLocalFile(file).toString();
  }
  void showsState(const MachineState& state) {
    QVERIFY2(browser.waitFor(QString("%1 == '%2'").arg(kDigest, hexOf(stateDigest(state)))),
             qPrintable(QString("step %1").arg(state.step)));
    for (std::size_t i = 0; i < state.blocks.size(); ++i) {
      const QString words =
          browser.value(QString("document.querySelectorAll('#blocks li')[%1].dataset.words").arg(i))
              .toString();
      const BlockState& block = state.blocks[i];
      if (block == BlockState()) QCOMPARE(words, QString("Block %1: free").arg(i));
      if (block.refCount > 0)
        QVERIFY2(words.contains(QString("%1 of 8 tokens").arg(block.filled)), qPrintable(words));
    }
    const QString sum = browser.value("document.getElementById('requests-sum').textContent").toString();
    QCOMPARE(sum, QString("%1 run · %2 wait").arg(state.running.size()).arg(state.waiting.size()));
  }
  // What the events lead to when the last request is forgotten.
  static MachineState stateOf(RawSocket& events) {
    MachineState state;
    while (auto line = events.read()) {
      if (line->find("\"format\"") != std::string::npos) continue;
      const Event event = eventFromJson(*line);
      state.apply(event);
      if (isA<RequestForgotten>(event)) break;
    }
    return state;
  }
  void picture(const char* name) {
    const QString into = qEnvironmentVariable("VITRINE_PAGE_PICTURES");
    if (!into.isEmpty()) browser.saveScreenshot(QString("%1/page-%2.png").arg(into, QLatin1String(name)));
  }

  QTemporaryDir folder;
  Browser browser;
};

QTEST_GUILESS_MAIN(TestPageInBrowser)
#include "tst_page_in_browser.moc"
