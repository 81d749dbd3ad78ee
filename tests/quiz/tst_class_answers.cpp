// A class's answers: what a spreadsheet writes is read, what is misread is named, and points are right.
#include "quiz/class_answers.h"

#include "quiz/marks.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::quiz;

namespace {

AskedStep itemOf(QuizQuestion question) { return {{}, {std::move(question)}}; }

QuizQuestion sequencesQuestion() {
  QuizQuestion question;
  question.kind = QuestionKind::kAdmitted;
  question.sequences = {4, 5, 6};
  question.answer = {{0, 2}};
  return question;
}
QuizQuestion numberQuestion() {
  QuizQuestion question;
  question.kind = QuestionKind::kTokens;
  question.answer = {{}, 17};
  return question;
}
QuizQuestion tokenQuestion() {
  QuizQuestion question;
  question.kind = QuestionKind::kNextToken;
  question.tokens = {{1, " a", 0.25}, {2, " the", 0.5}};
  question.answer = {{0}};
  return question;
}

const std::vector<AskedStep> kItems = {itemOf(sequencesQuestion()), itemOf(numberQuestion()),
                                       itemOf(tokenQuestion())};

std::string refusalOf(std::string_view text) {
  try {
    papersOf(text, kItems);
  } catch (const EngineError& error) {
    return std::string(errorCodeName(error.code())) + ": " + error.what() + " / " + error.hint();
  }
  return "";
}

}  // namespace

class TestClassAnswers : public QObject {
  Q_OBJECT

 private slots:
  void guesses() {
    const QuizQuestion sequences = sequencesQuestion(), number = numberQuestion(), token = tokenQuestion();
    for (const char* same : {"ac", "a c", "C,A", " a + c ", "a;c", "aac"})
      QCOMPARE(guessOf(sequences, same), std::optional<Guess>({{0, 2}}));
    for (const char* none : {"none", "-", "None "})
      QCOMPARE(guessOf(sequences, none), std::optional<Guess>(Guess{}));
    QCOMPARE(guessOf(sequences, "  "), std::optional<Guess>());
    QCOMPARE(guessOf(number, " 17 "), std::optional<Guess>({{}, 17}));
    QCOMPARE(guessOf(token, "B"), std::optional<Guess>({{1}}));
    for (const char* bad : {"d", "1", "a-c", ",", "ä"})
      QVERIFY_EXCEPTION_THROWN(guessOf(sequences, bad), EngineError);
    for (const char* bad : {"-1", "1.5", "seven", "99999999999999999999", "1 2"})
      QVERIFY_EXCEPTION_THROWN(guessOf(number, bad), EngineError);
    for (const char* bad : {"ab", "none", "c"}) QVERIFY_EXCEPTION_THROWN(guessOf(token, bad), EngineError);
  }

  void cells() {
    using Lines = std::vector<std::vector<std::string>>;
    QCOMPARE(cellsOf("\xEF\xBB\xBFName;1\r\n\r\n \"B, \"\"x\"\"\nC\" ; a \r\n"),
             (Lines{{"Name", "1"}, {"B, \"x\"\nC", "a"}}));
    QCOMPARE(cellsOf("Name\t1\t2\nA,B\t\t"), (Lines{{"Name", "1", "2"}, {"A,B", "", ""}}));
    QCOMPARE(cellsOf("Name,1\nAnn,\"a,b\""), (Lines{{"Name", "1"}, {"Ann", "a,b"}}));
    QCOMPARE(cellsOf(""), Lines());
    QCOMPARE(cellsOf("a\"b,c"), (Lines{{"a\"b", "c"}}));
  }

  void marks() {
    const auto papers = papersOf("Name,Q3,1,2.\nAnn,a,\"c,a\",17\nBea,b,none,16\nCyd,,,\nDee\n", kItems);
    QCOMPARE(papers.size(), std::size_t(4));
    const Marks marks = markedOf(kItems, papers);
    QCOMPARE(marks.most, 2.5);
    QCOMPARE(marks.papers[0].points, (std::vector<double>{1, 1, 0.25}));
    QCOMPARE(marks.papers[0].total, 2.25);
    QCOMPARE(marks.papers[1].points, (std::vector<double>{0, 0, 0.5}));
    QCOMPARE(marks.papers[2].total, 0.0);
    QCOMPARE(marks.papers[3].total, 0.0);
    QCOMPARE(marks.means, (std::vector<double>{0.25, 0.25, 0.1875}));
    QCOMPARE(markedOf(kItems, {}).means, std::vector<double>(3, 0.0));
  }

  void refusals() {
    QCOMPARE(
        refusalOf("Name,1,4\nAnn,a,b\n"),
        std::string("invalid_argument: the heading \"4\" is no question of this quiz / head the first column "
                    "\"Name\" and the others with the questions' numbers, 1 to 3"));
    QCOMPARE(refusalOf("Name,1,Q1\n"),
             std::string("invalid_argument: two columns are headed with question 1 / "
                         "leave one of them out"));
    QCOMPARE(refusalOf("Name,2\nAnn,many\n"),
             std::string(
                 "invalid_argument: \"Ann\", question 2: \"many\" is no answer / a whole number, such as 3"));
    QCOMPARE(
        refusalOf("Name,1\nAnn,x\n"),
        std::string(
            "invalid_argument: \"Ann\", question 1: \"x\" is no answer / letters from a to c, or \"none\""));
    QCOMPARE(
        refusalOf("Name,1\nAnn,a,b\n"),
        std::string("invalid_argument: \"Ann\" has more answers than there are headings / put a cell with "
                    "commas into quotation marks"));
    QCOMPARE(
        refusalOf("Name,1\nAnn,a\nBea,\"a\n"),
        std::string("file_corrupt: line 3: a quotation mark is never closed / close it, or write the cell "
                    "without quotation marks"));
  }
};

QTEST_APPLESS_MAIN(TestClassAnswers)
#include "tst_class_answers.moc"
