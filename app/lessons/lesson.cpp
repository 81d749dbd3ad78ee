#include "lessons/lesson.h"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "lessons/lesson_options.h"
#include "lessons/lesson_text.h"
#include "vitrine/message_text.h"
#include "vitrine/program_files.h"

namespace vitrine {
namespace {

// By name.
std::map<std::string, std::filesystem::path> shippedLessonFiles() {
  std::map<std::string, std::filesystem::path> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(dataFolder("lessons"), failure))
    if (entry.path().extension() == ".md") files.emplace(entry.path().stem().string(), entry.path());
  return files;
}

std::string listedNames(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "none" : list;
}

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

// A shipped scenario by its name, a file beside the lesson by its ending; never another file of that name.
std::filesystem::path scenarioFile(const Lesson& lesson, const std::string& name) {
  if (name.ends_with(".json") && !lesson.folder.empty()) return lesson.folder / name;
  const std::filesystem::path shipped = dataFolder("scenarios") / (name + ".json");
  if (isThere(shipped)) return shipped;
  throw EngineError(ErrorCode::kFileNotFound, "there is no scenario " + forMessage(name),
                    "Scenarios known by name: " + listedNames(shippedScenarioNames()) + ".");
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
  const auto shipped = shippedLessonFiles();
  std::filesystem::path file = nameOrFile;
  if (const auto found = shipped.find(nameOrFile); found != shipped.end()) {
    file = found->second;
  } else if (!isThere(file)) {
    std::vector<std::string> names;
    for (const auto& [name, place] : shipped) names.push_back(name);
    throw EngineError(ErrorCode::kFileNotFound, "there is no lesson " + forMessage(nameOrFile),
                      "Lessons known by name: " + listedNames(names) + ".");
  }
  if (!isLanguage(language)) return file;
  const std::filesystem::path translated = file.parent_path() / language / file.filename();
  return isThere(translated) ? translated : file;
}

Lesson readLesson(const std::string& nameOrFile, const std::string& language) {
  const std::filesystem::path original = lessonFile(nameOrFile), file = lessonFile(nameOrFile, language);
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
  std::vector<std::pair<int, std::string>> places;
  for (const auto& [name, file] : shippedLessonFiles()) {
    try {
      places.emplace_back(readLesson(name).order, name);
    } catch (const std::exception&) {
      places.emplace_back(std::numeric_limits<int>::max(), name);
    }
  }
  std::ranges::sort(places);
  std::vector<std::string> names;
  for (auto& [order, name] : places) names.push_back(std::move(name));
  return names;
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
