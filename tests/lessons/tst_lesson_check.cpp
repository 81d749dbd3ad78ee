// The checker names the lines of a lesson's faults, each kind once, and finds nothing in a good lesson.
#include "lessons/lesson_check.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;

namespace {

const std::filesystem::path kData = VITRINE_SOURCE_DIR "/tests/lessons/data";

std::string textOf(const std::filesystem::path& file) { return readWholeFile(file, kMostLessonBytes); }

void writeText(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  QFile out(QString::fromStdString(file.string()));
  QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text.data(), static_cast<qint64>(text.size())) >= 0);
}

std::string replaced(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  if (at != std::string::npos) text.replace(at, old.size(), now);
  return text;
}

// "6: no scenario runs ..."
QByteArray listed(const std::vector<LessonProblem>& problems) {
  std::string text;
  for (const LessonProblem& problem : problems)
    text += std::to_string(problem.line) + ": " + problem.words + "\n";
  return QByteArray::fromStdString(text);
}

}  // namespace

class TestLessonCheck : public QObject {
  Q_OBJECT

 private slots:
  void aGoodLessonHasNoProblem() {
    const auto problems = problemsOfFile(kData / "preemption.md");
    QVERIFY2(problems.empty(), listed(problems));
  }

  void eachFaultIsNamedWithItsLine() {
    const auto problems = problemsOfFile(kData / "faulty.md");
    const std::pair<int, const char*> expected[] = {
        {6, "no scenario runs before this \"until:\""},
        {6, "no scenario runs before this \"step:\""},
        {8, "there is no scenario seven-blocks"},
        {8, "num_blocks=6 changes nothing"},
        {10, "has no request R9"},
        {10, "has no request #600"},
        {10, "\"preemption@R9\" does not happen in this run"},
        {10, "\"request=#600\" does not happen in this run"},
        {14, "\"preemption@R3\" does not happen after step"},
        {15, "the run ends at step"},
        {16, "\"draft_rejected\" does not happen after step"},
        {18, "refuses a request"},
        {19, "block_size"},
        {23, "no choice of the question is right"},
        {28, "the question has one choice"},
        {30, "the page has 123 words"},
        {40, "the summary has 1 bullets"},
        {44, "the summary has an action"},
        {46, "the last page names no source"},
    };
    const QByteArray list = listed(problems);
    QVERIFY2(problems.size() == std::size(expected), list);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      QVERIFY2(problems[i].line == expected[i].first, list);
      QVERIFY2(problems[i].words.find(expected[i].second) != std::string::npos, list);
      QVERIFY2(!problems[i].hint.empty(), problems[i].words.c_str());
    }
  }

  // A fault of the text hides none of what follows.
  void faultsOfTheTextStandAmongTheOthers() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("one.md").toStdString();
    std::string text = replaced(textOf(kData / "preemption.md"), "show:blocks", "show:blokcs");
    text = replaced(text, "until:finished@R3", "until:finished@R4");
    writeText(file, text);
    const auto problems = problemsOfFile(file);
    QCOMPARE(listed(problems).count('\n'), 3);
    QVERIFY(listed(problems).startsWith("11: there is no panel \"blokcs\"\n31: "));
  }

  void aLessonWithoutEndOrQuestionIsNamed() {
    const Lesson lesson = lessonFromText("---\ntitle: T\nabout: A\n---\nText.\n", "t");
    QCOMPARE(listed(problemsOf(lesson)),
             QByteArray("1: the lesson asks nothing\n5: the last page names no source\n"
                        "5: the lesson has no summary\n"));
  }

  void aScenarioBesideTheLessonIsFound() {
    QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    writeText(root / "mine.json",
              R"({"requests":[{"id":"Ada","prompt":"Once upon a time","max_tokens":4}]})");
    std::string text =
        replaced(textOf(kData / "preemption.md"), "## The pool is full",
                 "[Play mine](scenario:mine.json?num_blocks=9) [to Ada's end](until:finished@Ada)\n"
                 "[Play the other](scenario:preemption-recompute)\n\n## The pool is full");
    writeText(root / "one.md", text);
    QCOMPARE(listed(problemsOfFile(root / "one.md")), QByteArray());
    QCOMPARE(scenarioOf(readLesson((root / "one.md").string()),
                        readLesson((root / "one.md").string()).pages[0].actions[2])
                 .engine.options.numBlocks,
             9);
  }

  // Each moment is looked for behind the one before, over the pages, until another scenario begins.
  void momentsFollowOneAnother() {
    const std::string good = textOf(kData / "preemption.md");
    const std::string again = replaced(good, "(until:finished@R3)", "(until:preemption@R3)");
    const auto problems = problemsOfFile(kData / "preemption.md");
    QVERIFY(problems.empty());
    const auto repeated = problemsInPlay(lessonFromText(again, "t"));
    QCOMPARE(repeated.size(), std::size_t{1});
    QCOMPARE(repeated[0].line, 31);
    QVERIFY(repeated[0].hint.find("order") != std::string::npos);
    const auto begunAgain =
        problemsInPlay(lessonFromText(replaced(again, "[Run until its answer ends]",
                                               "[Play it again](scenario:preemption-recompute) [Run on]"),
                                      "t"));
    QVERIFY2(begunAgain.empty(), listed(begunAgain));
  }

  void anEntropyIsMeasured() {
    const std::string text =
        replaced(textOf(kData / "preemption.md"), "(until:preemption@R3)", "(until:entropy=0.01)");
    QVERIFY2(problemsInPlay(lessonFromText(text, "t")).empty(), "no token has any entropy");
  }

  void aTranslationHasTheSameActions() {
    QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    const std::string good = textOf(kData / "preemption.md");
    writeText(root / "one.md", good);
    writeText(root / "zh_CN" / "one.md", replaced(good, "Play three answers", "播放三个回答"));
    writeText(root / "de" / "one.md", replaced(good, "show:schedule", "show:text"));
    writeText(root / "fr" / "one.md", replaced(good, "- [x] The one", "- [ ] The one"));
    QCOMPARE(translationsOf(root / "one.md").size(), std::size_t{3});
    QCOMPARE(listed(problemsOfFile(root / "zh_CN" / "one.md")), QByteArray());
    QVERIFY(listed(problemsOfFile(root / "de" / "one.md"))
                .startsWith("13: the page's actions are not those of the original's page at line 13"));
    QVERIFY(listed(problemsOfFile(root / "fr" / "one.md")).contains("choices are not those"));
    const Lesson chinese = readLesson((root / "one.md").string(), "zh_CN");
    QCOMPARE(chinese.pages[0].actions[0].words, std::string("播放三个回答 that outgrow the pool"));
    QCOMPARE(chinese.folder, std::filesystem::absolute(root));
    QCOMPARE(readLesson((root / "one.md").string(), "it").pages[0].actions[0].words,
             std::string("Play three answers that outgrow the pool"));
    QCOMPARE(readLesson((root / "one.md").string(), "../..").name, std::string("one"));
  }

  void wordsAreCounted() {
    const auto words = [](const std::string& text) {
      LessonPage page;
      page.text = text;
      return wordsOfPage(page);
    };
    QCOMPARE(words(""), 0);
    QCOMPARE(words("One, two - [three four](show:blocks) `five`."), 5);
    QCOMPARE(words("序列占用块。"), 3);
    QCOMPARE(words("KV 块"), 1);
  }
};

QTEST_GUILESS_MAIN(TestLessonCheck)
#include "tst_lesson_check.moc"
