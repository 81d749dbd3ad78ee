// vitrine-cli trace quiz, trace grade: a sheet of questions from a trace, and the marks of a class's answers.
//
// Both make the same quiz from the same trace and options. Read next: app/quiz/question_choice.h.
#pragma once

namespace CLI {
class App;
}

namespace vitrine::cli {

struct Program;

void addQuiz(CLI::App& trace, Program& program);

}  // namespace vitrine::cli
