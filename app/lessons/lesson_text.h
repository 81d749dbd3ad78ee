// The text of a lesson read to its end: every fault with its line, so that an author mends them all at once.
//
// lessonFromText() of lesson.h throws the first of them. Thread: values. Read next: lesson_links.h,
// lesson_check.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.h"

namespace vitrine {

struct LessonProblem {
  int line = 0;  // of the file, from 1
  std::string words;
  std::string hint;  // the remedy; may be empty
};

inline constexpr std::size_t kMostLessonBytes = std::size_t{1} << 20;

// Leaves out what it cannot read, and says so in `problems`, in the order of the lines. Never throws.
Lesson lessonFromText(std::string_view text, const std::string& name, std::vector<LessonProblem>& problems);

}  // namespace vitrine
