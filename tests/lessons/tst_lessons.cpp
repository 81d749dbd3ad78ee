// Reading lessons: pages, links and choices as an author writes them, and the line of each fault.
#include "lessons/lesson_links.h"
#include "lessons/lesson_text.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <random>

using namespace vitrine;

namespace {

const std::string kHead = "---\ntitle: T\nabout: A\n---\n";  // four lines

Lesson lessonOf(const std::string& body) { return lessonFromText(kHead + body, "t"); }

// "line 5: ... | hint", or "read".
std::string complaintAbout(const std::string& text) {
  try {
    lessonFromText(text, "t");
    return "read";
  } catch (const UsageError& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
}

// "words -> address" of each action.
std::string actionsOf(const std::string& body) {
  std::string list;
  const Lesson lesson = lessonOf(body);
  for (const LessonAction& action : lesson.pages.front().actions)
    list += action.words + " -> " + addressOf(action) + "\n";
  return list;
}

}  // namespace

class TestLessons : public QObject {
  Q_OBJECT

 private slots:
  void everythingIsRead() {
    const Lesson lesson = readLesson(VITRINE_SOURCE_DIR "/tests/lessons/data/preemption.md");
    QCOMPARE(lesson.name, std::string("preemption"));
    QCOMPARE(lesson.title, std::string("Preemption"));
    QVERIFY(lesson.about.starts_with("Three answers"));
    QCOMPARE(lesson.order, 1000);
    QCOMPARE(lesson.minutes, 5);
    QCOMPARE(lesson.pages.size(), std::size_t{6});
    const LessonPage &first = lesson.pages[0], &second = lesson.pages[1], &third = lesson.pages[2];
    QCOMPARE(first.title, lesson.title);
    QCOMPARE(first.line, 8);
    QCOMPARE(first.actions.size(), std::size_t{2});
    QCOMPARE(first.actions[0].target, std::string("preemption-recompute"));
    QCOMPARE(first.actions[0].line, 11);
    QCOMPARE(first.actions[1].words, std::string("the KV memory"));
    QCOMPARE(second.title, std::string("The pool is full"));
    QCOMPARE(second.line, 13);
    QVERIFY(second.text.starts_with("[Run until R3 is preempted](until:preemption@R3): the scheduler"));
    QVERIFY(second.text.ends_with("that R3 waits."));
    QCOMPARE(second.actions[0].moment.requestName, std::string("R3"));
    QCOMPARE(second.actions[1].steps, 1);
    QCOMPARE(third.text, std::string("Three sequences ran when no block was free."));
    QCOMPARE(third.choices.size(), std::size_t{2});
    QCOMPARE(third.choices[0].text, std::string("The one with the most blocks"));
    QVERIFY(!third.choices[0].right && third.choices[1].right);
    QCOMPARE(third.choices[1].because, std::string("The oldest sequences have the longest wait behind them,\n"
                                                   "so the youngest one is preempted."));
    QCOMPARE(lesson.pages[3].actions[2].options.at(0).second, std::string("20"));
    QVERIFY(lesson.pages[5].actions.empty());
  }

  void windowsLineEndsAndAMarkChangeNothing() {
    const std::string body = "Text [a](show:blocks)\n\n## Page\n- [x] One\n  Two\n- [ ] Three\n";
    std::string windows = "\xEF\xBB\xBF";
    for (const char c : kHead + body) windows += c == '\n' ? "\r\n" : std::string(1, c);
    const Lesson one = lessonOf(body), other = lessonFromText(windows, "t");
    QCOMPARE(one.pages.size(), other.pages.size());
    QCOMPARE(other.title, std::string("T"));
    QCOMPARE(other.pages[0].text, one.pages[0].text);
    QCOMPARE(other.pages[0].actions.at(0).line, 5);
    QCOMPARE(other.pages[1].choices.at(0).because, std::string("Two"));
  }

  void frontMatterMayBeShort() {
    const Lesson lesson = lessonFromText("---\nabout: \"A: b\"\ntitle: T: u\n---\n\n## Page\n", "t");
    QCOMPARE(lesson.title, std::string("T: u"));
    QCOMPARE(lesson.about, std::string("A: b"));
    QCOMPARE(lesson.minutes, 10);
    QCOMPARE(lesson.pages.size(), std::size_t{1});  // no empty one before the heading
    QCOMPARE(lesson.pages[0].title, std::string("Page"));
  }

  void onlyHeadingsOfTheSecondLevelBeginPages() {
    const Lesson lesson =
        lessonOf("# One\n### Three\n##Two\n```\n## Code\n```\n~~~~\n~~~\n## Code\n~~~~\n\n   ## Page ##\n");
    QCOMPARE(lesson.pages.size(), std::size_t{2});
    QCOMPARE(lesson.pages[1].title, std::string("Page"));
    QCOMPARE(lesson.pages[1].line, 16);
  }

  void actionsAreTheLinks_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("actions");
    const auto add = [](const char* body, const char* actions) {
      QTest::newRow(body) << QByteArray(body) << QByteArray(actions);
    };
    add("[Play it](scenario:six-blocks)", "Play it -> scenario:six-blocks\n");
    add("[Play it](scenario:mine.json)", "Play it -> scenario:mine.json\n");
    add("[Play it](scenario:six-blocks?num_blocks=6&preemption=swap&no_prefix_cache=true)",
        "Play it -> scenario:six-blocks?num_blocks=6&preemption=swap&no_prefix_cache=true\n");
    add("[a](compare:six-blocks?num_blocks=9)", "a -> compare:six-blocks?num_blocks=9\n");
    add("[a](step:) [b](step:12)", "a -> step:1\nb -> step:12\n");
    add("[a](show:timeline) [b](show:predict)", "a -> show:timeline\nb -> show:predict\n");
    add("[a](until:step=12)", "a -> until:step=12\n");
    add("[a](until:finished@R1)", "a -> until:finished@R1\n");
    add("[a](until:event=sequence_admitted{\"resumed\":true}@R3)",
        "a -> until:event=sequence_admitted{\"resumed\":true}@R3\n");
    add("[a](<until:token=\" the\"@R1>)", "a -> until:token=\"%20the\"@R1\n");
    add("[a](until:token=%20the)", "a -> until:token=\"%20the\"\n");
    add("[a](until:token=\"%25\")", "a -> until:token=\"%25\"\n");
    add("[a\nb](show:blocks)", "a b -> show:blocks\n");
    add("[**Run** `it` *now* snake_case \\[x\\]](show:blocks \"title\")",
        "Run it now snake_case [x] -> show:blocks\n");
    add("| a | b |\n|---|---|\n| [x](show:blocks) | y |", "x -> show:blocks\n");
    add("- one [a](show:blocks)\n\n    two [b](show:text)", "a -> show:blocks\nb -> show:text\n");
    add("[out](https://arxiv.org) [a](show:blocks) <http://b.org>", "a -> show:blocks\n");
    add("`[a](b)` ``[a](b) ` `` [c](show:blocks)", "c -> show:blocks\n");
    add("` [c](show:blocks)", "c -> show:blocks\n");
    add("```\n[a](b)\n```\n[c](show:blocks)", "c -> show:blocks\n");
    add("Text:\n\n    [a](b)\n\n[c](show:blocks)", "c -> show:blocks\n");
    add("\\[a](b) ![a](b.png) [c](show:blocks)", "c -> show:blocks\n");
    add("$f[i](x)$ costs $5 [c](show:blocks) or $6", "");
    add("$f_{[i]}(x)$ is $5 [c](show:blocks) or $6", "c -> show:blocks\n");
    add("[not\n\na](link) [c](show:blocks)", "c -> show:blocks\n");
    add("[[c](show:blocks)](b)", "c -> show:blocks\n");
  }
  void actionsAreTheLinks() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, actions);
    if (actions.isEmpty())  // a formula that looks like a link is taken for one
      QVERIFY(complaintAbout(kHead + body.toStdString()).starts_with("line 5: the link to \"x\""));
    else
      QCOMPARE(QByteArray::fromStdString(actionsOf(body.toStdString())), actions);
  }

  // The window gets addresses from its own reader of Markdown, which may write blanks otherwise.
  void anAddressIsAnAction() {
    QVERIFY(!actionOfLink("https://arxiv.org/abs/2309.06180"));
    QCOMPARE(actionOfLink("until:token=%22%20the%22")->moment.text, std::string(" the"));
    QVERIFY(actionOfLink("step:")->doesTheSameAs(*actionOfLink("step:1")));
    QVERIFY(!actionOfLink("step:")->doesTheSameAs(*actionOfLink("step:2")));
    QVERIFY_THROWS_EXCEPTION(UsageError, actionOfLink("mailto:a@b.org"));
    QVERIFY_THROWS_EXCEPTION(UsageError, actionOfLink(""));
  }

  void choicesStandApart() {
    const Lesson lesson = lessonOf("Before\n* [ ] One\n\n  Why\n\n  not\n+ [X] Two\n\nAfter\n- no box\n");
    const LessonPage& page = lesson.pages.front();
    QCOMPARE(page.text, std::string("Before\nAfter\n- no box"));
    QCOMPARE(page.choices.size(), std::size_t{2});
    QCOMPARE(page.choices[0].because, std::string("Why\n\nnot"));
    QVERIFY(page.choices[1].right);
    QCOMPARE(page.choices[1].line, 11);
    QVERIFY(lessonOf("- [x](show:blocks) is a link\n").pages.front().choices.empty());
    QVERIFY(lessonOf("```\n- [x] code\n```\n").pages.front().choices.empty());
  }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("named");  // the beginning of the message
    QTest::addColumn<QByteArray>("hint");
    const auto add = [](const char* name, const std::string& text, const char* named, const char* hint) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(named) << QByteArray(hint);
    };
    const auto body = [&](const std::string& text, const char* named, const char* hint) {
      add(text.c_str(), kHead + text, named, hint);
    };
    add("nothing", "", "line 1: the lesson has no front matter", "begin with");
    add("no front matter", "Text\n", "line 1: the lesson has no front matter", "begin with");
    add("open", "---\ntitle: T\nabout: A\n\n## Page\n", "line 1: the front matter does not end", "---");
    add("no title", "---\nabout: A\n---\nText\n", "line 1: the lesson has no title", "title:");
    add("empty title", "---\ntitle:\nabout: A\n---\nText\n", "line 1: the lesson has no title", "title:");
    add("no about", "---\ntitle: T\n---\nText\n", "line 1: the lesson does not say", "about:");
    add("a key", "---\ntitle: T\nabout: A\nauthor: I\n---\nx", "line 4: there is no key \"author\"", "order");
    add("twice", "---\ntitle: T\ntitle: T\nabout: A\n---\nx", "line 3: the key \"title\" is", "leave");
    add("no key", "---\ntitle: T\nabout: A\nwords\n---\nx", "line 4: \"words\" is no \"key: value\"",
        "title");
    add("order", "---\ntitle: T\nabout: A\norder: last\n---\nx", "line 4: \"last\" is not a whole", "10");
    add("minutes", "---\ntitle: T\nabout: A\nminutes: -1\n---\nx", "line 4: \"-1\" is not a whole", "10");
    add("no page", kHead + "\n\n", "line 1: the lesson has no page", "front matter");
    add("bytes", kHead + "a\nb\xFF\n", "line 6: the line is not UTF-8", "UTF-8");
    add("overlong", kHead + "\xC0\xAF", "line 5: the line is not UTF-8", "UTF-8");
    add("a NUL", kHead + std::string("a\0b", 3), "line 5: the line is not UTF-8", "UTF-8");
    add("large", kHead + std::string(std::size_t{1} << 20, 'x'), "line 1: the lesson is larger", "two");
    body("x\n\n##\n", "line 7: the page has no title", "##");
    body("x [a](show:blokcs)", "line 5: there is no panel \"blokcs\"", "one of chat, schedule");
    body("x\n\nmore [a\nb](scenario:)", "line 7: the link names no scenario", "six-blocks");
    body("[a](scenario:../x.json)", "line 5: \"../x.json\" is not the name", "beside the lesson");
    body("[a](scenario:x?num_blocks)", "line 5: \"num_blocks\" changes no option", "num_blocks=8");
    body("[a](scenario:x?numblocks=8)", "line 5: there is no option \"numblocks\"", "--help");
    body("[a](scenario:x?model=y)", "line 5: there is no option \"model\"", "--help");
    body("[a](scenario:x?num_blocks=many)", "line 5: \"num_blocks\" must be", "");
    body("[a](scenario:x?num_blocks=8&num_blocks=9)", "line 5: the option \"num_blocks\" is there tw",
         "leave");
    body("[a](scenario:x?preemption=none)", "line 5: \"preemption\" must be one of", "");
    body("[a](compare:x)", "line 5: the comparison changes no option", "compare:x?");
    body("[a](until:lunch)", "line 5: \"lunch\" is not a kind of breakpoint", "preemption");
    body("[a](until:event=lunch)", "line 5: \"lunch\" is not the name of an event", "block_freed");
    body("[a](step:0)", "line 5: \"0\" is not a number of steps", "step:3");
    body("[a](step:1001)", "line 5: \"1001\" is not a number of steps", "1000");
    body("[a](step:two)", "line 5: \"two\" is not a number of steps", "step:3");
    body("[a](other.md)", "line 5: the link to \"other.md\" leads nowhere", "scenario:");
    body("[a](ftp://x)", "line 5: there is no link of the kind \"ftp:\"", "scenario:");
    body("[a](Show:blocks)", "line 5: there is no link of the kind \"Show:\"", "show:");
    body("[](show:blocks)", "line 5: the action has no words", "verb");
    body("<show:blocks>", "line 5: an action has its address behind its words", "[words](show:blocks)");
    body("[a][b]\n\n[b]: show:blocks", "line 7: an action has its address", "[words](show:blocks)");
    body("x\n- [ ]\n", "line 6: the choice has no text", "box");
    body("- [x] One\nlazy", "line 6: the line belongs to no choice", "indent");
    body("- [x] One [a](step:)\n", "line 5: an action stands in a choice", "page's text");
    std::string pages;
    for (int i = 0; i < 101; ++i) pages += "## P\n";
    add("many pages", kHead + pages, "line 105: the lesson has more than 100 pages", "two");
  }
  void whatIsWrongIsNamed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, named);
    QFETCH(QByteArray, hint);
    const std::string complaint = complaintAbout(text.toStdString());
    QVERIFY2(complaint.starts_with(named.toStdString()), complaint.c_str());
    QVERIFY2(complaint.find(hint.toStdString(), complaint.find(" | ")) != std::string::npos,
             complaint.c_str());
  }

  void allFaultsAreListedInTheirOrder() {
    std::vector<LessonProblem> problems;
    const Lesson lesson =
        lessonFromText("---\ntitle: T\nwho: I\n---\n[a](b)\n[c](show:blocks)\n[d](step:0)\n", "t", problems);
    QCOMPARE(problems.size(), std::size_t{4});
    QCOMPARE(problems[0].line, 1);  // about
    QCOMPARE(problems[1].line, 3);
    QCOMPARE(problems[2].line, 5);
    QCOMPARE(problems[3].line, 7);
    QCOMPARE(lesson.pages.at(0).actions.size(), std::size_t{1});
  }

  void lessonsAreRecognized() {
    QVERIFY(looksLikeLesson(kHead));
    QVERIFY(looksLikeLesson("\xEF\xBB\xBF---\r\ntitle: T\r\n---\r\n"));
    for (const char* text :
         {"", "---", "---\ntitle: T\n", "# T\n", "{\"requests\": []}", "---\nname: T\n---\n"})
      QVERIFY2(!looksLikeLesson(text), text);
  }

  void anUnknownNameIsNamed() {
    try {
      readLesson("cellar");
      QFAIL("found");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kFileNotFound);
      QVERIFY(std::string(error.what()).find("cellar") != std::string::npos);
    }
  }

  void textsLoseTheirLinks() {
    QCOMPARE(withoutLinks("a [b *c*](show:blocks), `[d](e)`\n```\n[f](g)\n```\n[h](https://i)"),
             std::string("a b c, `[d](e)`\n```\n[f](g)\n```\nh"));
  }

  // Any bytes are a lesson, or a UsageError names the line of a fault.
  void anyBytesAreReadOrRefused() {
    const std::string good =
        readWholeFile(VITRINE_SOURCE_DIR "/tests/lessons/data/preemption.md", kMostLessonBytes);
    const std::string marks = "[]()<>`$\\!#-*:?&=@%\"'\n\r\t x~|{}\xC3\xA9\xFF";
    std::mt19937 random(7);
    const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
    int read = 0, refused = 0;
    for (int round = 0; round < 3000; ++round) {
      std::string text = good;
      for (std::size_t change = below(8); change != 0; --change) {
        const std::size_t at = below(text.size()), length = std::min(below(40), text.size() - at);
        const std::size_t kind = below(4);
        if (kind == 0) text[at] = marks[below(marks.size())];
        if (kind == 1) text.erase(at, length);
        if (kind == 2) text.insert(at, 1 + below(3), marks[below(marks.size())]);
        if (kind == 3) text.insert(below(text.size()), text.substr(at, length));
        if (text.empty()) text = "x";
      }
      std::vector<LessonProblem> problems;
      const Lesson lesson = lessonFromText(text, "t", problems);
      const int lines = static_cast<int>(std::ranges::count(text, '\n')) + 1;
      QVERIFY(!lesson.pages.empty());
      for (const LessonProblem& problem : problems)
        QVERIFY2(problem.line >= 1 && problem.line <= lines && !problem.words.empty(), text.c_str());
      for (const LessonPage& page : lesson.pages)
        for (const LessonAction& action : page.actions) {
          QVERIFY2(action.line >= 1 && action.line <= lines, text.c_str());
          QVERIFY(actionOfLink(addressOf(action))->doesTheSameAs(action));
        }
      QCOMPARE(complaintAbout(text) == "read", problems.empty());
      (problems.empty() ? read : refused) += 1;
    }
    QVERIFY2(read > 300 && refused > 300, qPrintable(QString("%1 %2").arg(read).arg(refused)));
  }

  void hostileTextsTakeNoTime() {
    for (const char* part :
         {"[", "](",  "[](", "`",    "[a](b)\n", "- [ ] a\n", "$a",     "* $", "[a][b]",  "``` ", "$a ",
          "$", "<a:", "![",  "[](<", "\\",       "[a]: ",     "- [ ] ", "## ", "[](a \"", "(",    "`a``b"}) {
      std::string text = kHead;
      while (text.size() < std::size_t{1} << 18) text += part;
      complaintAbout(text);
    }
  }
};

QTEST_GUILESS_MAIN(TestLessons)
#include "tst_lessons.moc"
