// vitrine-cli lesson: its lists, pages, faults and exit statuses.
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

const QString kLesson = QStringLiteral(VITRINE_SOURCE_DIR "/tests/lessons/data/preemption.md");

}  // namespace

class TestCliLesson : public QObject {
  Q_OBJECT

 private slots:
  void theLessonsAreListed() {
    const CliResult plain = runCli({"lesson", "list"}), json = runCli({"lesson", "list", "--json"});
    QCOMPARE(plain.status, 0);
    QCOMPARE(json.status, 0);
    QVERIFY(!plain.out.isEmpty() && json.json().contains("lessons"));
    int order = -1;
    for (const auto& lesson : json.json()["lessons"].toArray()) {
      QVERIFY(plain.out.contains(lesson.toObject()["name"].toString().toUtf8() + ": "));
      QVERIFY(lesson.toObject()["order"].toInt() >= order);
      order = lesson.toObject()["order"].toInt();
    }
  }

  void aLessonIsShownAsText() {
    const CliResult result = runCli({"lesson", "show", kLesson});
    QVERIFY2(result.status == 0, result.err);
    QVERIFY(result.out.startsWith("# Preemption\n\nThree answers"));
    QVERIFY(result.out.contains("\n## The pool is full\n\nRun until R3 is preempted: the scheduler"));
    QVERIFY(result.out.contains("\n  -> Run until R3 is preempted (until:preemption@R3)\n"));
    QVERIFY(result.out.contains("\n  [x] The one that came last\n      The oldest sequences"));
    QVERIFY(!result.out.contains("](until:"));
    QVERIFY(result.out.endsWith("arXiv 2309.06180 (https://arxiv.org/abs/2309.06180)\n"));
  }

  void aLessonIsShownAsJson() {
    const CliResult result = runCli({"lesson", "show", kLesson, "--json"});
    QVERIFY2(result.status == 0, result.err);
    const QJsonArray pages = result.json()["pages"].toArray();
    QCOMPARE(pages.size(), 6);
    QCOMPARE(pages[0].toObject()["title"].toString(), QString("Preemption"));
    const QJsonObject compare = pages[3].toObject()["actions"].toArray()[2].toObject();
    QCOMPARE(compare["action"].toString(), QString("compare"));
    QCOMPARE(compare["options"].toObject()["num_blocks"].toString(), QString("20"));
    const QJsonObject right = pages[2].toObject()["choices"].toArray()[1].toObject();
    QVERIFY(right["right"].toBool() && right["because"].toString().startsWith("The oldest"));
  }

  void aGoodLessonPasses() {
    const CliResult result = runCli({"lesson", "check", kLesson});
    QVERIFY2(result.status == 0, result.out);
    QCOMPARE(result.out, QByteArray("1 lesson checked: nothing is wrong\n"));
  }

  void faultsAreNamedWithFileAndLine() {
    QTemporaryDir folder;
    QFile good(kLesson);
    QVERIFY(good.open(QIODevice::ReadOnly));
    const QString file =
        writeTo(folder.filePath("one.md"), good.readAll().replace("(show:blocks)", "(show:cellar)"));
    const CliResult plain = runCli({"lesson", "check", kLesson, file}),
                    json = runCli({"lesson", "check", file, "--json"});
    QCOMPARE(plain.status, 1);
    QVERIFY(plain.out.startsWith(file.toUtf8() + ":11: there is no panel \"cellar\" (write one of chat, "));
    QCOMPARE(plain.out.count('\n'), 1);
    QCOMPARE(json.status, 1);
    QCOMPARE(json.json()["problems"].toInt(), 1);
    const QJsonObject checked = json.json()["lessons"].toArray()[0].toObject();
    QCOMPARE(checked["problems"].toArray()[0].toObject()["line"].toInt(), 11);
  }

  void wrongUsageIsNamed() {
    QCOMPARE(runCli({"lesson"}).status, 2);
    QCOMPARE(runCli({"lesson", "show"}).status, 2);
    const CliResult unknown = runCli({"lesson", "show", "cellar"}), folder = runCli({"lesson", "check", "/"});
    QCOMPARE(unknown.status, 1);
    QVERIFY(unknown.err.contains("there is no lesson cellar") && unknown.err.contains("known by name"));
    QCOMPARE(folder.status, 1);
    QTemporaryDir place;
    const QString broken = writeTo(place.filePath("b.md"), "no front matter");
    const CliResult refused = runCli({"lesson", "show", broken});
    QCOMPARE(refused.status, 2);
    QVERIFY(refused.err.contains("b.md: line 1: "));
    const QString huge = writeTo(place.filePath("h.md"), QByteArray((1 << 20) + 1, 'x'));
    QCOMPARE(runCli({"lesson", "check", huge}).status, 1);
  }
};

QTEST_GUILESS_MAIN(TestCliLesson)
#include "tst_cli_lesson.moc"
