// Any bytes as a lesson: refused with the line of a fault, or pages whose actions can be written as links
// again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lessons/lesson_check.h"

using namespace vitrine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<LessonProblem> problems;
  const Lesson lesson = lessonFromText(text, "any", problems);
  if (lesson.pages.empty()) std::abort();
  for (const LessonProblem& problem : problems)
    if (problem.line < 1 || problem.words.empty()) std::abort();
  for (const LessonPage& page : lesson.pages) {
    if (wordsOfPage(page) < 0) std::abort();
    for (const LessonAction& action : page.actions) {
      const auto again = actionOfLink(addressOf(action));
      if (!again || !again->doesTheSameAs(action)) std::abort();
    }
  }
  if (problems.empty() && !looksLikeLesson(text)) {
    // Front matter may be longer than what a first look reads.
    if (size < 4096) std::abort();
  }
  return 0;
}
