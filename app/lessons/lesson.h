// Lessons: pages of Markdown, one after another, that start the machine, point at panels, and ask questions.
//
//   ---
//   title: Preemption and swapping            front matter: title, about, order, minutes
//   about: One sentence for the list of lessons.
//   ---
//   The text before the first heading is the first page.
//
//   ## A page's title
//   [Play three answers](scenario:preemption-recompute?num_blocks=8) and [run on](until:preemption@R3).
//
//   - [ ] A choice of the page's question
//     Why it is wrong.
//   - [x] The right one
//
// A link with a scheme of LessonDeed is an action. The last page is the further reading, the one before it
// the summary. Thread: values. Read next: lesson_check.h, scenarios/scenario.h, app/lessons/README.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/scenario.h"
#include "vitrine/breakpoint.h"
#include "vitrine/names.h"

namespace vitrine {

enum class LessonDeed { kScenario, kUntil, kStep, kShow, kCompare };
VITRINE_NAMES(LessonDeed, "scenario", "until", "step", "show", "compare");

struct LessonAction {
  LessonDeed deed = LessonDeed::kShow;
  std::string words;   // the link's own, without Markdown
  std::string target;  // kScenario, kCompare: the scenario; kShow: the panel
  // Those of the scenario that the action changes: the name in snake_case, and the value.
  std::vector<std::pair<std::string, std::string>> options;
  Breakpoint moment;  // kUntil
  int steps = 1;      // kStep
  int line = 0;       // of the file, from 1

  bool doesTheSameAs(const LessonAction& other) const;  // words and line aside
};

struct LessonChoice {
  std::string text, because;  // Markdown
  bool right = false;
  int line = 0;

  bool operator==(const LessonChoice&) const = default;
};

struct LessonPage {
  std::string title;
  std::string text;  // Markdown without the choices; the actions' links stand in it as they were written
  std::vector<LessonAction> actions;
  std::vector<LessonChoice> choices;  // none: the page asks nothing
  int line = 0;                       // of the heading, or where the text begins
};

struct Lesson {
  std::string name, title, about;  // name: the file's, without its ending
  std::filesystem::path folder;    // scenarios beside the lesson are found there; empty: none
  int order = 0, minutes = 10;
  std::vector<LessonPage> pages;  // never empty
};

// The panels that an action can show: those of scenarios, and some more.
const std::vector<std::string>& lessonPanels();

// The action that a link of a page stands for, without words and line; null for a link to the web. `address`
// as it stands in the file; "%20" is a blank. Throws UsageError for any other address.
std::optional<LessonAction> actionOfLink(std::string_view address);
// As it stands in a file: "scenario:six-blocks?num_blocks=8".
std::string addressOf(const LessonAction& action);

// Throws UsageError that names the line. lesson_text.h has the same for a checker, with all faults.
Lesson lessonFromText(std::string_view text, const std::string& name);
// Whether a text is a lesson, well written or not: it begins with front matter that has a title. Never
// throws.
bool looksLikeLesson(std::string_view text);

// The file of a shipped lesson, or the file of this name. With a language ("zh_CN") the file in the folder of
// that name beside it, where there is one. Throws EngineError(kFileNotFound) with the names of all lessons.
std::filesystem::path lessonFile(const std::string& nameOrFile, const std::string& language = {});
// A lesson in lessonFile(), of at most 1 MiB. Throws what lessonFile() throws, EngineError for a file that
// cannot be read, and UsageError with the file and the line.
Lesson readLesson(const std::string& nameOrFile, const std::string& language = {});
// The lessons that ship with Vitrine, in the order of the course; those that cannot be read come last.
std::vector<std::string> shippedLessonNames();

// The scenario that an action begins, with its options changed. Throws what readScenario() throws, and
// UsageError for options that do not fit together.
Scenario scenarioOf(const Lesson& lesson, const LessonAction& action, const std::string& language = {});

}  // namespace vitrine
