#include "lessons/lesson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/shipped_files.h"
#include "lessons/lesson_options.h"
#include "lessons/lesson_text.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

ShippedFiles shippedLessonFiles() { return {"lessons", ".md", "lesson"}; }

// A number or a boolean as JSON has it, or else a word.
Json valueFromText(const std::string& text) {
  try {
    Json value = parseJson(text);
    if (value.is_number() || value.is_boolean()) return value;
  } catch (const UsageError&) {
    return text;
  }
  return text;
}

bool isLanguage(const std::string& language) {
  return !language.empty() && std::ranges::all_of(language, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '-');
  });
}

// The file in the folder of the language beside it, where there is one.
std::filesystem::path inLanguage(const std::filesystem::path& file, const std::string& language) {
  if (!isLanguage(language)) return file;
  const std::filesystem::path translated = file.parent_path() / language / file.filename();
  return isThere(translated) ? translated : file;
}

// A shipped scenario by its name, a file beside the lesson by its ending; never another file of that name.
std::filesystem::path scenarioFile(const Lesson& lesson, const std::string& name) {
  if (name.ends_with(".json") && !lesson.folder.empty()) return lesson.folder / name;
  return ShippedFiles("scenarios", ".json", "scenario").shipped(name);
}

}  // namespace

const std::vector<std::string>& lessonPanels() {
  static const std::vector<std::string> kPanels = [] {
    std::vector<std::string> panels = expectationPanels();
    panels.insert(panels.end(), {"timeline", "headline", "phases", "predict"});
    return panels;
  }();
  return kPanels;
}

void changeOption(EngineArguments& arguments, const std::string& name, const std::string& value) {
  const bool known = name != kModelInfo.key && takeEngineKey(arguments, name, valueFromText(value));
  if (!known)
    throw UsageError("there is no option \"" + forMessage(name, 60) + "\"",
                     "vitrine-cli run --help lists them; write _ for - and leave out the dashes in front");
}

std::filesystem::path lessonFile(const std::string& nameOrFile, const std::string& language) {
  return inLanguage(shippedLessonFiles().find(nameOrFile), language);
}

Lesson readLesson(const std::string& nameOrFile, const std::string& language) {
  const std::filesystem::path original = lessonFile(nameOrFile), file = inLanguage(original, language);
  const std::string text = readWholeFile(file, kMostLessonBytes);
  try {
    Lesson lesson = lessonFromText(text, file.stem().string());
    lesson.folder = std::filesystem::absolute(original).parent_path();
    return lesson;
  } catch (const UsageError& error) {
    throw error.at(file.string() + ": ");
  }
}

std::vector<std::string> shippedLessonNames() {
  return shippedLessonFiles().inOrder([](const std::string& name) { return readLesson(name).order; });
}

Scenario scenarioOf(const Lesson& lesson, const LessonAction& action, const std::string& language) {
  Scenario scenario = readScenario(scenarioFile(lesson, action.target).string(), InputKind::kFile, language);
  for (const auto& [name, value] : action.options) changeOption(scenario.engine, name, value);
  try {
    scenario.engine.toOptions();
  } catch (const UsageError& error) {
    throw UsageError(asKeys(error.what()), asKeys(error.hint()));
  }
  return scenario;
}

}  // namespace vitrine
