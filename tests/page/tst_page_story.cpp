// What a page gets is the machine: each entry leads to the state that the events lead to, and the file of a
// run is one document that asks for nothing else.
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "page/crowded_run.h"
#include "page/page_files.h"
#include "page/page_writer.h"
#include "page/patched.h"
#include "support/word_machine.h"
#include "vitrine/state_digest.h"

using namespace vitrine;
using namespace vitrine::test;
using page::Json;

namespace {

std::vector<Event> storyEvents() {
  WordMachine machine = storyMachine();
  machine.run();
  return machine.all();
}

std::string fileOf(const std::vector<Event>& events, const std::string& title = "A run") {
  QTemporaryDir folder;
  const QString file = folder.filePath("run.html");
  page::PageWriter writer(file.toStdString(), title);
  for (const Event& event : events) writer.add(event);
  writer.finish();
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll().toStdString() : std::string();
}

Json runIn(const std::string& document) {
  const std::string opens = "<script type=\"application/json\" id=\"run\">";
  const std::size_t begin = document.find(opens) + opens.size();
  return Json::parse(document.substr(begin, document.find("</script>", begin) - begin));
}

}  // namespace

class TestPageStory : public QObject {
  Q_OBJECT

 private slots:
  void eachEntryLeadsToTheMachine() {
    page::PageStory story;
    page::PageLog log;
    Json shown;
    int steps = 0, patches = 0;
    for (const Event& event : storyEvents()) {
      story.add(event);
      if (!isA<StepFinished>(event)) continue;
      ++steps;
      const Json glance = Json::parse(log.glance(story)), entry = Json::parse(log.next(story));
      QVERIFY(glance == entry);  // both on the entry before
      if (entry.contains("patch")) ++patches;
      shown = machineOf(entry, shown);
      QVERIFY(shown == story.machine());
      QVERIFY(Json::parse(log.whole())["machine"] == shown);
      QCOMPARE(entry["digest"].get<std::string>(), hexOf(stateDigest(story.state())).toStdString());
      QCOMPARE(entry["step"].get<int>(), event.step);
    }
    QVERIFY(steps > 10);
    QCOMPARE(patches, steps - 1);
  }

  void theMachineIsTheStates() {
    page::PageStory story;
    int held = 0, waits = 0, swapped = 0, preempted = 0;
    for (const Event& event : crowdedRun()) {
      story.add(event);
      if (!isA<StepFinished>(event)) continue;
      const MachineState& state = story.state();
      const Json shown = story.machine(), account = story.account();
      for (std::size_t i = 0; i < state.blocks.size(); ++i) {
        const auto block = shown["blocks"].find(std::to_string(i));
        QCOMPARE(block != shown["blocks"].end(), state.blocks[i] != BlockState());
        if (block == shown["blocks"].end()) continue;
        QCOMPARE((*block)[0].get<int>(), state.blocks[i].filled);
        QCOMPARE(static_cast<int>(block->size()) - 3, state.blocks[i].refCount);  // its owners
        held += state.blocks[i].refCount > 0;
      }
      QCOMPARE(shown["requests"].size(), state.sequences.size());
      for (const auto& [id, sequence] : state.sequences) {
        const Json& card = shown["requests"][std::to_string(id)];
        QCOMPARE(card["text"].get<std::string>(), sequence.text);
        QCOMPARE(card["letter"].get<std::string>(), std::string(1, static_cast<char>('A' + id - 1)));
        QCOMPARE(card.contains("reason"), card["group"] == 1);
        waits += card["group"] == 1;
      }
      swapped += shown["swap"]["host"]["held"].size() > 0;
      for (const auto& [id, cell] : account["lanes"].items()) preempted += cell["kind"] == "swapped";
      for (const auto& ids : state.waiting) QVERIFY(account["lanes"].contains(std::to_string(ids)));
      QVERIFY(account.contains("headline") && !account["why"].empty());
    }
    QVERIFY(held > 0 && waits > 0 && swapped > 0 && preempted > 0);
  }

  void aStepUnderWayHasItsPhase() {
    WordMachine machine(16, 8);
    machine.submit("R1", 20, 6);
    machine.beginStep();
    page::PageStory story;
    for (const Event& event : machine.take()) story.add(event);
    QVERIFY(story.isStepOpen());
    QCOMPARE(story.account()["phase"].get<int>(), static_cast<int>(Phase::kForward));
    machine.endStep();
    for (const Event& event : machine.take()) story.add(event);
    QVERIFY(!story.account().contains("phase"));
  }

  void sentencesKeepTheirWords() {
    page::PageStory story;
    int links = 0;
    for (const Event& event : storyEvents()) {
      story.add(event);
      if (!isA<StepFinished>(event)) continue;
      const Json account = story.account();
      for (const Json& row : account["why"]) {
        std::string text;
        for (const Json& part : row["text"]) {
          text += part.is_array() ? part[0].get<std::string>() : part.get<std::string>();
          links += part.is_array();
        }
        QVERIFY(!text.empty());
      }
    }
    QVERIFY(links > 0);
  }

  void aTextThatGrowsIsAdded() {
    const Json before = {{"a", "one"}, {"b", {{"c", "x"}}}, {"d", 1}},
               after = {{"a", "one two"}, {"b", {{"c", "y"}}}};
    const Json patch = page::patchBetween(before, after);
    QVERIFY(patch == Json::parse(R"({"a":{"+":" two"},"b":{"c":"y"},"d":null})"));
    QVERIFY(patched(before, patch) == after);
    QVERIFY(page::patchBetween(after, after).empty());
    // From nothing a text is set, so that "+" always has a text before it.
    QVERIFY(page::patchBetween({{"a", ""}}, {{"a", "x"}}) == Json({{"a", "x"}}));
  }

  void theFileHoldsTheRun() {
    const std::vector<Event> events = storyEvents();
    const Json run = runIn(fileOf(events, "</title><script>alert(1)</script>"));
    QCOMPARE(run["begin"]["format"].get<std::string>(), std::string("vitrine-page"));
    QCOMPARE(run["begin"]["title"].get<std::string>(), std::string("</title><script>alert(1)</script>"));
    int steps = 0;
    for (const Event& event : events) steps += isA<StepFinished>(event);
    QCOMPARE(static_cast<int>(run["steps"].size()), steps + 1);  // and the machine before the first
    QCOMPARE(run["steps"][0]["step"].get<int>(), 0);
    Json shown;
    for (const Json& entry : run["steps"]) shown = machineOf(entry, shown);
    MachineState state;
    for (const Event& event : events) state.apply(event);
    QCOMPARE(run["steps"].back()["digest"].get<std::string>(), hexOf(stateDigest(state)).toStdString());
    QCOMPARE(shown["requests"].size(), state.sequences.size());
  }

  // Its scripts are the page's own and the run, whatever a prompt holds; and it loads nothing.
  void theFileIsOneDocument() {
    WordMachine machine(16, 8);
    machine.submit("</script><script>alert(1)</script><!--", 20, 6);
    machine.run();
    const QString document = QString::fromStdString(fileOf(machine.all(), "</title><script>"));
    QCOMPARE(document.count("<script"), 2);
    QCOMPARE(document.count("</script>"), 2);
    QCOMPARE(document.count("<!--"), 0);
    QVERIFY(document.contains("default-src 'none'"));
    const QString run = QStringLiteral("id=\"run\">");
    const QString page = document.left(document.indexOf(run)) + document.mid(document.indexOf("</script>"));
    QVERIFY(!page.contains(QRegularExpression("(src|href)=\"(?!#|data:,\")")));
    QVERIFY(!page.contains("@import") && !page.contains("url("));
  }

  void aRunThatWasCutShortIsWhole() {
    std::vector<Event> events = storyEvents();
    for (const std::size_t cut : {events.size() / 2, events.size() / 3, std::size_t{1}}) {
      events.resize(cut);
      const Json run = runIn(fileOf(events));
      QVERIFY(!run["steps"].empty());
      MachineState state;
      for (const Event& event : events) state.apply(event);
      QCOMPARE(run["steps"].back()["digest"].get<std::string>(), hexOf(stateDigest(state)).toStdString());
    }
  }

  // A class gets it by mail.
  void fiveHundredStepsAreSmall() {
    WordMachine machine(200, 16, 64, 4);
    for (int i = 0; i < 4; ++i) machine.submit("R" + std::to_string(i + 1), 40, 490, i / 2);
    machine.run();
    int steps = 0;
    for (const Event& event : machine.all()) steps += isA<StepFinished>(event);
    QVERIFY(steps >= 490);
    const std::string document = fileOf(machine.all());
    QVERIFY2(document.size() < (std::size_t{2} << 20),
             QByteArray::number(static_cast<qint64>(document.size())));
  }

  void theFilesOfTheServerAreThePages() {
    for (const char* const path : {"/", "/page.css", "/page.js"}) {
      const page::PageFile* const file = page::pageFile(path);
      QVERIFY(file != nullptr && !file->text.empty());
    }
    QVERIFY(page::pageFile("/favicon.ico") == nullptr);
    for (const QFileInfo& info : QDir(VITRINE_PAGE_FILES).entryInfoList(QDir::Files)) {
      QFile file(info.filePath());
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray text = file.readAll();
      QVERIFY2(!text.contains(")page\""), qPrintable(info.fileName()));  // would end the embedded text
      QVERIFY2(!text.contains("http://") || text.contains("www.w3.org"), qPrintable(info.fileName()));
      QVERIFY2(!text.contains("innerHTML"), qPrintable(info.fileName()));
    }
  }
};

QTEST_APPLESS_MAIN(TestPageStory)
#include "tst_page_story.moc"
