#include "trace_quiz.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "command_options.h"
#include "event_names.h"
#include "program.h"
#include "quiz/marks.h"
#include "quiz/question_choice.h"
#include "vitrine/prose/quiz_sheet.h"
#include "vitrine/trace.h"

namespace vitrine::cli {
namespace {

struct QuizArguments {
  std::string file, out, answers;
  int questions = 10;
  std::uint64_t seed = 1;
  std::vector<std::string> kinds;
  std::string difficulty;
};

template <Named Enum>
std::vector<std::string> namesOf() {
  return {Names<Enum>::list.begin(), Names<Enum>::list.end()};
}

// The command that marks the answers, as one has to type it: with the same quiz.
std::string gradingCommand(const QuizArguments& arguments) {
  std::string command = "vitrine-cli trace grade " + arguments.file + " ANSWERS.csv --questions " +
                        std::to_string(arguments.questions) + " --seed " + std::to_string(arguments.seed);
  for (const std::string& kind : arguments.kinds) command += " --kind " + kind;
  return arguments.difficulty.empty() ? command : command + " --difficulty " + arguments.difficulty;
}

// A quiz with the names of its sequences.
struct Quiz {
  explicit Quiz(const QuizArguments& arguments) {
    quiz::QuizWish wish{.questions = arguments.questions, .seed = arguments.seed};
    for (const std::string& kind : arguments.kinds) wish.kinds.push_back(*fromName<QuestionKind>(kind));
    wish.difficulty = fromName<Difficulty>(arguments.difficulty);
    quiz::QuestionChoice choice(std::move(wish));
    readTrace(arguments.file, [&](const Event& event) {
      eventNames.note(event);
      choice.add(event);
    });
    items = choice.items();
    if (items.empty())
      throw EngineError(
          ErrorCode::kInvalidArgument, arguments.file + " answers no such question",
          "allow other kinds and difficulties; what token comes next is asked of a trace that was "
          "recorded with --candidates 4 or more");
  }

  EventNames eventNames;
  prose::Names names = eventNames.proseNames();
  std::vector<AskedStep> items;
};

Json toJson(const QuizQuestion& question, const Guess& guess) {
  if (question.asksForNumber()) return guess.number;
  Json places = Json::array();
  for (const int place : guess.chosen) places.push_back(std::string(1, prose::choiceLetter(place)));
  return places;
}

Json toJson(const Quiz& quiz, const AskedStep& item) {
  const QuizQuestion& question = item.questions.front();
  Json choices = Json::array();
  for (int place = 0; place < static_cast<int>(question.choices()); ++place)
    choices.push_back(prose::choiceText(question, place, quiz.names));
  return {{"step", question.step},
          {"kind", nameOf(question.kind)},
          {"difficulty", nameOf(question.difficulty)},
          {"question", prose::questionText(question, quiz.names)},
          {"choices", choices},
          {"answer", toJson(question, question.answer)},
          {"most_points", mostPoints(question)}};
}

int makeQuiz(const QuizArguments& arguments, bool json) {
  const Quiz quiz(arguments);
  const std::string sheet = prose::quizSheet(quiz.items, quiz.names);
  if (!arguments.out.empty()) writeFile(arguments.out, sheet);
  if (json) {
    Json questions = Json::array();
    for (const AskedStep& item : quiz.items) questions.push_back(toJson(quiz, item));
    Json answer = {{"questions", questions}, {"grade", gradingCommand(arguments)}};
    if (!arguments.out.empty()) answer["out"] = arguments.out;
    printJson(answer);
    return 0;
  }
  if (arguments.out.empty())
    printText(sheet);
  else
    print("%s: %zu questions with their answers. To mark a class's answers:\n%s\n", arguments.out.c_str(),
          quiz.items.size(), gradingCommand(arguments).c_str());
  return 0;
}

Json toJson(const quiz::MarkedPaper& paper) {
  return {{"name", paper.name}, {"points", paper.points}, {"total", paper.total}};
}

void printMarks(const Quiz& quiz, const quiz::Marks& marks) {
  for (const quiz::MarkedPaper& paper : marks.papers) {
    print("%6.2f of %.2f  %s\n", paper.total, marks.most, paper.name.c_str());
    requireOutput();
  }
  print("\nOn average, of each question:\n");
  for (std::size_t i = 0; i < quiz.items.size(); ++i) {
    const QuizQuestion& question = quiz.items[i].questions.front();
    print("%4zu. %.2f of %.2f  %s %s.\n", i + 1, marks.means[i], mostPoints(question),
          prose::questionText(question, quiz.names).c_str(),
          prose::guessText(question, question.answer, quiz.names).c_str());
    requireOutput();
  }
}

int grade(const QuizArguments& arguments, bool json) {
  const Quiz quiz(arguments);
  std::vector<quiz::Paper> papers;
  try {
    papers = quiz::papersOf(readFile(arguments.answers), quiz.items);
  } catch (const EngineError& error) {
    if (error.code() != ErrorCode::kInvalidArgument && error.code() != ErrorCode::kFileCorrupt) throw;
    throw EngineError(error.code(), arguments.answers + ": " + error.what(), error.hint());
  }
  const quiz::Marks marks = quiz::markedOf(quiz.items, papers);
  if (!json) {
    printMarks(quiz, marks);
    return 0;
  }
  Json questions = Json::array(), marked = Json::array();
  for (std::size_t i = 0; i < quiz.items.size(); ++i) {
    questions.push_back(toJson(quiz, quiz.items[i]));
    questions.back()["mean"] = marks.means[i];
  }
  for (const quiz::MarkedPaper& paper : marks.papers) marked.push_back(toJson(paper));
  printJson({{"questions", questions}, {"papers", marked}, {"most_points", marks.most}});
  return 0;
}

void addChoice(CLI::App& command, QuizArguments& arguments) {
  command.add_option("FILE", arguments.file, "the trace")->required();
  addNumber(command, arguments.questions, {"--questions", 1, quiz::kMostQuestions, "how many questions"});
  command.add_option("--seed", arguments.seed, "another seed gives other questions")->capture_default_str();
  command.add_option("--kind", arguments.kinds, "ask only this kind; may be given several times")
      ->check(CLI::IsMember(namesOf<QuestionKind>()));
  command.add_option("--difficulty", arguments.difficulty, "ask only questions of this difficulty")
      ->check(CLI::IsMember(namesOf<Difficulty>()));
}

}  // namespace

void addQuiz(CLI::App& trace, Program& program) {
  const auto arguments = std::make_shared<QuizArguments>();
  CLI::App* asking =
      trace.add_subcommand("quiz", "make a sheet of questions for a class, with answers, from a trace");
  addChoice(*asking, *arguments);
  asking->add_option("--out", arguments->out, "the sheet to write, as Markdown; otherwise it is printed");
  setWork(*asking, program, [arguments](bool json) { return makeQuiz(*arguments, json); });

  CLI::App* grading = trace.add_subcommand("grade", "mark a class's answers to the quiz of a trace");
  addChoice(*grading, *arguments);
  grading
      ->add_option("ANSWERS", arguments->answers,
                   "the answers, as a spreadsheet's CSV: headed \"Name\" and the questions' numbers")
      ->required();
  setWork(*grading, program, [arguments](bool json) { return grade(*arguments, json); });
}

}  // namespace vitrine::cli
