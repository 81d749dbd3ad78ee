// vitrine-cli lesson: the lessons that ship, a lesson's pages as text, and the faults of a lesson.
#include <CLI/CLI.hpp>
#include <memory>

#include "lessons/lesson_check.h"
#include "lessons/lesson_links.h"
#include "program.h"
#include "vitrine/message_text.h"

namespace vitrine::cli {
namespace {

struct LessonArguments {
  std::string name, language;
  std::vector<std::string> files;  // or names
};

// A lesson that cannot be read is listed with its error, so that the others can be found.
int listLessons(const LessonArguments& arguments, bool json) {
  Json lessons = Json::array();
  for (const std::string& name : shippedLessonNames()) {
    Json entry = {{"name", name}};
    try {
      const Lesson lesson = readLesson(name, arguments.language);
      int questions = 0;
      for (const LessonPage& page : lesson.pages) questions += page.choices.empty() ? 0 : 1;
      entry.update({{"title", lesson.title},
                    {"about", lesson.about},
                    {"order", lesson.order},
                    {"minutes", lesson.minutes},
                    {"pages", lesson.pages.size()},
                    {"questions", questions}});
      if (!json)
        print("%s: %s (%d minutes)\n  %s\n", name.c_str(), lesson.title.c_str(), lesson.minutes,
              lesson.about.c_str());
    } catch (const UsageError& error) {
      entry["error"] = error.what();
      if (!json) print("%s: %s\n", name.c_str(), error.what());
    }
    lessons.push_back(std::move(entry));
    requireOutput();
  }
  if (json) printJson({{"lessons", lessons}});
  if (!json && lessons.empty()) print("No lesson is installed.\n");
  return 0;
}

Json toJson(const LessonAction& action) {
  Json json = {{"action", nameOf(action.deed)},
               {"words", action.words},
               {"link", addressOf(action)},
               {"line", action.line}};
  if (!action.target.empty()) json["target"] = action.target;
  for (const auto& [name, value] : action.options) json["options"][name] = value;
  if (action.deed == LessonDeed::kUntil) json["until"] = toText(action.moment);
  if (action.deed == LessonDeed::kStep) json["steps"] = action.steps;
  return json;
}

Json toJson(const LessonPage& page) {
  Json actions = Json::array(), choices = Json::array();
  for (const LessonAction& action : page.actions) actions.push_back(toJson(action));
  for (const LessonChoice& choice : page.choices)
    choices.push_back({{"text", choice.text}, {"because", choice.because}, {"right", choice.right}});
  return {{"title", page.title},
          {"text", page.text},
          {"actions", actions},
          {"choices", choices},
          {"words", wordsOfPage(page)}};
}

// Without the links' addresses; the actions follow the text.
void printPage(const LessonPage& page) {
  printText("\n## " + page.title + "\n\n" + withoutLinks(page.text, WebAddresses::kTold) + "\n");
  if (!page.actions.empty()) printText("\n");
  for (const LessonAction& action : page.actions)
    printText("  -> " + action.words + " (" + addressOf(action) + ")\n");
  if (!page.choices.empty()) printText("\n");
  for (const LessonChoice& choice : page.choices) {
    printText(std::string(choice.right ? "  [x] " : "  [ ] ") + withoutLinks(choice.text) + "\n");
    if (choice.because.empty()) continue;
    std::string because = withoutLinks(choice.because);
    for (std::size_t at = 0; (at = because.find('\n', at)) != std::string::npos; at += 7)
      because.insert(at + 1, "      ");
    printText("      " + because + "\n");
  }
}

int showLesson(const LessonArguments& arguments, bool json) {
  const Lesson lesson = readLesson(arguments.name, arguments.language);
  if (!json) {
    printText("# " + lesson.title + "\n\n" + lesson.about + " (" + std::to_string(lesson.minutes) +
              " minutes)\n");
    for (const LessonPage& page : lesson.pages) {
      printPage(page);
      requireOutput();
    }
    return 0;
  }
  Json pages = Json::array();
  for (const LessonPage& page : lesson.pages) pages.push_back(toJson(page));
  printJson({{"name", lesson.name},
             {"title", lesson.title},
             {"about", lesson.about},
             {"order", lesson.order},
             {"minutes", lesson.minutes},
             {"pages", pages}});
  return 0;
}

// Each shipped lesson, behind it its translations.
std::vector<std::filesystem::path> shippedFilesToCheck() {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : shippedLessonNames()) {
    const std::filesystem::path file = lessonFile(name);
    files.push_back(file);
    for (const std::filesystem::path& translated : translationsOf(file)) files.push_back(translated);
  }
  return files;
}

int checkLessons(const LessonArguments& arguments, bool json) {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : arguments.files) files.push_back(lessonFile(name));
  if (arguments.files.empty()) files = shippedFilesToCheck();
  Json checked = Json::array();
  std::size_t count = 0;
  for (const std::filesystem::path& file : files) {
    Json problems = Json::array();
    for (const LessonProblem& problem : problemsOfFile(file)) {
      ++count;
      problems.push_back({{"line", problem.line}, {"problem", problem.words}, {"hint", problem.hint}});
      const std::string hint = problem.hint.empty() ? "" : " (" + problem.hint + ")";
      if (!json)
        printText(file.string() + ":" + std::to_string(problem.line) + ": " + problem.words + hint + "\n");
    }
    requireOutput();
    checked.push_back({{"file", file.string()}, {"problems", std::move(problems)}});
  }
  if (json) printJson({{"lessons", checked}, {"problems", count}});
  if (!json && count == 0)
    print("%zu %s checked: nothing is wrong\n", files.size(), files.size() == 1 ? "lesson" : "lessons");
  return count == 0 ? 0 : 1;
}

}  // namespace

void addLesson(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<LessonArguments>();
  CLI::App* lesson = app.add_subcommand("lesson", "the course: list its lessons, show one, or check one");
  lesson->require_subcommand(1);
  const auto addLanguage = [arguments](CLI::App& command) {
    command.add_option("--language", arguments->language,
                       "in this language where there is a translation, for example zh_CN");
  };

  CLI::App* listing = lesson->add_subcommand("list", "the lessons that ship with Vitrine, in their order");
  addLanguage(*listing);
  setWork(*listing, program, [arguments](bool json) { return listLessons(*arguments, json); });

  CLI::App* showing = lesson->add_subcommand("show", "a lesson's pages as text, with its answers");
  showing->add_option("LESSON", arguments->name, "the name of a lesson, or a file")->required();
  addLanguage(*showing);
  setWork(*showing, program, [arguments](bool json) { return showLesson(*arguments, json); });

  CLI::App* checking =
      lesson->add_subcommand("check", "the faults of lessons; plays the scenarios that they begin");
  checking->add_option("LESSON", arguments->files,
                       "names of lessons, or files; without one, all that ship, with their translations");
  setWork(*checking, program, [arguments](bool json) { return checkLessons(*arguments, json); });
}

}  // namespace vitrine::cli
