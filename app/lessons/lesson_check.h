// The faults of a lesson: those of its form, and promises of its actions that the machine does not keep.
//
// problemsOf() looks at the lesson and the scenarios that it names. problemsInPlay() plays them. Both list
// faults in the order of the lines. Thread: any; playing takes seconds. Read next: lesson.h, lesson_text.h,
// which lists the faults of the text.
#pragma once

#include <vector>

#include "lessons/lesson.h"
#include "lessons/lesson_text.h"

namespace vitrine {

// Words of a page's text: a Chinese or Japanese character counts as half a word, an address as none.
inline constexpr int kMostWordsOfAPage = 120;
int wordsOfPage(const LessonPage& page);

// Pages without a summary, a source or a question; questions without a right choice; long pages; scenarios
// that do not exist, changes that change nothing, and moments of requests that the scenario lacks.
std::vector<LessonProblem> problemsOf(const Lesson& lesson);

// Plays each scenario that the lesson begins, its options changed. An `until:` must be met behind the one
// before it, and a `step:` must not lead beyond the end; both sides of a `compare:` must run. Says nothing
// about scenarios that cannot be read: problemsOf() does.
std::vector<LessonProblem> problemsInPlay(const Lesson& lesson);

// All of these of a file, and the faults of its text. A file in a folder with the name of a language, with
// the original in the folder above, is a translation: it is compared with the original and not played. Throws
// EngineError for a file that cannot be read.
std::vector<LessonProblem> problemsOfFile(const std::filesystem::path& file);

// Of a lesson in another language: the same pages with the same actions in the same order, and the same right
// choices.
std::vector<LessonProblem> problemsOfTranslation(const Lesson& original, const Lesson& translated);
// The files of that name in the folders beside it, in the order of their names.
std::vector<std::filesystem::path> translationsOf(const std::filesystem::path& file);

}  // namespace vitrine
