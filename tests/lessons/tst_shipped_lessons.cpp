// Every lesson that ships keeps its promises on the built-in model, and its translations say the same.
#include "lessons/lesson_check.h"
#include "vitrine/program_files.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>

using namespace vitrine;

namespace {

std::string told(const std::filesystem::path& file, const std::vector<LessonProblem>& problems) {
  std::string text;
  for (const LessonProblem& problem : problems)
    text += file.filename().string() + ":" + std::to_string(problem.line) + ": " + problem.words + "\n";
  return text;
}

}  // namespace

class TestShippedLessons : public QObject {
  Q_OBJECT

 private slots:
  void nothingIsWrong_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("a lesson of the tests") << VITRINE_SOURCE_DIR "/tests/lessons/data/preemption.md";
    for (const std::string& name : shippedLessonNames()) {
      const std::filesystem::path file = lessonFile(name);
      QTest::newRow(name.c_str()) << QString::fromStdString(file.string());
      for (const std::filesystem::path& translated : translationsOf(file))
        QTest::newRow((translated.parent_path().filename() / name).c_str())
            << QString::fromStdString(translated.string());
    }
  }
  void nothingIsWrong() {
    QFETCH(QString, file);
    const std::filesystem::path path = file.toStdString();
    const std::vector<LessonProblem> problems = problemsOfFile(path);
    QVERIFY2(problems.empty(), told(path, problems).c_str());
  }

  // Two lessons in one place would change theirs from one start to the next.
  void eachHasItsOwnPlace() {
    std::map<int, std::string> places;
    for (const std::string& name : shippedLessonNames()) {
      const auto [taken, isNew] = places.emplace(readLesson(name).order, name);
      QVERIFY2(isNew, (name + " has the order of " + taken->second).c_str());
    }
  }

  // A file in a language's folder without its original is never shown.
  void eachTranslationHasItsOriginal() {
    std::size_t translations = 0, found = 0;
    std::error_code failure;
    const std::filesystem::path folder = dataFolder("lessons");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, failure))
      if (entry.path().extension() == ".md" && entry.path().parent_path() != folder) ++translations;
    for (const std::string& name : shippedLessonNames()) found += translationsOf(lessonFile(name)).size();
    QCOMPARE(found, translations);
  }
};

QTEST_GUILESS_MAIN(TestShippedLessons)
#include "tst_shipped_lessons.moc"
