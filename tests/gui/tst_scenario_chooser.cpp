// The choice of scenarios: groups with headings that cannot be chosen, keys, pictures and lines of each.
#include "gui/scenario/scenario_chooser.h"

#include <QFile>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/parts/file_name.h"
#include "gui/scenario/scenario_list.h"
#include "gui/scenario/scenario_picture.h"
#include "gui/scenario/scenario_words.h"
#include "scenarios/scenario_text.h"
#include "widgets/support/theme.h"

using namespace vitrine;

namespace {

QImage pictureOf(const Scenario& scenario, const QPalette& palette) {
  QImage image(120, 60, QImage::Format_RGB32);
  image.fill(palette.color(QPalette::Base));
  QPainter painter(&image);
  paintScenario(painter, QRectF(image.rect()), scenario, Theme(palette));
  return image;
}

Scenario one(int arrival, int tokens, int blocks = 0) {
  Scenario scenario;
  RequestLine& line = scenario.requests.emplace_back();
  line.arguments.request.prompt = "Once upon a time";
  line.arguments.request.maxTokens = tokens;
  line.arrivalStep = arrival;
  scenario.engine.options.numBlocks = blocks;
  return scenario;
}

QString titleOf(const QListView& list) { return list.currentIndex().data().toString(); }

}  // namespace

class TestScenarioChooser : public QObject {
  Q_OBJECT

 private slots:
  void eachGroupHasAHeadingAndEachScenarioARow() {
    const ScenarioList rows;
    QSet<QString> groups, names;
    ScenarioGroup group = ScenarioGroup::kOther;
    for (int i = 0; i < rows.rowCount(); ++i) {
      const ScenarioList::Row& row = rows.row(i);
      const QModelIndex index = rows.index(i);
      QCOMPARE(bool(rows.flags(index) & Qt::ItemIsEnabled), !row.heading);
      if (row.heading) {
        group = row.scenario.group;
        QVERIFY(!groups.contains(row.title));
        groups += row.title;
        continue;
      }
      QVERIFY(row.scenario.group == group);
      names += QString::fromStdString(row.scenario.name);
      const QString heard = index.data(Qt::AccessibleTextRole).toString();
      QVERIFY(heard.contains(row.title) && heard.contains(groupTitle(group)));
      QVERIFY2(index.data(Qt::AccessibleDescriptionRole).toString().startsWith("Look for: "),
               qPrintable(heard));
    }
    QCOMPARE(names.size(), qsizetype(shippedScenarioNames().size()));
    QVERIFY(groups.size() >= 6);
  }

  void theUsersFilesComeLast() {
    QTemporaryDir folder;
    const QString good = folder.filePath("my-pool.json"), bad = folder.filePath("broken.json");
    Scenario mine = one(2, 30, 6);
    mine.title = "My pool";
    writeScenario(mine, good.toStdString());
    QFile file(bad);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{") == 1);
    file.close();
    const ScenarioList rows({good, bad});
    const int last = rows.rowCount() - 1;
    QVERIFY(rows.row(last - 2).heading);
    QCOMPARE(rows.row(last - 2).title, QString("Your scenarios"));
    QCOMPARE(rows.row(last - 1).title, QString("My pool"));
    QCOMPARE(rows.row(last - 1).key, good);
    QVERIFY(rows.index(last - 1).data(Qt::AccessibleTextRole).toString().contains("Your scenarios"));
    QCOMPARE(rows.row(last).key, bad);  // choosing it shows the error
    QCOMPARE(rows.index(last).data(Qt::ToolTipRole).toString(), bad);
  }

  void aTitleBecomesAFileName() {
    QCOMPARE(fileNameFor("Six blocks", "run"), QString("six-blocks"));
    QCOMPARE(fileNameFor("  ../A: b\\c? ", "run"), QString("a-bc"));
    QCOMPARE(fileNameFor("///", "run"), QString("run"));
  }

  void whatToLookForIsSaidInOrderAndOnce() {
    QCOMPARE(expectedInWords(readScenario("six-blocks")), QString("preemption, a sequence resumes"));
    QCOMPARE(expectedInWords(readScenario("one-request")),
             QString("block allocated, decode, request finished"));
    QCOMPARE(expectedInWords(readScenario("important-first")),
             QString("preemption, admission, a sequence resumes"));
    QCOMPARE(expectedInWords({}), QString());
    QCOMPARE(eventWords("layer_tapped"), QString("layer tapped"));
  }

  void keysChoose() {
    ScenarioChooser chooser("six-blocks", nullptr);
    chooser.setVisible(true);
    QVERIFY(QTest::qWaitForWindowExposed(&chooser));
    chooser.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&chooser));
    auto* list = chooser.findChild<QListView*>();
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(list));
    QCOMPARE(titleOf(*list), QString("Six blocks"));
    QTest::keyClick(list, Qt::Key_Up);  // over the heading
    QVERIFY(titleOf(*list) != QString("Six blocks"));
    const auto* rows = static_cast<const ScenarioList*>(list->model());
    QVERIFY(rows->row(list->currentIndex().row()).scenario.group == ScenarioGroup::kBatching);
    QTest::keyClicks(list, "A beam");
    QCOMPARE(titleOf(*list), QString("A beam search"));
    QString about;
    for (const QLabel* label : chooser.findChildren<QLabel*>())
      if (label->accessibleName() == "What it shows") about = label->text();
    QVERIFY2(about.startsWith("Four beams"), qPrintable(about));
    QSignalSpy chosen(&chooser, &ScenarioChooser::chosen);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0).at(0).toString(), QString("beam-search"));
    QVERIFY(!chooser.isVisible());
  }

  void everyRowIsReachedAndEscapeChoosesNone() {
    ScenarioChooser chooser({}, nullptr);
    chooser.setVisible(true);
    auto* list = chooser.findChild<QListView*>();
    QSet<QString> seen = {titleOf(*list)};
    for (int i = 0; i < list->model()->rowCount(); ++i) {
      QTest::keyClick(list, Qt::Key_Down);
      seen += titleOf(*list);
    }
    QCOMPARE(seen.size(), qsizetype(shippedScenarioNames().size()));
    QSignalSpy chosen(&chooser, &ScenarioChooser::chosen);
    QTest::keyClick(list, Qt::Key_Escape);
    QCOMPARE(chosen.count(), 0);
    QVERIFY(!chooser.isVisible());
  }

  // A picture follows the scenario: arrival, length, siblings, cancellation and pool each change it.
  void aPictureShowsTheTimetable() {
    const QPalette palette;
    const QImage plain = pictureOf(one(0, 30), palette);
    QCOMPARE(pictureOf(one(0, 30), palette), plain);
    QVERIFY(pictureOf(one(20, 30), palette) != plain);
    QVERIFY(pictureOf(one(0, 30, 6), palette) != plain);
    Scenario changed = one(0, 30);
    changed.requests[0].arguments.request.sequences = 4;
    QVERIFY(pictureOf(changed, palette) != plain);
    changed = one(0, 30);
    changed.requests[0].arguments.request.name = "a";
    changed.commands = {{12, "a"}};
    QVERIFY(pictureOf(changed, palette) != plain);
    changed = one(0, 30);
    changed.requests.push_back(one(8, 10).requests[0]);
    QVERIFY(pictureOf(changed, palette) != plain);
  }

  // Some scenarios have the same load under other options.
  void shippedPicturesDiffer() {
    std::vector<QImage> pictures;
    for (const std::string& name : shippedScenarioNames()) {
      const QImage image = pictureOf(readScenario(name), QPalette());
      const auto same = [&](const QImage& other) { return other == image; };
      if (std::none_of(pictures.begin(), pictures.end(), same)) pictures.push_back(image);
    }
    QVERIFY2(pictures.size() + 5 >= shippedScenarioNames().size(), QByteArray::number(pictures.size()));
  }

  // Where the file asks for the impossible a picture stays a picture.
  void strangeScenariosArePaintedToo() {
    Scenario strange = one(1'000'000, 1 << 30);
    strange.requests[0].arguments.request.sequences = 1024;
    for (int i = 0; i < 40; ++i) strange.requests.push_back(one(i, 0).requests[0]);
    strange.engine.options.tokenBudget = 0;
    QVERIFY(!pictureOf(strange, QPalette()).isNull());
    QVERIFY(!pictureOf({}, QPalette()).isNull());
  }

  void pictures() {
    const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
    if (folder.isEmpty()) QSKIP("VITRINE_PICTURES names no folder");
    ScenarioChooser chooser("six-blocks", nullptr);
    chooser.setVisible(true);
    QVERIFY(chooser.grab().save(folder + "/chooser.png"));
  }
};

QTEST_MAIN(TestScenarioChooser)
#include "tst_scenario_chooser.moc"
